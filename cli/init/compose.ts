/** A new `svc.yaml` from the documents and configurations of a repository. */
import { dirname, join, relative, resolve } from 'node:path'
import { stringify } from 'yaml'
import { parseDocument } from '../../src/document/parse.ts'
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { plural } from '../../src/kernel/plural.ts'
import { namePattern } from '../../src/project-file/schema.ts'
import { readProjectFile } from '../../src/project-file/read.ts'
import { findDefaultGuide } from '../guide/find.ts'
import { lines } from '../input/git/process.ts'
import type { Configuration } from './configurations.ts'
import type { Discovery, FoundApi } from './discover.ts'

/** What is to be written, and what is to be said of it. */
export interface Composed {
  readonly text: string
  readonly apis: readonly FoundApi[]
  readonly converted: readonly { readonly file: string; readonly what: readonly string[] }[]
  readonly left: readonly { readonly file: string; readonly reason: string }[]
  /** Rulesets that the guide names, to be written beside it. */
  readonly rulesets: readonly { readonly file: string; readonly text: string }[]
}

const plain = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')

/** The git revision that a repository is compared with: the main branch of its origin, else its own. */
export async function mainRevision(folder: string, signal: AbortSignal): Promise<string | null> {
  const repository = { cwd: folder, signal }
  const [remote] = (await lines(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], repository)) ?? []
  if (remote !== undefined && remote !== '') return remote
  for (const name of ['origin/main', 'origin/master', 'main', 'master']) {
    const found = await lines(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], repository)
    if (found !== null) return name
  }
  const [head] = (await lines(['rev-parse', '--verify', '--quiet', 'HEAD'], repository)) ?? []
  return head === undefined ? null : 'HEAD'
}

/** The rulesets of Spectral beside the APIs: the one of the folder is for all. */
async function guidesOf(apis: readonly FoundApi[], folder: string) {
  const of = async (path: string): Promise<string | null> => {
    const found = await findDefaultGuide(path)
    const name = found === null ? null : plain(relative(folder, resolve(path, found)))
    return name === null || name.startsWith('..') ? null : name
  }
  const all = await of(folder)
  const own = new Map<string, string>()
  for (const { root } of apis) {
    const guide = await of(dirname(join(folder, root)))
    if (guide !== null && guide !== all) own.set(root, guide)
  }
  return { all, own }
}

const mergeOf = (parts: readonly JsonObject[]): JsonObject => {
  const merged: Record<string, Json> = {}
  for (const part of parts)
    for (const [key, value] of Object.entries(part)) {
      const before = merged[key]
      if (key === 'diff' && isObject(before) && typeof value === 'string') merged[key] = { ...before, config: value }
      else if (isObject(before) && isObject(value)) merged[key] = { ...before, ...value }
      else merged[key] = value
    }
  return merged
}

/** What a configuration becomes with its ruleset, which is written where no other guide takes precedence. */
function withRuleset({ file, done, ruleset }: Configuration, guide: string | null) {
  if (ruleset === undefined) return { file, what: done, left: [], ruleset: null }
  const names = Object.keys(isObject(ruleset.value.rules) ? ruleset.value.rules : {})
  if (guide !== null) {
    const reason = `its assertions are rules for ${guide}, which is the guide: ${names.join(', ')}`
    return { file, what: done, left: [{ file, reason }], ruleset: null }
  }
  return {
    file,
    what: [...done, `${plural(names.length, 'assertion')} as rules of ${ruleset.file}`],
    left: [],
    ruleset: { file: ruleset.file, text: stringify(ruleset.value, { lineWidth: 0 }) },
  }
}

const header = `# The settings of svc for this repository; "svc schema project-file" prints the JSON Schema of this file.
`

/** The APIs that a configuration names, with the settings that it has for them. */
const namedIn = (configurations: readonly Configuration[]): (readonly [string, JsonObject])[] =>
  configurations.flatMap((it) => Object.entries(it.apis))

/**
 * Composes a `svc.yaml`.
 * @param revision what the APIs are compared with; null without git
 */
export async function compose(
  found: Discovery,
  configurations: readonly Configuration[],
  { folder, revision }: { readonly folder: string; readonly revision: string | null },
): Promise<Composed> {
  const named = namedIn(configurations)
  const byRoot = new Map(found.apis.map((it) => [it.root, it]))
  const left = [...found.left]
  const apis: FoundApi[] = []
  const own = new Map<string, JsonObject>()
  for (const [name, { root: written, ...settings }] of named) {
    const root = plain(String(written))
    if (/^https?:/i.test(root))
      left.push({ file: root, reason: 'the root of an API is a file; check addresses with svc lint' })
    else if (!new RegExp(namePattern).test(name))
      left.push({ file: root, reason: `"${name}" cannot be the name of an API` })
    else if (apis.some((it) => it.root === root))
      left.push({ file: root, reason: `it is named twice, the second time as ${name}` })
    else {
      apis.push({ name, root, format: byRoot.get(root)?.format ?? 'not found' })
      own.set(root, settings)
    }
  }
  const others = found.apis.filter((it) => !own.has(it.root))
  if (named.length === 0) apis.push(...others)
  else
    left.push(
      ...others.map((it) => ({ file: it.root, reason: 'the configuration that names the APIs does not name it' })),
    )
  const guides = await guidesOf(apis, folder)
  for (const { file, settings } of configurations)
    if (guides.all !== null && settings.guide !== undefined && settings.guide !== guides.all)
      left.push({ file, reason: `its guide ${String(settings.guide)} gives way to ${guides.all}` })
  const value = {
    version: 1,
    ...mergeOf([
      ...(revision === null ? [] : [{ compareWith: `git:${revision}` }]),
      ...configurations.map((it) => it.settings),
      ...(guides.all === null ? [] : [{ guide: guides.all }]),
    ]),
    apis: Object.fromEntries(
      apis.map(({ name, root }): [string, Json] => {
        const guide = guides.own.get(root)
        const settings = { ...own.get(root), ...(guide === undefined ? {} : { guide }) }
        return [name, Object.keys(settings).length === 0 ? root : { root, ...settings }]
      }),
    ),
  }
  const text = header + stringify(value, { lineWidth: 0 })
  const { problems } = readProjectFile(parseDocument(text, { source: 'svc.yaml' }), null)
  if (problems.length > 0) throw new Error(`svc.yaml would be invalid: ${problems.map((it) => it.message).join('; ')}`)
  const spectral = [guides.all, ...guides.own.values()].filter((it) => it !== null)
  const converted = configurations.map((it) => withRuleset(it, guides.all))
  left.push(...converted.flatMap((it) => it.left))
  return {
    text,
    rulesets: converted.flatMap((it) => it.ruleset ?? []),
    apis,
    converted: [
      ...converted.filter((it) => it.what.length > 0).map(({ file, what }) => ({ file, what })),
      ...[...new Set(spectral)].map((file) => ({ file, what: ['is the guide'] })),
    ],
    left: [...configurations.flatMap((it) => it.left.map((reason) => ({ file: it.file, reason }))), ...left],
  }
}
