/** The effect of a change on recorded requests, in sentences. */

interface Effect {
  readonly considered: number
  readonly newlyBlocked: number
  readonly newlyAllowed: number
  readonly unknown: number
  /** Absent: not known. */
  readonly reached?: number
}

const shown = (number: number): string => number.toLocaleString('en')

/** A share in percent, with one decimal: 6.9. A share that is not nothing is at least 0.1. */
const percent = (part: number, whole: number): string =>
  part === 0 || whole === 0 ? '0' : (Math.max(1, Math.round((part / whole) * 1000)) / 10).toLocaleString('en')

/** First what the change does, with "of how many"; then what somebody who made it may not have meant. */
export function effectSentences(effect: Effect): readonly string[] {
  const { considered, newlyBlocked, newlyAllowed, unknown, reached } = effect
  const share = newlyBlocked === 0 ? '' : ` (${percent(newlyBlocked, considered)} %)`
  const undecided = unknown === 0 ? '' : `, ${shown(unknown)} undecided`
  const does = `Refuses ${shown(newlyBlocked)} more of ${shown(considered)} recorded requests${share}, lets ${shown(newlyAllowed)} more pass${undecided}.`
  return reached === 0 && considered > 0
    ? [does, 'No recorded request matches what changes: is that what you mean?']
    : [does]
}
