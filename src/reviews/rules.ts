/** Which rules of a policy ask for reviewers, from what a draft changes. */
import type { Change } from '../diff/change.ts'

/** What a rule looks at; where it has several conditions, one change must meet all of them. */
export interface RuleMatch {
  readonly tag?: string
  readonly pathPrefix?: string
  readonly class?: string
  readonly breaking?: boolean
}

/** An operation of the draft or of the version that is published now. */
export interface TaggedOperation {
  /** "GET /pets" */
  readonly ref: string
  readonly tags: readonly string[]
}

/** What a draft changes. */
export interface DraftChanges {
  /** Null: nothing is published yet, so that everything is new. */
  readonly changes: readonly Pick<Change, 'severity' | 'operations' | 'base' | 'head'>[] | null
  readonly operations: readonly TaggedOperation[]
  /** The named schemas of the draft. */
  readonly classes: readonly string[]
}

/** One thing that changed, as rules see it. */
interface Touched {
  readonly refs: readonly string[]
  readonly classes: readonly string[]
  readonly isBreaking: boolean
}

const schemaPointer = /^\/(?:components\/schemas|definitions|\$defs)\/([^/]+)/
const classIn = (pointer: string | undefined): string[] => {
  const name = schemaPointer.exec(pointer ?? '')?.[1]
  return name === undefined ? [] : [name.replaceAll('~1', '/').replaceAll('~0', '~')]
}

const touchedBy = ({ changes, operations, classes }: DraftChanges): Touched[] =>
  changes === null
    ? [
        ...operations.map(({ ref }) => ({ refs: [ref], classes: [], isBreaking: false })),
        ...classes.map((name) => ({ refs: [], classes: [name], isBreaking: false })),
      ]
    : changes.map(({ operations: refs, base, head, severity }) => ({
        refs,
        classes: [...classIn(base?.pointer), ...classIn(head?.pointer)],
        isBreaking: severity === 'breaking',
      }))

const pathOf = (ref: string): string => ref.slice(ref.indexOf(' ') + 1)

/** The rules that concern what a draft changes. */
export function matchingRules<R extends { readonly match: RuleMatch }>(rules: readonly R[], draft: DraftChanges): R[] {
  const tags = new Map(draft.operations.map((operation) => [operation.ref, operation.tags]))
  const hasTag = (ref: string, tag: string): boolean => tags.get(ref)?.includes(tag) ?? false
  const touched = touchedBy(draft)
  const meets = ({ tag, pathPrefix, class: name, breaking }: RuleMatch, touched: Touched): boolean =>
    (breaking !== true || touched.isBreaking) &&
    (name === undefined || touched.classes.includes(name)) &&
    ((tag === undefined && pathPrefix === undefined) ||
      touched.refs.some(
        (ref) =>
          (tag === undefined || hasTag(ref, tag)) && (pathPrefix === undefined || pathOf(ref).startsWith(pathPrefix)),
      ))
  return rules.filter(({ match }) => touched.some((it) => meets(match, it)))
}
