import type { ExitCode } from '../../src/errors.ts'
import type { PreflightAnswer } from './preflight-report.ts'

/** The exit codes of a preflight; `asked`: a grade or a severity was asked for. */
export function preflightCodes(
  answer: Pick<PreflightAnswer, 'grade' | 'gate' | 'policy' | 'refusal'>,
  asked: boolean,
): ExitCode[] {
  const { grade, gate, policy, refusal } = answer
  // A text of no known format is not bad: there is nothing in it to grade.
  const ungraded = grade.grade === null || refusal?.code === 'format-unknown'
  if (ungraded) return [5]
  const codes: ExitCode[] = []
  if (refusal !== null) codes.push(6)
  if (policy.verdict === 'blocked') codes.push(3)
  if (asked && !gate.passed) codes.push(4)
  return codes
}
