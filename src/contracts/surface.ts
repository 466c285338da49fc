import type { Operation } from '../diff/model/api.ts'
import { textAt, type PlacedValue, type Side } from '../diff/side.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { formatDataPath, type Step } from './data-path.ts'
import { bodySchemas, pointersIn } from './look-up.ts'
import { groupOf, itemsIn, openIn, type Group } from './schema-group.ts'
import type { Specification } from './specification.ts'

/** A field that a consumer may declare. */
export interface AvailableField {
  readonly field: string
  /** "string", "array of object", "string or null"; "any" where nothing is said. */
  readonly type: string
  readonly required: boolean
  readonly deprecated: boolean
  readonly description: string | null
  readonly pointers: readonly string[]
}

export interface AvailableParameter {
  readonly name: string
  readonly in: string
  readonly type: string
  readonly required: boolean
  readonly deprecated: boolean
}

/** What a consumer may declare of one operation. */
export interface AvailableOperation {
  readonly method: string
  readonly path: string
  readonly operation_id: string | null
  readonly summary: string
  readonly deprecated: boolean
  readonly request: readonly AvailableField[]
  readonly responses: readonly { readonly status: string; readonly fields: readonly AvailableField[] }[]
  readonly parameters: readonly AvailableParameter[]
  /** Fields were left out; they can still be declared by naming them. */
  readonly truncated: boolean
}

/** Bounds of the enumeration, for one operation. */
export const surfaceBounds = { fields: 500, depth: 8, recursion: 1 } as const

const longestDescription = 200

interface Property {
  readonly places: PlacedValue[]
  required: boolean
}

const propertiesOf = (group: Group, found = new Map<string, Property>(), certain = true): Map<string, Property> => {
  for (const { place, schema } of group.own) {
    if (!isObject(schema.properties)) continue
    const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []
    for (const [name, value] of Object.entries(schema.properties)) {
      const it: PlacedValue = { value, path: [...place.path, 'properties', name] }
      const known = found.get(name)
      if (known) known.places.push(it)
      else found.set(name, { places: [it], required: certain && required.includes(name) })
    }
  }
  for (const { schema } of group.own)
    for (const name of Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []) {
      const property = typeof name === 'string' ? found.get(name) : undefined
      if (property && certain) property.required = true
    }
  for (const union of group.unions) for (const branch of union) propertiesOf(branch, found, false)
  return found
}

const itemsOf = (group: Group): PlacedValue[] => [
  ...itemsIn(group),
  ...group.unions.flatMap((union) => union.flatMap((branch) => itemsOf(branch))),
]

const mapsOf = (group: Group): PlacedValue[] => [
  ...openIn(group).filter((it) => it.path.at(-1) === 'additionalProperties' && isObject(it.value)),
  ...group.unions.flatMap((union) => union.flatMap((branch) => mapsOf(branch))),
]

const typesOf = (group: Group, into = new Set<string>()): Set<string> => {
  for (const { schema } of group.own) {
    const named = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : []
    for (const it of named) if (typeof it === 'string') into.add(it)
    if (named.length === 0 && isObject(schema.properties)) into.add('object')
    if (schema.nullable === true || schema['x-nullable'] === true) into.add('null')
  }
  for (const union of group.unions) for (const branch of union) typesOf(branch, into)
  return into
}

const typeOf = (side: Side, group: Group, depth = 0): string => {
  const names = [...typesOf(group)].sort((a, b) => Number(a === 'null') - Number(b === 'null'))
  const words = names.map((name) => {
    const items = name === 'array' && depth < 3 ? itemsOf(group) : []
    return items.length > 0 ? `array of ${typeOf(side, groupOf(side, items), depth + 1)}` : name
  })
  return words.join(' or ') || 'any'
}

const wordsIn = (group: Group): { deprecated: boolean; description: string | null } => ({
  deprecated: group.own.some(({ schema }) => schema.deprecated === true || schema['x-deprecated'] === true),
  description:
    group.own
      .map(({ place }) => textAt(place, 'description'))
      .find((it) => it !== null)
      ?.slice(0, longestDescription) ?? null,
})

class Budget {
  left: number = surfaceBounds.fields
  truncated = false
}

interface At {
  readonly places: readonly PlacedValue[]
  readonly steps: readonly Step[]
  /** How often each schema occurs among the ancestors of this one. */
  readonly above: ReadonlyMap<Json, number>
}

const enumerate = (side: Side, at: At, budget: Budget, out: AvailableField[]): void => {
  const group = groupOf(side, at.places)
  const above = new Map(at.above)
  for (const { place } of group.own) {
    const times = above.get(place.value) ?? 0
    if (times > surfaceBounds.recursion) return void (budget.truncated = true)
    above.set(place.value, times + 1)
  }
  const items = itemsOf(group)
  if (items.length > 0) enumerate(side, { places: items, steps: [...at.steps, 'items'], above }, budget, out)
  const maps = mapsOf(group)
  const properties = [...propertiesOf(group)]
  if (maps.length > 0) properties.push(['*', { places: maps, required: false }])
  for (const [name, { places, required }] of properties) {
    if (budget.left === 0 || at.steps.length >= surfaceBounds.depth) return void (budget.truncated = true)
    budget.left--
    const steps = [...at.steps, { name }]
    const own = groupOf(side, places)
    out.push({
      field: formatDataPath(steps),
      type: typeOf(side, own),
      required,
      ...wordsIn(own),
      pointers: pointersIn(side, places),
    })
    enumerate(side, { places, steps, above }, budget, out)
  }
}

const fieldsOf = (side: Side, roots: readonly PlacedValue[], budget: Budget): readonly AvailableField[] => {
  const out: AvailableField[] = []
  if (roots.length > 0) enumerate(side, { places: roots, steps: [], above: new Map() }, budget, out)
  // Several media types of one body share their fields.
  return [...new Map(out.map((it) => [it.field, it])).values()]
}

const available = (specification: Specification, operation: Operation): AvailableOperation => {
  const { side } = specification
  const budget = new Budget()
  const request = fieldsOf(side, bodySchemas(operation, { location: 'request' }), budget)
  const responses = [...operation.answers.keys()].map((key) => {
    const status = key === 'DEFAULT' ? 'default' : key
    return { status, fields: fieldsOf(side, bodySchemas(operation, { location: 'response', status }), budget) }
  })
  return {
    method: operation.method.toUpperCase(),
    path: operation.template,
    operation_id: textAt(operation.place, 'operationId'),
    summary: textAt(operation.place, 'summary') ?? '',
    deprecated: operation.deprecated,
    request,
    responses,
    parameters: [...operation.parameters.values()].map((entry) => ({
      name: entry.name,
      in: entry.in,
      type: entry.schema ? typeOf(side, groupOf(side, [entry.schema])) : 'any',
      required: entry.required,
      deprecated: entry.deprecated,
    })),
    truncated: budget.truncated,
  }
}

const fitting = (specification: Specification, template: string, words: readonly string[]): readonly string[] => {
  const methods = specification.methodsAt(template)
  if (words.length === 0) return methods
  return methods.filter((method) => {
    const text = specification.wordsAt(template, method)
    return words.every((word) => text.includes(word))
  })
}

/**
 * What consumers may declare of a specification, by operation in the order of the document; only those that match all words of
 * `q`, if it is given. Only the operations of the page are examined.
 */
export const availableSurface = (
  specification: Specification,
  page: { readonly limit: number; readonly offset: number; readonly q?: string },
): { readonly operations: readonly AvailableOperation[]; readonly total: number } => {
  const words = (page.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const operations: AvailableOperation[] = []
  let position = 0
  for (const template of specification.templates) {
    const methods = fitting(specification, template, words)
    const isOnPage = position + methods.length > page.offset && operations.length < page.limit
    const wanted = methods.map((it) => it.toUpperCase())
    const all = isOnPage ? specification.operationsAt(template).filter((it) => wanted.includes(it.method)) : []
    for (const [i, operation] of all.entries())
      if (position + i >= page.offset && operations.length < page.limit)
        operations.push(available(specification, operation))
    position += methods.length
  }
  return { operations, total: position }
}
