/** Pairs the files of two folders or archives by their paths. */
import { isDocumentName } from '../../../src/import/tree-path.ts'
import type { Contents } from './contents.ts'
import type { ComparedTree } from './tree.ts'

/** A side with what is in it. */
export interface Examined {
  readonly tree: ComparedTree
  readonly contents: Contents
}

/** A file of both sides, or of one. */
export interface Pair {
  /** Its path without the folder that holds the whole archive. */
  readonly file: string
  readonly base: string | null
  readonly head: string | null
}

/** What is compared, and what is not. */
export interface Pairs {
  readonly pairs: readonly Pair[]
  /** Files that are neither API descriptions nor JSON Schemas, sorted. */
  readonly skipped: readonly string[]
}

// Archives often hold everything in one folder that is called like the version.
const topOf = ({ isArchive, paths }: ComparedTree): string => {
  const first = paths[0]?.split('/', 1)[0]
  const top = `${first}/`
  return isArchive && first !== undefined && paths.every((it) => it.startsWith(top)) ? top : ''
}

const keysOf = ({ paths }: ComparedTree, top: string): Map<string, string> =>
  new Map(paths.map((path) => [path.slice(top.length), path]))

/** The files of both sides by their paths without a top folder, if that pairs more of them. */
function alignedKeys(base: ComparedTree, head: ComparedTree): readonly [Map<string, string>, Map<string, string>] {
  const choices = [
    ['', ''],
    [topOf(base), ''],
    ['', topOf(head)],
    [topOf(base), topOf(head)],
  ] as const
  let best: readonly [Map<string, string>, Map<string, string>] | null = null
  let most = -1
  for (const [a, b] of choices) {
    const keys = [keysOf(base, a), keysOf(head, b)] as const
    const shared = [...keys[0].keys()].filter((key) => isDocumentName(key) && keys[1].has(key)).length
    if (shared <= most) continue
    most = shared
    best = keys
  }
  return best ?? [keysOf(base, ''), keysOf(head, '')]
}

const isWhole = ({ documents, fragments, referred }: Contents, path: string): boolean =>
  documents.has(path) || (fragments.has(path) && !referred.has(path))

const isKnown = ({ documents, fragments, referred }: Contents, path: string): boolean =>
  documents.has(path) || fragments.has(path) || referred.has(path)

/**
 * Pairs the files of two sides. A file is compared where the base has it as a description of its own, or only the head has it;
 * the parts of such files are compared with them.
 */
export function pairFiles(base: Examined, head: Examined): Pairs {
  const [before, after] = alignedKeys(base.tree, head.tree)
  const pairs: Pair[] = []
  const skipped: string[] = []
  for (const file of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [own, other] = [before.get(file) ?? null, after.get(file) ?? null]
    const isIn = (side: Contents, path: string | null, test: typeof isWhole): boolean =>
      path !== null && test(side, path)
    const wasPart = own !== null && base.contents.referred.has(own)
    if (isIn(base.contents, own, isWhole) || (!wasPart && isIn(head.contents, other, isWhole)))
      pairs.push({ file, base: own, head: other })
    else if (!isIn(base.contents, own, isKnown) && !isIn(head.contents, other, isKnown)) skipped.push(file)
  }
  return { pairs, skipped }
}
