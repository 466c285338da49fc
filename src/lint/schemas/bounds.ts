import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Violation } from '../rule.ts'
import type { SchemaAt } from './places.ts'
import { plural } from '../../kernel/plural.ts'

const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
] as const

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)

interface Bound {
  readonly value: number
  readonly open: boolean
  readonly key: string
}

/** The narrower of the two bounds on one side. In draft 4 the exclusive one is a flag of the other. */
function boundOf(schema: JsonObject, side: 'minimum' | 'maximum', exclusive: string): Bound | null {
  const closed = numberOf(schema[side])
  const open = numberOf(schema[exclusive])
  const isLower = side === 'minimum'
  if (closed !== null && (open === null || (isLower ? closed > open : closed < open)))
    return { value: closed, open: schema[exclusive] === true, key: side }
  return open === null ? null : { value: open, open: true, key: exclusive }
}

function checkNumbers(schema: JsonObject): Violation[] {
  const [least, most] = [boundOf(schema, 'minimum', 'exclusiveMinimum'), boundOf(schema, 'maximum', 'exclusiveMaximum')]
  if (least === null || most === null) return []
  const crossed = least.value > most.value || (least.value === most.value && (least.open || most.open))
  if (crossed)
    return [
      {
        message: `No number is valid: "${least.key}" is ${least.value} and "${most.key}" is ${most.value}.`,
        path: [least.key],
      },
    ]
  const [first, last] = [
    least.open ? Math.floor(least.value) + 1 : Math.ceil(least.value),
    most.open ? Math.ceil(most.value) - 1 : Math.floor(most.value),
  ]
  return schema.type === 'integer' && first > last
    ? [{ message: `No integer is between ${least.value} and ${most.value}.`, path: [least.key] }]
    : []
}

const isClosed = (schema: JsonObject): boolean =>
  schema.additionalProperties === false &&
  (!isObject(schema.patternProperties) || Object.keys(schema.patternProperties).length === 0)

function checkObject(schema: JsonObject): Violation[] {
  const found: Violation[] = []
  const known = isObject(schema.properties) ? Object.keys(schema.properties).length : 0
  const [least, most] = [numberOf(schema.minProperties), numberOf(schema.maxProperties)]
  if (least !== null && isClosed(schema) && least > known)
    found.push({
      message: `"minProperties" is ${least}, but at most ${known} can be present.`,
      path: ['minProperties'],
    })
  if (most !== null && Array.isArray(schema.required) && new Set(schema.required).size > most)
    found.push({
      message: `${plural(schema.required.length, 'property is', 'properties are')} required, but "maxProperties" is ${most}.`,
      path: ['maxProperties'],
    })
  return found
}

function checkItems(schema: JsonObject, draft: string): Violation[] {
  const least = numberOf(schema.minItems)
  const tuple = draft === '2020-12' ? schema.prefixItems : schema.items
  const rest = draft === '2020-12' ? schema.items : schema.additionalItems
  if (least === null || rest !== false || (tuple !== undefined && !Array.isArray(tuple))) return []
  if (tuple === undefined && draft !== '2020-12') return []
  const possible = Array.isArray(tuple) ? tuple.length : 0
  return least > possible
    ? [{ message: `"minItems" is ${least}, but only ${possible} are possible.`, path: ['minItems'] }]
    : []
}

/** The bounds of a schema leave room for a value. */
export const checkBounds = ({ schema, draft }: SchemaAt): readonly Violation[] => [
  ...checkNumbers(schema),
  ...pairs.flatMap(([low, high]) => {
    const [least, most] = [numberOf(schema[low]), numberOf(schema[high])]
    return least !== null && most !== null && least > most
      ? [{ message: `No value is valid: "${low}" is ${least} and "${high}" is ${most}.`, path: [low] }]
      : []
  }),
  ...checkObject(schema),
  ...checkItems(schema, draft),
]
