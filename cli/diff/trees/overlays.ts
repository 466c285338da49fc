/** Folders and archives whose documents are read with the overlays that a `svc.yaml` names for them. */
import { resolve } from 'node:path'
import { overlaysNamedIn } from '../../../server/sources/overlays.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { isDocumentName } from '../../../src/import/tree-path.ts'
import { overlayOf, type Overlay } from '../../../src/overlay/read.ts'
import { isOverlaid } from '../../../src/overlay/trace.ts'
import type { Invocation } from '../../declare.ts'
import { pathOf, type SourceText } from '../../input/document-source.ts'
import { readGit, splitRevision } from '../../input/git/file.ts'
import { laidOver, revisionWithOverlays, sourceWithOverlays, warnOfUnmatched } from '../../project-file/overlays.ts'
import type { ComparedTree } from './tree.ts'

type Reading = Pick<Invocation, 'cwd' | 'io' | 'signal'>

async function applied(source: SourceText, overlays: readonly Overlay[], reading: Reading): Promise<SourceText> {
  const made = await laidOver(parseDocument(source.text, { source: source.place }), overlays)
  warnOfUnmatched(made, reading)
  return isOverlaid(made.document) ? { ...source, text: made.document.text, entry: made.document } : source
}

/** A document whose `svc.yaml` is not in its folder: that of the current folder, where its root is meant. */
function byCurrentFolder(source: SourceText, { name, isArchive }: ComparedTree, reading: Reading): Promise<SourceText> {
  if (isArchive) return Promise.resolve(source)
  const { cwd, signal } = reading
  const revised = splitRevision(name)
  if (revised === null || pathOf(source.place) === null) return sourceWithOverlays(source, reading)
  const { revision } = revised
  return revisionWithOverlays(source, revision, (path) => readGit({ revision, path }, { cwd, signal }), reading)
}

/**
 * The same tree, whose documents are read with their overlays: those of the nearest `svc.yaml` among its files; without one there,
 * those of the `svc.yaml` of the current folder, at the revision of a folder of git.
 * @param own the path of the `svc.yaml` of the current folder, where it names overlays; null elsewhere
 */
export function withTreeOverlays(tree: ComparedTree, own: string | null, reading: Reading): ComparedTree {
  const paths = new Set(tree.paths)
  const isOverlaying = tree.paths.some((it) => /(?:^|\/)svc\.ya?ml$/.test(it))
  if (!isOverlaying && own === null) return tree
  const isOwnInside = own !== null && paths.size > 0 && own.startsWith(`${resolve(reading.cwd, tree.name)}/`)
  const files = {
    boundary: '',
    has: (path: string) => paths.has(path),
    text: async (path: string) => (await tree.read(path)).text,
  }
  return {
    ...tree,
    async read(path) {
      const source = await tree.read(path)
      if (!isDocumentName(path)) return source
      const named = isOverlaying ? (await overlaysNamedIn(files, path)).paths : []
      if (named.length === 0) return own === null || isOwnInside ? source : byCurrentFolder(source, tree, reading)
      const overlays: Overlay[] = []
      for (const it of named) {
        const { text, name } = await tree.read(it)
        overlays.push(overlayOf(parseDocument(text, { source: name })))
      }
      return applied(source, overlays, reading)
    },
  }
}
