import { asc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { repositoryBranches, repositoryFilePolicies, repositoryImports } from '../../db/tables.gen.ts'
import { filePresets, type FilePreset, type RepositoryFile } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { subjectOf } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { Guard } from '../bounds/door.ts'
import type { Deps, Page } from '../kit/door.ts'
import { isImportable, type ListedFile, marksOf, unpackFiles } from '../hosting/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { refusalOf, remoteOf } from './access.ts'
import { findRepository, type RepositoryRow } from './record.ts'
import { namesIn, versionNames } from './version-names.ts'

const mostContent = 2 * 1024 * 1024
const cachedFiles = 300_000

/** Lists that were read lately, by repository, branch and commit: pages of one list are asked for one after the other. */
const lists = new SizedCache<readonly ListedFile[]>(cachedFiles, 'repository_files')

export type BranchRow = typeof repositoryBranches.$inferSelect

/** The files of an indexed branch. */
export async function filesOf(row: BranchRow): Promise<readonly ListedFile[]> {
  const key = JSON.stringify([row.repositoryId, row.branch, row.commitSha, row.indexedAt])
  const known = lists.get(key)
  if (known !== undefined) return known
  const files = await unpackFiles(row.files)
  lists.set(key, files, files.length + 1)
  return files
}

/** Names a file in addresses: its branch and its path. */
export const fileIdOf = (branch: string, path: string): string =>
  Buffer.from(`${branch}\n${path}`).toString('base64url')

const placeIn = (fileId: string): { readonly branch: string; readonly path: string } => {
  const text = Buffer.from(fileId, 'base64url').toString('utf8')
  // The name of a branch has no line break.
  const cut = text.indexOf('\n')
  return { branch: text.slice(0, Math.max(cut, 0)), path: text.slice(cut + 1) }
}

/** @throws SvcError `branch-not-indexed` */
async function findBranch(deps: Deps, repository: RepositoryRow, branch: string | null): Promise<BranchRow> {
  const name = branch ?? repository.defaultBranch ?? ''
  const own = inTenant(
    repositoryBranches,
    repository.tenantId,
    eq(repositoryBranches.repositoryId, repository.id),
    eq(repositoryBranches.branch, name),
  )
  const [row] = await deps.db.read.select().from(repositoryBranches).where(own)
  if (!row) throw new SvcError('branch-not-indexed', { branch: name, repository: repository.fullName })
  return row
}

export interface FilesQuery {
  readonly branch?: string
  readonly preset?: FilePreset
  readonly glob?: string
  readonly regex?: string
  readonly path_prefix?: string
  readonly hide_non_importable?: boolean
  readonly skip_vendor?: boolean
  readonly include_hidden?: boolean
}

type Test = (file: ListedFile) => boolean

const presetTests: Readonly<Record<FilePreset, Test>> = {
  all: () => true,
  specs: ({ kind }) => kind !== null,
  openapi: ({ kind }) => kind === 'openapi' || kind === 'swagger',
  arazzo: ({ kind }) => kind === 'arazzo',
  'json-schema': ({ kind }) => kind === 'json-schema',
  mcp: ({ kind }) => kind === 'mcp',
}

const mostAlternatives = 100

/**
 * A glob of paths: `*`, `**`, `?`, `[…]` and `{a,b}`.
 * @throws SvcError `file-pattern-invalid`
 */
export function globTest(pattern: string): (path: string) => boolean {
  const alternatives = [...pattern.matchAll(/\{[^{}]*\}/g)].reduce((n, [group]) => n * group.split(',').length, 1)
  if (alternatives > mostAlternatives)
    throw new SvcError('file-pattern-invalid', {
      kind: 'glob',
      pattern,
      reason: `it has more than ${mostAlternatives} alternatives`,
    })
  const glob = new Bun.Glob(pattern)
  return (path) => glob.match(path)
}

/**
 * Which files of a branch have a match in their paths, asked in an analysis process: only there a regular expression of a caller runs.
 * @throws SvcError `file-pattern-invalid`, `analysis-stopped`
 */
async function filesWithMatch(
  deps: Deps,
  { tenantId, repositoryId, branch, commitSha, indexedAt }: BranchRow,
  files: readonly ListedFile[],
  regex: string,
  signal: AbortSignal,
): Promise<readonly ListedFile[]> {
  const paths = subjectOf({
    tenantId,
    digest: JSON.stringify(['paths', repositoryId, branch, commitSha, indexedAt]),
    bytes: () => Promise.resolve(new TextEncoder().encode(files.map(({ path }) => path).join('\0'))),
    source: branch,
    format: 'auto',
  })
  const matches = await deps.analysis.run(tenantId, 'paths', { regex }, [paths], { signal })
  return files.filter((_, at) => matches[at] === 1)
}

/** @throws SvcError `file-pattern-invalid` */
function testsOf(query: FilesQuery): readonly Test[] {
  const { glob, path_prefix: prefix } = query
  const byPath = [
    ...(glob === undefined ? [] : [globTest(glob)]),
    ...(prefix === undefined || prefix === '' ? [] : [(path: string) => path.startsWith(prefix)]),
    ...(query.skip_vendor === true ? [(path: string) => !marksOf(path).vendored] : []),
    ...(query.include_hidden === true ? [] : [(path: string) => !marksOf(path).hidden]),
  ]
  return [
    presetTests[query.preset ?? 'all'],
    ...(query.hide_non_importable === true ? [isImportable] : []),
    ...byPath.map(
      (test): Test =>
        ({ path }) =>
          test(path),
    ),
  ]
}

/** What comparing a glob with a path costs at most, in steps of a character: each place of one with each of the other. */
export const globSteps = (glob: string, path: string): number => path.length + (glob.length * path.length) / 64

/**
 * The files of a branch that a query asks for.
 * @throws SvcError `file-pattern-invalid`, `request-too-costly`, `analysis-stopped`
 */
export async function filesFor(
  deps: Deps,
  row: BranchRow,
  all: readonly ListedFile[],
  query: FilesQuery,
  signal: AbortSignal,
): Promise<readonly ListedFile[]> {
  const tests = testsOf(query)
  const { glob = '', regex } = query
  const files = regex === undefined ? all : await filesWithMatch(deps, row, all, regex, signal)
  return new Guard('repository-files', signal).filter(
    files,
    ({ path }) => globSteps(glob, path),
    (file) => tests.every((test) => test(file)),
  )
}

/** What is kept of the files of a repository beside its index, by branch and path. */
async function knownOf(deps: Deps, { tenantId, id }: RepositoryRow) {
  const { read } = deps.db
  const imports = await read
    .select()
    .from(repositoryImports)
    .where(inTenant(repositoryImports, tenantId, eq(repositoryImports.repositoryId, id)))
  const policies = await read
    .select()
    .from(repositoryFilePolicies)
    .where(inTenant(repositoryFilePolicies, tenantId, eq(repositoryFilePolicies.repositoryId, id)))
  return {
    imports: new Map(imports.map((it) => [fileIdOf(it.branch, it.path), it])),
    policies: new Map(policies.map((it) => [fileIdOf(it.branch, it.path), it.policy])),
    names: await versionNames(
      read,
      tenantId,
      imports.map(({ versionId }) => versionId),
    ),
  }
}

type Known = Awaited<ReturnType<typeof knownOf>>

export function toFile(branch: string, file: ListedFile, known: Known): RepositoryFile {
  const id = fileIdOf(branch, file.path)
  const spec = known.imports.get(id)
  return {
    id,
    path: file.path,
    branch,
    size_bytes: file.size,
    blob_sha: file.oid,
    kind: file.kind,
    importable: isImportable(file),
    reason: file.reason,
    import:
      spec === undefined
        ? null
        : {
            project_id: spec.projectId,
            version_id: spec.versionId,
            refresh_status: spec.refreshStatus,
            ...namesIn(known.names, spec.versionId),
          },
    conflict_policy: known.policies.get(id) ?? null,
    ...marksOf(file.path),
  }
}

/**
 * An indexed branch with its files, and what is kept beside them.
 * @throws SvcError `repository-not-found`, `branch-not-indexed`
 */
export async function readBranch(deps: Deps, tenantId: string, id: string, branch: string | null) {
  const repository = await findRepository(deps.db.read, tenantId, id)
  const row = await findBranch(deps, repository, branch)
  const branches = await deps.db.read
    .select({ branch: repositoryBranches.branch })
    .from(repositoryBranches)
    .where(inTenant(repositoryBranches, tenantId, eq(repositoryBranches.repositoryId, id)))
    .orderBy(asc(repositoryBranches.branch))
  const head = {
    success: true,
    branch: row.branch,
    commit_sha: row.commitSha,
    indexed_at: row.indexedAt,
    files_truncated: row.isTruncated,
    presets: [...filePresets],
    branches: branches.map((one) => one.branch),
  }
  return { row, head, files: await filesOf(row), known: await knownOf(deps, repository) }
}

/**
 * A page of the files of a branch.
 * @throws SvcError `repository-not-found`, `branch-not-indexed`, and what `filesFor` throws
 */
export async function listFiles(
  deps: Deps,
  grant: Grant,
  id: string,
  query: FilesQuery,
  page: Page,
  signal: AbortSignal,
) {
  const { row, head, files: all, known } = await readBranch(deps, tenantOf(grant).id, id, query.branch ?? null)
  const files = await filesFor(deps, row, all, query, signal)
  return {
    ...head,
    files: files.slice(page.offset, page.offset + page.limit).map((file) => toFile(row.branch, file, known)),
    total: files.length,
    ...page,
  }
}

/**
 * A file of an indexed branch, by its id.
 * @throws SvcError `repository-not-found`, `repository-file-not-found`
 */
export async function findFile(deps: Deps, grant: Grant, id: string, fileId: string) {
  const { repository, row, files } = await findFiles(deps, grant, id, [fileId])
  const [file] = files
  if (file === undefined) throw new Error('one file was asked for')
  return { repository, row, file }
}

/**
 * Files of one indexed branch, by their ids.
 * @throws SvcError `repository-not-found`, `repository-file-not-found`, `usage` for files of several branches
 */
export async function findFiles(deps: Deps, grant: Grant, id: string, fileIds: readonly string[]) {
  const repository = await findRepository(deps.db.read, tenantOf(grant).id, id)
  const missing = (fileId: string) =>
    new SvcError('repository-file-not-found', { file: fileId.slice(0, 100), repository: repository.fullName })
  const places = fileIds.map((fileId) => ({ fileId, ...placeIn(fileId) }))
  const [first] = places
  if (first === undefined) throw new SvcError('usage', { reason: 'Name at least one file' })
  if (places.some(({ branch }) => branch !== first.branch))
    throw new SvcError('usage', { reason: 'Name files of one branch' })
  const row = await findBranch(deps, repository, first.branch).catch(() => null)
  if (row === null) throw missing(first.fileId)
  const all = new Map((await filesOf(row)).map((one) => [one.path, one]))
  const files = places.map(({ fileId, path }) => {
    const file = all.get(path)
    if (file === undefined) throw missing(fileId)
    return file
  })
  return { repository, row, files }
}

/**
 * The bytes of a file, read from the repository.
 * @throws SvcError `repository-not-found`, `repository-file-not-found`, `file-too-large`, `repository-file-unreadable`, `repository-unreadable`, `egress-denied`
 */
export async function readFile(deps: Deps, grant: Grant, id: string, fileId: string, signal: AbortSignal) {
  const { repository, row, file } = await findFile(deps, grant, id, fileId)
  const { path } = file
  if (file.reason === 'symlink' || file.reason === 'submodule')
    throw new SvcError('repository-file-unreadable', {
      path,
      reason: `it is a ${file.reason === 'symlink' ? 'symbolic link' : 'submodule'}`,
    })
  const tooLarge = new SvcError('file-too-large', { path, limit_bytes: mostContent })
  if (file.size !== null && file.size > mostContent) throw tooLarge
  const bytes = await readBlob(deps, repository, row.commitSha, file.oid, mostContent, signal)
  if (bytes === null) throw tooLarge
  const text = textOf(bytes)
  return {
    success: true,
    file: { ...toFile(row.branch, file, await knownOf(deps, repository)), size_bytes: bytes.byteLength },
    encoding: text === null ? ('base64' as const) : ('utf-8' as const),
    content: text ?? Buffer.from(bytes).toString('base64'),
    truncated: false,
    commit_sha: row.commitSha,
  }
}

async function readBlob(
  deps: Deps,
  repository: RepositoryRow,
  commit: string,
  oid: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  try {
    const remote = await remoteOf(deps, repository)
    return await deps.hosting.mirrors.use(remote, signal, async (mirror) => {
      await mirror.fetch(commit)
      return (await mirror.blobs([oid], maxBytes))?.get(oid) ?? null
    })
  } catch (error) {
    throw refusalOf(error, repository.fullName)
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
