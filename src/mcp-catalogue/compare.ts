import { changeSeverities, type Change, type ChangeSeverity } from '../diff/change.ts'
import { diff } from '../diff/diff.ts'
import { isDocsWord } from '../diff/docs-words.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { parseDocument } from '../document/parse.ts'
import { formatPointer, parsePointer } from '../kernel/pointer.ts'
import { canonicalize } from '../document/serialize.ts'
import { fingerprints } from './fingerprints.ts'
import { itemKey, itemText, surfaceText } from './surface.ts'
import { textDifferences } from './texts.ts'
import {
  surfaceLists,
  type ItemDifference,
  type Surface,
  type SurfaceChange,
  type SurfaceComparison,
  type SurfaceList,
} from './types.ts'

const kindOf = { tools: 'tool', resources: 'resource', resourceTemplates: 'template', prompts: 'prompt' } as const

/** What a comparison lists at most. */
const mostItems = 200
const mostChanges = 10
const mostCharacters = 2000

type Items = ReadonlyMap<string, JsonObject>

// Of several items of one name the last one counts, as for the engine.
const itemsOf = (surface: Surface, list: SurfaceList): Items =>
  new Map(surface[list].map((it) => [itemKey(list, it), it]))

const short = (value: Json): Json => {
  const text = JSON.stringify(value) ?? 'null'
  if (text.length <= mostCharacters) return value
  return `${(typeof value === 'string' ? value : text).slice(0, mostCharacters)}…`
}

/** Members that the engine compares; what else differs is reported by its name. */
const known: Readonly<Record<SurfaceList, ReadonlySet<string>>> = {
  tools: new Set(['name', 'inputSchema', 'outputSchema', 'input_schema', 'output_schema', 'annotations', 'icons']),
  resources: new Set(['uri', 'name', 'title', 'mimeType', 'size', 'annotations']),
  resourceTemplates: new Set(['uriTemplate', 'name', 'title', 'mimeType', 'annotations']),
  prompts: new Set(['name', 'title', 'arguments']),
}
const hints: ReadonlySet<string> = new Set(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])

const textOf = (it: Json | undefined): string => (it === undefined ? '' : canonicalize(it))
const isSame = (a: Json | undefined, b: Json | undefined): boolean => textOf(a) === textOf(b)

const actionOf = (before: Json | undefined, after: Json | undefined): 'added' | 'removed' | 'changed' => {
  if (before === undefined) return 'added'
  return after === undefined ? 'removed' : 'changed'
}

const fieldChange = (path: readonly string[], a: Json | undefined, b: Json | undefined): SurfaceChange => ({
  id: 'field-changed',
  severity: 'non-breaking',
  classification: 'unknown',
  message: `The field \`${path.join('.')}\` was ${actionOf(a, b)}`,
  basePointer: a === undefined ? null : formatPointer(path),
  headPointer: b === undefined ? null : formatPointer(path),
  before: short(a ?? null),
  after: short(b ?? null),
  witness: null,
})

/** Differences in members that no rule of a comparison knows, and, if nothing else was found, in any member. */
function fieldChanges(list: SurfaceList, a: JsonObject, b: JsonObject, isExplained: boolean): SurfaceChange[] {
  const differing = (x: JsonObject, y: JsonObject): string[] =>
    [...new Set([...Object.keys(x), ...Object.keys(y)])].filter((key) => key !== '_meta' && !isSame(x[key], y[key]))
  const found = differing(a, b).flatMap((key): SurfaceChange[] => {
    const [x, y] = [a[key], b[key]]
    if (key === 'annotations' && isObject(x ?? {}) && isObject(y ?? {})) {
      const [before, after] = [isObject(x) ? x : {}, isObject(y) ? y : {}]
      return differing(before, after)
        .filter((it) => !hints.has(it) && !isDocsWord(it))
        .map((it) => fieldChange([key, it], before[it], after[it]))
    }
    return known[list].has(key) || isDocsWord(key) ? [] : [fieldChange([key], x, y)]
  })
  if (found.length > 0 || isExplained) return found
  return differing(a, b).map((key) => fieldChange([key], a[key], b[key]))
}

/** The list and the key of the item that a change is about, and the pointer below it. */
function placed(
  pointer: string | undefined,
  surface: Surface,
): { list: SurfaceList; key: string; rest: string } | null {
  const [list, at, ...rest] = parsePointer(pointer ?? '') ?? []
  const known = surfaceLists.find((it) => it === list)
  const item = known === undefined ? undefined : surface[known][Number(at)]
  return known === undefined || item === undefined
    ? null
    : { list: known, key: itemKey(known, item), rest: formatPointer(rest) }
}

interface Placed {
  readonly id: string
  readonly change: SurfaceChange
}

const idOf = (list: SurfaceList, key: string): string => `${list} ${key}`

function changesByItem(
  changes: readonly Change[],
  before: Surface,
  after: Surface,
): ReadonlyMap<string, SurfaceChange[]> {
  const found = changes.flatMap((entry): Placed[] => {
    const base = placed(entry.base?.pointer, before)
    const head = placed(entry.head?.pointer, after)
    const at = head ?? base
    if (at === null) return []
    const change: SurfaceChange = {
      id: entry.id,
      severity: entry.severity,
      classification: entry.classification,
      message: entry.message,
      basePointer: base?.rest ?? null,
      headPointer: head?.rest ?? null,
      before: short(entry.before),
      after: short(entry.after),
      witness: entry.witness === null ? null : { ...entry.witness, value: short(entry.witness.value) },
    }
    return [{ id: idOf(at.list, at.key), change }]
  })
  return new Map([...Map.groupBy(found, (it) => it.id)].map(([id, all]) => [id, all.map((it) => it.change)]))
}

const rank = (severity: ChangeSeverity): number => changeSeverities.indexOf(severity)

/** The worst of some severities. */
export const worstOf = (severities: readonly ChangeSeverity[]): ChangeSeverity =>
  changeSeverities.find((it) => severities.includes(it)) ?? 'docs-only'

interface Compared {
  readonly item: ItemDifference
  readonly severities: readonly ChangeSeverity[]
}

function compareItem(
  list: SurfaceList,
  key: string,
  a: JsonObject | undefined,
  b: JsonObject | undefined,
  found: readonly SurfaceChange[],
): Compared {
  const fields = a !== undefined && b !== undefined ? fieldChanges(list, a, b, found.length > 0) : []
  const changes = [...found, ...fields].toSorted((x, y) => rank(x.severity) - rank(y.severity))
  const severities = changes.map((it) => it.severity)
  const item: ItemDifference = {
    kind: kindOf[list],
    key,
    action: actionOf(a, b),
    severity: severities.length === 0 ? 'non-breaking' : worstOf(severities),
    changes: changes.slice(0, mostChanges),
    changeCount: changes.length,
    texts: textDifferences(a ?? null, b ?? null),
  }
  return { item, severities }
}

const documentOf = (surface: Surface, name: string) => parseDocument(surfaceText(surface), { source: `${name}.json` })

/**
 * Compares two surfaces with the engine of `svc diff`: what an agent may send and gets back, with a counterexample where a schema
 * became incompatible, what is guaranteed about a tool, every text that models read, and fields that no rule knows.
 *
 * @param most how many items are listed at most
 */
export function compareSurfaces(before: Surface, after: Surface, most: number = mostItems): SurfaceComparison {
  const [a, b] = [fingerprints(before), fingerprints(after)]
  const counts: Record<ChangeSeverity, number> = { breaking: 0, 'non-breaking': 0, 'docs-only': 0 }
  if (a.wire === b.wire) return { isSame: true, isSameMeaning: true, severity: null, counts, items: [], more: 0 }
  const { changes } = diff(documentOf(before, 'before'), documentOf(after, 'after'))
  const found = changesByItem(changes, before, after)
  const compared = surfaceLists.flatMap((list) => {
    const [base, head] = [itemsOf(before, list), itemsOf(after, list)]
    return [...new Set([...base.keys(), ...head.keys()])].sort().flatMap((key) => {
      const [x, y] = [base.get(key), head.get(key)]
      if (x !== undefined && y !== undefined && itemText(list, x) === itemText(list, y)) return []
      return [compareItem(list, key, x, y, found.get(idOf(list, key)) ?? [])]
    })
  })
  for (const { severities } of compared) for (const it of severities) counts[it] += 1
  const items = compared.map((it) => it.item).toSorted((x, y) => rank(x.severity) - rank(y.severity))
  return {
    isSame: false,
    isSameMeaning: a.semantic === b.semantic,
    severity: items.length === 0 ? 'non-breaking' : worstOf(items.map((it) => it.severity)),
    counts,
    items: items.slice(0, most),
    more: Math.max(0, items.length - most),
  }
}
