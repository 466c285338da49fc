import { escapeMarkup } from '../report/escape.ts'
import { changesAsJunit } from '../report/changes/junit.ts'
import { suiteTime } from '../report/suite-time.ts'
import { changesAsSarif } from '../report/changes/sarif.ts'
import type { ChangeReport } from '../report/report.ts'
import type { ForeignFinding } from './second-opinion.ts'

/** What another tool said, beside our own report. */
export interface SecondOpinion {
  readonly tool: string
  readonly version: string | null
  readonly findings: readonly ForeignFinding[]
}

const levels = { breaking: 'error', unknown: 'warning', safe: 'note' } as const

const runOf = ({ tool, version, findings }: SecondOpinion): object => ({
  tool: {
    driver: {
      name: tool,
      ...(version === null ? {} : { version }),
      rules: [...new Set(findings.map((it) => it.id))].sort().map((id) => ({ id })),
    },
  },
  results: findings.map((finding) => ({
    ruleId: finding.id,
    level: levels[finding.classification],
    message: { text: finding.message },
    ...(finding.operation === null
      ? {}
      : { locations: [{ logicalLocations: [{ fullyQualifiedName: finding.operation, kind: 'function' }] }] }),
  })),
})

/** SARIF 2.1.0: a run for our own engine, and one for the other tool where it ran. */
export const evidenceAsSarif = (report: ChangeReport, second: SecondOpinion | null): string => {
  if (second === null) return changesAsSarif(report)
  const log = JSON.parse(changesAsSarif(report)) as { runs: object[] }
  log.runs.push(runOf(second))
  return `${JSON.stringify(log, null, 2)}\n`
}

const suiteOf = ({ tool, findings }: SecondOpinion, id: number, at: string | undefined): string => {
  const name = escapeMarkup(tool)
  const cases = findings.map((finding) => {
    const head = `    <testcase name="${escapeMarkup(`${finding.id}: ${finding.message}`)}" classname="${escapeMarkup(finding.operation ?? 'The whole document')}" time="0"`
    return finding.classification === 'safe'
      ? `${head}/>`
      : `${head}>\n      <failure message="${escapeMarkup(finding.message)}" type="${finding.classification}"/>\n    </testcase>`
  })
  const failures = findings.filter((it) => it.classification !== 'safe').length
  const attributes = `name="${name}" package="${name}" id="${id}" ${suiteTime(at)} hostname="localhost" tests="${findings.length}" failures="${failures}" errors="0" time="0"`
  const body = cases.length === 0 ? '' : `${cases.join('\n')}\n`
  return `  <testsuite ${attributes}>\n    <properties/>\n${body}    <system-out/>\n    <system-err/>\n  </testsuite>\n`
}

/** JUnit's XML: the suites of our own engine, and one of the other tool where it ran. */
export const evidenceAsJunit = (report: ChangeReport, second: SecondOpinion | null): string => {
  const own = changesAsJunit(report)
  if (second === null) return own
  const suites = own.match(/<testsuite /g)?.length ?? 0
  return own.replace('</testsuites>\n', `${suiteOf(second, suites, report.at)}</testsuites>\n`)
}
