import type { EditFinding } from '../../../src/api/edits.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import type { Fix } from '../../../src/lint/fix/fix.ts'
import type { Graded } from '../analysis.ts'
import { findingsOf } from '../conclude.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { guideFrom } from '../../guide-rules/analysis-door.ts'
import type { LintGuide } from '../../guide-rules/door.ts'
import { judgeReading } from '../read.ts'

// An editor marks each of them.
const mostFindings = 1000
const ranks = { error: 0, warning: 1, info: 2, hint: 3 } as const

/** What a guide finds in a document, as much of it as an editor shows. */
export interface CheckedEdits {
  readonly grade: Graded
  readonly findings: EditFinding[]
  readonly total: number
}

const shownFix = ({ description, visible }: Fix): EditFinding['fix'] => ({ description, visible: visible ?? null })

const shown = ({ code, severity, message, pointer, range, fingerprint, documentationUrl, fix }: Finding) => ({
  code,
  severity,
  message,
  pointer,
  range,
  fingerprint,
  documentationUrl,
  fix: fix === null ? null : shownFix(fix),
})

/** Lints a document; whether a finding can be fixed is said, not how. */
export async function run({ guide }: { readonly guide: LintGuide }, desk: Desk): Promise<CheckedEdits> {
  const material = onlyOne(desk)
  const { engine, pace } = desk
  const reading = engine.read(material)
  const applied = { ...guide, ...(await guideFrom(guide)) }
  const verdict = judgeReading(reading, applied, pace, engine.typesOf(material), { fixes: true })
  const { findings, grade } = findingsOf(reading, verdict)
  const own = findings.filter(({ source }) => source === reading.document.source)
  const worst =
    own.length <= mostFindings
      ? own
      : own
          .toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
          .slice(0, mostFindings)
          .toSorted((a, b) => a.range.start.line - b.range.start.line)
  return { grade, findings: worst.map(shown), total: own.length }
}
