/** The severities of rules that `svc.yaml` sets over those of a guide. */
import type { Position } from '../document/position.ts'
import { fitsGlob } from '../regex/glob.ts'
import type { Rule, Ruleset, SeverityOverride } from '../lint/rule.ts'
import type { RuleOverride } from './settings.ts'

/** A file and a place in it, as a glob of `svc.yaml` names them. */
interface Scope {
  readonly glob: string
  /** "" for the whole file. */
  readonly pointer: string
}

const scopeOf = (text: string): Scope => {
  const at = text.indexOf('#')
  return at === -1 ? { glob: text, pointer: '' } : { glob: text.slice(0, at) || '**', pointer: text.slice(at + 1) }
}

const isEverywhere = (files: readonly string[]): boolean => files.length === 1 && files[0] === '**'

/** Whether a pointer is in a scope of a file. */
const isIn = ({ glob, pointer: below }: Scope, name: string, pointer: string): boolean =>
  fitsGlob(name, glob) && (pointer === below || pointer.startsWith(`${below}/`))

/** A rule that an override names and that no guide has. */
export interface UnknownRule {
  readonly rule: string
  readonly at: Position
}

/** What overrides are applied with. */
export interface RulesAround {
  /** Finds a rule that the guide does not apply, to turn it on. */
  readonly find: (id: string) => Rule | undefined
  /** The name of a document as globs mean it. */
  readonly nameOf: (source: string) => string
}

/** The rules that overrides name and that neither the guide nor `find` has. */
export const unknownRules = (
  ruleset: Ruleset,
  overrides: readonly RuleOverride[],
  { find }: Pick<RulesAround, 'find'>,
): UnknownRule[] =>
  overrides.flatMap(({ rules, at }) =>
    Object.keys(rules)
      .filter((id) => !Object.hasOwn(ruleset, id) && find(id) === undefined)
      .map((rule) => ({ rule, at: at[rule] ?? { line: 0, character: 0 } })),
  )

/** A rule as overrides change it; `isOff` where the guide does not apply it. */
interface Changing {
  rule: Rule
  isOff: boolean
  places: SeverityOverride[]
}

function change(
  state: Changing,
  files: readonly string[],
  level: RuleOverride['rules'][string],
  nameOf: RulesAround['nameOf'],
): void {
  const severity = level === true ? (state.rule.severity ?? 'warning') : level
  if (!isEverywhere(files)) {
    for (const { glob, pointer } of files.map(scopeOf))
      state.places.push({ pointer, severity, fits: (source) => fitsGlob(nameOf(source), glob) })
    return
  }
  state.places = []
  state.isOff = severity === 'off'
  if (severity === 'off') return
  // What the guide says of places gave way to what is said of all.
  const { overrides: _, ...rule } = state.rule
  state.rule = { ...rule, severity }
}

const everywhereOff: SeverityOverride = { pointer: '', severity: 'off', fits: () => true }

function finished({ rule, isOff, places }: Changing, ignored: readonly SeverityOverride[]): Rule | null {
  if (isOff && places.length === 0) return null
  const overrides = [...(rule.overrides ?? []), ...(isOff ? [everywhereOff] : []), ...places, ...ignored]
  return overrides.length === 0 ? rule : { ...rule, overrides }
}

/**
 * A ruleset with overrides, the later over the earlier, and without findings in what is ignored.
 *
 * @param ignore globs of files, each with a JSON Pointer behind "#" where one place is meant
 */
export function applyOverrides(
  ruleset: Ruleset,
  { overrides, ignore }: { readonly overrides: readonly RuleOverride[]; readonly ignore: readonly string[] },
  { find, nameOf }: RulesAround,
): Ruleset {
  const states = new Map<string, Changing>(
    Object.entries(ruleset).map(([id, rule]) => [id, { rule, isOff: false, places: [] }]),
  )
  for (const { files, rules } of overrides)
    for (const [id, level] of Object.entries(rules)) {
      const found = find(id)
      if (!states.has(id) && found !== undefined) states.set(id, { rule: found, isOff: true, places: [] })
      const state = states.get(id)
      if (state !== undefined) change(state, files, level, nameOf)
    }
  const ignored = ignore.map(scopeOf).map(({ glob, pointer }): SeverityOverride => ({
    pointer,
    severity: 'off',
    fits: (source) => fitsGlob(nameOf(source), glob),
  }))
  return Object.fromEntries(
    [...states].flatMap(([id, state]) => {
      const rule = finished(state, ignored)
      return rule === null ? [] : [[id, rule] as const]
    }),
  )
}

/** Whether an entry of `ignore` covers the whole of a file. */
export function ignoresFile(entry: string, name: string): boolean {
  const { glob, pointer } = scopeOf(entry)
  return pointer === '' && fitsGlob(name, glob)
}

/** Whether a finding is in what is ignored; `name` is its file as globs mean it. */
export const isIgnored = (ignore: readonly string[], name: string, pointer: string): boolean =>
  ignore.some((it) => isIn(scopeOf(it), name, pointer))
