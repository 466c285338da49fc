import { exactAsJson, isNumeric } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { formatFragment } from '../../kernel/pointer.ts'
import { jsonSchema07 } from '../../document/validate/json-schema.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import type { Notes } from '../notes.ts'
import { mapDiscriminator } from './discriminator.ts'

// A property that is required by others, or a schema that then applies.
const splitDependencies = (dependencies: JsonObject): Record<string, Json> => {
  const required = Object.entries(dependencies).filter(([, value]) => Array.isArray(value))
  const schemas = Object.entries(dependencies).filter(([, value]) => !Array.isArray(value))
  return {
    ...(required.length > 0 ? { dependentRequired: Object.fromEntries(required) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  }
}

const bounds = (schema: JsonObject, without: string[], extra: Record<string, Json>): void => {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    without.push(exclusive)
    const limit: unknown = schema[bound]
    if (!schema[exclusive] || !isNumeric(limit)) continue
    without.push(bound)
    extra[exclusive] = exactAsJson(limit)
  }
}

/** A schema object of any draft from 4 on in the words of 2020-12, without its identifiers; its children are so already. */
export const upgradeKeywords = (schema: JsonObject): JsonObject => {
  const without: string[] = ['$schema', '$id']
  const extra: Record<string, Json> = {}
  // Draft 4 named schemas by "id"; as a schema's own property it would not be a text.
  if (typeof schema.id === 'string') without.push('id')
  if (Array.isArray(schema.items)) {
    without.push('items', 'additionalItems')
    if (schema.items.length > 0) extra.prefixItems = schema.items
    if (schema.additionalItems !== undefined) extra.items = schema.additionalItems
  } else if (Object.hasOwn(schema, 'additionalItems')) without.push('additionalItems')
  if (isObject(schema.dependencies)) {
    without.push('dependencies')
    Object.assign(extra, splitDependencies(schema.dependencies))
  }
  if (schema.$recursiveAnchor === true) extra.$dynamicAnchor = 'recursive'
  if (schema.$recursiveRef === '#') extra.$dynamicRef = '#recursive'
  without.push('$recursiveAnchor', '$recursiveRef')
  bounds(schema, without, extra)
  const changed = without.some((key) => Object.hasOwn(schema, key))
  return changed
    ? edit(
        schema,
        without.filter((key) => !Object.hasOwn(extra, key)),
        extra,
      )
    : schema
}

const besideRef: ReadonlySet<string> = new Set([
  '$ref',
  'title',
  'description',
  '$comment',
  'examples',
  'default',
  'definitions',
  '$defs',
])

/** The keywords beside a `$ref` that a draft ignores: until draft 7 all that say something of values. */
export const ignoredBesideRef = (node: JsonObject, draft: string): string[] =>
  draft === '2020-12' || draft === '2019-09' ? [] : Object.keys(node).filter((key) => !besideRef.has(key))

/** A path into a schema of an earlier draft, in the words of 2020-12. */
export const upgradePath = (path: Path): (string | number)[] =>
  path.map((step, index) => {
    const next = path[index + 1]
    const before = path[index - 1]
    if (before === 'properties' || before === '$defs' || before === 'definitions' || before === 'patternProperties')
      return step
    if (step === 'items' && next !== undefined && /^\d+$/.test(String(next))) return 'prefixItems'
    if (step === 'additionalItems') return 'items'
    return step === 'dependencies' ? 'dependentSchemas' : step
  })

/**
 * A schema of draft 4 to 2020-12 as 2020-12 for a place in an OpenAPI document: identifiers go, and every reference is replaced by
 * what `move` makes of it (null keeps it); `path` is the place of the object that holds the reference.
 *
 * @param mapped what becomes of a value in the mapping of a discriminator; without it pointers move as other references do
 */
export const embedSchema = (
  schema: JsonObject,
  move: (ref: string, path: Path) => Path | null,
  notes: Notes,
  draft: string,
  mapped: (target: string, path: Path) => string | null = (target, path) => {
    const place = target.startsWith('#') ? move(target, path) : null
    return place === null ? null : formatFragment(place)
  },
): JsonObject =>
  rebuild(jsonSchema07, schema, (name, given, path) => {
    let node = given
    if (name !== 'Schema') return node
    if (isObject(node.discriminator)) {
      const moved = mapDiscriminator(node.discriminator, (target) => mapped(target, path))
      if (moved !== node.discriminator) node = { ...node, discriminator: moved }
    }
    const ref = typeof node.$ref === 'string' ? node.$ref : null
    if (ref === null) return upgradeKeywords(node)
    const target = move(ref, path)
    const moved = target === null ? node : { ...node, $ref: formatFragment(target) }
    const ignored = ignoredBesideRef(node, draft)
    if (ignored.length > 0)
      notes.add(
        'ref-siblings',
        `Removed ${ignored.map((key) => `"${key}"`).join(', ')} next to "$ref", which had no effect.`,
        path,
      )
    return upgradeKeywords(edit(moved, ignored))
  })
