/** What the narrowest exception for a recorded event names: one field where that is enough, and the rules that matched in it. */
import { compareText } from '../kernel/order.ts'
import { severityScore, type EventMatch, type RecordedEvent } from './event.ts'

export interface Exemption {
  /** Null: whole requests. */
  readonly field: string | null
  /** Sorted. */
  readonly ruleRefs: readonly string[]
}

/** Positions in a list are not part of what a field is. */
const fieldOf = (field: string): string =>
  field.startsWith('json:') ? field.replaceAll(/\/\d+(?=\/|$)/g, '/*') : field

const sorted = (refs: Iterable<string>): string[] => [...new Set(refs)].sort()

/** What a match surely added: rules above the first level may have reported without counting. */
const pointsOf = ({ severity, paranoia }: EventMatch): number =>
  (paranoia ?? 1) > 1 ? 0 : severityScore[severity ?? 'critical']

/**
 * The exemption with the fewest rules that keeps a request below the threshold: in one field, if one is enough, else in whole requests.
 * A rule that matched in two fields still matches when one of them is exempt, so that it counts for neither.
 * @param event with the matches of managed rules; without any the rule that it is listed under is meant
 */
export function narrowestExemption({
  ruleRef,
  matches,
  score,
}: Pick<RecordedEvent, 'ruleRef' | 'matches' | 'score'>): Exemption {
  const managed = matches.filter((it) => it.ruleRef.startsWith('crs:'))
  if (managed.length === 0) {
    const fields = new Set(matches.map(({ field }) => field))
    const [field = null] = fields.size === 1 ? fields : []
    return { field: field === null ? null : fieldOf(field), ruleRefs: [ruleRef] }
  }
  const fieldsOf = new Map<string, Set<string | null>>()
  const points = new Map<string, number>()
  for (const match of managed) {
    const fields = fieldsOf.get(match.ruleRef) ?? new Set()
    fieldsOf.set(match.ruleRef, fields.add(match.field === null ? null : fieldOf(match.field)))
    points.set(match.ruleRef, pointsOf(match))
  }
  const whole: Exemption = { field: null, ruleRefs: sorted(points.keys()) }
  const fields = new Set([...fieldsOf.values()].flatMap((it) => [...it]))
  const single = [...fields].flatMap((field) => {
    if (field === null) return []
    const refs = [...fieldsOf].filter(([, places]) => places.has(field)).map(([ref]) => ref)
    const alone = refs.filter((ref) => fieldsOf.get(ref)?.size === 1)
    const saved = alone.reduce((sum, ref) => sum + (points.get(ref) ?? 0), 0)
    return [{ field, ruleRefs: sorted(refs), saved }]
  })
  const [only] = single
  if (fields.size === 1 && only !== undefined) return { field: only.field, ruleRefs: only.ruleRefs }
  const total = [...points.values()].reduce((sum, it) => sum + it, 0)
  const excess = score === null ? null : Math.max(score.inbound, total) - score.threshold + 1
  // Without a score, or below the threshold: where most of it comes from.
  const least = excess === null || excess <= 0 ? Math.max(0, ...single.map(({ saved }) => saved)) : excess
  const enough = single.filter(({ saved }) => saved > 0 && saved >= least)
  const [best] = enough.toSorted((a, b) => a.ruleRefs.length - b.ruleRefs.length || compareText(a.field, b.field))
  return best === undefined || excess === null ? whole : { field: best.field, ruleRefs: best.ruleRefs }
}
