/** Lists and chains of thousands of references: comparisons end with a verdict, or say what they leave undecided. */
import { expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'

const count = 6000
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const named = (schemaOf: (at: number) => JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, schemaOf(at)]))

const api = (schemas: JsonObject) => {
  const content = { 'application/json': { schema: ref('R') } }
  const paths = { '/a': { post: { requestBody: { content }, responses: { '200': { description: 'd' } } } } }
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components: { schemas } })
  return parseDocument(text, { source: 'hostile.json' })
}

const shapes: Readonly<Record<string, (type: string) => JsonObject>> = {
  'a chain of references': (type) => ({
    R: ref('S0'),
    ...named((at) => (at === count - 1 ? { type } : ref(`S${at + 1}`))),
  }),
  'a circle of properties': (type) => ({
    R: ref('S0'),
    ...named((at) => ({ type: 'object', properties: { next: ref(`S${(at + 1) % count}`), own: { type } } })),
  }),
  'one allOf of references': (type) => ({
    R: { allOf: Array.from({ length: count }, () => ref('S')) },
    S: { type: 'object', properties: { own: { type } } },
  }),
}

test.each(Object.keys(shapes))('%s', (name) => {
  const [base, head] = ['string', 'integer'].map((type) => api(shapes[name]!(type)))
  const { changes } = diff(base!, head!)
  expect(changes.some((it) => it.classification === 'breaking')).toBe(true)
  const undecided = changes.filter((it) => it.classification === 'unknown').map((it) => it.message)
  expect(undecided).toEqual(
    name === 'a circle of properties'
      ? ['Values allowed for `S998.next` changed (schemas refer to each other over more than 1,000 levels)']
      : [],
  )
})
