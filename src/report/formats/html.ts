import { changesAsHtml } from '../changes/html.ts'
import type { Finding } from '../../lint/finding.ts'
import { countsOf, omittedNote } from '../count.ts'
import { escapeMarkup } from '../escape.ts'
import type { FindingReport, ReportFormat } from '../report.ts'
import { plural } from '../../kernel/plural.ts'

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
pre { margin: .3rem 0 0; padding: .4rem .6rem; background: #8882; overflow-x: auto; white-space: pre }
.grade { font-size: 2.5rem; font-weight: 700 }
.error { color: #c0262d } .warning { color: #9a6700 } .info { color: #0a6fb8 } .hint { color: #6e5494 }
@media (prefers-color-scheme: dark) {
  .error { color: #ff7b7b } .warning { color: #e3b341 } .info { color: #79c0ff } .hint { color: #d2a8ff }
}`

/** The line of the text on which a finding begins, cut to a readable length. */
function excerpt(finding: Finding, lines: readonly string[] | null): string {
  const line = lines?.[finding.range.start.line]
  if (line === undefined || line.trim() === '') return ''
  const from = Math.max(0, finding.range.start.character - 60)
  const cut = `${from > 0 ? '…' : ''}${line.slice(from, from + 160)}${line.length > from + 160 ? '…' : ''}`
  return `<pre>${escapeMarkup(cut.trimEnd())}</pre>`
}

function writeRow(finding: Finding, lines: readonly string[] | null): string {
  const url = finding.documentationUrl
  const code = `<code>${escapeMarkup(finding.code)}</code>`
  // Only addresses of the web become links: a guide could name a script.
  const rule = url !== null && /^https?:\/\//i.test(url) ? `<a href="${escapeMarkup(url)}">${code}</a>` : code
  return (
    `<tr><td><code>${finding.range.start.line + 1}:${finding.range.start.character + 1}</code></td>` +
    `<td class="${finding.severity}">${finding.severity}</td><td>${rule}</td>` +
    `<td>${escapeMarkup(finding.message)}${excerpt(finding, lines)}</td></tr>\n`
  )
}

function writeSource(source: string, report: FindingReport): string {
  const findings = report.findings.filter((it) => it.source === source)
  const lines = report.sources.get(source)?.split(/\r\n|[\r\n]/) ?? null
  const head = '<thead><tr><th>Place</th><th>Severity</th><th>Rule</th><th>Message</th></tr></thead>'
  const table =
    findings.length === 0
      ? '<p>No findings.</p>'
      : `<table>${head}<tbody>\n${findings.map((it) => writeRow(it, lines)).join('')}</tbody></table>`
  return `<h2><code>${escapeMarkup(source)}</code></h2>\n${table}\n`
}

function writeDeductions({ grade }: FindingReport): string {
  if (grade === null || grade.deductions.length === 0) return ''
  const rows = grade.deductions.map(
    (it) =>
      `<tr><td><code>${escapeMarkup(it.code)}</code></td><td class="${it.severity}">${it.severity}</td>` +
      `<td>${it.hits} of ${it.targets}</td><td>−${it.points.toFixed(1)}</td></tr>\n`,
  )
  const head = '<thead><tr><th>Rule</th><th>Severity</th><th>Hits</th><th>Points</th></tr></thead>'
  return `<h2>Grade</h2>\n<table>${head}<tbody>\n${rows.join('')}</tbody></table>\n`
}

/** One page without scripts or outside files: the grade, its deductions, and every finding with the line it is about. */
export default {
  id: 'html',
  summary: 'one self-contained page',
  mediaType: 'text/html',
  findings: (report) => {
    const counts = countsOf(report)
    const sources = [...new Set([...report.sources.keys(), ...report.findings.map((it) => it.source)])]
    const grade =
      report.grade === null
        ? '<p>Nothing gradable.</p>'
        : `<p><span class="grade">${report.grade.letter}</span> ${report.grade.score} of 100</p>`
    const left = omittedNote(report)
    const said = `${plural(counts.error, 'error')}, ${plural(counts.warning, 'warning')}, ${counts.info} info, ${plural(counts.hint, 'hint')}`
    return (
      `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Lint report</title>\n` +
      `<meta name="viewport" content="width=device-width">\n<style>${style}\n</style>\n</head>\n<body>\n<h1>Lint report</h1>\n` +
      `${grade}\n<p>${said}</p>${left === '' ? '' : `\n<p>${left}</p>`}\n${sources.map((it) => writeSource(it, report)).join('')}${writeDeductions(report)}` +
      `<footer><p>svc ${escapeMarkup(report.toolVersion)}</p></footer>\n</body>\n</html>\n`
    )
  },
  changes: changesAsHtml,
} satisfies ReportFormat as ReportFormat
