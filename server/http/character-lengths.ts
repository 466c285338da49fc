/**
 * Lengths count characters (JSON Schema Validation, section 6.3), and the strings of JavaScript have UTF-16 units: texts whose schema bounds
 * their length are checked with one unit for each character.
 */
import type { TSchema } from '@sinclair/typebox'

const astral = /[\ud800-\udbff][\udc00-\udfff]/g

const partsOf = (schema: TSchema): readonly TSchema[] => {
  const parts = (schema.anyOf ?? schema.allOf) as readonly TSchema[] | undefined
  return parts === undefined ? [schema] : parts.flatMap(partsOf)
}

/** The schemas of what is within values of a schema, beside those of named properties. */
const innerOf = ({ items, additionalProperties, patternProperties }: TSchema): readonly TSchema[] => [
  ...(typeof items === 'object' && items !== null ? [items as TSchema] : []),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ...Object.values((patternProperties ?? {}) as Readonly<Record<string, TSchema>>),
]

const propertiesOf = (schema: TSchema) => (schema.properties ?? {}) as Readonly<Record<string, TSchema>>

/** The schemas that a schema consists of. */
export const schemasWithin = (schema: TSchema): readonly TSchema[] => [
  ...((schema.anyOf ?? schema.allOf ?? []) as readonly TSchema[]),
  ...innerOf(schema),
  ...Object.values(propertiesOf(schema)),
]

const known = new WeakMap<TSchema, boolean>()

/** Whether a schema bounds the length of some text. What it leaves open may be as large as a body: it is never walked. */
function boundsLengths(schema: TSchema): boolean {
  const before = known.get(schema)
  if (before !== undefined) return before
  const bounds =
    schema.minLength !== undefined || schema.maxLength !== undefined || schemasWithin(schema).some(boundsLengths)
  known.set(schema, bounds)
  return bounds
}

/** Whether a text of so many units could be on one side of a bound and its characters, at least half as many, on the other. */
const isNearBound = ({ minLength, maxLength }: TSchema, units: number): boolean =>
  (typeof maxLength === 'number' && units > maxLength && units <= 2 * maxLength) ||
  (typeof minLength === 'number' && units >= minLength && units < 2 * minLength)

/** The parts of schemas that bound a length. */
const bounding = (schemas: readonly TSchema[]): readonly TSchema[] =>
  schemas.filter(boundsLengths).flatMap(partsOf).filter(boundsLengths)

function counted(schemas: readonly TSchema[], value: unknown): unknown {
  if (schemas.length === 0) return value
  if (typeof value === 'string')
    return schemas.some((it) => isNearBound(it, value.length)) ? value.replaceAll(astral, '\ue000') : value
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  const inner = bounding(schemas.flatMap(innerOf))
  if (Array.isArray(value)) {
    const items = inner.length === 0 ? value : value.map((it) => counted(inner, it))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const changed = Object.entries(value).flatMap(([key, it]): [string, unknown][] => {
    const own = schemas.flatMap((part) => {
      const properties = propertiesOf(part)
      return Object.hasOwn(properties, key) ? [properties[key] as TSchema] : []
    })
    const now = counted(own.length === 0 ? inner : bounding(own), it)
    return now === it ? [] : [[key, now]]
  })
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/**
 * A value for the check of its lengths: texts near a bound have one unit for each character.
 * @returns the same value where no text differs
 */
export const inCharacters = (schema: TSchema, value: unknown): unknown => counted(bounding([schema]), value)
