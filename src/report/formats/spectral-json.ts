import { visibleJson } from '../escape.ts'
import { severities } from '../../lint/finding.ts'
import type { ReportFormat } from '../report.ts'

/** The shape of Spectral's own JSON output: severities are numbers, the grade has no place. */
export default {
  id: 'spectral-json',
  summary: "Spectral's own JSON shape, for tools that read it",
  mediaType: 'application/json',
  findings: (report) => {
    const results = report.findings.map(({ code, message, path, severity, range, source, documentationUrl }) => ({
      code,
      path,
      message,
      severity: severities.indexOf(severity),
      range,
      source,
      ...(documentationUrl === null ? {} : { documentationUrl }),
    }))
    return `${visibleJson(JSON.stringify(results, null, 2))}\n`
  },
} satisfies ReportFormat as ReportFormat
