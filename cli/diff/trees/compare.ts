/** Compares two folders or archives file by file. */
import { resolve } from 'node:path'
import { fileChange, mergeFiles, type FileResult } from '../../../src/diff/files.ts'
import { checkVersion, type VersionCheck } from '../../../src/diff/next-version.ts'
import type { DiffResult } from '../../../src/diff/options.ts'
import type { ChangeReport, FileReport } from '../../../src/report/report.ts'
import { beginWork } from '../../deadline.ts'
import type { TypeReader } from '../../input/types.ts'
import { readWhole, splitStored } from '../../input/document-side.ts'
import { MissingSide } from '../../input/document-source.ts'
import { splitRevision } from '../../input/git/file.ts'
import { projectFileWithOverlays } from '../../project-file/overlays.ts'
import { compareDocuments } from '../compared.ts'
import type { ComparingInvocation } from '../options.ts'
import { engineOptions, type Settings } from '../settings.ts'
import { contentsOf } from './contents.ts'
import { pairFiles, type Pair } from './pair.ts'
import { emptyTree, openTree, type ComparedTree } from './tree.ts'
import { plural } from '../../../src/kernel/plural.ts'
import { usageError } from '../../usage-error.ts'

/** Two sides that are folders or archives. */
export interface Trees {
  readonly base: ComparedTree
  readonly head: ComparedTree
}

/** What came out of comparing two folders or archives. */
export interface ComparedTrees {
  readonly result: DiffResult
  readonly files: readonly FileReport[]
  readonly skipped: readonly string[]
  readonly anchors: NonNullable<ChangeReport['anchors']>
  /** The versions of the files that both sides have. */
  readonly checks: readonly { readonly file: string; readonly check: VersionCheck }[]
}

/** Options that are about the operations or the history of one document. */
const forOne = ['match-path', 'operation', 'tag', 'consumers', 'earlier'] as const

type Opened = ComparedTree | MissingSide | null

const openSide = (side: string, invocation: ComparingInvocation): Promise<Opened> =>
  openTree(side, invocation).catch((thrown: unknown) => {
    if (thrown instanceof MissingSide) return thrown
    throw thrown
  })

const isTree = (side: Opened): side is ComparedTree => side !== null && !(side instanceof MissingSide)

/**
 * The two sides of an invocation as folders or archives; null where neither is one.
 * @throws SvcError `usage` where only one is, or an option needs a single document; `input-unreadable` where a git revision does
 *   not have one
 */
export async function openTrees(invocation: ComparingInvocation): Promise<Trees | null> {
  const { args, options, cwd, io, given } = invocation
  const [base, head] = [await openSide(args.base, invocation), await openSide(args.head, invocation)]
  const one = [base, head].find((side) => isTree(side))
  if (one === undefined) return null
  for (const option of forOne)
    if (given.has(option)) throw usageError(`--${option} needs two documents; name a file in ${one.name}`)
  if (isTree(base) && isTree(head)) {
    const [{ withTreeOverlays }, own] = [await import('./overlays.ts'), await projectFileWithOverlays(cwd)]
    return { base: withTreeOverlays(base, own, invocation), head: withTreeOverlays(head, own, invocation) }
  }
  const isMissing = base instanceof MissingSide || (base === null && (await isAbsent(args.base, cwd)))
  if (isTree(head) && isMissing && options['allow-missing-base']) {
    io.log.warn(`${args.base} does not exist: ${args.head} is compared with nothing.`)
    return { base: emptyTree(args.base), head }
  }
  for (const side of [base, head]) if (side instanceof MissingSide) throw side
  const other = isTree(base) ? args.head : args.base
  throw usageError(
    `${one.name} is a folder or an archive, and ${other} is not; compare two folders or archives, or name a file in ${one.name}`,
  )
}

// Everything else is standard input, an address, a revision or a stored version.
const isPath = (side: string): boolean =>
  side !== '-' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(side) && splitRevision(side) === null && splitStored(side) === null

const isAbsent = async (side: string, cwd: string): Promise<boolean> =>
  isPath(side) && !(await Bun.file(resolve(cwd, side)).exists())

interface OneFile extends FileResult {
  readonly anchors: NonNullable<ChangeReport['anchors']>
  readonly status: FileReport['status']
  readonly check: VersionCheck | null
}

/** How files are compared, and what reads the registered types that they refer to. */
interface Compare extends Settings {
  readonly types: TypeReader
}

async function comparePair(
  { file, base, head }: Pair,
  trees: Trees,
  { types, ...settings }: Compare,
): Promise<OneFile> {
  beginWork(`The comparison of ${file}`)
  const before = base === null ? null : await readWhole({ ...(await trees.base.read(base)), types })
  const after = head === null ? null : await readWhole({ ...(await trees.head.read(head)), types })
  const names = { file, base: before?.source ?? file, head: after?.source ?? file }
  const whole = before ?? after
  if (before !== null && after !== null) {
    const { result, anchors, versions } = await compareDocuments(before, after, settings, null)
    const status = result.changes.length === 0 ? 'unchanged' : 'changed'
    return { ...names, result, anchors, status, check: checkVersion(versions.base, versions.head, result) }
  }
  if (whole === null) throw new Error(`${file} is on neither side`)
  const status = before === null ? 'added' : 'removed'
  return {
    ...names,
    result: fileChange(status, whole, file, engineOptions(settings)),
    anchors: new Map(),
    status,
    check: null,
  }
}

/**
 * Compares the API descriptions and JSON Schemas of two folders or archives, paired by path.
 * @throws SvcError `usage` if neither folder has a description; `document-invalid` with the name of a file that cannot be compared
 */
export async function compareTrees(trees: Trees, settings: Compare): Promise<ComparedTrees> {
  const base = { tree: trees.base, contents: await contentsOf(trees.base) }
  const head = { tree: trees.head, contents: await contentsOf(trees.head) }
  const { pairs, skipped } = pairFiles(base, head)
  if (pairs.length === 0)
    throw usageError(`Neither ${trees.base.name} nor ${trees.head.name} contains an API description or a JSON Schema`)
  const all: OneFile[] = []
  for (const pair of pairs) all.push(await comparePair(pair, trees, settings))
  return {
    result: mergeFiles(all),
    files: all.map(({ file, status, result: { counts, maxSeverity } }) => ({ file, status, counts, maxSeverity })),
    skipped,
    anchors: new Map(all.flatMap(({ file, anchors }) => [...anchors].map(([key, at]) => [`${file}#${key}`, at]))),
    checks: all.flatMap(({ file, check }) => (check === null ? [] : [{ file, check }])),
  }
}

const mostNamed = 10

/** One or two sentences: how many files were compared, and which were not. */
export function filesSentence({ files, skipped }: Pick<ComparedTrees, 'files' | 'skipped'>): string {
  const counted = (['changed', 'added', 'removed', 'unchanged'] as const).flatMap((status) => {
    const { length } = files.filter((it) => it.status === status)
    return length === 0 ? [] : [`${length} ${status}`]
  })
  const compared = `${plural(files.length, 'file')} compared: ${counted.join(', ')}.`
  if (skipped.length === 0) return compared
  const more = skipped.length > mostNamed ? ` and ${skipped.length - mostNamed} more` : ''
  return `${compared} Skipped, because not an API description or a JSON Schema: ${skipped.slice(0, mostNamed).join(', ')}${more}.`
}
