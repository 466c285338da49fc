import { visibleJson } from '../escape.ts'
import { quickWins } from '../../lint/grade.ts'
import { describeSuppressed } from '../suppressed.ts'
import { countsOf, omittedOf } from '../count.ts'
import { changesAsJson } from '../changes/json.ts'
import type { FindingReport, ReportFormat } from '../report.ts'

/** The value of `summary` in the envelope of a lint run. */
export const summarizeFindings = (report: FindingReport): object => ({
  counts: countsOf(report),
  ...(omittedOf(report) === 0 ? {} : { omitted: omittedOf(report) }),
  grade: report.grade,
  ...(report.tools === undefined ? {} : { tools: report.tools }),
  gains: report.grade === null ? [] : quickWins(report.grade),
  sources: [...report.sources.keys()],
  ...(report.suppressed === undefined || report.suppressed.length === 0
    ? {}
    : { suppressed: report.suppressed.map(describeSuppressed) }),
})

/** The machine-readable parts that a command puts into its envelope: `{summary, findings}`, indented by two spaces. */
export default {
  id: 'json',
  summary: 'for programs: summary and findings as one JSON object',
  mediaType: 'application/json',
  findings: (report) =>
    `${visibleJson(JSON.stringify({ summary: summarizeFindings(report), findings: report.findings }, null, 2))}\n`,
  changes: changesAsJson,
} satisfies ReportFormat as ReportFormat
