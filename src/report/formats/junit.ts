import { changesAsJunit } from '../changes/junit.ts'
import type { Finding } from '../../lint/finding.ts'
import { attributesOf as attributes, escapeMarkup } from '../escape.ts'
import type { FindingReport, ReportFormat } from '../report.ts'
import { suiteTime } from '../suite-time.ts'

const lineOf = (source: string, it: Finding): string =>
  `${source}:${it.range.start.line + 1}:${it.range.start.character + 1} ${it.severity}: ${it.message}`

function writeCase(source: string, code: string, findings: readonly Finding[]): string {
  const name = attributes({ name: code, classname: source, time: '0' })
  const first = findings[0]
  if (first === undefined) return `    <testcase${name}/>\n`
  const said = `${first.message}${findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''}`
  const places = findings.map((it) => lineOf(source, it)).join('\n')
  return (
    `    <testcase${name}>\n` +
    `      <failure${attributes({ message: said, type: first.severity })}>${escapeMarkup(places)}</failure>\n` +
    `    </testcase>\n`
  )
}

function writeSuite(id: number, source: string, findings: readonly Finding[], { fails, at }: FindingReport): string {
  const byRule = [...Map.groupBy(findings, (it) => it.code)].map(
    ([code, its]) => [code, its.filter((it) => fails?.(it) ?? true)] as const,
  )
  const cases = byRule.length === 0 ? [['no findings', []] as const] : byRule
  const failures = byRule.filter(([, its]) => its.length > 0).length
  const counts = { tests: cases.length, failures, errors: 0, time: '0' }
  // Schemas of JUnit have no place for what passes with a remark but the output.
  const remarks = findings.filter((it) => fails?.(it) === false).map((it) => `${lineOf(source, it)} (${it.code})\n`)
  const output = remarks.length === 0 ? '<system-out/>' : `<system-out>${escapeMarkup(remarks.join(''))}</system-out>`
  return (
    `  <testsuite${attributes({ name: source, package: 'svc', id })} ${suiteTime(at)} hostname="localhost"${attributes(counts)}>\n` +
    `    <properties/>\n${cases.map(([code, its]) => writeCase(source, code, its)).join('')}    ${output}\n    <system-err/>\n  </testsuite>\n`
  )
}

/**
 * JUnit XML: a document is a suite, a rule with findings a case, which fails where the run fails by one of them; other findings are in
 * the output of the suite. A document without findings has one passed case.
 */
export default {
  id: 'junit',
  summary: 'JUnit XML for continuous integration servers',
  mediaType: 'application/xml',
  findings: (report) => {
    const bySource = Map.groupBy(report.findings, (it) => it.source)
    const sources = [...new Set([...report.sources.keys(), ...bySource.keys()])]
    const suites = sources.map((source, id) => writeSuite(id, source, bySource.get(source) ?? [], report))
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
  },
  changes: changesAsJunit,
} satisfies ReportFormat as ReportFormat
