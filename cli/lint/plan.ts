/** What `svc lint` does in a repository with a `svc.yaml`: which files, and by the settings of which API. */
import { stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { isIgnored } from '../../src/project-file/apply-rules.ts'
import type { ProjectApi, ProjectSettings } from '../../src/project-file/settings.ts'
import { findGuide, type ChosenGuide } from '../guide/find.ts'
import type { LintInvocation } from './files.ts'
import type { LintCommandOptions } from './options.ts'
import type { Run } from '../../src/lint/suppressions/unused.ts'
import { distinct, keyOf } from '../../src/lint/reported.ts'
import { acceptFindings, readAccepted, type Accepted, type Known } from './accept.ts'
import { judge, type Judged, type Thresholds } from '../../src/lint/judge.ts'
import { type Linted } from './outcome.ts'
import { expandTargets, type SkippedFile } from './targets.ts'
import { apiOf, findProjectFile, missingRoot, shortName, type ProjectFile } from '../project-file/find.ts'
import { guideOfApi, nameIn } from '../project-file/guide.ts'

/** Files that are checked by the same settings. */
export interface LintGroup {
  /** Null for files that belong to no API of a `svc.yaml`. */
  readonly api: string | null
  readonly guide: ChosenGuide
  /** Those of the command line over those of the file. */
  readonly options: LintCommandOptions
  /** How the waivers of a `svc.yaml` name files: from its folder. Those of an option name them as the findings do. */
  readonly waiverName?: ((source: string) => string) | undefined
}

/** What the result of a run says of its `svc.yaml`. */
export interface AppliedFile {
  readonly file: string
  readonly profile: string | null
  readonly apis: readonly { readonly name: string | null; readonly guide: string; readonly failOn: string }[]
}

/** What a run of `svc lint` checks. */
export interface LintPlan {
  readonly names: readonly string[]
  readonly skipped: readonly SkippedFile[]
  readonly guide: ChosenGuide
  readonly groups: readonly LintGroup[]
  groupOf(source: string): LintGroup
  /** Whether the run has all documents that may use a file. */
  covers(source: string): boolean
  /** What of a `svc.yaml` applies; null where there is none. */
  readonly applied: AppliedFile | null
  /** A document without the findings that `svc.yaml` ignores. */
  keep(linted: Linted): Linted
}

type Given = Pick<LintInvocation, 'given' | 'options' | 'cwd'>

/** The options of an API: those that were given, then those of `svc.yaml`. */
function optionsOf(settings: ProjectSettings, { given, options, cwd }: Given): LintCommandOptions {
  const { failOn, minGrade, baseline, waivers } = settings
  const name = (path: string | null): string | undefined => (path === null ? undefined : shortName(path, cwd))
  return {
    ...options,
    ...(given.has('fail-on') ? {} : { 'fail-on': failOn }),
    ...(given.has('min-grade') ? {} : { 'min-grade': minGrade ?? undefined }),
    ...(given.has('baseline') || options['write-baseline'] !== undefined ? {} : { baseline: name(baseline) }),
    ...(given.has('waivers') ? {} : { waivers: name(waivers) }),
  }
}

async function guideFor(
  settings: ProjectSettings,
  at: { readonly file: ProjectFile; readonly root: string },
  invocation: LintInvocation,
): Promise<ChosenGuide> {
  const { options, cwd, given } = invocation
  const runsFunctions = options['allow-functions']
  if (!given.has('guide')) return guideOfApi(settings, at, invocation, runsFunctions)
  return findGuide(options.guide, { ...invocation, cwd }, { runsFunctions })
}

/** What each guide that may have it allows to be skipped. */
const mayBeSkippedBy = (guides: readonly ChosenGuide[]): ReadonlySet<string> =>
  new Set(
    guides
      .flatMap((it) => [...(it.mayBeSkipped ?? [])])
      .filter((name) => guides.every((it) => it.mayBeSkipped?.has(name) === true || it.rules?.has(name) === false)),
  )

/** One guide for a run of several: each file has its own. */
function joinGuides(groups: readonly LintGroup[], groupOf: LintPlan['groupOf']): ChosenGuide {
  const guides = [...new Set(groups.map((it) => it.guide))]
  const refused = new Map(guides.flatMap((it) => it.refused ?? []).map((it) => [it.name, it]))
  const [only] = guides
  return {
    name: [...new Set(guides.map((it) => it.name))].join(', '),
    rulesFor: (source) => groupOf(source).guide.rulesFor(source),
    guideOf: (source) => groupOf(source).guide,
    chosen: true,
    ...(guides.length === 1 && only?.options !== undefined ? { options: only.options } : {}),
    refused: [...refused.values()],
    mayBeSkipped: mayBeSkippedBy(guides),
    // What failed is known after documents were linted.
    get failed() {
      return new Map(guides.flatMap((it) => [...(it.failed ?? [])]))
    },
  }
}

/** The files of a command line: names of APIs are their documents; without any, those of all APIs. */
async function namesFor(file: ProjectFile, invocation: LintInvocation) {
  const { args, cwd } = invocation
  const rootOf = (api: ProjectApi): string => shortName(api.root, cwd)
  if (args.files.length === 0) {
    for (const api of file.apis) {
      const missing = await missingRoot(file, api, cwd)
      if (missing !== null) throw missing
    }
    return { files: file.apis.map(rootOf), skipped: [] }
  }
  const named = await Promise.all(
    args.files.map(async (name) => {
      const api = file.apis.find((it) => it.name === name)
      if (api === undefined || (await Bun.file(resolve(cwd, name)).exists())) return name
      const missing = await missingRoot(file, api, cwd)
      if (missing !== null) throw missing
      return rootOf(api)
    }),
  )
  return expandTargets(named, invocation)
}

async function planForFile(file: ProjectFile, invocation: LintInvocation): Promise<LintPlan> {
  const { cwd, options } = invocation
  const { files, skipped } = await namesFor(file, invocation)
  const apiOfSource = (source: string): ProjectApi | null => {
    const path = resolve(cwd, source === '-' ? (options['stdin-filepath'] ?? source) : source)
    // A finding of an API may be in what an overlay of it made.
    return apiOf(file, path) ?? file.apis.find((it) => it.overlays.some((one) => one.path === path)) ?? null
  }
  const nameOf = nameIn(file, cwd)
  const waiverName = invocation.given.has('waivers') ? undefined : nameOf
  const groups = new Map<ProjectApi | null, LintGroup>()
  for (const source of files) {
    const api = apiOfSource(source)
    if (groups.has(api)) continue
    const settings = api ?? file.defaults
    const root = api?.root ?? resolve(cwd, source)
    groups.set(api, {
      api: api?.name ?? null,
      guide: await guideFor(settings, { file, root }, invocation),
      options: optionsOf(settings, invocation),
      waiverName,
    })
  }
  const [first] = groups.values()
  if (first === undefined) throw new SvcError('usage', { reason: 'No file to check is left' })
  const groupOf = (source: string): LintGroup => groups.get(apiOfSource(source)) ?? first
  return {
    names: files,
    skipped,
    // The documents of all APIs are what uses the files of the repository.
    covers: invocation.args.files.length === 0 ? () => true : await coverageOf(invocation.args.files, cwd),
    guide: joinGuides([...groups.values()], groupOf),
    groups: [...groups.values()],
    groupOf,
    applied: {
      file: shortName(file.path, cwd),
      profile: file.profile,
      apis: [...groups.values()].map((it) => ({ name: it.api, guide: it.guide.name, failOn: it.options['fail-on'] })),
    },
    keep(linted) {
      const { ignore } = apiOfSource(linted.document.source) ?? file.defaults
      if (ignore.length === 0) return linted
      return { ...linted, findings: linted.findings.filter((it) => !isIgnored(ignore, nameOf(it.source), it.pointer)) }
    },
  }
}

/**
 * Finds what a run of `svc lint` checks, and how: by `svc.yaml` where there is one, else by the options alone.
 * @throws SvcError as `findProjectFile`, `guideOfApi` and `expandTargets` do; `project-file-missing` for a profile without a file
 */
export async function planLint(invocation: LintInvocation): Promise<LintPlan> {
  const plan = await readPlan(invocation)
  const { options } = invocation
  if (options['fail-on-new'] && plan.groups.every((it) => it.options.baseline === undefined))
    throw new SvcError('usage', { reason: '--fail-on-new requires --baseline, or a baseline in svc.yaml' })
  return plan
}

/** Whether a run of files and folders has all documents that may use a file: those of a folder around it. */
async function coverageOf(names: readonly string[], cwd: string): Promise<LintPlan['covers']> {
  const folders: string[] = []
  for (const name of names) {
    const path = resolve(cwd, name)
    const isFolder = await stat(path).then(
      (it) => it.isDirectory(),
      () => false,
    )
    if (isFolder) folders.push(path)
  }
  return (source) => {
    const path = resolve(cwd, source)
    return folders.some((folder) => relative(folder, path).split(sep)[0] !== '..')
  }
}

async function readPlan(invocation: LintInvocation): Promise<LintPlan> {
  const { args, options, cwd } = invocation
  const file = options['project-file'] ? await findProjectFile(cwd, options.profile ?? null) : null
  if (file !== null) return planForFile(file, invocation)
  if (options.profile !== undefined) throw new SvcError('project-file-missing', { folder: cwd })
  const guide = await findGuide(options.guide, invocation, { runsFunctions: options['allow-functions'] })
  const group: LintGroup = { api: null, guide, options }
  return {
    names: args.files,
    skipped: [],
    covers: await coverageOf(args.files.length === 0 ? ['.'] : args.files, cwd),
    guide,
    groups: [group],
    groupOf: () => group,
    applied: null,
    keep: (linted) => linted,
  }
}

const thresholdsOf = (options: LintCommandOptions): Thresholds => ({
  failOn: options['fail-on'],
  failOnNew: options['fail-on-new'],
  minGrade: options['min-grade'],
})

const together = <T>(lists: readonly (readonly T[])[]): T[] => lists.flat()

/** One line for people. */
export function describeApplied({ file, profile, apis }: AppliedFile): string {
  const names = apis.map((it) => it.name).filter((it) => it !== null)
  const said = names.length === 0 ? 'no API of it, its general settings' : names.join(', ')
  return `Settings: ${file} (${said}${profile === null ? '' : `; profile ${profile}`}).\n`
}

/** What the groups of a run accept and what makes it fail, together. */
export interface Settled {
  readonly known: Known
  readonly accepted: Accepted
  readonly judged: Judged
}

/** The same for the documents of one group. */
export async function settleGroup(group: LintGroup, its: readonly Linted[], cwd: string, run?: Run): Promise<Settled> {
  const known: Known = { ...(await readAccepted(group.options, cwd)), nameOf: group.waiverName }
  const accepted = await acceptFindings(its, known, group.guide, { options: group.options, cwd }, run)
  return { known, accepted, judged: judge(its, accepted.left, thresholdsOf(group.options)) }
}

/**
 * Applies suppressions, waivers and baselines of each group to its documents, and writes the baseline that --write-baseline names.
 * @throws SvcError `usage` where a file is not what its option needs
 */
export async function settle(
  plan: LintPlan,
  all: readonly Linted[],
  { options, cwd }: Pick<LintInvocation, 'options' | 'cwd'>,
): Promise<Settled> {
  const run: Run = { all, covers: plan.covers, placeOf: (source) => resolve(cwd, source) }
  const settled = await Promise.all(
    plan.groups.map((group) => {
      const its = all.filter(({ document }) => plan.groupOf(document.source) === group)
      // A baseline of several groups is one file, which is written at the end.
      const own = plan.groups.length === 1 ? group.options : { ...group.options, 'write-baseline': undefined }
      return settleGroup({ ...group, options: own }, its, cwd, run)
    }),
  )
  const known: Known = {
    baseline: settled.find((it) => it.known.baseline !== null)?.known.baseline ?? null,
    waivers: together(settled.map((it) => it.known.waivers)),
    nameOf: plan.groups[0]?.waiverName,
  }
  if (plan.groups.length > 1 && options['write-baseline'] !== undefined)
    await acceptFindings(all, { ...known, baseline: null }, plan.guide, { options, cwd }, run)
  const accepted: Accepted = {
    left: distinct(together(settled.map((it) => it.accepted.left))),
    byBaseline: settled.reduce((sum, it) => sum + it.accepted.byBaseline, 0),
    suppressed: together(settled.map((it) => it.accepted.suppressed)),
    waived: together(settled.map((it) => it.accepted.waived)),
  }
  const failing = new Set(together(settled.map((it) => it.accepted.left.filter(it.judged.fails))).map(keyOf))
  return {
    known,
    accepted,
    judged: { fails: (it) => failing.has(keyOf(it)), codes: together(settled.map((it) => it.judged.codes)) },
  }
}
