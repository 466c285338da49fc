/** What is rendered is good enough for programs of others, and loses nothing on the way there and back. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { complaintsOf } from '../../fixtures/rendered/consumers.ts'
import { lossesOf } from '../../fixtures/rendered/round-trip.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument, type ImportedSpec } from '../../../src/import/importer.ts'
import { renderArazzo, renderOpenapi, writeDocument } from '../../../src/render/render.ts'

const read = (text: string, source: string) => importDocument(parseDocument(text, { source }), 'auto').spec

// A schema that is no schema is imported with a warning, and is no better when it is rendered.
const isClean = ({ problems, unresolved, warnings }: ImportedSpec): boolean =>
  problems.length === 0 && unresolved.length === 0 && !warnings.some((it) => it.code.startsWith('structure-'))

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const largest = 150_000

/** What one consumer refuses in the author's own document, and must refuse in ours. */
const known: Readonly<Record<string, string>> = {
  'readme-extensions.json': 'redocly-openapi-core: #/paths/~1x-code-samples/get/x-code-samples',
  'response-examples.json': 'swagger-parser: MissingPointerError',
}

describe('real documents', () => {
  for (const version of ['2.0', '3.0', '3.1'])
    for (const name of readdirSync(join(folder, version, 'json')).filter((one) => one.endsWith('.json')))
      test(`${version} ${name}`, async () => {
        const text = readFileSync(join(folder, version, 'json', name), 'utf8')
        const spec = text.length > largest ? null : read(text, name)
        if (spec === null || !isClean(spec)) return
        expect(lossesOf(spec)).toEqual([])
        const complaints = await complaintsOf(writeDocument(renderOpenapi(spec).value ?? {}, 'json'))
        expect(complaints.filter((one) => !one.startsWith(known[name] ?? '\0'))).toEqual([])
      })
})

const name = fc.constantFrom('a', 'b', 'Ünïcode', '200', '__proto__', 'with space', 'a/b~c')
const leaf = fc.oneof(
  fc.constantFrom({ type: 'string' }, { type: 'integer', minimum: 1 }, { type: ['string', 'null'] }, {}, true, false),
  fc.constantFrom({ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B', description: 'beside' }),
  fc.record({ const: fc.json().map((text): unknown => JSON.parse(text)) }),
)
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        additionalProperties: tie('schema'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), 'x-kept': fc.json() },
      { requiredKeys: ['allOf'] },
    ),
    fc.record(
      { $defs: fc.dictionary(name, tie('schema'), { minKeys: 1, maxKeys: 2 }), title: fc.string() },
      { requiredKeys: ['$defs'] },
    ),
  ),
}))
const operation = fc.record(
  {
    operationId: fc.uuid(),
    summary: fc.string(),
    tags: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    deprecated: fc.boolean(),
    requestBody: schema.map((it) => ({ content: { 'application/json': { schema: it, example: { $ref: 'data' } } } })),
    responses: fc.dictionary(fc.constantFrom('200', '404', 'default'), fc.record({ description: fc.string() }), {
      minKeys: 1,
    }),
    'x-mine': fc.json().map((text): unknown => JSON.parse(text)),
  },
  { requiredKeys: ['responses'] },
)
const api = fc.record(
  {
    openapi: fc.constantFrom('3.1.0', '3.1.1'),
    info: fc.record(
      {
        // A blank title is none: a JSON Schema made of the document has no title then.
        title: fc.string({ minLength: 1 }).filter((it) => it.trim() !== ''),
        version: fc.constantFrom('1.0.0', '1', 'v 2'),
        description: fc.string(),
      },
      { requiredKeys: ['title', 'version'] },
    ),
    paths: fc.dictionary(
      fc.constantFrom('/a', '/b/{id}', '/'),
      fc.dictionary(fc.constantFrom('get', 'post'), operation),
      { maxKeys: 3 },
    ),
    components: fc.record({ A: schema, B: schema }).map((schemas) => ({ schemas })),
    'x-root': fc.json().map((text): unknown => JSON.parse(text)),
  },
  { requiredKeys: ['openapi', 'info', 'components'] },
)

test('any valid document is the same again after it was rendered and imported', () => {
  let tried = 0
  fc.assert(
    fc.property(api, (value) => {
      const spec = read(JSON.stringify(value), 'generated.json')
      fc.pre(spec !== null && isClean(spec))
      tried += 1
      expect(spec === null ? ['refused'] : lossesOf(spec)).toEqual([])
    }),
    { numRuns: 80 },
  )
  expect(tried).toBeGreaterThan(20)
})

test('workflows are the same again', () => {
  const text = JSON.stringify({
    arazzo: '1.0.0',
    info: { title: 'Flows', version: '1' },
    sourceDescriptions: [{ name: 'shop', url: './shop.json', type: 'openapi' }],
    workflows: [{ workflowId: 'w', steps: [{ stepId: 's', operationId: 'list', outputs: { a: '$response.body' } }] }],
    components: { inputs: { Page: { type: 'integer' } } },
  })
  const spec = read(text, 'flows.json') ?? expect.unreachable()
  expect(lossesOf(spec)).toEqual([])
  expect(renderArazzo(spec).value).toMatchObject({ arazzo: '1.0.1', info: { title: 'Flows' } })
})
