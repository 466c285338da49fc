import type { Change, ChangeSide } from '../../diff/change.ts'
import type { ChangeReport } from '../report.ts'
import { proofOf } from './outline.ts'

const levels = { breaking: 'error', 'non-breaking': 'note', 'docs-only': 'none' } as const

const uriOf = (name: string): string => encodeURI(name.replaceAll('\\', '/'))

const locationOf = (name: string, side: ChangeSide): object => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(name) },
    // SARIF counts lines and columns from one, its end column is exclusive.
    ...(side.range
      ? {
          region: {
            startLine: side.range.start.line + 1,
            startColumn: side.range.start.character + 1,
            endLine: side.range.end.line + 1,
            endColumn: side.range.end.character + 1,
          },
        }
      : {}),
  },
  logicalLocations: [{ fullyQualifiedName: side.pointer === '' ? '/' : side.pointer, kind: 'member' }],
})

const resultOf = (change: Change, report: ChangeReport): object => {
  const proof = proofOf(change)
  return {
    ruleId: change.id,
    level: levels[change.severity],
    message: { text: proof ? `${change.message} ${proof}.` : change.message },
    locations: change.head
      ? [locationOf(report.head, change.head)]
      : change.base
        ? [locationOf(report.base, change.base)]
        : [],
    ...(change.head && change.base
      ? { relatedLocations: [{ ...locationOf(report.base, change.base), message: { text: 'before' } }] }
      : {}),
    partialFingerprints: { 'svcChange/v1': change.fingerprint },
    properties: {
      severity: change.severity,
      classification: change.classification,
      operations: change.operations,
      consumers: change.consumers,
    },
  }
}

/** SARIF 2.1.0 (OASIS), one run. */
export const changesAsSarif = (report: ChangeReport): string => {
  const ids = [...new Set(report.changes.map((change) => change.id))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'svc', semanticVersion: report.toolVersion, rules: ids.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: report.changes.map((change) => resultOf(change, report)),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
