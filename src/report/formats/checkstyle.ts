import type { Finding, Severity } from '../../lint/finding.ts'
import { escapeMarkup } from '../escape.ts'
import type { ReportFormat } from '../report.ts'

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'info', hint: 'info' }
const attribute = (text: string): string => escapeMarkup(text).replaceAll(/[\n\r\t]/g, ' ')

const writeError = ({ range, severity, message, code }: Finding): string =>
  `    <error line="${range.start.line + 1}" column="${range.start.character + 1}" severity="${levels[severity]}" message="${attribute(message)}" source="${attribute(code)}"/>\n`

/** Checkstyle XML 4.3, which most build servers read: a file for each document, those without findings too. */
export default {
  id: 'checkstyle',
  summary: 'Checkstyle XML for build servers',
  mediaType: 'application/xml',
  findings: (report) => {
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    const files = [...new Set([...report.sources.keys(), ...bySource.keys()])].map((source) => {
      const errors = (bySource.get(source) ?? []).map(writeError).join('')
      return `  <file name="${attribute(source)}">\n${errors}  </file>\n`
    })
    return `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n${files.join('')}</checkstyle>\n`
  },
} satisfies ReportFormat as ReportFormat
