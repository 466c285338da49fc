/** The last stage of `svc lint`: reports, messages, exit code. */
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { sumToolTokens, type ToolTokens } from '../../src/lint/descriptors/budget.ts'
import { type Finding, severities } from '../../src/lint/finding.ts'
import { remediesOf } from '../../src/lint/remedies.ts'
import type { Suppressed } from '../../src/lint/suppressions/suppression.ts'
import { countFindings } from '../../src/report/count.ts'
import { summarizeLint } from '../../src/report/lint-summary.ts'
import { reportFormats } from '../../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../../src/report/report.ts'
import { describeSuppressed } from '../../src/report/suppressed.ts'
import type { Result } from '../declare.ts'
import type { ChosenGuide } from '../guide/find.ts'
import type { Accepted, Known } from './accept.ts'
import type { LintedFiles, LintInvocation } from './files.ts'
import type { LintCommandOptions } from './options.ts'
import { nameFrom } from './names.ts'
import { failingSeverities, type Judged, worst } from '../../src/lint/judge.ts'
import { deadRules, rankByImpact } from './outcome.ts'
import { type AppliedFile, describeApplied } from './plan.ts'
import { countSkipped, findingsOfSkipped, notAccepted, type Skipped, skippedOf } from './skipped.ts'
import { type ReportTarget, writeFindings, writeReportFiles } from '../output/reports.ts'
import { version } from '../version.gen.ts'

interface Wanted {
  /** Those that make the run fail, and no others. */
  readonly onlyFailures: boolean
  readonly fails: (finding: Finding) => boolean
  /** At most so many, the worst. */
  readonly most: number | undefined
}

/** The findings to show. */
export function selectShown(
  findings: readonly Finding[],
  { onlyFailures, fails, most }: Wanted,
): { readonly has: (finding: Finding) => boolean } {
  const chosen = onlyFailures ? findings.filter(fails) : findings
  const worst =
    most === undefined || chosen.length <= most
      ? chosen
      : chosen.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)).slice(0, most)
  const kept = new Set(worst)
  return { has: (finding) => kept.has(finding) }
}

/** What the reports print, and which of them go to standard output. */
export interface Reports {
  readonly grade: FindingReport['grade']
  /** What the tools of all documents cost; null where none lists tools. */
  readonly tools: ToolTokens | null
  /** What was skipped, and everything that is reported: findings for that, then those that are left. */
  readonly skipped: readonly Skipped[]
  readonly findings: readonly Finding[]
  readonly suppressed: readonly Suppressed[]
  /** The counts of everything, and how much of it is not shown. */
  readonly counts: ReturnType<typeof countFindings>
  readonly omitted: number
  readonly reportFor: (format: ReportFormat) => FindingReport
  readonly direct: readonly ReportFormat[]
}

interface Stages {
  readonly guide: ChosenGuide
  readonly linted: LintedFiles
  readonly accepted: Accepted
  readonly judged: Judged
  /** What svc.yaml says, where there is one. */
  readonly applied: AppliedFile | null
  readonly known: Known
  readonly reports: Reports
}

// The other formats have no place for how much is left out.
const saysOmitted: readonly string[] = ['text', 'stylish', 'codeframe', 'markdown', 'html', 'json']

const isForPeople = (format: string): boolean => ['text', 'stylish', 'codeframe'].includes(format)

/** Makes the report of what is left, in both orders, and writes the reports that --report sends to files. */
export async function writeReports(
  {
    guide,
    linted: { all, skipped: files },
    accepted: { left, suppressed, waived },
    judged,
  }: Pick<Stages, 'guide' | 'linted' | 'accepted' | 'judged'>,
  targets: readonly ReportTarget[],
  { options, cwd }: Pick<LintInvocation, 'options' | 'cwd'>,
): Promise<Reports> {
  const skipped = skippedOf(guide, all, files)
  const told = findingsOfSkipped(skipped, guide.name, options['allow-skipped'])
  const { rules } = await import('../../src/lint/rules.gen.ts')
  const remedies = remediesOf(left, rules, guide.rules)
  const failing: readonly string[] = failingSeverities(options['fail-on'])
  const isTold = new Set(told)
  const fails = (it: Finding): boolean =>
    isTold.has(it) ? options['fail-on-new'] || failing.includes(it.severity) : judged.fails(it)
  const everything = [...told, ...left]
  const shown = selectShown(everything, {
    onlyFailures: options['display-only-failures'],
    fails,
    most: options['max-problems'],
  })
  const findings = everything.filter((it) => shown.has(it))
  const found: FindingReport = {
    findings,
    total: countFindings(everything),
    skipped: isTold,
    suppressed: [...suppressed, ...waived],
    guide: guide.name,
    pathOf: nameFrom('.', cwd),
    fails,
    remedies,
    grade: worst(all.map((it) => it.grade)),
    sources: new Map(all.map(({ document }) => [document.source, document.text])),
    toolVersion: version,
  }
  const tools = sumToolTokens(all.map((it) => it.tools))
  const report: FindingReport = tools === null ? found : { ...found, tools }
  let impact: FindingReport | null = null
  const reportFor = (format: ReportFormat): FindingReport => {
    const sort = options.sort ?? (['text', 'codeframe'].includes(format.id) ? 'impact' : 'place')
    if (sort === 'place') return report
    if (impact === null) {
      const { findings: ranked, reach } = rankByImpact(all, left)
      impact = { ...report, findings: [...told, ...ranked].filter((it) => shown.has(it)), reach }
    }
    return impact
  }
  const main = { format: reportFormats[options.format], path: options.output ?? null }
  await writeReportFiles([...targets, main], reportFor, cwd)
  const direct = targets.filter((it) => it.path === null).map((it) => it.format)
  return {
    grade: report.grade,
    tools,
    skipped,
    findings,
    suppressed: [...suppressed, ...waived],
    counts: countFindings(everything),
    omitted: everything.length - findings.length,
    reportFor,
    direct: main.path === null ? [main.format, ...direct] : direct,
  }
}

const summaryOf = (
  { guide, linted, accepted, applied, known, reports }: Stages,
  dead: readonly string[] | null,
): object => {
  const { counts, grade, tools } = reports
  return summarizeLint(
    { guide: guide.name, counts, grade, tools, documents: linted.all },
    {
      before: applied === null ? {} : { projectFile: applied },
      within: reports.omitted === 0 ? {} : { omitted: reports.omitted },
      after: {
        ...(known.baseline === null ? {} : { accepted: accepted.byBaseline }),
        ...(known.waivers.length === 0 ? {} : { waived: accepted.waived.length }),
        ...(reports.suppressed.length === 0 ? {} : { suppressed: reports.suppressed.map(describeSuppressed) }),
        ...(dead === null ? {} : { deadRules: dead }),
        ...(reports.skipped.length === 0 ? {} : { skipped: reports.skipped }),
      },
    },
  )
}

/** What became of the findings that were fixed. */
function fixedNote(count: number, options: Pick<LintCommandOptions, 'dry-run' | 'fix-overlay'>): string {
  const overlay = options['fix-overlay']
  if (overlay !== undefined) return `Wrote the fixes of ${plural(count, 'finding')} as the overlay ${overlay}.\n`
  return `${options['dry-run'] ? 'Would fix' : 'Fixed'} ${plural(count, 'finding')}.\n`
}

/** The result of the command: the findings that are left, the summary, the text and the exit codes. */
export function lintResult(
  stages: Stages,
  { options, io, globals }: Pick<LintInvocation, 'options' | 'io' | 'globals'>,
): Result {
  const { linted, accepted, reports } = stages
  const dead = options['dead-rules'] ? deadRules(linted.all) : null
  const file = options['write-baseline']
  const codes = [...stages.judged.codes]
  const skipped = options['allow-skipped'] ? [] : notAccepted(reports.skipped)
  const isIncomplete = skipped.length > 0
  if (isIncomplete && skipped.some(({ kind }) => kind === 'file')) codes.push(6)
  const rules = isIncomplete ? skipped.filter(({ kind }) => kind !== 'file') : []
  const failures = rules.length === 0 ? [] : [new SvcError('rules-skipped', { skipped: countSkipped(rules) })]
  const fixed = linted.fixed.map(({ code, source, pointer }) => ({ code, source, pointer }))
  const isSaid = saysOmitted.includes(options.format) && !(globals.quiet && isForPeople(options.format))
  if (reports.omitted > 0 && !isSaid) io.log.warn(`${plural(reports.omitted, 'finding')} not shown.`)
  const notes = (): string =>
    [
      fixed.length > 0 ? fixedNote(fixed.length, options) : '',
      accepted.byBaseline > 0 ? `${plural(accepted.byBaseline, 'finding')} accepted by the baseline.\n` : '',
      accepted.suppressed.length > 0 ? `${plural(accepted.suppressed.length, 'finding')} suppressed.\n` : '',
      accepted.waived.length > 0 ? `${plural(accepted.waived.length, 'finding')} waived.\n` : '',
      dead !== null && dead.length > 0 ? `Rules that matched nothing: ${dead.join(', ')}.\n` : '',
      file === undefined ? '' : `Wrote the baseline ${file}.\n`,
      stages.applied === null ? '' : describeApplied(stages.applied),
    ].join('')
  return {
    // Writing a baseline accepts the findings; a document that cannot be read is still a failure.
    exitCode: file === undefined ? codes : codes.filter((it) => it !== 4),
    summary: { ...summaryOf(stages, dead), ...(options.fix ? { fixed } : {}) },
    findings: reports.findings,
    failures,
    text: () =>
      (options['dry-run'] ? linted.diffs.join('') : '') +
      reports.direct
        .map((it) =>
          writeFindings(it, reports.reportFor(it), io.colour.stdout, {
            isBrief: globals.quiet,
            ...(io.isTerminal ? { columns: io.columns } : {}),
          }),
        )
        .join('') +
      (isForPeople(options.format) && !globals.quiet ? notes() : ''),
  }
}
