/** Keywords that a dialect does not have: every validator ignores them there, and so does everything here. */
import type { JsonObject } from '../kernel/json.ts'
import { holding } from '../document/schema-keywords.ts'

/** The drafts in their order, each with the keywords that it brought. */
const brought: readonly (readonly [draft: string, words: readonly string[]])[] = [
  ['draft-04', []],
  ['draft-06', ['const', 'contains', 'propertyNames']],
  ['draft-07', ['if', 'then', 'else', 'contentEncoding', 'contentMediaType']],
  [
    '2019-09',
    [
      'dependentRequired',
      'dependentSchemas',
      'unevaluatedProperties',
      'unevaluatedItems',
      'minContains',
      'maxContains',
      'contentSchema',
    ],
  ],
  ['2020-12', ['prefixItems']],
]

const foreign = new Map(
  brought.map(([draft], i) => [draft, new Set(brought.slice(i + 1).flatMap(([, words]) => words))] as const),
)
const known = new WeakMap<JsonObject, Map<string, JsonObject>>()

/** A schema with the keywords that its dialect has: itself, where it has no others. The dialects of OpenAPI keep all. */
export const inDialect = (schema: JsonObject, dialect: string): JsonObject => {
  const words = foreign.get(dialect)
  if (words === undefined || words.size === 0) return schema
  let isWhole = true
  for (const key in schema) if (words.has(key)) isWhole = false
  if (isWhole) return schema
  let made = known.get(schema)
  if (!made) known.set(schema, (made = new Map()))
  const found = made.get(dialect) ?? Object.fromEntries(Object.entries(schema).filter(([key]) => !words.has(key)))
  made.set(dialect, found)
  return found
}

/** Every keyword of the published drafts and of OpenAPI, annotations included. */
export const publishedWords: ReadonlySet<string> = new Set([
  ...brought.flatMap(([, words]) => words),
  ...Object.keys(holding),
  ...(
    '$schema $id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment id title description ' +
    'default examples example deprecated readOnly writeOnly discriminator xml externalDocs nullable type enum format ' +
    'multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems uniqueItems ' +
    'minProperties maxProperties required'
  ).split(' '),
])
