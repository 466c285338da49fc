/** What `svc diff` and `svc breaking` share: options, and the way from two sides to reports and an exit code. */
import { resolve } from 'node:path'
import { changeSeverities } from '../src/diff/change.ts'
import type { ChangeSeverity } from '../src/diff/change.ts'
import { diff } from '../src/diff/diff.ts'
import { readIgnoreList } from '../src/diff/ignore.ts'
import type { DiffResult } from '../src/diff/options.ts'
import { profiles } from '../src/diff/profile.ts'
import type { ProfileName } from '../src/diff/profile.ts'
import { conclusionOf } from '../src/diff/conclusion.ts'
import { parseDocument } from '../src/document/parse.ts'
import { SvcError } from '../src/errors.ts'
import { reportFormats } from '../src/report/formats.gen.ts'
import { summarizeChanges } from '../src/report/changes/json.ts'
import type { ChangeReport, ReportFormat } from '../src/report/report.ts'
import type { ArgumentValues, Invocation, OptionValues, Result } from './command.ts'
import { readSide } from './document-side.ts'
import { version } from './version.gen.ts'

const formats: Readonly<Record<string, ReportFormat>> = reportFormats
export const changeFormats = Object.keys(formats).filter((id) => formats[id]!.changes !== undefined)

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
    summary: 'write a report into a file as well; may be repeated',
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
    choices: ['backward', 'forward', 'full'],
    summary: 'compare as JSON Schema: whose values have to stay valid (backward where the files are schemas)',
  },
  ignore: {
    type: 'string',
    placeholder: 'FILE',
    multiple: true,
    summary: 'a list of accepted changes: match (fingerprint or rule), reason, until',
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
  'allow-unknown': { type: 'boolean', summary: 'let undecided changes pass --fail-on' },
} as const

export type ComparingInvocation = Invocation<
  ArgumentValues<typeof comparingArguments>,
  OptionValues<typeof comparingOptions>
>

const usage = (reason: string): SvcError => new SvcError('usage', { reason })

const formatOf = (id: string): ReportFormat & Required<Pick<ReportFormat, 'changes'>> => {
  const name = id === 'md' ? 'markdown' : id
  const format = formats[name]
  if (!format?.changes) throw usage(`There is no format "${id}" for comparisons; choose ${changeFormats.join(', ')}.`)
  return { ...format, changes: format.changes }
}

const overridesOf = (given: readonly string[]): Record<string, ChangeSeverity> => {
  const result: Record<string, ChangeSeverity> = {}
  for (const it of given) {
    const [rule = '', severity = ''] = it.split('=', 2)
    const known = changeSeverities.find((name) => name === severity)
    if (rule === '' || !known)
      throw usage(`--severity takes RULE=SEVERITY with ${changeSeverities.join(', ')}, not "${it}".`)
    result[rule] = known
  }
  return result
}

const readIgnores = async (files: readonly string[], cwd: string) => {
  const lists = await Promise.all(
    files.map(async (name) => {
      const file = Bun.file(resolve(cwd, name))
      if (!(await file.exists())) throw usage(`${name} cannot be read: there is no such file.`)
      const answer = readIgnoreList(parseDocument(await file.text(), { source: name }).value)
      if (typeof answer === 'string') throw usage(`${name} is no list of accepted changes: ${answer}.`)
      return answer
    }),
  )
  return lists.flat()
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
  const { args, options, cwd, io } = invocation
  if (args.base === '-' && args.head === '-') throw usage('Only one side can be standard input.')
  const format = formatOf(options.format)
  const reports = options.report.map((it) => {
    const at = it.indexOf('=')
    if (at <= 0 || at === it.length - 1) throw usage(`--report takes FORMAT=FILE, not "${it}".`)
    return { format: formatOf(it.slice(0, at)), file: it.slice(at + 1) }
  })
  const overrides = overridesOf(options.severity)
  const ignore = await readIgnores(options.ignore, cwd)
  const base = await readSide(args.base, invocation)
  const head = await readSide(args.head, invocation)
  const asOf = options['as-of'] ?? today()
  const result = diff(base, head, {
    profile: options.profile,
    asOf,
    ignore,
    overrides,
    ...(options.mode ? { mode: options.mode } : {}),
  })
  const report: ChangeReport = {
    changes: result.changes,
    counts: result.counts,
    maxSeverity: result.maxSeverity,
    base: base.source,
    head: head.source,
    verdict: conclusionOf(result),
    toolVersion: version,
  }
  for (const it of reports) await Bun.write(resolve(cwd, it.file), it.format.changes(report, { colour: false }))
  const failed = failOn !== undefined && reaches(result, failOn, options['allow-unknown'])
  return {
    exitCode: failed ? 4 : 0,
    summary: {
      ...summarizeChanges(report),
      ignored: result.ignored.map(({ change, reason }) => ({ id: change.id, fingerprint: change.fingerprint, reason })),
    },
    changes: result.changes,
    text: () => format.changes(report, { colour: io.colour.stdout }),
  }
}
