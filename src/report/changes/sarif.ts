import { visibleJson } from '../escape.ts'
import { type WrittenChange, writtenChanges } from '../../diff/written.ts'
import type { ChangeReport, ReportPlace } from '../report.ts'
import { keyOf, markOf, sentenceOf } from './outline.ts'

const levels = { breaking: 'error', 'non-breaking': 'note', 'docs-only': 'none' } as const

/** Code scanning services refuse uploads with more results than this in a run; the mildest are left out, which come last. */
const maxResults = 25_000

// A git revision before a path is not a URL scheme.
const uriOf = (name: string): string =>
  /^https?:\/\//i.test(name)
    ? encodeURI(decodeSafely(name).toWellFormed())
    : encodeURI(name.toWellFormed().replaceAll('\\', '/')).replaceAll(/[:#?]/g, (it) => encodeURIComponent(it))

const decodeSafely = (address: string): string => {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

const locationOf = ({ source, pointer, range }: ReportPlace): object => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(source) },
    // SARIF counts lines and columns from one, its end column is exclusive.
    ...(range
      ? {
          region: {
            startLine: range.start.line + 1,
            startColumn: range.start.character + 1,
            endLine: range.end.line + 1,
            endColumn: range.end.character + 1,
          },
        }
      : {}),
  },
  logicalLocations: [{ fullyQualifiedName: pointer === '' ? '/' : pointer, kind: 'member' }],
})

const resultOf = (change: WrittenChange, ruleIndex: number, report: ChangeReport): object => {
  const mark = markOf(change, report)
  const before = change.base && { ...change.base, source: change.base.source ?? report.base }
  return {
    ruleId: change.id,
    ruleIndex,
    // Documentation changes are not a violation of any level.
    ...(change.severity === 'docs-only' ? { kind: 'informational' } : {}),
    level: levels[change.severity],
    message: { text: sentenceOf(change, report) },
    locations: mark === null ? [] : [locationOf(mark)],
    ...(before ? { relatedLocations: [{ id: 0, ...locationOf(before), message: { text: 'before' } }] } : {}),
    partialFingerprints: { 'svcChange/v1': keyOf(change) },
    properties: {
      severity: change.severity,
      classification: change.classification,
      operations: change.operations,
      ...(change.reach === undefined ? {} : { reach: change.reach, sameOperationsAs: change.sameOperationsAs }),
      consumers: change.consumers,
      ...(change.file === undefined ? {} : { file: change.file }),
    },
  }
}

/** SARIF 2.1.0 (OASIS), one run. */
export const changesAsSarif = (report: ChangeReport): string => {
  const shown = writtenChanges(report.changes.slice(0, maxResults))
  const ids = [...new Set(shown.map((change) => change.id))].sort()
  const rules = ids.map((id) => {
    const rule = report.ruleOf?.(id)
    return rule === undefined
      ? { id }
      : { id, shortDescription: { text: rule.title }, fullDescription: { text: rule.explain } }
  })
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'svc', semanticVersion: report.toolVersion, rules } },
        // Beside the run of the linter, which code scanning keeps apart by this.
        automationDetails: { id: 'svc diff/' },
        columnKind: 'utf16CodeUnits',
        results: shown.map((change) => resultOf(change, ids.indexOf(change.id), report)),
        properties: { verdict: report.verdict, omitted: report.changes.length - shown.length },
      },
    ],
  }
  return `${visibleJson(JSON.stringify(log, null, 2))}\n`
}
