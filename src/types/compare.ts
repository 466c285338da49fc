import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { parseDocument } from '../document/parse.ts'
import type { Change, Witness } from '../diff/change.ts'
import { diff } from '../diff/diff.ts'
import type { Mode } from '../diff/options.ts'
import { edgesOf } from './edges.ts'
import { referenceDepth } from './limits.ts'
import { isSameType } from './same.ts'

/** What a new schema changes in a type. */
export interface TypeChange {
  readonly severity: 'breaking' | 'non-breaking' | 'docs-only' | null
  readonly verdict: 'safe' | 'breaking' | 'unknown'
  /** How many changes there are of each severity. */
  readonly counts: Readonly<Record<string, number>>
  readonly witness: Witness | null
}

/** The schemas of registered types, by what edges know them by. */
export type Registry = ReadonlyMap<string, Json>

/**
 * A schema with the types that it refers to as definitions, so that it is complete by itself. What the registry does not have
 * stays a reference.
 * @param bases addresses of this registry, as `readRef` takes them
 */
export function embedTypes(schema: Json, registry: Registry, bases: readonly string[] = []): Json {
  if (!isObject(schema)) return schema
  const found = new Map<string, Json>()
  let level: readonly Json[] = [schema]
  for (let depth = 0; depth < referenceDepth; depth++) {
    const next: Json[] = []
    for (const { key } of level.flatMap((it) => edgesOf(it, bases))) {
      if (key === null || found.has(key)) continue
      const target = registry.get(key)
      if (target === undefined) continue
      // An identifier makes the references of an embedded schema relative to itself (JSON Schema 2020-12, core, section 9.3).
      found.set(key, isObject(target) ? { ...target, $id: key } : { $id: key, allOf: [target] })
      next.push(target)
    }
    level = next
  }
  if (found.size === 0) return schema
  const own: JsonObject = isObject(schema.$defs) ? schema.$defs : {}
  return { ...schema, $defs: { ...own, ...Object.fromEntries(found) } }
}

const documentOf = (schema: Json) =>
  parseDocument(
    JSON.stringify(isObject(schema) ? { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema } : schema),
    {
      source: 'type.json',
    },
  )

/** A schema and the types that its references mean. */
interface TypeSide {
  readonly schema: Json
  readonly registry: Registry
}

const diffTypes = (before: TypeSide, after: TypeSide, bases: readonly string[], mode: Mode = 'full') =>
  diff(
    documentOf(embedTypes(before.schema, before.registry, bases)),
    documentOf(embedTypes(after.schema, after.registry, bases)),
    { mode },
  )

/** Every difference of two schemas, explained. Positions are JSON Pointers; `total` counts those that were left out too. */
export interface TypeComparison extends TypeChange {
  readonly changes: readonly Change[]
  readonly total: number
}

/**
 * All differences of two schemas, those of descriptions too.
 * @param most how many changes are named at most
 */
export function listTypeChanges(
  before: TypeSide,
  after: TypeSide,
  { bases, most }: { readonly bases: readonly string[]; readonly most: number },
): TypeComparison {
  const { changes, maxSeverity, verdict, counts, witness } = diffTypes(before, after, bases)
  // The schemas are kept as one line of JSON: a position in it says nothing.
  const placed = changes.slice(0, most).map((it) => ({
    ...it,
    base: it.base && { ...it.base, range: null },
    head: it.head && { ...it.head, range: null },
  }))
  return { severity: maxSeverity, verdict, counts, witness: witness ?? null, changes: placed, total: changes.length }
}

/**
 * What replacing one schema by another means for those who write and for those who read its values: safe is what is safe for both.
 * @param mode `backward`: only those who write; `forward`: only those who read
 * @returns null where both describe the same values
 */
export function compareTypes(
  before: TypeSide,
  after: TypeSide,
  bases: readonly string[] = [],
  mode: Mode = 'full',
): TypeChange | null {
  return isSameType(before.schema, after.schema, bases) ? null : changeOf(before, after, bases, mode)
}

/**
 * The same for a schema whose references mean other types afterwards.
 * @returns null where nothing of it changes
 */
export function compareThrough(
  schema: Json,
  registries: { readonly before: Registry; readonly after: Registry },
  bases: readonly string[] = [],
): TypeChange | null {
  const { before, after } = registries
  const change = changeOf({ schema, registry: before }, { schema, registry: after }, bases, 'full')
  return change.severity === null && change.verdict === 'safe' ? null : change
}

function changeOf(before: TypeSide, after: TypeSide, bases: readonly string[], mode: Mode): TypeChange {
  const { maxSeverity, verdict, counts, witness } = diffTypes(before, after, bases, mode)
  return { severity: maxSeverity, verdict, counts, witness: witness ?? null }
}
