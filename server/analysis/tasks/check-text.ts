import type { CheckFinding } from '../../../src/api/checks.ts'
import { Lines } from '../../../src/document/lines.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import { SvcError } from '../../../src/errors.ts'
import { cutTo } from '../../../src/kernel/text.ts'
import { rankByGain } from '../../../src/lint/rank.ts'
import { guideFrom } from '../../guide-rules/analysis-door.ts'
import type { LintGuide } from '../../guide-rules/door.ts'
import type { Graded } from '../analysis.ts'
import { conclude } from '../conclude.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { judgeReading } from '../read.ts'
import { longestMessage } from './check-pair.ts'

/** Findings of a document from one of their order on, and what is known of all of them. */
export interface CheckedText extends Pick<Graded, 'grade' | 'score'> {
  readonly total: number
  readonly items: CheckFinding[]
}

interface Asked {
  readonly guide: LintGuide
  readonly from: number
  readonly limit: number
}

function shown({ code, severity, message, path, range, fingerprint, fix }: Finding, lines: Lines): CheckFinding {
  const edits = fix?.edits
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const [first, last] = [lines.position(start), lines.position(end)]
      return {
        line: first.line + 1,
        column: first.character + 1,
        end_line: last.line + 1,
        end_column: last.character + 1,
        text,
      }
    })
  return {
    code,
    severity,
    message: cutTo(message, longestMessage),
    path: [...path],
    line: range.start.line + 1,
    column: range.start.character + 1,
    fingerprint,
    ...(fix === null || edits === undefined
      ? {}
      : { fix: { description: fix.description, edits, visible: fix.visible ?? null } }),
  }
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
  const verdict = judgeReading(reading, applied, pace, engine.typesOf(material), { fixes: true })
  const { findings, grade, isReadable } = conclude(reading, verdict, applied)
  // No findings of what no rule looked at would be read as praise.
  if (grade.grade === null && !isReadable) throw new SvcError('format-unknown', { source: reading.document.source })
  const lines = new Lines(reading.document.text)
  return {
    grade: grade.grade,
    score: grade.score,
    total: findings.length,
    items: rankByGain(findings, grade.deductions)
      .slice(from, from + limit)
      .map((it) => shown(it, lines)),
  }
}
