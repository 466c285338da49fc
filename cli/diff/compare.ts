/** What `svc diff` and `svc breaking` share: the way from two sides to reports and an exit code. */
import { changeSeverities, type ChangeSeverity } from '../../src/diff/change.ts'
import { conclusionOf, outcomeOf, type Outcome } from '../../src/diff/conclusion.ts'
import { checkVersion, type VersionCheck } from '../../src/diff/next-version.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { mergeRevisions, type Revision } from '../../src/diff/revisions.ts'
import { rules } from '../../src/diff/rules.ts'
import { SvcError, type ExitCode } from '../../src/errors.ts'
import { changesAsJsonPieces, summarizeChanges } from '../../src/report/changes/json.ts'
import type { ChangeReport, ReportFormat } from '../../src/report/report.ts'
import type { Invocation, Result } from '../declare.ts'
import { changeFormats, readChangeTarget, readFormat, writeTargets } from '../output/reports.ts'
import { version } from '../version.gen.ts'
import type { Compared } from './compared.ts'
import { acceptanceNotes } from './judging.ts'
import type { ComparingInvocation } from './options.ts'
import { comparisonSettings, type Settings } from './settings.ts'
import { Sides, type Wishes } from './sides.ts'

const writeChanges = (format: ReportFormat, report: ChangeReport, colour: boolean): string =>
  format.changes?.(report, { colour }) ?? ''

/** Whether a result reaches the severity that a caller does not accept. */
const reaches = (result: DiffResult, limit: ChangeSeverity, allowUnknown: boolean): boolean =>
  result.changes.some(
    (change) =>
      changeSeverities.indexOf(change.severity) <= changeSeverities.indexOf(limit) &&
      !(allowUnknown && change.classification === 'unknown'),
  )

/** The exit codes of `--exit-code`, one for each outcome. */
export const outcomeCodes = {
  unchanged: 0,
  'docs-only': 10,
  compatible: 11,
  undecided: 12,
  breaking: 13,
} as const satisfies Readonly<Record<Outcome, ExitCode>>

/** What makes a comparison fail. */
export interface Gate {
  /** The mildest severity that is not accepted; undefined where every change is. */
  readonly failOn: ChangeSeverity | undefined
  /** The exit code tells the outcome instead. */
  readonly tellsOutcome: boolean
}

async function readWishes(invocation: ComparingInvocation, markdown: boolean): Promise<Wishes> {
  const name = invocation.options.consumers
  if (name === undefined) return { withConsumers: null, consumersOf: null, markdown }
  // What speaks with the service is loaded where somebody asks for it.
  const { askConsumers, isList, readAsked } = await import('./consumers.ts')
  const { storedName } = await import('../input/document-side.ts')
  const stored = await storedName(invocation.args.base, invocation.cwd)
  if (stored?.project === name && !(await isList(name, invocation.cwd)))
    return { withConsumers: null, consumersOf: name, markdown }
  const asked = await readAsked(name, invocation)
  return { withConsumers: (result, base, head) => askConsumers(asked, result, base, head), consumersOf: null, markdown }
}

const sentenceOf = ({ base, head, next, status }: VersionCheck): string | null => {
  switch (status) {
    case 'enough':
      return null
    case 'understated':
      return `info.version ${head} understates the change from ${base}; use ${next} or a later version.`
    case 'unknown':
      return `--check-version needs semantic versions in info.version: the base has ${base ?? 'none'}, the head ${head ?? 'none'}.`
  }
}

const reportOf = (compared: Compared, whole: DiffResult): ChangeReport => ({
  changes: whole.changes,
  counts: whole.counts,
  maxSeverity: whole.maxSeverity,
  base: compared.base,
  head: compared.head,
  verdict: conclusionOf(whole, compared.scope),
  toolVersion: version,
  anchors: compared.anchors,
  ruleOf: (id) => rules.get(id),
  consumers: compared.consumers,
  ...(compared.scope === null ? {} : { scope: compared.scope }),
})

const revisionsOf = (revisions: readonly Revision[]): object =>
  revisions.length < 2
    ? {}
    : {
        revisions: revisions.map((it) => ({
          base: it.base,
          verdict: it.result.verdict,
          maxSeverity: it.result.maxSeverity,
          witness: it.result.witness ?? null,
        })),
      }

type VersionInvocation = Invocation<
  { readonly base: string; readonly head: string },
  Pick<ComparingInvocation['options'], 'profile' | 'config' | 'severity' | 'ignore' | 'as-of' | 'mode'>
>

/**
 * Compares an older side with the newer one of an invocation that has no reports, filters and gates.
 * @throws SvcError as `Sides` does
 */
export const compareSides = async (invocation: VersionInvocation, base: string): Promise<Compared> => {
  const options: ComparingInvocation['options'] = {
    ...invocation.options,
    format: 'text',
    report: [],
    earlier: [],
    consumers: undefined,
    'allow-missing-base': false,
    'match-path': [],
    operation: [],
    tag: [],
    'check-version': false,
    'allow-unknown': false,
  }
  const whole = { ...invocation, options }
  const wishes: Wishes = { withConsumers: null, consumersOf: null, markdown: false }
  return new Sides(whole, await comparisonSettings(whole), wishes).with(base)
}

/**
 * Compares the two sides of an invocation, writes every report, and answers what goes to standard output.
 * @throws SvcError as `Sides` does; `usage` for unknown formats, rules and lists
 */
export const compare = async (invocation: ComparingInvocation, gate: Gate): Promise<Result> => {
  const { args, options, cwd, io } = invocation
  if (gate.tellsOutcome && gate.failOn !== undefined)
    throw new SvcError('usage', { reason: '--exit-code and --fail-on cannot be used together' })
  const format = readFormat(options.format, changeFormats)
  const targets = options.report.map(readChangeTarget)
  const settings = await comparisonSettings(invocation)
  const sides = new Sides(invocation, settings, await readWishes(invocation, format.id === 'markdown'))
  const newest = await sides.with(args.base)
  const older: Revision[] = []
  for (const earlier of options.earlier) {
    const { base, result } = await sides.with(earlier)
    older.push({ base, result })
  }
  const revisions = [{ base: newest.base, result: newest.result }, ...older]
  const whole = mergeRevisions(revisions[0]!, older)
  const report = reportOf(newest, whole)
  const check = options['check-version']
    ? checkVersion(newest.versions.base, newest.versions.head, newest.result)
    : null
  const understated = check && sentenceOf(check)
  tell({ io }, settings, whole, understated)
  await writeTargets(targets, (it) => writeChanges(it, report, false), cwd)
  const failed = gate.failOn !== undefined && reaches(whole, gate.failOn, options['allow-unknown'])
  const markdown = older.length === 0 && whole.ignored.length === 0 ? newest.markdown : undefined
  return {
    exitCode: failed || understated ? 4 : gate.tellsOutcome ? outcomeCodes[outcomeOf(whole)] : 0,
    summary: {
      ...summarizeChanges(report),
      profile: settings.profile,
      ...(whole.witness === undefined ? {} : { witness: whole.witness }),
      ...(check === null ? {} : { version: check }),
      ...revisionsOf(revisions),
      ignored: whole.ignored.map(({ change, reason }) => ({ id: change.id, fingerprint: change.fingerprint, reason })),
    },
    changes: whole.changes,
    text: () =>
      format.id === 'json' ? changesAsJsonPieces(report) : (markdown ?? writeChanges(format, report, io.colour.stdout)),
  }
}

const tell = (
  { io }: Pick<Invocation, 'io'>,
  { ignore, asOf }: Settings,
  whole: DiffResult,
  understated: string | null,
): void => {
  for (const note of acceptanceNotes(ignore, [whole], asOf)) io.log.warn(note)
  if (understated !== null) io.log.error(understated)
}
