import { changesAsMarkdown } from '../changes/markdown.ts'
import { countsOf, omittedNote, omittedOf } from '../count.ts'
import { codeSpan, escapeMarkdown, visible } from '../escape.ts'
import type { FindingReport, ReportFormat } from '../report.ts'
import { plural } from '../../kernel/plural.ts'

/** A comment on a pull request holds about 65,000 characters: longer tables are cut and say so. */
const maxRows = 200

function gradeLine({ grade }: FindingReport): string {
  if (grade === null) return '**Nothing gradable.**'
  const cap = { 'has-errors': ' Errors cap it at B.', 'invalid-document': ' The document cannot be read.' }
  return `**Grade ${grade.letter}** (${grade.score} of 100).${grade.cap === null ? '' : cap[grade.cap]}`
}

function deductionTable({ grade }: FindingReport): string {
  const costly = grade?.deductions.filter((it) => it.points > 0) ?? []
  if (costly.length === 0) return ''
  const rows = costly.map(
    (it) => `| ${codeSpan(it.code)} | ${it.severity} | ${it.hits} of ${it.targets} | −${it.points.toFixed(1)} |\n`,
  )
  return `\n| Rule | Severity | Affected | Points |\n|---|---|--:|--:|\n${rows.join('')}`
}

function findingTable({ findings }: FindingReport): string {
  if (findings.length === 0) return ''
  const rows = findings.slice(0, maxRows).map((finding) => {
    const place = `${finding.source}:${finding.range.start.line + 1}:${finding.range.start.character + 1}`
    const rule =
      finding.documentationUrl === null || !/^https?:/.test(finding.documentationUrl)
        ? codeSpan(finding.code)
        : `[${codeSpan(finding.code)}](<${visible(finding.documentationUrl)}>)`
    return `| ${codeSpan(place)} | ${finding.severity} | ${rule} | ${escapeMarkdown(finding.message)} |\n`
  })
  const more = findings.length > maxRows ? `\n… and ${findings.length - maxRows} more.\n` : ''
  return `\n| Place | Severity | Rule | Message |\n|---|---|---|---|\n${rows.join('')}${more}`
}

/** For pull requests and job summaries: the grade, what it is made of, and a table of findings. */
export default {
  id: 'markdown',
  summary: 'for pull requests: grade, deductions and findings as tables',
  mediaType: 'text/markdown',
  findings: (report) => {
    const counts = countsOf(report)
    const left = omittedNote(report)
    const said =
      report.findings.length + omittedOf(report) === 0
        ? 'No findings.'
        : `${plural(counts.error, 'error')}, ${plural(counts.warning, 'warning')}, ${counts.info} info, ${plural(counts.hint, 'hint')}.`
    return `## Lint\n\n${gradeLine(report)} ${said}\n${deductionTable(report)}${findingTable(report)}${left === '' ? '' : `\n${left}\n`}`
  },
  changes: changesAsMarkdown,
} satisfies ReportFormat as ReportFormat
