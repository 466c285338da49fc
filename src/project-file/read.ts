/** Reads `svc.yaml`: what it says for each API, or everything that is wrong with it. */
import { isCalendarDate } from '../kernel/calendar-date.ts'
import type { Document, Problem } from '../document/document.ts'
import { isObject, type Path } from '../kernel/json.ts'
import { readOverride } from '../diff/rulebook.ts'
import type { ProfileName } from '../diff/profile.ts'
import type { Severity } from '../lint/finding.ts'
import { readSeverity } from '../lint/severity.ts'
import { suggest } from '../kernel/suggest.ts'
import { ignoresFile } from './apply-rules.ts'
import { readCompareWith, type TextOrigin } from './compare-with.ts'
import { ProjectFileShape, type ApiText, type ProjectFileText, type SettingsText } from './schema.ts'
import type { Comparing, ProjectApi, ProjectModel, ProjectSettings, RuleOverride } from './settings.ts'
import { shapeProblems, type ShapeProblem } from '../kernel/shape-problems.ts'

const mostProblems = 20

type Report = (path: Path, message: string) => void

const defaultSettings: ProjectSettings = {
  guide: null,
  overrides: [],
  ignore: [],
  allowSkipped: [],
  failOn: 'error',
  minGrade: null,
  baseline: null,
  waivers: null,
  compareWith: null,
  diff: { config: null, failOn: 'breaking', profile: null, severity: {}, ignore: [], allowUnknown: false },
}

const levelOf = (level: string | boolean): Severity | 'off' | true =>
  typeof level === 'boolean' ? level || 'off' : (readSeverity(level) ?? 'off')

const overrideOf = (
  { files, rules }: { readonly files: readonly string[]; readonly rules: Readonly<Record<string, string | boolean>> },
  path: Path,
  { document }: Pick<Written, 'document'>,
): RuleOverride => ({
  files,
  rules: Object.fromEntries(Object.entries(rules).map(([rule, level]) => [rule, levelOf(level)])),
  at: Object.fromEntries(
    Object.keys(rules).map((rule) => [rule, document.locate([...path, rule], { key: true }).start]),
  ),
})

function diffOver(before: Comparing, text: SettingsText['diff']): Comparing {
  if (text === undefined) return before
  if (typeof text === 'string') return { ...before, config: text }
  const { config, failOn, profile, severity, ignore, allowUnknown } = text
  return {
    config: config ?? before.config,
    failOn: failOn ?? before.failOn,
    profile: (profile as ProfileName | undefined) ?? before.profile,
    severity: { ...before.severity, ...severity },
    ignore: [...before.ignore, ...((ignore as Comparing['ignore'] | undefined) ?? [])],
    allowUnknown: allowUnknown ?? before.allowUnknown,
  }
}

/** Settings over those before: single values replace, lists are added. */
const over = (before: ProjectSettings, { text, at, document }: Written): Omit<ProjectSettings, 'compareWith'> => ({
  guide: text.guide ?? before.guide,
  overrides: [
    ...before.overrides,
    ...(text.rules === undefined
      ? []
      : [overrideOf({ files: ['**'], rules: text.rules }, [...at, 'rules'], { document })]),
    ...(text.overrides ?? []).map((it, index) => overrideOf(it, [...at, 'overrides', index, 'rules'], { document })),
  ],
  ignore: [...before.ignore, ...(text.ignore ?? [])],
  allowSkipped: [...before.allowSkipped, ...(text.allowSkipped ?? [])],
  failOn: text.failOn ?? before.failOn,
  minGrade: text.minGrade ?? before.minGrade,
  baseline: text.baseline ?? before.baseline,
  waivers: text.waivers ?? before.waivers,
  diff: diffOver(before.diff, text.diff),
})

const meant = (given: string, known: readonly string[]): string => {
  const near = suggest(given, known)
  if (near !== null) return `; did you mean "${near}"?`
  return known.length === 0 ? '; the file has none' : `; there are ${known.join(', ')}`
}

/** What the shape cannot say of settings: rules for changes, and days. */
function checkSettings(text: SettingsText, at: Path, report: Report): void {
  if (!isObject(text.diff)) return
  const { severity, ignore } = text.diff as Partial<Comparing>
  for (const [rule, level] of Object.entries(severity ?? {})) {
    const read = readOverride(rule, level)
    if (typeof read !== 'string') report([...at, 'diff', 'severity', rule], read[0] ?? '')
  }
  for (const [index, { until }] of (ignore ?? []).entries())
    if (until !== undefined && !isCalendarDate(until))
      report([...at, 'diff', 'ignore', index, 'until'], `"${until}" must be a calendar date such as 2027-01-31`)
}

const textOf = (text: string | ApiText): ApiText => (typeof text === 'string' ? { root: text } : text)

function checkCompareWith(text: SettingsText, at: Path, place: TextOrigin, report: Report): void {
  if (text.compareWith === undefined) return
  const read = readCompareWith(text.compareWith, place)
  if (typeof read === 'string') report([...at, 'compareWith'], read)
}

function checkApis(text: ProjectFileText, report: Report): void {
  const roots = new Map<string, string>()
  for (const [name, written] of Object.entries(text.apis)) {
    const api = textOf(written)
    const at = ['apis', name]
    const root = api.root.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
    const first = roots.get(root)
    const place = typeof written === 'string' ? at : [...at, 'root']
    if (first !== undefined) report(place, `"${api.root}" is the root of ${first} already; an API has one entry`)
    roots.set(root, name)
    checkSettings(api, at, report)
    checkCompareWith(api, at, { project: api.project ?? null, forAll: false }, report)
    const inherited = api.compareWith === undefined ? (text.compareWith ?? '') : ''
    if (inherited.startsWith('@') && api.project === undefined)
      report(
        at,
        `${name} is compared with ${inherited} of its project, but "project" is not set; set it, or compareWith: none`,
      )
  }
}

/** A path as globs mean it, without steps to the same or the upper folder. */
const plainPath = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .split('/')
    .reduce<string[]>((steps, it) => {
      if (it === '' || it === '.') return steps
      return it === '..' && steps.length > 0 && steps.at(-1) !== '..' ? steps.slice(0, -1) : [...steps, it]
    }, [])
    .join('/')

/** An API whose document is ignored would have no findings, whatever is in it. */
function checkIgnored(text: ProjectFileText, report: Report): void {
  const names = Object.keys(text.apis)
  const checkList = (list: readonly string[] | undefined, at: Path, apis: readonly string[]): void => {
    for (const [index, entry] of (list ?? []).entries())
      for (const name of apis) {
        const written = text.apis[name]
        if (written === undefined || !ignoresFile(entry, plainPath(textOf(written).root))) continue
        const { root } = textOf(written)
        const advice = 'name other files, a place in it (FILE#/POINTER), or remove the API'
        report([...at, 'ignore', index], `"${entry}" covers ${root}, the root of the API ${name}; ${advice}`)
        break
      }
  }
  checkList(text.ignore, [], names)
  for (const name of names) checkList(textOf(text.apis[name] ?? '').ignore, ['apis', name], [name])
  for (const [profile, { ignore, apis = {} }] of Object.entries(text.profiles ?? {})) {
    checkList(ignore, ['profiles', profile], names)
    for (const [name, own] of Object.entries(apis)) checkList(own.ignore, ['profiles', profile, 'apis', name], [name])
  }
}

function checkProfiles({ profiles = {}, apis }: ProjectFileText, report: Report): void {
  for (const [name, profile] of Object.entries(profiles)) {
    const at = ['profiles', name]
    checkSettings(profile, at, report)
    checkCompareWith(profile, at, { project: null, forAll: true }, report)
    for (const [key, own] of Object.entries(profile.apis ?? {})) {
      const path = [...at, 'apis', key]
      const api = apis[key]
      checkSettings(own, path, report)
      if (api === undefined) report(path, `There is no API "${key}"${meant(key, Object.keys(apis))}`)
      else checkCompareWith(own, path, { project: own.project ?? textOf(api).project ?? null, forAll: false }, report)
    }
    for (const [key, api] of Object.entries(apis)) {
      const project = profile.apis?.[key]?.project ?? textOf(api).project
      const asked = profile.apis?.[key]?.compareWith ?? profile.compareWith
      if (profile.apis?.[key]?.compareWith === undefined && asked?.startsWith('@') && project === undefined)
        report(
          [...at, 'compareWith'],
          `${key} is compared with ${asked} of its project, but "project" is not set for it`,
        )
    }
  }
}

/** What the shape cannot say of the whole file. */
function check(text: ProjectFileText, report: Report): void {
  checkSettings(text, [], report)
  checkCompareWith(text, [], { project: null, forAll: true }, report)
  checkApis(text, report)
  checkIgnored(text, report)
  checkProfiles(text, report)
}

/** Settings as they are written, and where. */
interface Written {
  readonly text: SettingsText
  readonly at: Path
  readonly document: Document
}

/** Settings, each text over those before it. */
function settingsOf(texts: readonly (Written | null)[], place: TextOrigin): ProjectSettings {
  const written = texts.filter((it) => it !== null)
  const compared = written.findLast(({ text }) => text.compareWith !== undefined)?.text.compareWith ?? 'none'
  const read = readCompareWith(compared, place)
  let settings: ProjectSettings = { ...defaultSettings, compareWith: typeof read === 'string' ? null : read }
  for (const it of written) settings = { ...settings, ...over(settings, it) }
  return settings
}

function modelOf(document: Document, text: ProjectFileText, profile: string | null): ProjectModel {
  const at = (part: SettingsText | undefined, path: Path): Written | null =>
    part === undefined ? null : { text: part, at: path, document }
  const all = at(text, [])
  const applied = profile === null ? undefined : text.profiles?.[profile]
  const applying = at(applied, ['profiles', profile ?? ''])
  const apis = Object.entries(text.apis).map(([name, written]): ProjectApi => {
    const api = textOf(written)
    const own = applied?.apis?.[name]
    const project = own?.project ?? api.project ?? null
    const texts = [all, at(api, ['apis', name]), applying, at(own, ['profiles', profile ?? '', 'apis', name])]
    const rootPath = typeof written === 'string' ? ['apis', name] : ['apis', name, 'root']
    return {
      ...settingsOf(texts, { project, forAll: false }),
      name,
      root: api.root,
      rootAt: document.locate(rootPath).start,
      files: api.files ?? [],
      project,
      overlays: (api.overlays ?? []).map((path, index) => ({
        path,
        at: document.locate(['apis', name, 'overlays', index]).start,
      })),
    }
  })
  return {
    profile,
    profiles: Object.keys(text.profiles ?? {}),
    defaults: settingsOf([all, applying], { project: null, forAll: true }),
    apis,
  }
}

/** A file that was read: the model, or null where something is wrong with it. */
export interface ProjectReading {
  readonly model: ProjectModel | null
  /** The problems of the text and of what it says, each with its range. */
  readonly problems: readonly Problem[]
}

const problemOf = (document: Document, { path, isKey, message }: ShapeProblem): Problem => ({
  code: 'project-file',
  severity: 'error',
  message,
  path,
  range: document.locate(path, isKey ? { key: true } : {}),
})

/** Problems in the order of the text. */
const problemsIn = (document: Document, found: readonly ShapeProblem[]): Problem[] =>
  found
    .slice(0, mostProblems)
    .map((it) => problemOf(document, it))
    .toSorted((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character)

/**
 * Reads `svc.yaml` and applies a profile. Of two settings the more special holds: those of the API over those for all; the
 * profile, which was asked for, over both, and what it says for one API over what it says for all.
 *
 * @param document the parsed text
 * @param profile the name of the profile; null for none
 */
export function readProjectFile(document: Document, profile: string | null): ProjectReading {
  const unreadable = document.problems.filter((it) => it.severity === 'error')
  if (unreadable.length > 0) return { model: null, problems: unreadable.slice(0, mostProblems) }
  const found: ShapeProblem[] = [...shapeProblems(ProjectFileShape, document.value)]
  if (found.length === 0)
    check(document.value as ProjectFileText, (path, message) => found.push({ path, isKey: false, message }))
  const text = document.value as ProjectFileText
  const profiles = found.length === 0 ? Object.keys(text.profiles ?? {}) : []
  if (found.length === 0 && profile !== null && !profiles.includes(profile))
    found.push({
      path: text.profiles === undefined ? [] : ['profiles'],
      isKey: true,
      message: `There is no profile "${profile}"${meant(profile, profiles)}`,
    })
  if (found.length > 0) return { model: null, problems: problemsIn(document, found) }
  return { model: modelOf(document, text, profile), problems: [] }
}
