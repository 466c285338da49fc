/**
 * The style guide of a repository checks what is imported: as `svc lint` does, in this process, before anything is sent. The service
 * never sees the guide, so that rulesets of several files, packages and JavaScript functions work as they do for `svc lint`.
 */
import { join } from 'node:path'
import { checkThresholds, type Threshold } from '../../server/imports/thresholds.ts'
import type { ImportJob } from '../../src/api/imports.ts'
import { SvcError, type ExitCode } from '../../src/errors.ts'
import { rankFindings } from '../../src/lint/rank.ts'
import { countFindings } from '../../src/report/count.ts'
import type { FindingReport } from '../../src/report/report.ts'
import type { Invocation, Result } from '../declare.ts'
import { findDefaultGuide, findGuide } from '../guide/find.ts'
import { acceptFindings } from '../lint/accept.ts'
import { lintFiles } from '../lint/files.ts'
import { lintOptions } from '../lint/options.ts'
import { worst } from '../../src/lint/judge.ts'
import { countSkipped, findingsOfSkipped, skippedOf, type Skipped } from '../lint/skipped.ts'
import { defaultsOf, type OptionValues } from '../options.ts'
import { renderFacts } from '../table.ts'
import { version } from '../version.gen.ts'
import type { guideOptions, qualityOptions } from './options.ts'
import { gradeLine, renderRanked } from './render.ts'
import { readReports, writeAll, type RunOptions } from './run.ts'
import type { Gathered } from './source.ts'

type GuideValues = Partial<OptionValues<typeof guideOptions> & OptionValues<typeof qualityOptions>>

/** What the guide says of the documents. */
export interface Verdict {
  readonly grade: NonNullable<ImportJob['lint']>
  readonly gate: Threshold
  /** The findings by rank, with the texts of their documents. */
  readonly report: FindingReport
  /** Rules and rulesets that could not be applied and must not be left out. */
  readonly skipped: readonly Skipped[]
}

/** What is checked, and how. */
interface Question {
  /** The path, address or "-" of the command line. */
  readonly input: string
  readonly root: string | null
  readonly gathered: Gathered
  readonly options: GuideValues
}

/** The same standard input for several readers. */
export function rereadable<I extends Pick<Invocation, 'io'>>(invocation: I): I {
  let text: ReturnType<Invocation['io']['stdin']> | null = null
  return { ...invocation, io: { ...invocation.io, stdin: () => (text ??= invocation.io.stdin()) } }
}

/**
 * Applies the guide of --guide, or the one that `svc lint` finds in this folder or above it; null where there is neither,
 * where it is an archive that only the service opens, and where a text cannot be parsed, which the service refuses.
 * @throws SvcError `usage` for --guide with an archive, and as `findGuide` and `lintFiles` do
 */
export async function judgeByGuide(
  { input, root, gathered, options }: Question,
  invocation: Invocation<unknown, unknown>,
): Promise<Verdict | null> {
  const { kind } = gathered.source
  const name = options.guide ?? (await findDefaultGuide(invocation.cwd))
  if (name === null) return null
  if (kind === 'uploaded') {
    if (options.guide === undefined) return null
    throw new SvcError('usage', { reason: `--guide reads files, folders and URLs; unpack ${input} for it` })
  }
  const isFolder = kind === 'files' && gathered.root === null
  const path = isFolder && root !== null ? join(input, root) : input
  // None of the options of "svc lint" about fixes, baselines and waivers applies.
  const run = { ...invocation, options: defaultsOf(lintOptions) }
  const guide = await findGuide(options.guide, invocation, { runsFunctions: options['allow-functions'] === true })
  const linted = await lintFiles([path], guide, run)
  if (linted.all.some((it) => !it.readable)) return null
  const { left } = await acceptFindings(linted.all, { baseline: null, waivers: [] }, guide, run)
  const isAllowed = options['allow-skipped'] === true
  const skipped = skippedOf(guide, linted.all, linted.skipped)
  const graded = worst(linted.all.map((it) => it.grade))
  const findings = [...findingsOfSkipped(skipped, guide.name, isAllowed), ...left]
  const counts = countFindings(findings)
  const asked = {
    ...(options['min-grade'] === undefined ? {} : { min_grade: options['min-grade'] }),
    ...(options['fail-on'] === undefined ? {} : { fail_on: options['fail-on'] }),
  }
  const { letter, score, cap, deductions } = graded ?? { letter: null, score: null, cap: null, deductions: [] }
  return {
    grade: { grade: letter, score, cap, counts, deductions: [...deductions] },
    gate: checkThresholds(asked, letter, counts),
    report: {
      findings: rankFindings(findings, deductions),
      grade: graded,
      guide: guide.name,
      sources: new Map(linted.all.map(({ document }) => [document.source, document.text])),
      toolVersion: version,
    },
    skipped: isAllowed ? [] : skipped,
  }
}

/** The failure of a guide that could not be applied as a whole. */
export const failuresOfVerdict = ({ skipped }: Pick<Verdict, 'skipped'>): SvcError[] =>
  skipped.length === 0 ? [] : [new SvcError('rules-skipped', { skipped: countSkipped(skipped) })]

/** The verdict as machines read it. */
export const summaryOfVerdict = ({ report, grade, gate }: Verdict): object => ({
  guide: report.guide,
  grade,
  gate,
})

// The exit codes of what a guide refuses.
function codesOfVerdict({ grade, gate }: Pick<Verdict, 'grade' | 'gate'>): ExitCode[] {
  const ungraded = gate.min_grade !== null && grade.grade === null
  // That nothing could be graded is not a grade that was too bad.
  return [...(ungraded ? [5 as const] : []), ...(gate.reasons.length > (ungraded ? 1 : 0) ? [4 as const] : [])]
}

/** The result of an import that a guide of this machine refuses: nothing was sent. */
export async function refuseByVerdict(
  verdict: Verdict,
  failures: readonly SvcError[],
  options: Pick<RunOptions, 'report'>,
  { globals, io, cwd }: Pick<Invocation, 'globals' | 'io' | 'cwd'>,
): Promise<Result> {
  const { report, grade, gate } = verdict
  const written = await writeAll(readReports(options.report ?? [], globals.json), report, { io, cwd })
  const text = (): string => {
    const showing = { gathered: { shown: same, text: textsOf(report) }, colour: io.colour.stdout }
    const facts = renderFacts([
      ['Import', 'refused: nothing was sent'],
      ['Grade', gradeLine(grade)],
      ['Guide', report.guide ?? null],
    ])
    return `${facts}${gate.reasons.map((it) => `  ${it}\n`).join('')}${renderRanked(report.findings, grade, showing)}`
  }
  return {
    exitCode: codesOfVerdict(verdict),
    summary: summaryOfVerdict(verdict),
    data: null,
    failures: [...failures, ...written.failures],
    text: () => written.direct ?? (globals.quiet ? '' : text()),
  }
}

const same = (name: string): string => name

/** The texts of a report, as what renders findings asks for them. */
export const textsOf =
  ({ sources }: FindingReport) =>
  (name: string): string | null =>
    sources.get(name) ?? null
