import type { CheckFinding } from '../../../src/api/checks.ts'
import { Lines } from '../../../src/document/lines.ts'
import { SvcError } from '../../../src/errors.ts'
import { toolTokensOf } from '../../../src/lint/descriptors/budget.ts'
import { rankByGain } from '../../../src/lint/rank.ts'
import { checkedFinding, shownToolTokens } from '../../../src/report/checked.ts'
import { guideFrom } from '../../guide-rules/analysis-door.ts'
import type { LintGuide } from '../../guide-rules/door.ts'
import type { Graded } from '../analysis.ts'
import { findingsOf } from '../conclude.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { judgeReading } from '../read.ts'

/** Findings of a document from one of their order on, and what is known of all of them. */
export interface CheckedText extends Pick<Graded, 'grade' | 'score'> {
  readonly total: number
  /** What the tools that it lists cost; not there for other documents. */
  readonly tools?: ReturnType<typeof shownToolTokens>
  readonly items: CheckFinding[]
}

interface Asked {
  readonly guide: LintGuide
  readonly from: number
  readonly limit: number
}

/**
 * Lints a document: a part of its findings, each with the edits that fix it.
 * @throws SvcError `format-unknown` for a text that is no API description
 */
export async function run({ guide, from, limit }: Asked, desk: Desk): Promise<CheckedText> {
  const material = onlyOne(desk)
  const { engine, pace } = desk
  const reading = engine.read(material)
  const applied = { ...guide, ...(await guideFrom(guide)) }
  const { findings, grade, isReadable } = engine.checked(material, guide, () => {
    const verdict = judgeReading(reading, applied, pace, engine.typesOf(material), { fixes: true })
    const found = findingsOf(reading, verdict)
    const { grade: graded, isReadable: isDocument } = found
    return { findings: rankByGain(found.findings, graded.deductions), grade: graded, isReadable: isDocument }
  })
  // No findings of what no rule looked at would be read as praise.
  if (grade.grade === null && !isReadable) throw new SvcError('format-unknown', { source: reading.document.source })
  const lines = new Lines(reading.document.text)
  const tools = toolTokensOf(reading.document)
  return {
    grade: grade.grade,
    score: grade.score,
    total: findings.length,
    ...(tools === null ? {} : { tools: shownToolTokens(tools) }),
    items: findings.slice(from, from + limit).map((it) => checkedFinding(it, lines)),
  }
}
