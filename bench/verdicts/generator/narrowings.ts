/** One keyword of JSON Schema each: a wide schema, a narrow one that allows less, and a value of the wide one that the narrow one refuses. */
import type { Json, JsonObject } from '../case.ts'
import type { Random } from './random.ts'

export type Schema = JsonObject | boolean

export interface Narrowing {
  readonly wide: Schema
  readonly narrow: Schema
  /** Valid for `wide`, not for `narrow`. */
  readonly witness: Json
  /** Why every value of `narrow` is one of `wide`, after the words of the specification. */
  readonly reason: string
  /** Named schemas of each side; `#DEFS/NAME` refers to them. */
  readonly wideDefs?: JsonObject
  readonly narrowDefs?: JsonObject
}

export type MakeNarrowing = (random: Random) => Narrowing

/** Keywords that both dialects have, in the same form: draft-04 with OpenAPI 3.0 and Swagger 2.0, and 2020-12. */
export const sharedKeywords: Readonly<Record<string, MakeNarrowing>> = {
  type: (random) => {
    const [wide, narrow, witness] = random.pick([
      ['number', 'integer', random.int(1, 40) + 0.5],
      ['number', 'integer', 0.25],
    ] as const)
    return {
      wide: { type: wide },
      narrow: { type: narrow },
      witness,
      reason: '"integer" matches a number without a fraction, and "number" matches any number (validation, type).',
    }
  },
  enum: (random) => {
    const [lost = '', ...rest] = random.values(random.int(3, 5))
    return {
      wide: { type: 'string', enum: random.shuffle([lost, ...rest]) },
      narrow: { type: 'string', enum: random.shuffle(rest) },
      witness: lost,
      reason:
        'A value is valid if it equals one of the listed ones; the narrower list is part of the wider (validation, enum).',
    }
  },
  multipleOf: (random) => {
    const step = random.int(2, 9)
    const times = random.int(2, 5)
    return {
      wide: { type: 'integer', multipleOf: step },
      narrow: { type: 'integer', multipleOf: step * times },
      witness: step,
      reason: `Division by ${step * times} without a rest means division by ${step} without a rest (validation, multipleOf).`,
    }
  },
  maximum: (random) => {
    const bound = random.int(20, 400)
    const less = bound - random.int(1, 15)
    return {
      wide: { type: 'integer', maximum: bound },
      narrow: { type: 'integer', maximum: less },
      witness: random.int(less + 1, bound),
      reason: 'A number is valid up to and including the limit; the narrower limit is the lower (validation, maximum).',
    }
  },
  minimum: (random) => {
    const bound = random.int(1, 200)
    const more = bound + random.int(1, 15)
    return {
      wide: { type: 'integer', minimum: bound },
      narrow: { type: 'integer', minimum: more },
      witness: random.int(bound, more - 1),
      reason: 'A number is valid from the limit on; the narrower limit is the higher (validation, minimum).',
    }
  },
  maxLength: (random) => {
    const bound = random.int(6, 30)
    const less = bound - random.int(1, 4)
    return {
      wide: { type: 'string', maxLength: bound },
      narrow: { type: 'string', maxLength: less },
      witness: 'x'.repeat(bound),
      reason: 'A string is valid up to that many characters; the narrower limit is the lower (validation, maxLength).',
    }
  },
  minLength: (random) => {
    const bound = random.int(0, 6)
    const more = bound + random.int(1, 4)
    return {
      wide: { type: 'string', minLength: bound },
      narrow: { type: 'string', minLength: more },
      witness: 'x'.repeat(bound),
      reason:
        'A string is valid from that many characters on; the narrower limit is the higher (validation, minLength).',
    }
  },
  pattern: (random) => {
    const last = random.pick(['d', 'e', 'f'])
    const before = String.fromCharCode(last.charCodeAt(0) - 1)
    return {
      wide: { type: 'string', pattern: `^[a-${last}]+$` },
      narrow: { type: 'string', pattern: `^[a-${before}]+$` },
      witness: `a${last}`,
      reason: `A string is valid if the expression matches it; what consists of a to ${before} consists of a to ${last} (validation, pattern).`,
    }
  },
  maxItems: (random) => {
    const bound = random.int(3, 7)
    return {
      wide: { type: 'array', items: { type: 'integer' }, maxItems: bound },
      narrow: { type: 'array', items: { type: 'integer' }, maxItems: bound - 1 },
      witness: Array.from({ length: bound }, (_, at) => at),
      reason: 'An array is valid up to that many items; the narrower limit is the lower (validation, maxItems).',
    }
  },
  minItems: (random) => {
    const bound = random.int(0, 3)
    return {
      wide: { type: 'array', items: { type: 'integer' }, minItems: bound },
      narrow: { type: 'array', items: { type: 'integer' }, minItems: bound + 1 },
      witness: Array.from({ length: bound }, (_, at) => at),
      reason: 'An array is valid from that many items on; the narrower limit is the higher (validation, minItems).',
    }
  },
  uniqueItems: (random) => {
    const item = random.int(1, 9)
    return {
      wide: { type: 'array', items: { type: 'integer' } },
      narrow: { type: 'array', items: { type: 'integer' }, uniqueItems: true },
      witness: [item, item],
      reason: 'Without the keyword, or with false, equal items are allowed (validation, uniqueItems).',
    }
  },
  items: (random) => {
    const bound = random.int(5, 50)
    return {
      wide: { type: 'array', items: { type: 'integer' } },
      narrow: { type: 'array', items: { type: 'integer', maximum: bound } },
      witness: [bound + 1],
      reason:
        'Each item has to be valid against the schema of items, and the narrower one allows fewer values (applicators, items).',
    }
  },
  maxProperties: (random) => {
    const bound = random.int(2, 4)
    const names = random.names(bound)
    return {
      wide: { type: 'object', maxProperties: bound },
      narrow: { type: 'object', maxProperties: bound - 1 },
      witness: Object.fromEntries(names.map((name, at) => [name, at])),
      reason:
        'An object is valid up to that many properties; the narrower limit is the lower (validation, maxProperties).',
    }
  },
  minProperties: (random) => {
    const bound = random.int(0, 2)
    const names = random.names(bound)
    return {
      wide: { type: 'object', minProperties: bound },
      narrow: { type: 'object', minProperties: bound + 1 },
      witness: Object.fromEntries(names.map((name, at) => [name, at])),
      reason:
        'An object is valid from that many properties on; the narrower limit is the higher (validation, minProperties).',
    }
  },
  required: (random) => {
    const [kept = '', added = ''] = random.names(2)
    const properties = { [kept]: { type: 'string' }, [added]: { type: 'string' } }
    return {
      wide: { type: 'object', required: [kept], properties },
      narrow: { type: 'object', required: [kept, added], properties },
      witness: { [kept]: 'x' },
      reason: 'An object has to have each listed property, and the narrower list has one more (validation, required).',
    }
  },
  properties: (random) => {
    const [name = ''] = random.names(1)
    const bound = random.int(3, 90)
    return {
      wide: { type: 'object', properties: { [name]: { type: 'integer' } } },
      narrow: { type: 'object', properties: { [name]: { type: 'integer', maximum: bound } } },
      witness: { [name]: bound + 1 },
      reason:
        'A property has to be valid against the schema of its name, and the narrower one allows fewer values (applicators, properties).',
    }
  },
  additionalProperties: (random) => {
    const [name = '', other = ''] = random.names(2)
    const closed: Schema = random.pick<Schema>([false, { type: 'string' }])
    return {
      wide: { type: 'object', properties: { [name]: { type: 'string' } } },
      narrow: { type: 'object', properties: { [name]: { type: 'string' } }, additionalProperties: closed },
      witness: { [other]: random.int(1, 9) },
      reason: 'Without the keyword every other property is allowed (applicators, additionalProperties).',
    }
  },
  allOf: (random) => {
    const least = random.int(2, 9)
    return {
      wide: { allOf: [{ type: 'integer' }] },
      narrow: { allOf: [{ type: 'integer' }, { minimum: least }] },
      witness: least - 1,
      reason: 'A value has to be valid against every member, and the narrower list has one more (applicators, allOf).',
    }
  },
  $ref: (random) => {
    const bound = random.int(3, 30)
    return {
      wide: { $ref: '#DEFS/Part' },
      narrow: { $ref: '#DEFS/Part' },
      wideDefs: { Part: { type: 'string', maxLength: bound } },
      narrowDefs: { Part: { type: 'string', maxLength: bound - 2 } },
      witness: 'x'.repeat(bound),
      reason: 'The reference now names a schema that allows fewer characters (core, $ref).',
    }
  },
}

/** Keywords that Swagger 2.0 lacks. */
export const choiceKeywords: Readonly<Record<string, MakeNarrowing>> = {
  anyOf: (random) => {
    const length = random.int(2, 8)
    return {
      wide: { anyOf: [{ type: 'string', maxLength: length }, { type: 'integer' }] },
      narrow: { anyOf: [{ type: 'string', maxLength: length }] },
      witness: random.int(1, 99),
      reason:
        'A value has to be valid against one member at least, and the wider list has one more (applicators, anyOf).',
    }
  },
  oneOf: (random) => {
    const [one = '', two = ''] = random.values(2)
    return {
      wide: { oneOf: [{ type: 'string', enum: [one] }, { type: 'integer' }, { type: 'string', enum: [two] }] },
      narrow: { oneOf: [{ type: 'string', enum: [one] }, { type: 'integer' }] },
      witness: two,
      reason: 'No value is valid for two members, so each further member adds values (applicators, oneOf).',
    }
  },
  not: (random) => {
    const [one = '', two = ''] = random.values(2)
    return {
      wide: { type: 'string', not: { enum: [one] } },
      narrow: { type: 'string', not: { enum: [one, two] } },
      witness: two,
      reason:
        'A value is valid if the schema of not refuses it, and the narrower side refuses one more value (applicators, not).',
    }
  },
}

/** Keywords of draft-04 and so of OpenAPI 3.0 and Swagger 2.0 alone. */
export const oldKeywords: Readonly<Record<string, MakeNarrowing>> = {
  exclusiveMaximum: (random) => {
    const bound = random.int(5, 90)
    return {
      wide: { type: 'integer', maximum: bound },
      narrow: { type: 'integer', maximum: bound, exclusiveMaximum: true },
      witness: bound,
      reason: 'With true the limit itself is no longer allowed, all numbers below it are (draft-04, exclusiveMaximum).',
    }
  },
  exclusiveMinimum: (random) => {
    const bound = random.int(5, 90)
    return {
      wide: { type: 'integer', minimum: bound },
      narrow: { type: 'integer', minimum: bound, exclusiveMinimum: true },
      witness: bound,
      reason: 'With true the limit itself is no longer allowed, all numbers above it are (draft-04, exclusiveMinimum).',
    }
  },
}

export const nullableKeyword: Readonly<Record<string, MakeNarrowing>> = {
  nullable: (random) => {
    const type = random.pick(['string', 'integer', 'boolean'])
    return {
      wide: { type, nullable: true },
      narrow: { type },
      witness: null,
      reason: 'With true null is allowed beside the values of the type (OpenAPI 3.0.3, Schema Object, nullable).',
    }
  },
}
