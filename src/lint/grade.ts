import type { Severity } from './finding.ts'

export type GradeLetter = 'A' | 'B' | 'C' | 'D' | 'F'

/** The number of nodes that a rule checked (`targets`) and of those with a finding (`hits`). */
export interface RuleHits {
  readonly code: string
  readonly severity: Severity
  readonly hits: number
  readonly targets: number
  /** How many findings there are at these nodes, where that is known: one node may have many. */
  readonly findings?: number
}

/** What one rule costs, in points of 100. */
export interface Deduction extends RuleHits {
  readonly points: number
}

/** A grade and every deduction it is made of, the most expensive first. */
export interface GradeResult {
  /** 0–100, rounded to one decimal. */
  readonly score: number
  readonly letter: GradeLetter
  /** Why the letter is lower than the score alone would make it; null when it is not. */
  readonly cap: 'invalid-document' | 'has-errors' | null
  readonly deductions: readonly Deduction[]
}

const weights: Record<Severity, number> = { error: 15, warning: 3, info: 0.5, hint: 0 }
/** The share of a rule's weight that its first finding costs, independent of the number of targets. */
const floor = 0.4
/** From a quarter of the targets on, a rule costs its whole weight. */
const steepness = 4

const letters: readonly (readonly [number, GradeLetter])[] = [
  [90, 'A'],
  [80, 'B'],
  [70, 'C'],
  [60, 'D'],
]

/** The letters from best to worst. */
export const gradeLetters: readonly GradeLetter[] = ['A', 'B', 'C', 'D', 'F']

/** Whether `letter` is at least as good as `minimum`. */
export const meetsGrade = (letter: GradeLetter, minimum: GradeLetter): boolean =>
  gradeLetters.indexOf(letter) <= gradeLetters.indexOf(minimum)

const tenth = (points: number): number => Math.round(points * 10) / 10

function deduct(rule: RuleHits): Deduction {
  const share = Math.min(1, (steepness * rule.hits) / Math.max(rule.targets, rule.hits))
  return { ...rule, points: weights[rule.severity] * (floor + (1 - floor) * share) }
}

/**
 * Grades what the rules of a guide found in one document.
 * Each rule with findings costs `weight × (0.4 + 0.6 × min(1, 4 × hits / targets))`; an error caps the letter at B, and an
 * invalid document is F with score 0.
 *
 * @param rules every rule that applied, including those without findings
 * @param valid false when the text could not be read as a document at all
 * @returns null when no rule applied to a valid document: nothing was gradable
 */
export function grade(rules: readonly RuleHits[], valid: boolean): GradeResult | null {
  const deductions = rules
    .filter((rule) => rule.hits > 0)
    .map(deduct)
    .sort((a, b) => b.points - a.points || (a.code < b.code ? -1 : 1))
  if (!valid) return { score: 0, letter: 'F', cap: 'invalid-document', deductions }
  if (rules.length === 0) return null
  const exact = 100 - deductions.reduce((sum, it) => sum + it.points, 0)
  const score = Math.min(100, Math.max(0, tenth(exact)))
  const letter = letters.find(([least]) => score >= least)?.[1] ?? 'F'
  const capped = letter === 'A' && deductions.some((it) => it.severity === 'error')
  return { score, letter: capped ? 'B' : letter, cap: capped ? 'has-errors' : null, deductions }
}

/** The gain from fixing all findings of one rule. */
export interface Gain {
  readonly code: string
  readonly severity: Severity
  /** The nodes with a finding. */
  readonly hits: number
  /** The findings to fix: at least as many. */
  readonly findings: number
  readonly points: number
  /** The score and the letter with that rule fixed and nothing else. */
  readonly score: number
  readonly letter: GradeLetter
}

const gainsShown = 5

/** A rule after it was applied: its severity, and the worst one of its findings where a ruleset sets others for places. */
interface AppliedRule extends Pick<RuleHits, 'severity' | 'hits' | 'targets'> {
  readonly id: string
  readonly worst: Severity | null
}

/** What the grade is made of: rules as they were applied, those with findings with the number of these. */
export function hitsOf(
  rules: readonly AppliedRule[],
  found: readonly { readonly code: string }[],
): readonly RuleHits[] {
  const counts = new Map<string, number>()
  for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1)
  return rules.map(({ id, severity, worst, hits, targets }) => {
    const rule = { code: id, severity: worst ?? severity, hits, targets }
    return hits === 0 ? rule : { ...rule, findings: Math.max(hits, counts.get(id) ?? 0) }
  })
}

/** The findings of a rule; of results that do not say it, the nodes with one. */
export const findingsOf = ({ findings, hits }: Pick<RuleHits, 'findings' | 'hits'>): number => findings ?? hits

/** The order of quick wins: the most points gained per finding to fix, then the most points. */
export const compareGains = (a: Omit<Deduction, 'severity'>, b: Omit<Deduction, 'severity'>): number =>
  b.points / findingsOf(b) - a.points / findingsOf(a) || b.points - a.points

/** The five rules with the most points gained per finding to fix, highest first; empty for an unreadable document. */
export function quickWins({ cap, deductions }: GradeResult): Gain[] {
  if (cap === 'invalid-document') return []
  return deductions
    .filter((it) => it.points > 0)
    .toSorted(compareGains)
    .slice(0, gainsShown)
    .flatMap((deduction) => {
      const { code, severity, hits, points } = deduction
      const rest = grade(
        [...deductions.filter((it) => it.code !== code), { code, severity, hits: 0, targets: 0 }],
        true,
      )
      return rest === null
        ? []
        : [{ code, severity, hits, findings: findingsOf(deduction), points, score: rest.score, letter: rest.letter }]
    })
}
