/** What `svc diff` and `svc breaking` share: the way from two sides to reports and an exit code. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import { checkVersion, type VersionCheck } from '../../src/diff/next-version.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import { mergeRevisions, type Revision } from '../../src/diff/revisions.ts'
import { rules } from '../../src/diff/rules.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import { isDocumentName } from '../../src/import/tree-path.ts'
import { changesAsJsonPieces, summarizeChanges } from '../../src/report/changes/json.ts'
import type { ChangeReport, ReportFormat } from '../../src/report/report.ts'
import { openCache } from '../cache/cache.ts'
import type { Invocation, Result } from '../declare.ts'
import { splitRevision } from '../input/git/file.ts'
import { changeFormats, readChangeTarget, readFormat, writeTargets, type ReportTarget } from '../output/reports.ts'
import { version } from '../version.gen.ts'
import { compareDocuments, type Compared } from './compared.ts'
import { exitCodeOf, type Gate } from './gate.ts'
import { acceptanceNotes } from './judging.ts'
import { type ComparingInvocation, unasked } from './options.ts'
import { comparisonSettings, type Settings } from './settings.ts'
import { Sides, type Wishes } from './sides.ts'
import type { Trees } from './trees/compare.ts'

const writeChanges = (format: ReportFormat, report: ChangeReport, colour: boolean): string =>
  format.changes?.({ at: new Date().toISOString(), ...report }, { colour }) ?? ''

async function readWishes(invocation: ComparingInvocation, markdown: boolean): Promise<Wishes> {
  const name = invocation.options.consumers
  if (name === undefined) return { withConsumers: null, consumersOf: null, markdown }
  // What speaks with the service is loaded when it is needed.
  const { askConsumers, isList, readAsked: readConsumers } = await import('./consumers.ts')
  const { storedName } = await import('../input/document-side.ts')
  const stored = await storedName(invocation.args.base, invocation.cwd)
  if (stored?.project === name && !(await isList(name, invocation.cwd)))
    return { withConsumers: null, consumersOf: name, markdown }
  const asked = await readConsumers(name, invocation)
  return { withConsumers: (result, base, head) => askConsumers(asked, result, base, head), consumersOf: null, markdown }
}

export const sentenceOf = ({ base, head, next, status }: VersionCheck): string | null => {
  switch (status) {
    case 'enough':
      return null
    case 'understated':
      return `info.version ${head} understates the change from ${base}; use ${next} or a later version.`
    case 'unknown':
      return `--check-version needs semantic versions in info.version: the base has ${base ?? 'none'}, the head ${head ?? 'none'}.`
  }
}

export const frameOf = (
  whole: DiffResult,
): Pick<ChangeReport, 'changes' | 'counts' | 'maxSeverity' | 'witness' | 'unused' | 'toolVersion' | 'ruleOf'> => ({
  changes: whole.changes,
  counts: whole.counts,
  maxSeverity: whole.maxSeverity,
  ...(whole.witness === undefined ? {} : { witness: whole.witness }),
  ...(whole.unused === undefined ? {} : { unused: whole.unused }),
  toolVersion: version,
  ruleOf: (id) => rules.get(id),
})

const reportOf = (compared: Compared, whole: DiffResult): ChangeReport => ({
  ...frameOf(whole),
  base: compared.base,
  head: compared.head,
  verdict: conclusionOf(whole, compared.scope),
  anchors: compared.anchors,
  consumers: compared.consumers,
  ...(compared.scope === null ? {} : { scope: compared.scope }),
})

const revisionsOf = (revisions: readonly Revision[]): object =>
  revisions.length < 2
    ? {}
    : {
        revisions: revisions.map((revision) => ({
          base: revision.base,
          verdict: revision.result.verdict,
          maxSeverity: revision.result.maxSeverity,
          witness: revision.result.witness ?? null,
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
    ...unasked,
    ...invocation.options,
    format: 'text',
    report: [],
    'allow-unknown': false,
  }
  const whole = { ...invocation, options }
  const wishes: Wishes = { withConsumers: null, consumersOf: null, markdown: false }
  return new Sides(whole, await comparisonSettings(whole), wishes, null).with(base)
}

/**
 * Compares the two sides of an invocation, writes every report, and answers what goes to standard output.
 * @throws SvcError as `Sides` does; `usage` for unknown formats, rules and lists
 */
export const compare = async (invocation: ComparingInvocation, gate: Gate): Promise<Result> => {
  const asked = readAsked(invocation.options, gate)
  return compareBy(await comparisonSettings(invocation), asked, invocation)
}

/** What a comparison was asked for, checked before anything is read. */
export interface ComparisonRequest {
  readonly gate: Gate
  readonly format: ReportFormat
  readonly targets: readonly ReportTarget[]
}

/** @throws SvcError `usage` for unknown formats, and for options that exclude each other */
export function readAsked(
  options: Pick<ComparingInvocation['options'], 'format' | 'report'>,
  gate: Gate,
): ComparisonRequest {
  if (gate.tellsOutcome && gate.failOn !== undefined)
    throw new SvcError('usage', { reason: '--exit-code and --fail-on cannot be used together' })
  return {
    gate,
    format: readFormat(options.format, changeFormats),
    targets: options.report.map(readChangeTarget),
  }
}

/** The same as `compare` with settings that are known. */
export async function compareBy(
  settings: Settings,
  asked: ComparisonRequest,
  invocation: ComparingInvocation,
): Promise<Result> {
  const { format } = asked
  const trees = await treesOf(invocation)
  const made =
    trees === null
      ? await documentsReport(invocation, settings, format)
      : await treesReport(invocation, settings, trees)
  for (const note of acceptanceNotes(settings.ignore, [made.whole], settings.asOf)) invocation.io.log.warn(note)
  return resultOf({ ...made, profile: settings.profile }, asked, invocation)
}

/** Writes every report of a comparison and answers what goes to standard output. */
export async function resultOf(
  made: Made,
  { gate, format, targets }: ComparisonRequest,
  {
    options,
    cwd,
    io,
  }: Pick<ComparingInvocation, 'cwd' | 'io'> & {
    readonly options: Pick<ComparingInvocation['options'], 'allow-unknown'>
  },
): Promise<Result> {
  const { report, whole, understated } = made
  for (const it of understated) io.log.error(it)
  await writeTargets(targets, (it) => writeChanges(it, report, false), cwd)
  return {
    exitCode: exitCodeOf(whole, gate, { allowUnknown: options['allow-unknown'], understated: understated.length > 0 }),
    summary: {
      ...summarizeChanges(report),
      ...(made.profile === undefined ? {} : { profile: made.profile }),
      ...made.more,
      ignored: whole.ignored.map(({ change, reason }) => ({ id: change.id, fingerprint: change.fingerprint, reason })),
    },
    changes: whole.changes,
    text: () =>
      format.id === 'json'
        ? changesAsJsonPieces(report)
        : (made.markdown ?? writeChanges(format, report, io.colour.stdout)),
  }
}

type ReadInvocation = Invocation<
  unknown,
  Pick<
    ComparingInvocation['options'],
    'format' | 'report' | 'profile' | 'config' | 'severity' | 'ignore' | 'as-of' | 'allow-unknown'
  >
>

/**
 * Compares two documents that were read already, the newer one with a name of its own, writes every report, and answers what goes to standard output.
 * @throws SvcError as `compareDocuments` does; `usage` for unknown formats, rules and lists
 */
export async function compareRead(
  { base, head, headName }: { readonly base: Document; readonly head: Document; readonly headName: string },
  invocation: ReadInvocation,
  gate: Gate,
): Promise<Result> {
  const asked = readAsked(invocation.options, gate)
  const settings = await comparisonSettings({
    ...invocation,
    args: { base: base.source, head: head.source },
    options: { ...unasked, ...invocation.options },
  })
  const compared = { ...(await compareDocuments(base, head, settings, null)), head: headName }
  for (const note of acceptanceNotes(settings.ignore, [compared.result], settings.asOf)) invocation.io.log.warn(note)
  const made = { report: reportOf(compared, compared.result), whole: compared.result, understated: [], more: {} }
  return resultOf({ ...made, profile: settings.profile }, asked, invocation)
}

/** A comparison, ready to be written. */
export interface Made {
  readonly report: ChangeReport
  readonly whole: DiffResult
  /** The policy for changes, where all documents have the same. */
  readonly profile?: Settings['profile']
  /** What --check-version has to say against it. */
  readonly understated: readonly string[]
  /** What the summary has beside that of every comparison. */
  readonly more: object
  /** The markdown that the service wrote. */
  readonly markdown?: string | undefined
}

// Most comparisons are of two files; what reads folders and archives is loaded where one side may be one.
async function treesOf(invocation: ComparingInvocation): Promise<Trees | null> {
  const { args, cwd } = invocation
  const mayBe = async (side: string): Promise<boolean> => {
    const info = await stat(resolve(cwd, side)).catch(() => null)
    if (info === null) return splitRevision(side) !== null && !isDocumentName(side)
    return info.isDirectory() || (info.isFile() && !isDocumentName(side))
  }
  if (!(await mayBe(args.base)) && !(await mayBe(args.head))) return null
  const { openTrees } = await import('./trees/compare.ts')
  return openTrees(invocation)
}

async function treesReport(invocation: ComparingInvocation, settings: Settings, trees: Trees): Promise<Made> {
  const { options } = invocation
  const { compareTrees, filesSentence } = await import('./trees/compare.ts')
  const { TypeReader } = await import('../input/types.ts')
  const compared = await compareTrees(trees, { ...settings, types: new TypeReader(invocation) })
  const { result: whole, files, skipped, anchors } = compared
  const checks = options['check-version'] ? compared.checks : []
  const understated = checks.flatMap(({ file, check }) => {
    const said = sentenceOf(check)
    return said === null ? [] : [`${file}: ${said}`]
  })
  const report: ChangeReport = {
    ...frameOf(whole),
    base: trees.base.name,
    head: trees.head.name,
    verdict: `${conclusionOf(whole)} ${filesSentence(compared)}`,
    anchors,
    files,
    skipped,
  }
  return {
    report,
    whole,
    understated,
    more: options['check-version'] ? { versions: checks.map(({ file, check }) => ({ file, ...check })) } : {},
  }
}

async function documentsReport(
  invocation: ComparingInvocation,
  settings: Settings,
  format: ReportFormat,
): Promise<Made> {
  const { args, options } = invocation
  const cache = await openCache(invocation)
  const sides = new Sides(invocation, settings, await readWishes(invocation, format.id === 'markdown'), cache)
  const newest = await sides.with(args.base)
  const older: Revision[] = []
  for (const earlier of options.earlier) {
    const { base, result } = await sides.with(earlier)
    older.push({ base, result })
  }
  await cache?.close()
  const revisions = [{ base: newest.base, result: newest.result }, ...older]
  const whole = mergeRevisions(revisions[0]!, older)
  const report = reportOf(newest, whole)
  const check = options['check-version']
    ? checkVersion(newest.versions.base, newest.versions.head, newest.result)
    : null
  const understated = check && sentenceOf(check)
  return {
    report,
    whole,
    understated: understated === null ? [] : [understated],
    more: { ...(check === null ? {} : { version: check }), ...revisionsOf(revisions) },
    markdown: older.length === 0 && whole.ignored.length === 0 ? newest.markdown : undefined,
  }
}
