/** How the commands about compatibility write what they found. */
import { evidenceAsJunit, evidenceAsSarif } from '../../src/compat/gate-output.ts'
import type { CompatibilityCheck, Evidence } from '../../src/api/compatibility.ts'
import type { Change } from '../../src/diff/change.ts'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import { tallyOf } from '../../src/diff/tally.ts'
import { changesAsText } from '../../src/report/changes/text.ts'
import type { ChangeReport } from '../../src/report/report.ts'
import { version } from '../version.gen.ts'

export const compatArguments = [
  { name: 'project', required: true, summary: 'id or slug' },
  { name: 'base', required: true, summary: 'the older version: id, label or slug' },
  { name: 'head', required: true, summary: 'the newer version: id, label or slug' },
] as const

export const formatOption = {
  type: 'string',
  placeholder: 'FORMAT',
  choices: ['text', 'json', 'sarif', 'junit'],
  default: 'text',
  summary: 'output format',
} as const

/** Findings as the report that every format writes. */
export function reportOf(changes: readonly Change[], base: string, head: string): ChangeReport {
  const tally = tallyOf(changes)
  const verdict = conclusionOf({ changes, ...tally, ignored: [] })
  const at = new Date().toISOString()
  return {
    changes,
    counts: tally.counts,
    maxSeverity: tally.maxSeverity,
    base,
    head,
    verdict,
    toolVersion: version,
    at,
  }
}

/** The report in a format that is not JSON; the second opinion is beside ours where there is one. */
export function writeReport(
  report: ChangeReport,
  format: 'text' | 'sarif' | 'junit',
  evidence: Pick<Evidence, 'tools' | 'externalFindings'> | null,
  colour: boolean,
): string {
  const ran = evidence?.tools.find((it) => it.name !== 'svc' && it.status === 'ran')
  const second = ran ? { tool: ran.name, version: ran.version, findings: evidence?.externalFindings ?? [] } : null
  if (format === 'sarif') return evidenceAsSarif(report, second)
  return format === 'junit' ? evidenceAsJunit(report, second) : changesAsText(report, { colour })
}

/** What a person reads about a check besides its findings. */
export const gateLines = (check: CompatibilityCheck): string =>
  [
    ...check.deprecationWarnings.map((it) => `warning: ${it.message}`),
    ...(check.deprecatedRevisionBlocked ? ['One of these versions is deprecated; new consumers must not use it.'] : []),
    ...(check.mergeBlockedByCompatGate ? ['The compatibility gate of the organization blocks this change.'] : []),
    ...(check.breakingChangeDocumentationIssueUrl === null
      ? []
      : [`Write it up at ${check.breakingChangeDocumentationIssueUrl}`]),
  ]
    .map((line) => `${line}\n`)
    .join('')
