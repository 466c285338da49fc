/** What the shapes of hostile documents are made of. */
import type { Json, JsonObject } from '../../../src/kernel/json.ts'

/** The two documents of a shape. `n` is its size: a depth, a number of branches, of paths, of values. */
export type Shape = (n: number) => readonly [base: JsonObject, head: JsonObject]

export const range = <Item>(n: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: n }, (_, i) => make(i))
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
export const record = (entries: readonly (readonly [string, Json])[]): JsonObject => Object.fromEntries(entries)

/** A description with one operation that takes and answers the schema `R`. */
export const api = (schemas: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Hostile', version: '1.0.0' },
  paths: {
    '/x': {
      post: {
        operationId: 'x',
        requestBody: { content: { 'application/json': { schema: ref('R') } } },
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: ref('R') } } } },
      },
    },
  },
  components: { schemas },
  ...more,
})

export const text = (maxLength: number): JsonObject => ({ type: 'string', maxLength })
export const leaf = (maxLength: number): JsonObject => ({
  type: 'object',
  properties: { a: text(maxLength) },
  required: ['a'],
})

/** A shape whose schemas are made for each side; `limit` is what differs. */
export const schemas =
  (make: (n: number, limit: number, head: boolean) => JsonObject): Shape =>
  (n) => [api(make(n, 10, false)), api(make(n, 5, true))]

export const root =
  (make: (n: number, limit: number, head: boolean) => Json): Shape =>
  (n) =>
    schemas((size, limit, head) => ({ R: make(size, limit, head) }))(n)

/** A shape of whole documents. */
export const documents =
  (make: (n: number, head: boolean) => JsonObject): Shape =>
  (n) => [make(n, false), make(n, true)]
