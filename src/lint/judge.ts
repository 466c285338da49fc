/** What a run makes of the findings and grades of its documents: the exit code, and which findings fail it. */
import type { ExitCode } from '../errors.ts'
import { severities, type Finding } from './finding.ts'
import { gradeLetters, meetsGrade, type GradeLetter, type GradeResult } from './grade.ts'
import type { LintedDocument } from './linted.ts'

/** The grade of several documents is the worst of them. */
export const worst = (grades: readonly (GradeResult | null)[]): GradeResult | null =>
  grades
    .filter((it) => it !== null)
    .sort((a, b) => gradeLetters.indexOf(b.letter) - gradeLetters.indexOf(a.letter) || a.score - b.score)[0] ?? null

/** What makes a run fail. */
export interface Thresholds {
  readonly failOn: (typeof severities)[number] | 'none'
  /** Any finding that no baseline accepts. */
  readonly failOnNew: boolean
  readonly minGrade: GradeLetter | undefined
}

/** The severities that `--fail-on` fails on. */
export const failingSeverities = (failOn: Thresholds['failOn']): readonly Finding['severity'][] =>
  failOn === 'none' ? [] : severities.slice(0, severities.indexOf(failOn) + 1)

/** The exit codes of a run; `left` are the findings that no one accepted. */
export function exitCodes(
  all: readonly Pick<LintedDocument, 'readable' | 'grade'>[],
  left: readonly Finding[],
  asked: Thresholds,
): ExitCode[] {
  const { failOn, failOnNew, minGrade } = asked
  const bad = failingSeverities(failOn)
  const codes: ExitCode[] = []
  if (all.some((it) => !it.readable)) codes.push(6)
  if (left.some((it) => failOnNew || bad.includes(it.severity))) codes.push(4)
  if (minGrade !== undefined && all.some((it) => it.grade !== null && !meetsGrade(it.grade.letter, minGrade)))
    codes.push(4)
  if (all.every((it) => it.grade === null)) codes.push(5)
  return codes
}

/** What a run makes of its findings. */
export interface Judged {
  /** Whether a finding makes the run fail. */
  readonly fails: (finding: Finding) => boolean
  readonly codes: readonly ExitCode[]
}

/** Compares documents with thresholds; `left` are the findings that no one accepted. */
export const judge = (
  all: readonly Pick<LintedDocument, 'readable' | 'grade'>[],
  left: readonly Finding[],
  asked: Thresholds,
): Judged => {
  const bad = failingSeverities(asked.failOn)
  return {
    fails: ({ severity }) => asked.failOnNew || bad.includes(severity),
    codes: exitCodes(all, left, asked),
  }
}
