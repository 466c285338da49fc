/** What a ruleset says of some files or of places in them: `overrides`, and its older spelling `except`. */
import { isObject, type Json, type JsonObject, type Path, objectOf } from '../kernel/json.ts'
import { fitsGlob } from '../regex/glob.ts'
import { listOf, type ReportProblem } from './read-rule.ts'
import type { PointerOverride } from './ruleset.ts'
import { readSeverity } from './severity.ts'

/** An entry for whole files: its rules are merged over the others. */
interface FileOverride {
  readonly fits: (name: string) => boolean
  readonly definition: JsonObject
  readonly path: Path
}

export interface Overrides {
  readonly files: readonly FileOverride[]
  readonly pointers: readonly PointerOverride[]
}

const cut = (glob: string): readonly [string, string | null] => {
  const at = glob.indexOf('#')
  return at === -1 ? [glob, null] : [glob.slice(0, at), glob.slice(at + 1)]
}

/** Reads the overrides of a ruleset; invalid ones are reported and omitted. */
export function readOverrides(value: JsonObject, report: ReportProblem): Overrides {
  const files: FileOverride[] = []
  const pointers: PointerOverride[] = []
  for (const [index, it] of listOf(value.overrides).entries()) {
    const path = ['overrides', index]
    if (!isObject(it) || !Array.isArray(it.files) || (it.rules === undefined && it.extends === undefined)) {
      report('invalid-override-definition', 'An override must have "files", and "rules" or "extends".', path)
      continue
    }
    const globs = it.files.map((one) => cut(String(one)))
    for (const [glob, pointer] of globs)
      if (pointer !== null) pointers.push(...readPointer(glob, pointer, it, path, report))
    const whole = globs.flatMap(([glob, pointer]) => (pointer === null ? [glob] : []))
    const { files: _, ...definition } = it
    if (whole.length > 0) files.push({ fits: (name) => whole.some((glob) => fitsGlob(name, glob)), definition, path })
  }
  for (const [key, rules] of Object.entries(isObject(value.except) ? value.except : {})) {
    const [glob, pointer] = cut(key)
    const off = listOf(rules).map((it) => [String(it), 'off'] as const)
    const fits = (name: string): boolean => fitsGlob(name, glob)
    if (pointer === null)
      files.push({ fits, definition: { rules: Object.fromEntries<Json>(off) }, path: ['except', key] })
    else for (const [rule, severity] of off) pointers.push({ glob: glob === '' ? '**' : glob, pointer, rule, severity })
  }
  return { files, pointers }
}

function readPointer(
  glob: string,
  pointer: string,
  jsonObject: JsonObject,
  path: Path,
  report: ReportProblem,
): PointerOverride[] {
  const found: PointerOverride[] = []
  for (const [rule, level] of Object.entries(isObject(jsonObject.rules) ? jsonObject.rules : {})) {
    const severity = typeof level === 'boolean' ? null : readSeverity(level)
    if (severity !== null) found.push({ glob, pointer, rule, severity })
    else
      report('invalid-override-definition', 'An override with a JSON Pointer can only set severities.', [
        ...path,
        'rules',
        rule,
      ])
  }
  return found
}

/**
 * A ruleset with the overrides for a file: the later of them over the earlier, then all over the ruleset, as Spectral
 * merges them. `overBase` is true where the ruleset itself is to be read first, as if it were extended.
 */
export function mergeOverrides(
  ruleset: JsonObject,
  overrides: readonly JsonObject[],
): { readonly merged: JsonObject; readonly overBase: boolean } {
  const { overrides: _, except: __, ...base } = ruleset
  const [first = {}, ...rest] = overrides
  const right = rest.reduce((left, it) => {
    const both = left.rules !== undefined && it.rules !== undefined
    return { ...merge(left, it), ...(both ? { rules: { ...objectOf(left.rules), ...objectOf(it.rules) } } : {}) }
  }, first)
  const merged = merge(base, right)
  if (base.rules === undefined || right.rules === undefined) return { merged, overBase: false }
  return { merged, overBase: true }
}

const merge = (left: JsonObject, right: JsonObject): JsonObject => ({
  ...left,
  ...right,
  ...(left.aliases === undefined || right.aliases === undefined
    ? {}
    : { aliases: { ...objectOf(left.aliases), ...objectOf(right.aliases) } }),
})
