/** The style guide of an API: the one that `svc.yaml` names, with the severities that it sets. */
import { dirname, isAbsolute, resolve } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { Rule, Ruleset } from '../../src/lint/rule.ts'
import { rules as builtinRules } from '../../src/lint/rules.gen.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'
import { applyOverrides, unknownRules } from '../../src/project-file/apply-rules.ts'
import type { ProjectSettings } from '../../src/project-file/settings.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { digestOf } from '../cache/cache.ts'
import type { Invocation } from '../declare.ts'
import { findDefaultGuide, findGuide, type ChosenGuide } from '../guide/find.ts'
import { nameInProject, shortName, type ProjectFile } from './find.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

type Around = Pick<Invocation, 'cwd' | 'io' | 'env' | 'signal' | 'globals' | 'connection'>

/** The name of a document as the globs of a `svc.yaml` mean it. */
export const nameIn =
  (file: ProjectFile, cwd: string) =>
  (source: string): string =>
    isWebAddress(source) ? source : (nameInProject(file, resolve(cwd, source)) ?? source)

/** What was read for the APIs of a file: most of them have the same guide. */
interface Read {
  readonly guides: Map<string, Promise<ChosenGuide>>
  readonly defaults: Map<string, Promise<string | null>>
}

const reads = new WeakMap<ProjectFile, Read>()

function readOf(file: ProjectFile): Read {
  let read = reads.get(file)
  if (read === undefined) reads.set(file, (read = { guides: new Map(), defaults: new Map() }))
  return read
}

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let found = known.get(key)
  if (found === undefined) known.set(key, (found = make()))
  return found
}

// Without a name: the ruleset of the folder of the document or of one above it.
async function wantedGuide(
  { guide }: Pick<ProjectSettings, 'guide'>,
  folder: string,
  defaults: Read['defaults'],
): Promise<string | null> {
  if (guide !== null) return guide
  const found = await once(defaults, folder, () => findDefaultGuide(folder))
  return found === null ? null : resolve(folder, found)
}

function assertKnown(
  ruleset: Ruleset,
  { overrides }: Pick<ProjectSettings, 'overrides'>,
  find: (id: string) => Rule | undefined,
  { file, cwd, guide }: { readonly file: ProjectFile; readonly cwd: string; readonly guide: ChosenGuide },
): void {
  // A ruleset that was not read may have any rule.
  const unknown = (guide.refused ?? []).length > 0 ? [] : unknownRules(ruleset, overrides, { find })
  if (unknown.length === 0) return
  const name = shortName(file.path, cwd)
  // The names that an address answered are not shown.
  const own = isWebAddress(guide.name) ? [] : [...Object.keys(ruleset), ...(guide.rules?.keys() ?? [])]
  const known = [...own, ...Object.keys(builtinRules)]
  throw new SvcError('project-file-invalid', {
    file: name,
    problems: unknown.map(({ rule, at }) => {
      const near = suggest(rule, known)
      const meant = near === null ? '' : `; did you mean "${near}"?`
      return `${name}:${at.line + 1}:${at.character + 1}: There is no rule "${rule}" in ${guide.name}, and none is builtin${meant}`
    }),
  })
}

/**
 * Reads the guide of an API, or of files that belong to none.
 *
 * @param settings `overrides` and `ignore` apply to it
 * @param root the document, beside which a ruleset is looked for where `settings` name none; absolute
 * @throws SvcError as `findGuide` does; `project-file-invalid` for rules that neither the guide nor svc has
 */
export async function guideOfApi(
  settings: Pick<ProjectSettings, 'guide' | 'overrides' | 'ignore' | 'allowSkipped'>,
  { file, root }: { readonly file: ProjectFile; readonly root: string },
  around: Around,
  runsFunctions: boolean,
): Promise<ChosenGuide> {
  const { cwd } = around
  const { guides, defaults } = readOf(file)
  const wanted = await wantedGuide(settings, dirname(root), defaults)
  const name = wanted ?? recommended.name
  const read = await once(guides, `${name} ${runsFunctions}`, () =>
    findGuide(name, { ...around, cwd: file.folder }, { runsFunctions }),
  )
  const isFile = wanted !== null && isAbsolute(wanted)
  const guide = {
    ...read,
    name: isFile ? shortName(wanted, cwd) : read.name,
    chosen: wanted !== null,
    mayBeSkipped: new Set(settings.allowSkipped),
  }
  // A ruleset in a file is named from the root: the globs of its overrides are relative to its own folder.
  const sourceOf = (source: string): string => (isFile && !isWebAddress(source) ? resolve(cwd, source) : source)
  const find = (id: string): Rule | undefined =>
    guide.rules?.get(id)?.rule ?? (Object.hasOwn(builtinRules, id) ? builtinRules[id] : undefined)
  const known = new Map<Ruleset, Ruleset>()
  const rulesFor = (source: string): Ruleset => {
    const ruleset = guide.rulesFor(sourceOf(source))
    if (settings.overrides.length + settings.ignore.length === 0) return ruleset
    let applied = known.get(ruleset)
    if (applied === undefined) {
      assertKnown(ruleset, settings, find, { file, cwd, guide })
      known.set(ruleset, (applied = applyOverrides(ruleset, settings, { find, nameOf: nameIn(file, cwd) })))
    }
    return applied
  }
  const { digest } = guide
  const decided = JSON.stringify([settings.overrides, settings.ignore])
  return { ...guide, rulesFor, digest: digest === undefined ? undefined : digestOf(digest, file.folder, decided) }
}
