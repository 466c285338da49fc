import { writeExactly } from '../../document/exact.ts'
import { plural } from '../../kernel/plural.ts'
import type { Change, ChangeSeverity, Witness } from '../../diff/change.ts'
import { operationsKey } from '../../diff/written.ts'
import type { ChangeReport, ReportPlace } from '../report.ts'

/** The changes that reach the same operations, under one heading. */
export interface ChangeGroup<C extends Change = Change> {
  /** Null where two documents are compared. */
  readonly file: string | null
  readonly title: string
  readonly operations: readonly string[]
  readonly changes: readonly C[]
}

/** A change that represents several equal ones. */
export interface ToldChange extends Change {
  /** How many changes say this, itself included. */
  readonly alike: number
}

/** Changes that say the same of one place, as one that reaches all of their operations: a person reads them once. */
export const tellOnce = (changes: readonly Change[]): readonly ToldChange[] => {
  const told = new Map<string, Change[]>()
  for (const change of changes) {
    const { id, severity, classification, direction, message, head, base, file } = change
    const place = head ?? base
    const key = JSON.stringify([id, severity, classification, direction, message, place?.source, place?.pointer, file])
    const known = told.get(key)
    if (known) known.push(change)
    else told.set(key, [change])
  }
  return [...told.values()].map((list) => ({
    ...list[0]!,
    operations: list.length === 1 ? list[0]!.operations : [...new Set(list.flatMap((it) => it.operations))].sort(),
    consumers: list.length === 1 ? list[0]!.consumers : [...new Set(list.flatMap((it) => it.consumers))].sort(),
    alike: list.length,
  }))
}

/** Changes that say the same of different places, as one that names all of their operations, in the order of the first of each. */
export const tellRepeatsOnce = (changes: readonly Change[]): readonly ToldChange[] => {
  const told = Map.groupBy(tellOnce(changes), ({ id, severity, classification, direction, message, file }) =>
    JSON.stringify([id, severity, classification, direction, message, file]),
  )
  return [...told.values()].map((list) => {
    const [first] = list as [ToldChange]
    if (list.length === 1) return first
    const all = (of: (change: Change) => readonly string[]): readonly string[] => [...new Set(list.flatMap(of))].sort()
    const alike = list.reduce((sum, it) => sum + it.alike, 0)
    return { ...first, operations: all((it) => it.operations), consumers: all((it) => it.consumers), alike }
  })
}

/** Operations in a few words: one or two by their names, more by their number. */
export const titleOf = (operations: readonly string[]): string => {
  if (operations.length === 0) return 'The whole document'
  if (operations.length <= 2) return operations.join(' and ')
  return `${operations.slice(0, 2).join(', ')} and ${plural(operations.length - 2, 'more operation')}`
}

/** Groups changes by their files and the operations they reach, in the order in which the changes come. */
export const groupChanges = <C extends Change>(changes: readonly C[]): readonly ChangeGroup<C>[] =>
  [...Map.groupBy(changes, ({ file }) => file ?? null)]
    .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .flatMap(([file, its]) => groupOperations(file, its))

const groupOperations = <C extends Change>(file: string | null, changes: readonly C[]): readonly ChangeGroup<C>[] => {
  const groups = new Map<string, C[]>()
  for (const change of changes) {
    const key = operationsKey(change.operations)
    const group = groups.get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  return [...groups.values()].map((list) => ({
    file,
    title: titleOf(list[0]!.operations),
    operations: list[0]!.operations,
    changes: list,
  }))
}

export const withSeverity = (report: ChangeReport, severity: ChangeSeverity): readonly Change[] =>
  report.changes.filter((change) => change.severity === severity)

const state = (report: ChangeReport): 'breaking' | 'safe' | 'docs' | 'identical' => {
  if (report.maxSeverity === 'breaking') return 'breaking'
  if (report.maxSeverity === 'non-breaking') return 'safe'
  return report.maxSeverity === 'docs-only' ? 'docs' : 'identical'
}

/** A heading of a few words: what the comparison concludes, and of which part of the operations where filters chose some. */
export const headlineOf = (report: ChangeReport): string =>
  stateOf(report) +
  (report.scope === undefined ? '' : ` (${report.scope.selected} of ${plural(report.scope.total, 'operation')})`)

/** Breaking changes by what is known of them: `counts.breaking` has both. */
export const breakingOf = ({
  changes,
  counts,
}: ChangeReport): { readonly proven: number; readonly undecided: number } => {
  const undecided = changes.filter((it) => it.severity === 'breaking' && it.classification === 'unknown').length
  return { proven: counts.breaking - undecided, undecided }
}

const stateOf = (report: ChangeReport): string => {
  const { proven, undecided } = breakingOf(report)
  switch (state(report)) {
    case 'breaking':
      return [
        proven > 0 ? plural(proven, 'breaking change') : '',
        undecided > 0 ? plural(undecided, 'undecided change') : '',
      ]
        .filter((it) => it !== '')
        .join(' and ')
    case 'safe':
      return `${plural(report.counts['non-breaking'], 'change')}, none of them breaking`
    case 'docs':
      return 'Only documentation changed'
    case 'identical':
      return (report.unused ?? []).length > 0 ? 'Nothing changed for clients' : 'Nothing changed'
  }
}

/** A value in one line, cut where it is long. */
export const inline = (value: unknown, limit = 120): string => {
  const text = writeExactly(value) ?? 'null'
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}

/** A step of a pointer as the part of a value where it leads. */
const partAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null
          ? (at as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
          : undefined,
      value,
    )

/** The part of a counterexample that shows the change and the whole message that it is in: `0 at /a in {"a":0}`. */
export const exampleOf = ({ value, at }: Pick<Witness, 'value' | 'at'>): string =>
  at === '' ? inline(value) : `${inline(partAt(value, at), 60)} at ${inline(at, 60).slice(1, -1)} in ${inline(value)}`

/** What a counterexample means for those who use the document, in a sentence. */
const consequences: Readonly<
  Record<'request' | 'response' | 'schema', Record<'base' | 'head', (value: string) => string>>
> = {
  request: {
    base: (value) => `Clients that send ${value} will be rejected`,
    head: (value) => `Clients can now send ${value}, which was rejected before`,
  },
  response: {
    base: (value) => `Clients no longer receive ${value}`,
    head: (value) => `Clients can now receive ${value}, which was not possible before`,
  },
  schema: {
    base: (value) => `${value} was valid and is now rejected`,
    head: (value) => `${value} was rejected and is now valid`,
  },
}

/** What proves a change, in a sentence; null where nothing has to be proven or nothing is known. */
export const proofOf = ({ witness, direction }: Change): string | null =>
  witness ? consequences[direction ?? 'schema'][witness.acceptedBy](exampleOf(witness)) : null

/** The place to show for a change: in the head if it exists there, else in the base. */
export const placeOf = (change: Change, report: ChangeReport): ReportPlace | null => {
  const [side, name] = change.head ? [change.head, report.head] : [change.base, report.base]
  return side && { source: side.source ?? name, pointer: side.pointer, range: side.range }
}

/** Where a review tool marks a change: always in the head, which is what is reviewed. */
export const markOf = (change: Change, report: ChangeReport): ReportPlace | null =>
  change.head ? placeOf(change, report) : (report.anchors?.get(keyOf(change)) ?? placeOf(change, report))

/** What names a change in a report: equal changes of two files have the same fingerprint. */
export const keyOf = ({ fingerprint, file }: Pick<Change, 'fingerprint' | 'file'>): string =>
  file === undefined ? fingerprint : `${file}#${fingerprint}`

/** "pets.yaml: 2 breaking changes, 1 other", the heading of a file in a comparison of folders. */
export const fileTitleOf = (file: string, report: ChangeReport): string => {
  const counts = report.files?.find((it) => it.file === file)?.counts
  if (counts === undefined) return file
  const said = [
    counts.breaking > 0 ? `${counts.breaking} breaking` : '',
    counts['non-breaking'] > 0 ? `${counts['non-breaking']} non-breaking` : '',
    counts['docs-only'] > 0 ? `${counts['docs-only']} documentation only` : '',
  ]
  return `${file}: ${said.filter((it) => it !== '').join(', ')}`
}

/** "openapi.yaml:12", one-based; the name alone where no line is known. */
export const lineOf = ({ source, range }: ReportPlace): string =>
  range === null ? source : `${source}:${range.start.line + 1}`

/** The consumers that a change reaches; the name is null where the handle says it all. */
export const hitsOf = (
  change: Change,
  report: ChangeReport,
): readonly { readonly handle: string; readonly name: string | null }[] =>
  change.consumers.map((handle) => {
    const name = report.consumers?.find((it) => it.handle === handle)?.name ?? handle
    return { handle, name: name === handle ? null : name }
  })

/** "affects Shop front (shop-front), billing"; null if no consumer is affected. */
export const hitLine = (change: Change, report: ChangeReport): string | null => {
  const hits = hitsOf(change, report)
  return hits.length === 0
    ? null
    : `affects ${hits.map(({ handle, name }) => (name === null ? handle : `${name} (${handle})`)).join(', ')}`
}

/** The message of a change with its counterexample and the affected consumers, for formats with a single text. */
export const sentenceOf = (change: Change, report: ChangeReport): string => {
  const proof = proofOf(change)?.replace(/^Clients /, 'clients ') ?? null
  const more = [proof, hitLine(change, report)].filter((it) => it !== null)
  return more.length === 0 ? change.message : `${[change.message, ...more].join('; ')}.`
}
