import type { ConsumerImpact } from '../contracts/impact.ts'
import type { Change, ChangeSeverity, Classification } from '../diff/change.ts'
import { conclusionOf, outcomeOf } from '../diff/conclusion.ts'
import { groupChanges, headlineOf, tellRepeatsOnce, type ToldChange } from '../report/changes/outline.ts'

/** A change as a report tells it. */
export interface ReportedChange {
  readonly id: string
  readonly severity: ChangeSeverity
  readonly classification: Classification
  readonly message: string
  /** "request" or "response"; "" where it is about neither. */
  readonly direction: string
  /** What it is listed under: "GET /pets", "GET /pets, POST /pets and 12 more operations", "The whole document". */
  readonly operation: string
  /** The same for the first change of each such group; "" for the others. */
  readonly heading: string
  /** "7 changes" where it represents so many equal ones; "" where it is one. */
  readonly repeats: string
  /** "GET /pets, POST /pets". */
  readonly operations: string
  readonly consumers: string
  /** A value that one side accepts and the other refuses, as JSON; "" where there is none. */
  readonly example: string
  readonly undecided: boolean
  readonly fingerprint: string
}

/** Everything that a template may say: what a report is made of, kept beside its text. */
export interface ChangeModel {
  readonly schemaVersion: 1
  readonly project: { readonly id: string; readonly slug: string; readonly name: string }
  /** Null for a first publication. */
  readonly from: { readonly revisionId: string; readonly label: string } | null
  readonly to: { readonly revisionId: string; readonly label: string }
  readonly initialPublication: boolean
  readonly headline: string
  readonly conclusion: string
  readonly maxSeverity: ChangeSeverity | null
  readonly counts: {
    readonly breaking: number
    readonly nonBreaking: number
    readonly docsOnly: number
    readonly total: number
  }
  readonly breaking: readonly ReportedChange[]
  readonly nonBreaking: readonly ReportedChange[]
  readonly docsOnly: readonly ReportedChange[]
  /** How many changes the three lists leave out. */
  readonly omitted: number
  /** Consumers that would break, with why. */
  readonly brokenConsumers: readonly { readonly handle: string; readonly name: string; readonly reasons: string }[]
}

/** What a model is made of. */
export interface ReportFacts {
  readonly project: ChangeModel['project']
  readonly from: ChangeModel['from']
  readonly to: ChangeModel['to']
  readonly changes: readonly Change[]
  readonly verdict: 'safe' | 'breaking' | 'unknown'
  readonly consumers: readonly (ConsumerImpact & { readonly name: string })[]
}

const mostOfOne = 300
const severities = ['breaking', 'non-breaking', 'docs-only'] as const

const reported = (change: ToldChange, operation: string, isFirst: boolean): ReportedChange => ({
  id: change.id,
  severity: change.severity,
  classification: change.classification,
  message: change.message,
  direction: change.direction ?? '',
  operation,
  heading: isFirst ? operation : '',
  repeats: change.alike > 1 ? `${change.alike} changes` : '',
  operations: change.operations.slice(0, 20).join(', ') + (change.operations.length > 20 ? ', …' : ''),
  consumers: change.consumers.join(', '),
  example: change.witness === null ? '' : JSON.stringify(change.witness.value).slice(0, 300),
  undecided: change.classification === 'unknown',
  fingerprint: change.fingerprint,
})

/** The changes of one severity as comparisons show them: equal ones once, in groups by operation. */
function grouped(changes: readonly Change[]): { readonly list: readonly ReportedChange[]; readonly shown: number } {
  const list: ReportedChange[] = []
  let shown = 0
  for (const group of groupChanges(tellRepeatsOnce(changes)))
    for (const [index, change] of group.changes.entries()) {
      if (list.length === mostOfOne) return { list, shown }
      list.push(reported(change, group.title, index === 0))
      shown += change.alike
    }
  return { list, shown }
}

/** What the changes mean for clients, by the labels that they know. */
const concluded = (
  result: Parameters<typeof conclusionOf>[0],
  from: { readonly label: string },
  to: { readonly label: string },
): string =>
  outcomeOf(result) === 'breaking'
    ? `Clients written for ${from.label} can fail with ${to.label}.`
    : conclusionOf(result)

/** Makes the model of a report. The clock is not in it: the same two documents make the same model. */
export const changeModelOf = ({ project, from, to, changes, verdict, consumers }: ReportFacts): ChangeModel => {
  const of = (severity: ChangeSeverity): readonly Change[] => changes.filter((it) => it.severity === severity)
  const [breaking, nonBreaking, docsOnly] = [of('breaking'), of('non-breaking'), of('docs-only')]
  const counts = { breaking: breaking.length, 'non-breaking': nonBreaking.length, 'docs-only': docsOnly.length }
  const maxSeverity = severities.find((it) => counts[it] > 0) ?? null
  const groups = [breaking, nonBreaking, docsOnly].map(grouped)
  const lists = groups.map(({ list }) => list)
  const shown = groups.reduce((sum, it) => sum + it.shown, 0)
  const names = { base: from?.label ?? '', head: to.label, verdict: '', toolVersion: '' }
  return {
    schemaVersion: 1,
    project,
    from,
    to,
    initialPublication: from === null,
    headline: from === null ? 'First release' : headlineOf({ changes, counts, maxSeverity, ...names }),
    conclusion:
      from === null
        ? 'There is no earlier version to compare with.'
        : concluded({ changes, counts, maxSeverity, verdict, ignored: [] }, from, to),
    maxSeverity,
    counts: {
      breaking: counts.breaking,
      nonBreaking: counts['non-breaking'],
      docsOnly: counts['docs-only'],
      total: changes.length,
    },
    breaking: lists[0] ?? [],
    nonBreaking: lists[1] ?? [],
    docsOnly: lists[2] ?? [],
    omitted: changes.length - shown,
    brokenConsumers: consumers
      .filter((it) => it.status === 'broken')
      .slice(0, mostOfOne)
      .map((consumer) => ({
        handle: consumer.handle,
        name: consumer.name,
        reasons: [
          ...consumer.losses.map((loss) => loss.message),
          ...consumer.changes.flatMap((at) => (changes[at]?.severity === 'breaking' ? [changes[at].message] : [])),
        ]
          .slice(0, 10)
          .join(' '),
      })),
  }
}
