/** `svc diff` and `svc breaking` in a repository with a `svc.yaml`: each API against what it is compared with. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import { mergeFiles, type FileResult } from '../../src/diff/files.ts'
import { checkVersion } from '../../src/diff/next-version.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import type { ChangeReport, FileReport } from '../../src/report/report.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { beginWork } from '../deadline.ts'
import { openCache, type ResultCache } from '../cache/cache.ts'
import type { Invocation, Result } from '../declare.ts'
import { compare, compareBy, frameOf, readAsked, resultOf, sentenceOf, type Made } from '../diff/compare.ts'
import type { Compared } from '../diff/compared.ts'
import type { Gate } from '../diff/gate.ts'
import { acceptanceNotes, readJudging, rulebookName } from '../diff/judging.ts'
import { optionalSides, type ComparingInvocation } from '../diff/options.ts'
import { comparisonSettings, type Settings } from '../diff/settings.ts'
import { Sides } from '../diff/sides.ts'
import { GitObjects } from '../input/git/objects.ts'
import { UsageError } from '../usage-error.ts'
import { sideOf } from './base.ts'
import { findProjectFile, missingRoot, shortName, type ProjectFile } from './find.ts'

type AskedInvocation = Invocation<
  { readonly base: string | undefined; readonly head: string | undefined },
  ComparingInvocation['options']
>

/** An API and the sides of its comparison. */
export interface ApiSides {
  readonly api: ProjectApi
  readonly invocation: ComparingInvocation
  readonly settings: Settings
  /** Why it cannot be compared: its document is not there. */
  readonly missing: SvcError | null
}

/** Options that are about the history or the consumers of one document. */
const forOne = ['consumers', 'earlier'] as const

/** The file with the rules for changes: the one that the API names, else the one beside `svc.yaml`. */
function configOf({ diff }: ProjectApi, { folder }: ProjectFile): string | undefined {
  const beside = join(folder, rulebookName)
  return diff.config ?? (existsSync(beside) ? beside : undefined)
}

/**
 * How an API is compared: options, then what `svc.yaml` says, then the file with the rules for changes.
 * @throws SvcError `usage` as `comparisonSettings` does
 */
export async function apiSides(
  api: ProjectApi,
  base: string,
  file: ProjectFile,
  invocation: Omit<AskedInvocation, 'args'>,
): Promise<ApiSides> {
  const { cwd, given, options } = invocation
  const config = options.config ?? configOf(api, file)
  const named = config === undefined ? undefined : shortName(resolve(cwd, config), cwd)
  const own: ComparingInvocation = {
    ...invocation,
    options: { ...options, config: named },
    args: { base, head: shortName(api.root, cwd) },
  }
  const settings = await comparisonSettings(own)
  const { overrides } = await readJudging({ config: named, profile: null, severity: options.severity, ignore: [] }, cwd)
  const asked = new Set(options.severity.map((it) => it.split('=', 1)[0]))
  const set = Object.fromEntries(Object.entries(api.diff.severity).filter(([rule]) => !asked.has(rule)))
  const profile = given.has('profile') ? null : api.diff.profile
  return {
    api,
    missing: await missingRoot(file, api, cwd),
    invocation: {
      ...own,
      options: { ...own.options, 'allow-unknown': options['allow-unknown'] || api.diff.allowUnknown },
    },
    settings: {
      ...settings,
      ...(profile === null ? {} : { profile }),
      overrides: { ...overrides, ...set },
      ignore: [...settings.ignore, ...api.diff.ignore],
    },
  }
}

const missingSide = (at: 0 | 1): UsageError => {
  const { name, summary } = optionalSides[at]
  return new UsageError(`Missing argument ${name.toUpperCase()} (${summary})`)
}

/** The API that a name or the path of its document means. */
export function namedApi(file: ProjectFile, name: string, cwd: string): ProjectApi {
  const found = file.apis.find((it) => it.root === resolve(cwd, name)) ?? file.apis.find((it) => it.name === name)
  if (found !== undefined) return found
  const names = file.apis.map((it) => it.name)
  const near = suggest(name, names)
  const meant = near === null ? `it has ${names.join(', ')}` : `did you mean "${near}"?`
  throw new SvcError('usage', { reason: `There is no API "${name}" in ${shortName(file.path, cwd)}; ${meant}` })
}

/** Compares an API; `cache` may have the result already. */
async function compareApi(
  { invocation, settings, missing }: ApiSides,
  cache: ResultCache | null,
  objects: GitObjects,
): Promise<Compared> {
  if (missing !== null) throw missing
  const wishes = { withConsumers: null, consumersOf: null, markdown: false }
  return new Sides({ ...invocation, objects }, settings, wishes, cache).with(invocation.args.base)
}

interface OneApi extends FileResult {
  readonly compared: Compared
  readonly settings: Settings
}

function reportOf(all: readonly OneApi[], withVersions: boolean): Made {
  const whole = mergeFiles(all)
  const files = all.map(({ file, result: { changes, counts, maxSeverity } }): FileReport => {
    return { file, status: changes.length === 0 ? 'unchanged' : 'changed', counts, maxSeverity }
  })
  const changed = files.filter((it) => it.status === 'changed').length
  const checks = (withVersions ? all : []).map(({ file, compared: { versions }, result }) => ({
    file,
    check: checkVersion(versions.base, versions.head, result),
  }))
  const report: ChangeReport = {
    ...frameOf(whole),
    base: [...new Set(all.map((it) => it.base))].join(', '),
    head: all.map((it) => it.head).join(', '),
    verdict: `${conclusionOf(whole)} ${plural(all.length, 'API')} compared: ${changed} changed.`,
    anchors: new Map(
      all.flatMap(({ file, compared: { anchors } }) => [...anchors].map(([key, at]) => [`${file}#${key}`, at])),
    ),
    files,
    skipped: [],
  }
  return {
    report,
    whole,
    understated: checks.flatMap(({ file, check }) => {
      const said = sentenceOf(check)
      return said === null ? [] : [`${file}: ${said}`]
    }),
    more: withVersions ? { versions: checks.map(({ file, check }) => ({ file, ...check })) } : {},
  }
}

async function compareAll(sides: readonly ApiSides[], gate: Gate, invocation: AskedInvocation): Promise<Result> {
  const { options, given, io } = invocation
  for (const option of forOne)
    if (given.has(option)) throw new SvcError('usage', { reason: `--${option} needs one API: name it` })
  const asked = readAsked(options, gate)
  const cache = await openCache(invocation)
  const objects = new GitObjects(invocation)
  const all: OneApi[] = []
  const failures: SvcError[] = []
  for (const it of sides) {
    beginWork(`The comparison of ${it.api.name}`)
    try {
      const compared = await compareApi(it, cache, objects)
      const { base, head, result } = compared
      all.push({ file: head, base, head, result, compared, settings: it.settings })
      for (const note of acceptanceNotes(it.settings.ignore, [result], it.settings.asOf)) io.log.warn(note)
    } catch (thrown) {
      if (!(thrown instanceof SvcError)) throw thrown
      failures.push(thrown)
    }
  }
  await cache?.close()
  objects.close()
  const [first] = failures
  if (all.length === 0 && first !== undefined) throw first
  return { ...(await resultOf(reportOf(all, options['check-version']), asked, invocation)), failures }
}

/**
 * Compares two sides, or without them the APIs of `svc.yaml` with what each is compared with.
 * @throws SvcError as `compare` does; UsageError where a side is missing and no `svc.yaml` names it
 */
export async function compareAsked(invocation: AskedInvocation, gate: Gate): Promise<Result> {
  const { args, cwd, io } = invocation
  const { base, head } = args
  if (base !== undefined && head !== undefined) return compare({ ...invocation, args: { base, head } }, gate)
  const file = await findProjectFile(cwd)
  if (file === null) throw missingSide(base === undefined ? 0 : 1)
  const apis = base === undefined ? file.apis : [namedApi(file, base, cwd)]
  const sides: ApiSides[] = []
  for (const api of apis) {
    const { compareWith, root } = api
    if (compareWith !== null) sides.push(await apiSides(api, sideOf(compareWith, root, cwd), file, invocation))
    else if (base !== undefined || file.apis.every((it) => it.compareWith === null))
      throw new SvcError('usage', {
        reason: `${shortName(file.path, cwd)} does not say what ${base === undefined ? 'the APIs are' : `${api.name} is`} compared with; set compareWith, such as git:origin/main`,
      })
    else io.log.warn(`${api.name} is not compared: it has no compareWith.`)
  }
  const [only] = sides
  if (sides.length === 1 && only !== undefined) {
    if (only.missing !== null) throw only.missing
    return compareBy(only.settings, readAsked(only.invocation.options, gate), only.invocation)
  }
  return compareAll(sides, gate, invocation)
}
