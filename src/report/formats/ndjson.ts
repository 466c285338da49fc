import { visibleJson } from '../escape.ts'
import { changesAsLines } from '../changes/json.ts'
import type { ReportFormat } from '../report.ts'

/** One JSON object per line and finding; empty without findings. */
export default {
  id: 'ndjson',
  summary: 'for streams: one JSON object per line',
  mediaType: 'application/x-ndjson',
  findings: (report) => report.findings.map((it) => `${visibleJson(JSON.stringify(it))}\n`).join(''),
  changes: changesAsLines,
} satisfies ReportFormat as ReportFormat
