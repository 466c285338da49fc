import { visibleJson } from '../escape.ts'
import { omittedOf } from '../count.ts'
import { changesAsSarif } from '../changes/sarif.ts'
import { severities, type Finding, type Severity } from '../../lint/finding.ts'
import type { Suppressed } from '../../lint/suppressions/suppression.ts'
import type { FindingReport, ReportFormat } from '../report.ts'
import { gzip } from '../../host/native.ts'

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' }

/** Code scanning services refuse uploads with more results than this in a run; the mildest are left out first. */
const maxResults = 25_000
/** They refuse uploads that are larger than this, compressed. */
const maxCompressed = 10_000_000
/** No text of fewer characters is that large. */
const surelySmall = 8_000_000

const toUri = (source: string): string =>
  /^[a-z][a-z0-9+.-]+:/i.test(source) ? source : encodeURI(source.replaceAll('\\', '/')).replaceAll('#', '%23')

function describeRules(findings: readonly Finding[], { remedies }: FindingReport): object[] {
  return [...Map.groupBy(findings, (it) => it.code)].map(([id, [first]]) => ({
    id,
    ...(first?.documentationUrl == null ? {} : { helpUri: first.documentationUrl }),
    ...(remedies?.get(id) === undefined ? {} : { help: { text: remedies.get(id) } }),
    defaultConfiguration: { level: levels[first?.severity ?? 'warning'] },
  }))
}

const describeFix = (uri: string, { description, edits }: NonNullable<Finding['fix']>): object => ({
  description: { text: description },
  artifactChanges: [
    {
      artifactLocation: { uri },
      replacements: edits.map(({ start, end, text }) => ({
        deletedRegion: { charOffset: start, charLength: end - start },
        insertedContent: { text },
      })),
    },
  ],
})

function describeResult(finding: Finding, ruleIndex: number, { pathOf }: FindingReport): object {
  const { start, end } = finding.range
  const uri = toUri(pathOf?.(finding.source) ?? finding.source)
  return {
    ruleId: finding.code,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: finding.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          region: {
            startLine: start.line + 1,
            startColumn: start.character + 1,
            endLine: end.line + 1,
            endColumn: end.character + 1,
          },
        },
        logicalLocations: [{ fullyQualifiedName: finding.pointer === '' ? '/' : finding.pointer }],
      },
    ],
    partialFingerprints: { 'svc/v1': finding.fingerprint },
    ...(finding.fix === null ? {} : { fixes: [describeFix(uri, finding.fix)] }),
  }
}

/** SARIF 2.1.0, section 3.35: in the document itself, or in a list of waivers. */
const describeSuppression = (
  { kind, reason, owner, expires, source, range }: Suppressed['by'],
  { pathOf }: FindingReport,
): object => ({
  kind: kind === 'waiver' ? 'external' : 'inSource',
  status: 'accepted',
  ...(reason === null ? {} : { justification: reason }),
  location: {
    physicalLocation: {
      artifactLocation: { uri: toUri(pathOf?.(source) ?? source) },
      region: { startLine: range.start.line + 1, startColumn: range.start.character + 1 },
    },
  },
  ...(owner === undefined ? {} : { properties: { owner, expires } }),
})

function select({ findings, skipped }: FindingReport, most: number): readonly Finding[] {
  const all = findings.filter((it) => skipped?.has(it) !== true)
  if (all.length <= most) return all
  const worst = all.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  const kept = new Set(worst.slice(0, most))
  return all.filter((it) => kept.has(it))
}

/** What was skipped is nothing that was found in a document: SARIF 2.1.0, section 3.58. */
function describeSkipped({ findings, skipped, fails }: FindingReport): object | null {
  if (skipped === undefined || skipped.size === 0) return null
  const told = findings.filter((it) => skipped.has(it))
  return {
    executionSuccessful: !told.some((it) => fails?.(it) ?? true),
    toolConfigurationNotifications: told.map((entry) => ({
      descriptor: { id: entry.code },
      level: levels[entry.severity],
      message: { text: entry.message },
      locations: [{ physicalLocation: { artifactLocation: { uri: toUri(entry.source) } } }],
    })),
  }
}

function write(report: FindingReport, findings: readonly Finding[], most: number): string {
  // Suppressed results count to what services accept, and are the first to be left out.
  const suppressed = (report.suppressed ?? []).slice(0, Math.max(0, most - findings.length))
  const described = [...findings, ...suppressed.map((it) => it.finding)]
  const invocation = describeSkipped(report)
  const index = new Map([...new Set(described.map((it) => it.code))].map((code, at) => [code, at]))
  const run = {
    tool: { driver: { name: 'svc', version: report.toolVersion, rules: describeRules(described, report) } },
    ...(invocation === null ? {} : { invocations: [invocation] }),
    columnKind: 'utf16CodeUnits',
    results: [
      ...findings.map((it) => describeResult(it, index.get(it.code) ?? 0, report)),
      ...suppressed.map(({ finding, by }) => ({
        ...describeResult(finding, index.get(finding.code) ?? 0, report),
        suppressions: [describeSuppression(by, report)],
      })),
    ],
    properties: {
      grade: report.grade,
      omitted: omittedOf(report) + report.findings.length - (report.skipped?.size ?? 0) - findings.length,
    },
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${visibleJson(JSON.stringify(log, null, 2))}\n`
}

/** SARIF 2.1.0, as code scanning services take it. */
export default {
  id: 'sarif',
  summary: 'SARIF 2.1.0 for code scanning',
  mediaType: 'application/sarif+json',
  findings: (report) => {
    let most = maxResults
    let text = write(report, select(report, most), most)
    while (text.length > surelySmall && most > 1 && gzip(text).byteLength > maxCompressed) {
      most = Math.floor(Math.min(most, report.findings.length) * 0.7)
      text = write(report, select(report, most), most)
    }
    return text
  },
  changes: changesAsSarif,
} satisfies ReportFormat as ReportFormat
