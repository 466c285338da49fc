/** Reads schemas of every OpenAPI version as JSON Schema 2020-12, and asks ajv, or Python's `jsonschema` where it is there. */
import { compileByAjv } from '../../../fixtures/ajv.ts'
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'

export type Direction = 'request' | 'response'
type Fields = { readonly [key: string]: Json }

/** `literal`: as it is written; `either`: `oneOf` as `anyOf`, for objects of one branch that others accept as well. */
export type Reading = 'literal' | 'either'

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const singles: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
])
/** The keywords of a Schema Object before OpenAPI 3.1; Swagger 2.0 has fewer. */
const oldWords: ReadonlySet<string> = new Set(
  `type enum multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern items minItems maxItems
  uniqueItems properties required additionalProperties minProperties maxProperties allOf`.split(/\s+/),
)
const oldChoices: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'not'])

const targetOf = (ref: string): string => ref.replace(/^#\/(components\/schemas|definitions)\//, '#/$defs/')

/** The schemas of a document, read as JSON Schema 2020-12 for one direction. */
export class SchemaReader {
  private readonly isOld: boolean
  private readonly isSwagger: boolean
  private readonly direction: Direction
  private readonly reading: Reading
  private readonly named: Fields
  private readonly validators = new Map<string, (value: Json) => boolean>()

  constructor(document: Fields, direction: Direction, reading: Reading = 'literal') {
    this.isSwagger = document.swagger !== undefined
    this.isOld = this.isSwagger || String(document.openapi).startsWith('3.0')
    this.direction = direction
    this.reading = reading
    const components = isObject(document.components) ? document.components.schemas : document.definitions
    this.named = isObject(components) ? components : {}
  }

  /** The whole schema with everything that it can refer to. */
  modern(schema: Json): Json {
    const defs = Object.fromEntries(Object.entries(this.named).map(([name, it]) => [name, this.one(it)]))
    return { $defs: defs, allOf: [this.one(schema)] }
  }

  isValid(schema: Json, value: Json): boolean {
    const key = JSON.stringify(schema)
    const known = this.validators.get(key)
    if (known) return known(value)
    const made = compileByAjv(this.modern(schema))
    this.validators.set(key, made)
    return made(value)
  }

  private one(schema: Json): Json {
    if (!isObject(schema)) return schema
    if (this.isOld && typeof schema.$ref === 'string') return { $ref: targetOf(schema.$ref) }
    const words = Object.entries(schema).filter(([word]) => this.knows(word))
    const made: Record<string, Json> = Object.fromEntries(words.map(([word, it]) => this.word(word, it)))
    if (Array.isArray(made.required)) {
      const unsent = this.direction === 'request' ? 'readOnly' : 'writeOnly'
      const { properties } = schema
      made.required = (made.required as readonly string[]).filter(
        (name) => !(isObject(properties) && isObject(properties[name]) && properties[name][unsent] === true),
      )
    }
    return this.isOld ? withoutOldForms(schema, made) : made
  }

  private knows(word: string): boolean {
    if (!this.isOld) return word !== 'discriminator'
    return oldWords.has(word) || (!this.isSwagger && oldChoices.has(word))
  }

  private word(word: string, value: Json): [string, Json] {
    if (word === '$ref') return [word, targetOf(String(value))]
    const name = word === 'oneOf' && this.reading === 'either' ? 'anyOf' : word
    if (lists.has(word) && Array.isArray(value)) return [name, (value as readonly Json[]).map((it) => this.one(it))]
    if (maps.has(word) && isObject(value))
      return [word, Object.fromEntries(Object.entries(value).map(([key, it]) => [key, this.one(it)]))]
    return [word, singles.has(word) ? this.one(value) : value]
  }
}

/** Bounds that are exclusive by a boolean beside them, and `nullable`, as they are written since OpenAPI 3.1. */
const withoutOldForms = (schema: Fields, made: Record<string, Json>): Json => {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    delete made[exclusive]
    if (schema[exclusive] !== true || schema[bound] === undefined) continue
    made[exclusive] = schema[bound]
    delete made[bound]
  }
  if (schema.nullable !== true) return made
  return { anyOf: [{ type: 'null' }, made] }
}

const program = `
import json, sys
from jsonschema import Draft202012Validator
asked = json.load(sys.stdin)
print(json.dumps([Draft202012Validator(schema).is_valid(asked["value"]) for schema in asked["schemas"]]))
`

/** Whether Python has the module `jsonschema`: what ajv finds is then asked there once more. */
export const hasSecondOpinion = (): boolean => {
  try {
    return Bun.spawnSync(['python3', '-c', 'import jsonschema'], { stdout: 'ignore', stderr: 'ignore' }).success
  } catch {
    return false
  }
}

/** Whether each schema allows the value, by Python's `jsonschema`; null where it cannot say. */
export const secondOpinion = (schemas: readonly Json[], value: Json): readonly boolean[] | null => {
  const { stdout, success } = Bun.spawnSync(['python3', '-c', program], {
    stdin: new TextEncoder().encode(JSON.stringify({ schemas, value })),
    stderr: 'ignore',
  })
  return success ? (JSON.parse(stdout.toString()) as readonly boolean[]) : null
}
