/** Comparisons of a part of an API: the operations whose path, name or tag was asked for. */
import type { Document } from '../document/document.ts'
import { SvcError } from '../errors.ts'
import { matchesGlob } from '../regex/glob.ts'
import { Pattern } from '../regex/pattern.ts'
import { tagNames } from './describe.ts'
import { operationsOf, pathsOf, shapeOf, titleOf, webhooksOf } from './model/openapi.ts'
import type { DiffResult } from './options.ts'
import { objectAt, Side } from './side.ts'
import { tallyOf, type Tally } from './tally.ts'

/** Which operations to look at: those that fit one entry of each list that is not empty. */
export interface Scope {
  /** Globs on paths ("/pets/**"); what begins with "^" is a regular expression. */
  readonly paths: readonly string[]
  /** "GET /pets", or an operationId. */
  readonly operations: readonly string[]
  readonly tags: readonly string[]
}

/** What a scope left out of a comparison, so that nothing disappears in silence. */
export interface ScopeSummary extends Scope {
  /** How many operations of both documents together are looked at, and how many there are. */
  readonly selected: number
  readonly total: number
  /** The changes of other operations. */
  readonly leftOut: Pick<Tally, 'counts' | 'maxSeverity'>
}

/** An operation as a scope knows it. */
interface Candidate {
  /** The name under which changes list it. */
  readonly title: string
  readonly path: string
  readonly names: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

// Names of path parameters mean nothing, in a template and in a glob of one.
const shape = (title: string): string => shapeOf(title)

const candidatesOf = (side: Side): Candidate[] => {
  const found: Candidate[] = []
  const add = (title: string, path: string, raw: ReturnType<typeof objectAt>, alias: string): void => {
    const id = typeof raw.operationId === 'string' ? [raw.operationId] : []
    found.push({ title, path, names: new Set([shape(alias), ...id]), tags: new Set(tagNames(raw.tags ?? null)) })
  }
  for (const [template, item] of pathsOf(side))
    for (const operation of operationsOf(side, item, template)) {
      const title = titleOf(operation)
      add(title, template, objectAt(operation.place), title)
    }
  for (const [name, item] of webhooksOf(side))
    for (const operation of operationsOf(side, item, name))
      add(`WEBHOOK ${name}`, name, objectAt(operation.place), `WEBHOOK ${name}`)
  return found
}

const matcherOf = (pattern: string): ((path: string) => boolean) => {
  if (!pattern.startsWith('^')) {
    // Braces with a comma are a choice, the others a parameter.
    const glob = pattern.replaceAll(/\{[^},]*\}/g, '{}')
    return (path) => matchesGlob(shape(path), glob)
  }
  let compiled: Pattern
  try {
    compiled = new Pattern(pattern, 'u')
  } catch {
    throw new SvcError('usage', { reason: `"${pattern}" is not a regular expression` })
  }
  // What cannot be decided in bounded time is looked at.
  return (path) => compiled.test(path) !== false
}

const nameOf = (given: string): string => {
  const [method, path] = given.trim().split(/\s+/, 2)
  return path === undefined ? given.trim() : shape(`${(method ?? '').toUpperCase()} ${path}`)
}

/**
 * Leaves the changes of the operations that were asked for, and those of the document as a whole, which reach every operation.
 *
 * @returns the smaller result, and what was left out
 * @throws SvcError `usage` where a filter fits no operation of either document, or the documents have none at all
 */
export function narrowTo(
  scope: Scope,
  result: DiffResult,
  base: Document,
  head: Document,
): { readonly result: DiffResult; readonly summary: ScopeSummary } {
  const candidates = [...candidatesOf(new Side('base', base)), ...candidatesOf(new Side('head', head))]
  if (candidates.length === 0)
    throw new SvcError('usage', { reason: 'Filters by path, operation and tag need documents with operations' })
  const tests: readonly (readonly [filter: string, fits: (it: Candidate) => boolean])[][] = [
    scope.paths.map((it) => {
      const fits = matcherOf(it)
      return [`path "${it}"`, ({ path }: Candidate) => fits(path)] as const
    }),
    scope.operations.map((it) => {
      const name = nameOf(it)
      return [`operation "${it}"`, ({ names }: Candidate) => names.has(name)] as const
    }),
    scope.tags.map((it) => [`tag "${it}"`, ({ tags }: Candidate) => tags.has(it)] as const),
  ]
  for (const [filter, fits] of tests.flat())
    if (!candidates.some(fits))
      throw new SvcError('usage', { reason: `No operation of either document has the ${filter}` })
  const selected = new Set(
    candidates
      .filter((it) => tests.every((list) => list.length === 0 || list.some(([, fits]) => fits(it))))
      .map(({ title }) => shape(title)),
  )
  if (selected.size === 0)
    throw new SvcError('usage', { reason: 'No operation of either document matches all filters' })
  const isIn = ({ operations }: { readonly operations: readonly string[] }): boolean =>
    operations.length === 0 || operations.some((it) => selected.has(shape(it)))
  const changes = result.changes.filter(isIn)
  const { counts, maxSeverity } = tallyOf(result.changes.filter((it) => !isIn(it)))
  return {
    result: { ...result, ...tallyOf(changes), changes, ignored: result.ignored.filter(({ change }) => isIn(change)) },
    summary: {
      ...scope,
      selected: selected.size,
      total: new Set(candidates.map(({ title }) => shape(title))).size,
      leftOut: { counts, maxSeverity },
    },
  }
}
