/** What `svc diff` and `svc breaking` share: options, and the way from two sides to reports and an exit code. */
import { changeSeverities } from '../../src/diff/change.ts'
import type { ChangeSeverity } from '../../src/diff/change.ts'
import { diff } from '../../src/diff/diff.ts'
import { mergeRevisions, type Revision } from '../../src/diff/revisions.ts'
import { anchorsIn, inFiles } from '../../src/diff/places.ts'
import type { DiffOptions, DiffResult } from '../../src/diff/options.ts'
import { profiles } from '../../src/diff/profile.ts'
import type { ProfileName } from '../../src/diff/profile.ts'
import { rules } from '../../src/diff/rules.ts'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import type { Document } from '../../src/document/document.ts'
import { nothingBefore } from '../../src/diff/nothing.ts'
import { SvcError } from '../../src/errors.ts'
import { changesAsJsonPieces, summarizeChanges } from '../../src/report/changes/json.ts'
import type { ChangeReport, ReportFormat } from '../../src/report/report.ts'
import type { Invocation, Result } from '../declare.ts'
import type { ArgumentValues, OptionValues } from '../options.ts'
import { MissingSide } from '../input/document-source.ts'
import { acceptanceNotes, readJudging, rulebookName } from './judging.ts'
import { readSide } from '../input/document-side.ts'
import { memoryGuard } from '../memory-guard.ts'
import { changeFormats, readFormat, readChangeTarget, writeTargets } from '../output/reports.ts'
import { version } from '../version.gen.ts'

const side = 'a file, an http(s) address, -, REVISION:FILE of git, or PROJECT@VERSION'

export const comparingArguments = [
  { name: 'base', required: true, summary: `the older side: ${side}` },
  { name: 'head', required: true, summary: 'the newer side, likewise' },
] as const

export const comparingOptions = {
  format: {
    type: 'string',
    placeholder: 'FORMAT',
    default: 'text',
    summary: `how to write it: ${changeFormats.join(', ')}`,
  },
  report: {
    type: 'string',
    placeholder: 'FORMAT=FILE',
    multiple: true,
    summary: 'write a report into a file as well',
  },
  profile: {
    type: 'string',
    placeholder: 'NAME',
    choices: Object.keys(profiles) as ProfileName[],
    default: 'standard',
    summary: 'what counts as breaking where the facts leave it open',
  },
  mode: {
    type: 'string',
    placeholder: 'MODE',
    choices: ['backward', 'forward', 'full', 'backward-transitive', 'forward-transitive', 'full-transitive'],
    summary: 'compare as JSON Schema: whose values have to stay valid (backward where the files are schemas)',
  },
  earlier: {
    type: 'string',
    placeholder: 'SIDE',
    multiple: true,
    summary: 'a revision before the base that the head has to agree with as well (for the transitive modes)',
  },
  ignore: {
    type: 'string',
    placeholder: 'FILE',
    multiple: true,
    summary:
      'a list of accepted changes: match (a rule, or the #fingerprint that the text shows), reason, until (the last day)',
  },
  config: {
    type: 'string',
    placeholder: 'FILE',
    summary: `profile, severity (by rule) and ignore as the house wants them (default: ${rulebookName} of the folder, where it is)`,
  },
  consumers: {
    type: 'string',
    placeholder: 'PROJECT|FILE',
    summary:
      'changes name whom they hit: the consumers registered with a project, or a list of {handle, operations} in a file',
  },
  severity: {
    type: 'string',
    placeholder: 'RULE=SEVERITY',
    multiple: true,
    summary: 'another severity for the changes of a rule',
  },
  'as-of': {
    type: 'string',
    placeholder: 'DATE',
    summary: 'the day to judge sunsets and expiries by (default: today)',
  },
  'allow-missing-base': {
    type: 'boolean',
    summary: 'a base that the revision or the project does not have is empty: everything is new',
  },
  'allow-unknown': { type: 'boolean', summary: 'let undecided changes pass --fail-on' },
} as const

export type ComparingInvocation = Invocation<
  ArgumentValues<typeof comparingArguments>,
  OptionValues<typeof comparingOptions>
>

const writeChanges = (format: ReportFormat, report: ChangeReport, colour: boolean): string =>
  format.changes?.(report, { colour }) ?? ''

const usage = (reason: string): SvcError => new SvcError('usage', { reason })

const absent: ReadonlySet<unknown> = new Set(['project-not-found', 'version-not-found'])

/** Both sides, the base first; it may be missing where that is allowed: then everything is new. */
async function readSides(invocation: ComparingInvocation): Promise<readonly [base: Document, head: Document]> {
  const { args, options, io } = invocation
  try {
    const base = await readSide(args.base, invocation)
    return [base, await readSide(args.head, invocation)]
  } catch (thrown) {
    const missing = thrown instanceof MissingSide || (thrown instanceof SvcError && absent.has(thrown.code))
    if (!missing || !options['allow-missing-base']) throw thrown
    const head = await readSide(args.head, invocation)
    io.log.warn(`${args.base} does not exist: ${args.head} is compared with nothing.`)
    return [nothingBefore(head, args.base), head]
  }
}

const today = (): string => new Date().toISOString().slice(0, 10)

/** Whether a result reaches the severity that a caller does not accept. */
const reaches = (result: DiffResult, limit: ChangeSeverity, allowUnknown: boolean): boolean =>
  result.changes.some(
    (change) =>
      changeSeverities.indexOf(change.severity) <= changeSeverities.indexOf(limit) &&
      !(allowUnknown && change.classification === 'unknown'),
  )

/**
 * Compares the two sides of an invocation, writes every report, and answers what goes to standard output.
 * @throws SvcError as `readSide` does; `usage` for unknown formats, rules and lists.
 */
export const compare = async (invocation: ComparingInvocation, failOn: ChangeSeverity | undefined): Promise<Result> => {
  const { args, options, given, cwd, io } = invocation
  if (args.base === '-' && args.head === '-') throw usage('Only one side can be standard input.')
  const earlierSides = options.earlier
  if (earlierSides.length > 0 && !options.mode?.endsWith('-transitive'))
    throw usage(
      '--earlier is for the transitive modes: --mode backward-transitive, forward-transitive, full-transitive.',
    )
  const format = readFormat(options.format, changeFormats)
  const targets = options.report.map(readChangeTarget)
  const { profile, ignore, overrides } = await readJudging(
    {
      config: options.config,
      profile: given.has('profile') ? options.profile : null,
      severity: options.severity,
      ignore: options.ignore,
    },
    cwd,
  )
  // What speaks with the service is loaded where somebody asks for it.
  const consumers = options.consumers === undefined ? null : await import('./consumers.ts')
  const asked = consumers && (await consumers.readAsked(options.consumers ?? '', invocation))
  const [base, head] = await readSides(invocation)
  const asOf = options['as-of'] ?? today()
  const mode = options.mode?.replace('-transitive', '') as DiffOptions['mode']
  const settings = {
    profile,
    asOf,
    ignore,
    overrides,
    // Two revisions of several megabytes leave more behind than is kept.
    pause: memoryGuard(170_000_000, 30_000_000, () => Bun.gc(true)),
    ...(mode ? { mode } : {}),
  }
  const found = diff(base, head, settings)
  // What led to the changes is garbage by now, and writing them takes memory of its own.
  settings.pause()
  const hits = consumers && asked && (await consumers.askConsumers(asked, found, base, head))
  const result = inFiles(hits?.result ?? found, base, head)
  const newest = { base: base.source, result }
  const older: Revision[] = []
  for (const earlier of earlierSides) {
    const document = await readSide(earlier, invocation)
    older.push({ base: document.source, result: inFiles(diff(document, head, settings), document, head) })
  }
  const whole = mergeRevisions(newest, older)
  const report: ChangeReport = {
    changes: whole.changes,
    counts: whole.counts,
    maxSeverity: whole.maxSeverity,
    base: base.source,
    head: head.source,
    verdict: conclusionOf(whole),
    toolVersion: version,
    anchors: anchorsIn(head, found.changes),
    ruleOf: (id) => rules.get(id),
    consumers: hits?.consumers ?? null,
  }
  for (const note of acceptanceNotes(ignore, [whole], asOf)) io.log.warn(note)
  await writeTargets(targets, (it) => writeChanges(it, report, false), cwd)
  const failed = failOn !== undefined && reaches(whole, failOn, options['allow-unknown'])
  return {
    exitCode: failed ? 4 : 0,
    summary: {
      ...summarizeChanges(report),
      profile,
      ...(whole.witness === undefined ? {} : { witness: whole.witness }),
      ...(older.length === 0
        ? {}
        : {
            revisions: [newest, ...older].map((it) => ({
              base: it.base,
              verdict: it.result.verdict,
              maxSeverity: it.result.maxSeverity,
              witness: it.result.witness ?? null,
            })),
          }),
      ignored: whole.ignored.map(({ change, reason }) => ({ id: change.id, fingerprint: change.fingerprint, reason })),
    },
    changes: whole.changes,
    text: () => (format.id === 'json' ? changesAsJsonPieces(report) : writeChanges(format, report, io.colour.stdout)),
  }
}
