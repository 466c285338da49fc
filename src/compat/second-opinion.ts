import type { Change, Classification } from '../diff/change.ts'
import { shapeOf } from '../diff/model/openapi.ts'
import { isObject, type Json, filledText } from '../kernel/json.ts'

/** What another tool says of one change. */
export interface ForeignFinding {
  /** The tool's own name for it. */
  readonly id: string
  readonly classification: Classification
  readonly message: string
  /** "GET /pets", or null where it is about the whole document. */
  readonly operation: string | null
}

/** One operation on which two opinions differ; null means the whole document. */
export interface Difference {
  readonly operation: string | null
  readonly ours: Classification
  readonly theirs: Classification
  readonly ourRules: readonly string[]
  readonly theirRules: readonly string[]
}

const worst = (all: readonly Classification[]): Classification => {
  if (all.includes('breaking')) return 'breaking'
  return all.includes('unknown') ? 'unknown' : 'safe'
}

/** The verdict of a list of findings. */
export const verdictOf = (all: readonly { readonly classification: Classification }[]): Classification =>
  worst(all.map((it) => it.classification))

// Levels of oasdiff: 1 is information, 2 a warning (it may break clients), 3 an error.
const levels: Readonly<Record<string, Classification>> = {
  '1': 'safe',
  '2': 'unknown',
  '3': 'breaking',
  INFO: 'safe',
  info: 'safe',
  WARN: 'unknown',
  warning: 'unknown',
  ERR: 'breaking',
  error: 'breaking',
}

const findingOf = (json: Json): ForeignFinding | null => {
  if (!isObject(json)) return null
  const id = filledText(json.id)
  const level = json.level
  if (id === null || (typeof level !== 'number' && typeof level !== 'string')) return null
  const [method, path] = [filledText(json.operation), filledText(json.path)]
  return {
    id,
    classification: levels[String(level)] ?? 'unknown',
    message: filledText(json.text) ?? id,
    operation: method !== null && path !== null && path.startsWith('/') ? `${method.toUpperCase()} ${path}` : null,
  }
}

/**
 * Reads what `oasdiff changelog --format json` (or `breaking`) writes: a list of `{id, text, level, operation, path}`, bare
 * or under `changes`. No output at all means that nothing changed.
 *
 * @returns a sentence where the text is something else
 */
export const readForeignFindings = (text: string): readonly ForeignFinding[] | string => {
  if (text.trim() === '') return []
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    return `its output is not JSON (${(error as Error).message})`
  }
  const list = isObject(value) ? value.changes : value
  if (list === null) return []
  if (!Array.isArray(list)) return 'its output is not a list of changes'
  const read = (list as readonly Json[]).map(findingOf)
  const good = read.filter((it): it is ForeignFinding => it !== null)
  return good.length === read.length ? good : 'an entry of its output has no id and level'
}

const keyOf = (operation: string): string => shapeOf(operation)

interface Opinion {
  readonly title: string
  readonly verdicts: Classification[]
  readonly rules: Set<string>
}

const gather = (
  into: Map<string, Opinion>,
  operation: string | null,
  classification: Classification,
  rule: string,
): void => {
  const key = operation === null ? '' : keyOf(operation)
  let known = into.get(key)
  if (!known) into.set(key, (known = { title: operation ?? '', verdicts: [], rules: new Set() }))
  known.verdicts.push(classification)
  if (classification !== 'safe') known.rules.add(rule)
}

/** Where two opinions differ: by operation, the worst that each of them says. */
export const differencesBetween = (
  changes: readonly Change[],
  foreign: readonly ForeignFinding[],
): readonly Difference[] => {
  const [ours, theirs] = [new Map<string, Opinion>(), new Map<string, Opinion>()]
  for (const { operations, classification, id } of changes)
    for (const operation of operations.length === 0 ? [null] : operations) gather(ours, operation, classification, id)
  for (const { operation, classification, id } of foreign) gather(theirs, operation, classification, id)
  const differences: Difference[] = []
  for (const key of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    const [a, b] = [ours.get(key), theirs.get(key)]
    const [left, right] = [worst(a?.verdicts ?? []), worst(b?.verdicts ?? [])]
    if (left === right) continue
    differences.push({
      operation: (a?.title ?? b?.title ?? '') || null,
      ours: left,
      theirs: right,
      ourRules: [...(a?.rules ?? [])].sort(),
      theirRules: [...(b?.rules ?? [])].sort(),
    })
  }
  return differences
}
