/** Lists of any length take time in proportion: four times as many parts take far less than sixteen times as long, and are described in four times as many bytes. */
import { expect, test } from 'bun:test'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'

const range = (n: number, make: (i: number) => Json): Json[] => Array.from({ length: n }, (_, i) => make(i))
const record = (n: number, make: (i: number) => readonly [string, Json]): JsonObject =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => make(i)))
const api = (more: JsonObject): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Long', version: '1.0.0' },
  paths: { '/x': { post: { operationId: 'x', responses: { 200: { description: 'ok' } } } } },
  ...more,
})
const keys = (n: number, side: string): JsonObject =>
  record(n, (i) => [`${side}${i}`, { type: 'apiKey', in: 'header', name: `k${i}` }])
const flows = (n: number): JsonObject => ({
  a: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://a.test', scopes: record(n, (i) => [`s${i}`, '']) } },
  },
})
const body = (content: JsonObject): JsonObject =>
  api({ paths: { '/x': { post: { requestBody: { content }, responses: { 200: { description: 'ok', content } } } } } })

/** What was compared each with each before. `side` is "b" or "h": what is named by it is another one on each side. */
const shapes: Readonly<Record<string, (n: number, side: string) => JsonObject>> = {
  'servers with free variables': (n, side) =>
    api({ servers: range(n, (i) => ({ url: `https://{v}.${side}${i}.test`, variables: { v: { default: 'a' } } })) }),
  'servers with other values': (n, side) =>
    api({
      servers: range(n, (i) => ({
        url: `https://{v}.${i}.test`,
        variables: { v: { default: 'a', enum: ['a', side] } },
      })),
    }),
  'ways to authenticate': (n, side) =>
    api({
      components: { securitySchemes: flows(n) },
      security: range(n, (i) => ({ a: [`s${i}`, `${side}${i}`] })),
    }),
  'schemes that are needed at once': (n, side) =>
    api({ components: { securitySchemes: keys(n, side) }, security: [record(n, (i) => [`${side}${i}`, []])] }),
  'schemes that were renamed': (n, side) =>
    api({ components: { securitySchemes: keys(n, side) }, security: range(n, (i) => ({ [`${side}${i}`]: [] })) }),
  'media types': (n, side) => body(record(n, (i) => [`application/${side}${i}+json`, { schema: { type: 'string' } }])),
  'ranges of media types': (n, side) => body(record(n, (i) => [`${side}${i}/*`, { schema: { type: 'string' } }])),
  'scopes of one way': (n, side) =>
    api({ components: { securitySchemes: flows(n) }, security: [{ a: range(n, (i) => `${side}${i}`) }] }),
}

/** Processor time in milliseconds, which how busy the machine is changes less than the time on the clock, and the bytes of the changes. */
function costOf(
  make: (n: number, side: string) => JsonObject,
  n: number,
): { readonly ms: number; readonly bytes: number } {
  const [base, head] = ['b', 'h'].map((side) => parseDocument(JSON.stringify(make(n, side)), { source: 'a.json' }))
  const begun = process.cpuUsage()
  const { changes } = diff(base!, head!)
  const { user, system } = process.cpuUsage(begun)
  return { ms: (user + system) / 1000, bytes: JSON.stringify(changes).length }
}

for (const [name, make] of Object.entries(shapes))
  test(
    name,
    () => {
      const { bytes } = costOf(make, 400)
      const least = (n: number): number => Math.min(costOf(make, n).ms, costOf(make, n).ms)
      const [few, many] = [least(400), least(1600)]
      // What is short is what it costs to begin.
      expect({ few, many, isProportional: many < 9 * Math.max(few, 20) }).toEqual({ few, many, isProportional: true })
      const grown = costOf(make, 1600).bytes / bytes
      expect({ grown, isProportional: grown < 6 }).toEqual({ grown, isProportional: true })
    },
    120_000,
  )
