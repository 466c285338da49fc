/** The last stage of `svc lint`: reports, messages, exit code. */
import { quickWins } from '../../src/lint/grade.ts'
import { countFindings } from '../../src/report/count.ts'
import { reportFormats } from '../../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../../src/report/report.ts'
import type { Result } from '../declare.ts'
import type { ChosenGuide } from '../input/guides.ts'
import type { Io } from '../io.ts'
import { writeFindings, writeReportFiles, type ReportTarget } from '../output/reports.ts'
import { version } from '../version.gen.ts'
import type { Accepted, Known } from './accept.ts'
import type { LintedFiles, LintInvocation } from './files.ts'
import { deadRules, exitCodes, rankByImpact, skippedRules, worst } from './outcome.ts'
import { plural } from '../../src/plural.ts'

/** What the reports print, and which of them go to standard output. */
export interface Reports {
  readonly grade: FindingReport['grade']
  readonly reportFor: (format: ReportFormat) => FindingReport
  readonly direct: readonly ReportFormat[]
}

interface Stages {
  readonly guide: ChosenGuide
  readonly linted: LintedFiles
  readonly accepted: Accepted
  readonly known: Known
  readonly reports: Reports
}

const isForPeople = (format: string): boolean => ['text', 'stylish', 'codeframe'].includes(format)

/** Makes the report of what is left, in both orders, and writes the reports that --report sends to files. */
export async function writeReports(
  { all }: LintedFiles,
  { left }: Accepted,
  targets: readonly ReportTarget[],
  { options, cwd }: Pick<LintInvocation, 'options' | 'cwd'>,
): Promise<Reports> {
  const { rules } = await import('../../src/lint/rules.gen.ts')
  const remedies = new Map(left.flatMap(({ code }) => (rules[code]?.help ? [[code, rules[code].help.remedy]] : [])))
  const report: FindingReport = {
    findings: left,
    remedies,
    grade: worst(all.map((it) => it.grade)),
    sources: new Map(all.map(({ document }) => [document.source, document.text])),
    toolVersion: version,
  }
  let impact: FindingReport | null = null
  const reportFor = (format: ReportFormat): FindingReport => {
    const sort = options.sort ?? (['text', 'codeframe'].includes(format.id) ? 'impact' : 'place')
    if (sort === 'place') return report
    impact ??= { ...report, ...rankByImpact(all, left) }
    return impact
  }
  await writeReportFiles(targets, reportFor, cwd)
  const direct = targets.filter((it) => it.path === null).map((it) => it.format)
  return { grade: report.grade, reportFor, direct }
}

/** Warns of rulesets and rules that were not applied, and of waivers to clean up. */
export function logSkipped(guide: ChosenGuide, { all }: LintedFiles, { notes }: Accepted, log: Io['log']): void {
  for (const note of notes) log.warn(note)
  for (const { name, reason } of guide.refused ?? []) log.warn(`Skipped the ruleset ${name}: ${reason}.`)
  for (const { code, reason } of skippedRules(all)) log.warn(`Skipped the rule ${code}: ${reason}.`)
}

const summaryOf = ({ guide, linted, accepted, known, reports }: Stages, dead: readonly string[] | null): object => {
  const skipped = skippedRules(linted.all)
  return {
    guide: guide.name,
    counts: countFindings(accepted.left),
    grade: reports.grade,
    gains: reports.grade === null ? [] : quickWins(reports.grade),
    documents: linted.all.map(({ document, grade }) => ({ source: document.source, grade })),
    ...(known.baseline === null ? {} : { accepted: accepted.byBaseline }),
    ...(known.waivers.length === 0 ? {} : { waived: accepted.byWaivers }),
    ...(dead === null ? {} : { deadRules: dead }),
    ...(skipped.length === 0 ? {} : { skippedRules: skipped }),
    ...(guide.refused === undefined || guide.refused.length === 0 ? {} : { skippedRulesets: guide.refused }),
  }
}

/** The result of the command: the findings that are left, the summary, the text and the exit codes. */
export function lintResult(stages: Stages, { options, io }: Pick<LintInvocation, 'options' | 'io'>): Result {
  const { linted, accepted, reports } = stages
  const dead = options['dead-rules'] ? deadRules(linted.all) : null
  const file = options['write-baseline']
  const codes = exitCodes(linted.all, accepted.left, {
    failOn: options['fail-on'],
    failOnNew: options['fail-on-new'],
    minGrade: options['min-grade'],
  })
  const fixed = linted.fixed.map(({ code, source, pointer }) => ({ code, source, pointer }))
  const notes = (): string =>
    [
      fixed.length > 0 ? `${options['dry-run'] ? 'Would fix' : 'Fixed'} ${plural(fixed.length, 'finding')}.\n` : '',
      accepted.byBaseline > 0 ? `${plural(accepted.byBaseline, 'finding')} accepted by the baseline.\n` : '',
      accepted.byWaivers > 0 ? `${plural(accepted.byWaivers, 'finding')} waived.\n` : '',
      dead !== null && dead.length > 0 ? `Rules that matched nothing: ${dead.join(', ')}.\n` : '',
      file === undefined ? '' : `Wrote the baseline ${file}.\n`,
    ].join('')
  return {
    // Writing a baseline accepts the findings; a document that cannot be read is still a failure.
    exitCode: file === undefined ? codes : codes.filter((it) => it !== 4),
    summary: { ...summaryOf(stages, dead), ...(options.fix ? { fixed } : {}) },
    findings: accepted.left,
    text: () =>
      (options['dry-run'] ? linted.diffs.join('') : '') +
      [reportFormats[options.format], ...reports.direct]
        .map((it) =>
          writeFindings(it, reports.reportFor(it), io.colour.stdout, io.isTerminal ? { columns: io.columns } : {}),
        )
        .join('') +
      (isForPeople(options.format) ? notes() : ''),
  }
}
