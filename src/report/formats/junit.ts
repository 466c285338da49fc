import { changesAsJunit } from '../changes/junit.ts'
import type { Finding } from '../../lint/finding.ts'
import { escapeMarkup } from '../escape.ts'
import type { ReportFormat } from '../report.ts'

// The schema that continuous integration servers publish wants these on every suite; a report has no clock of its own.
const suiteAttributes = 'timestamp="1970-01-01T00:00:00" hostname="localhost"'

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value)).replaceAll(/[\n\r\t]/g, ' ')}"`)
    .join('')

function writeCase(source: string, code: string, findings: readonly Finding[]): string {
  const places = findings.map(
    (it) => `${source}:${it.range.start.line + 1}:${it.range.start.character + 1} ${it.severity}: ${it.message}`,
  )
  const first = findings[0]
  const said = `${first?.message ?? ''}${findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''}`
  return (
    `    <testcase${attributes({ name: code, classname: source, time: '0' })}>\n` +
    `      <failure${attributes({ message: said, type: first?.severity ?? 'error' })}>${escapeMarkup(places.join('\n'))}</failure>\n` +
    `    </testcase>\n`
  )
}

function writeSuite(id: number, source: string, findings: readonly Finding[]): string {
  const byRule = [...Map.groupBy(findings, (it) => it.code)]
  const cases =
    byRule.length === 0
      ? `    <testcase${attributes({ name: 'no findings', classname: source, time: '0' })}/>\n`
      : byRule.map(([code, its]) => writeCase(source, code, its)).join('')
  const counts = { tests: Math.max(1, byRule.length), failures: byRule.length, errors: 0, time: '0' }
  return (
    `  <testsuite${attributes({ name: source, package: 'svc', id })} ${suiteAttributes}${attributes(counts)}>\n` +
    `    <properties/>\n${cases}    <system-out/>\n    <system-err/>\n  </testsuite>\n`
  )
}

/** JUnit XML: a document is a suite, a rule with findings a failed case; a document without findings has one passed case. */
export default {
  id: 'junit',
  summary: 'JUnit XML for continuous integration servers',
  mediaType: 'application/xml',
  findings: (report) => {
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    const sources = [...new Set([...report.sources.keys(), ...bySource.keys()])]
    const suites = sources.map((source, id) => writeSuite(id, source, bySource.get(source) ?? []))
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
  },
  changes: changesAsJunit,
} satisfies ReportFormat as ReportFormat
