/** What descriptions of pairs are made of. */
import type { Json } from '../../../../src/kernel/json.ts'
import { withOperation } from '../changes-of.ts'
import type { Pair } from '../protocol/pairs.ts'

export type Fields = { readonly [key: string]: Json }
type Answer = 'B' | 'N'

export const ok: Fields = { description: 'ok' }
export const text: Fields = { type: 'string' }
export const integer: Fields = { type: 'integer' }
export const number: Fields = { type: 'number' }
export const ref = (name: string): Fields => ({ $ref: `#/components/schemas/${name}` })
export const object = (properties: Fields, ...required: string[]): Fields => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})
export const list = (items: Json): Fields => ({ type: 'array', items })
export const content = (schema: Json): Fields => ({ content: { 'application/json': { schema } } })
export const answer = (schema: Json): Fields => ({ ...ok, ...content(schema) })

/** A description with one operation, POST /a. */
export const operation = (fields: Fields, rest: Fields = {}, openapi = '3.1.1'): Json =>
  withOperation(fields, rest, openapi)
export const request = (schema: Json, schemas: Fields = {}, openapi = '3.1.1'): Json =>
  operation({ requestBody: { required: true, ...content(schema) } }, { components: { schemas } }, openapi)
export const response = (schema: Json, schemas: Fields = {}, openapi = '3.1.1'): Json =>
  operation({ responses: { '200': answer(schema) } }, { components: { schemas } }, openapi)

/** Gathers pairs. */
export class Pairs {
  readonly all: Pair[] = []

  readonly pair = (name: string, base: Json, head: Json, forward: Answer, backward: Answer): void => {
    this.all.push([name, base, head, forward, backward])
  }

  /** A pair of schemas in a request, and the other way round in a response. */
  readonly both = (
    name: string,
    base: Json,
    head: Json,
    forward: Answer,
    backward: Answer,
    openapi = '3.1.1',
    schemas: Fields = {},
  ): void => {
    this.pair(`request: ${name}`, request(base, schemas, openapi), request(head, schemas, openapi), forward, backward)
    this.pair(
      `response: ${name}`,
      response(base, schemas, openapi),
      response(head, schemas, openapi),
      backward,
      forward,
    )
  }
}
