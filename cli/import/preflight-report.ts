/** What a preflight found, for a person and for reports. */
import type { Output } from '../../src/api/endpoint.ts'
import type { preflightApi } from '../../src/api/preflight.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { FindingReport } from '../../src/report/report.ts'
import { renderFacts } from '../table.ts'
import { reviewText } from '../type/shared.ts'
import { gateTable } from '../version/facts.ts'
import { version } from '../version.gen.ts'
import { gradeOf } from './outcome.ts'
import { gradeLine, planLines, renderRanked, type Showing } from './render.ts'
import type { Verdict } from './guide.ts'
import type { Gathered } from './source.ts'

export type PreflightAnswer = Output<(typeof preflightApi)['preflight']>

const verdicts = {
  pass: 'passes',
  warn: 'passes with warnings',
  blocked: 'BLOCKED',
} as const

/** The data of reports; `extra` are failures that no finding tells. */
export function preflightReport(
  answer: PreflightAnswer,
  extra: readonly Finding[],
  gathered: Gathered,
  verdict: Verdict | null,
): FindingReport {
  if (verdict !== null) return { ...verdict.report, findings: [...verdict.report.findings, ...extra] }
  const findings = [...answer.findings, ...extra]
  const names = [answer.source, ...findings.map((it) => it.source)]
  return {
    findings: findings.map((it) => ({ ...it, source: gathered.shown(it.source) })),
    grade: gradeOf(answer.grade),
    sources: new Map(names.map((name) => [gathered.shown(name), gathered.text(name)])),
    toolVersion: version,
  }
}

/** The answer with the grade, the findings and the thresholds of a guide of this machine. */
export const answerOfGuide = (answer: PreflightAnswer, { grade, gate, report }: Verdict): PreflightAnswer => ({
  ...answer,
  grade,
  gate,
  findings: report.findings.map((it) => ({ ...it, path: [...it.path] })) as PreflightAnswer['findings'],
})

/** The answer as a person reads it: grade, verdict with each gate, plan, findings by rank; `asked` where a threshold was named. */
export function renderPreflight(
  answer: PreflightAnswer,
  { asked, verdict }: { readonly asked: boolean; readonly verdict: Verdict | null },
  showing: Showing,
): string {
  const { format, grade, policy, plan, refusal, gate, findings } = answer
  const facts = renderFacts([
    ['Document', showing.gathered.shown(answer.source)],
    ['Format', format === null ? 'none that is known' : `${format.kind} ${format.version}`],
    ...answer.overlays.map((it): [string, string] => [
      'Overlay',
      `${it.source}: ${plural(it.actions_total, 'action')}, ${plural(it.matches, 'place')}`,
    ]),
    ...answer.overlays.flatMap(({ unmatched }) => unmatched.map((it): [string, string] => ['Warning', it])),
    ['Grade', gradeLine(grade)],
    ['Guide', verdict?.report.guide ?? policy.guide],
    ['Policy', `${verdicts[policy.verdict]}${verdict === null ? '' : ` (by the guide ${policy.guide})`}`],
    ['Refused', refusal === null ? null : refusal.message],
  ])
  const planned = plan === null ? '' : `\nAn import would:\n${planLines(plan).join('\n')}\n`
  const types = answer.types === null ? '' : `\nAn import of types would find:\n${reviewText(answer.types)}`
  const missed = asked ? gate.reasons.map((it) => `  ${it}\n`).join('') : ''
  const found = findings.length === 0 ? '' : `\n${renderRanked(findings, grade, showing)}`
  return `${facts}${missed}\n${gateTable(policy.gates)}${planned}${types}${found}`
}
