/** Which APIs a branch touches: those whose documents, or what these are checked by, differ from a revision. */
import { resolve } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import { FilesRecorder } from '../input/files-read.ts'
import { pathOf } from '../input/document-source.ts'
import { readDocument, readDocumentsOf } from '../input/documents.ts'
import { git, type Repository } from '../input/git/process.ts'
import { apiOf, shortName } from '../project-file/find.ts'
import type { CheckAround } from './gates.ts'

const answer = async (args: readonly string[], repository: Repository): Promise<string | null> => {
  const { code, bytes } = await git(args, repository)
  return code === 0 ? new TextDecoder().decode(bytes) : null
}

/** The paths that differ between the files of this machine and where the branch left a revision. */
async function changedPaths(revision: string, repository: Repository): Promise<ReadonlySet<string>> {
  const known = await answer(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    repository,
  )
  const top = await answer(['rev-parse', '--show-toplevel'], repository)
  if (known === null || top === null)
    throw new SvcError('usage', {
      reason: `--since names no commit of a repository here: "${revision}". In a pipeline, fetch it first: git fetch --depth=1 origin main`,
    })
  // A shallow clone does not have the commit where the branch began: then the revision itself is what it left.
  const base = (await answer(['merge-base', known.trim(), 'HEAD'], repository)) ?? known
  const differing = await answer(['diff', '--name-only', '-z', '--no-renames', base.trim()], repository)
  const added = await answer(['ls-files', '--others', '--exclude-standard', '--full-name', '-z', ':/'], repository)
  const names = `${differing ?? ''}${added ?? ''}`.split('\0').filter(Boolean)
  return new Set(names.map((name) => resolve(top.trimEnd(), name)))
}

/** The files that the results of an API depend on. */
async function filesOf(api: ProjectApi, { plan, invocation }: CheckAround): Promise<readonly string[]> {
  const { cwd } = invocation
  const recorder = new FilesRecorder()
  const name = shortName(api.root, cwd)
  const document = await readDocument(name, invocation)
  await readDocumentsOf(document, invocation, recorder)
  const read = recorder.read.flatMap(([place]) => pathOf(place) ?? [])
  const guides = plan.groupOf(name).guide.files ?? []
  const settings = [api.guide, api.baseline, api.waivers, api.diff.config].filter((it) => it !== null)
  const overlays = api.overlays.map((it) => it.path)
  return [
    api.root,
    ...overlays,
    ...read.map((it) => resolve(it)),
    ...[...guides, ...settings].map((it) => resolve(cwd, it)),
  ]
}

/**
 * The APIs of a check that differ from a revision, in their order: their document, a file that it refers to or that `files` names,
 * their guide, baseline, waivers or rules for changes. All of them where `svc.yaml` itself or the rules beside it differ.
 * @throws SvcError `usage` where git does not know the revision
 */
export async function touchedApis(
  apis: readonly ProjectApi[],
  check: CheckAround,
  revision: string,
): Promise<readonly ProjectApi[]> {
  const { file, invocation } = check
  const changed = await changedPaths(revision, invocation)
  const beside = ['svc-diff.yaml', '.spectral.yaml'].map((it) => resolve(file.folder, it))
  if ([file.path, ...beside].some((it) => changed.has(it))) return apis
  const named = new Set([...changed].map((path) => apiOf(file, path)))
  const touched: ProjectApi[] = []
  for (const api of apis) {
    // What cannot be read is checked: that is where the reason is said.
    const files = named.has(api) ? null : await filesOf(api, check).catch(() => null)
    if (files === null || files.some((it) => changed.has(it))) touched.push(api)
  }
  return touched
}
