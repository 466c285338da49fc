/** What the tools `lint.check` and `diff.compare` of the MCP server answer, with one finding or change a line and its file. */
import { tallyOf } from '../../diff/tally.ts'
import { Lines } from '../../document/lines.ts'
import { rankByGain } from '../../lint/rank.ts'
import { checkedChange, checkedFinding, isShort, shownToolTokens, worstFirst } from '../checked.ts'
import { countsOf, omittedOf } from '../count.ts'
import { visibleJson } from '../escape.ts'
import type { ChangeReport, FindingReport, ReportFormat } from '../report.ts'

/** One object whose list has an item on each line: as compact as JSON, and still read line by line. */
function linewise(before: object, key: string, items: readonly object[], after: object): string {
  const line = (value: unknown): string => visibleJson(JSON.stringify(value))
  const inner = (value: object): string => line(value).slice(1, -1)
  const list = items.length === 0 ? '[]' : `[\n${items.map(line).join(',\n')}\n]`
  return `{${inner(before)},${line(key)}:${list},${inner(after)}}\n`
}

function findingsOf(report: FindingReport): object[] {
  const lines = new Map<string, Lines | null>()
  const linesOf = (source: string): Lines | null => {
    const known = lines.get(source)
    if (known !== undefined) return known
    const text = report.sources.get(source) ?? null
    const made = text === null ? null : new Lines(text)
    lines.set(source, made)
    return made
  }
  // Those whose fix gains the most points come first.
  return rankByGain(report.findings, report.grade?.deductions ?? []).map((it) => {
    const { fingerprint, code, fix, ...found } = checkedFinding(it, linesOf(it.source))
    return { fingerprint, code, file: it.source, ...found, ...(fix !== undefined && isShort(fix) ? { fix } : {}) }
  })
}

function writeFindings(report: FindingReport): string {
  const total = Object.values(countsOf(report)).reduce((sum, it) => sum + it, 0)
  const { grade, guide = null, tools } = report
  const cost = tools === undefined ? {} : { tools: shownToolTokens(tools) }
  const frame = { guide, grade: grade?.letter ?? null, score: grade?.score ?? null, total, ...cost }
  const rest = { truncated: omittedOf(report) > 0, next_cursor: null }
  return linewise(frame, 'findings', findingsOf(report), rest)
}

function writeChanges(report: ChangeReport): string {
  const changes = worstFirst(report.changes).map((found) => {
    const { fingerprint, id, witness, ...change } = checkedChange(found)
    const file = found.head?.source ?? found.base?.source
    return {
      fingerprint,
      id,
      ...(file === undefined ? {} : { file }),
      ...change,
      ...(witness !== undefined && isShort(witness) ? { witness } : {}),
    }
  })
  const consumers = (report.consumers ?? []).map(({ handle, name, impact }) => {
    return { handle, name, ...(impact === null ? {} : { status: impact.status }) }
  })
  const frame = {
    verdict: tallyOf(report.changes).verdict,
    breaking: report.counts.breaking,
    total: report.changes.length,
  }
  return linewise(frame, 'changes', changes, { consumers, truncated: false, next_cursor: null })
}

/** The same answer as the tools give, for agents that call the command line. */
export default {
  id: 'agent',
  summary: 'for agents: what the MCP tools answer, fingerprints first',
  mediaType: 'application/json',
  findings: writeFindings,
  changes: writeChanges,
} satisfies ReportFormat as ReportFormat
