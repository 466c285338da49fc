import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../../../src/document/parse.ts'
import { findUnresolved } from '../../../src/document/reference.ts'
import { validateStructure } from '../../../src/document/validate/structure.ts'
import { type ImportedSpec, importDocument } from '../../../src/import/importer.ts'
import {
  renderArazzo,
  renderDocument,
  renderJsonSchema,
  renderOpenapi,
  writeDocument,
} from '../../../src/render/render.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const validator = new Validator()

const read = (text: string, source: string): ImportedSpec => {
  const { spec } = importDocument(parseDocument(text, { source }), 'auto')
  if (spec === null) throw new Error('refused')
  return spec
}

const reparse = (value: object) => parseDocument(JSON.stringify(value), { source: 'rendered.json' })

const faults = async (value: object): Promise<string[]> => {
  const document = reparse(value)
  const own = [...validateStructure(document), ...findUnresolved(document)].map(
    ({ path, message }) => `${path.join('/')}: ${message}`,
  )
  const { valid, errors } = await validator.validate(structuredClone(value) as Record<string, unknown>)
  const text = JSON.stringify(errors)
  // That validator takes a "$ref" inside the value of an example for a reference.
  return valid || text.endsWith('/example"') ? own : [...own, text]
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[23].*\.json$/.test(name))
  .sort()
  .map((name) => join(folder, name))
const extra = process.env.TEST_DOCUMENTS
if (extra !== undefined)
  for (const name of readdirSync(extra, { recursive: true, encoding: 'utf8' }))
    if (/\.(json|ya?ml)$/.test(name)) files.push(join(extra, name))

describe('real documents render whole and by class as valid documents', () => {
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    if (text.length > 1_500_000) continue
    const document = parseDocument(text, { source: file })
    if (document.format?.kind !== 'openapi' && document.format?.kind !== 'swagger') continue
    test(file.slice(folder.length + 1), async () => {
      const spec = read(text, file)
      if (spec.problems.length > 0 || spec.unresolved.length > 0) return
      // A schema that is no schema is imported with a warning, and is no better when it is rendered.
      if (spec.warnings.some((it) => it.code.startsWith('structure-'))) return
      const whole = renderOpenapi(spec).value ?? {}
      expect(await faults(whole)).toEqual([])
      const schemas = renderJsonSchema(spec).value ?? {}
      expect(validateStructure(reparse(schemas))).toEqual([])
      expect(findUnresolved(reparse(schemas))).toEqual([])
      new Ajv2020({ strict: false, validateFormats: false }).compile(schemas)
      for (const name of Object.keys(spec.classes).slice(0, 6)) {
        const part = renderOpenapi(spec, name).value ?? {}
        expect(await faults(part)).toEqual([])
        const schema = renderJsonSchema(spec, name).value ?? {}
        expect(findUnresolved(reparse(schema))).toEqual([])
        new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
      }
      for (const syntax of ['json', 'yaml'] as const)
        expect(writeDocument(renderOpenapi(read(text, file)).value ?? {}, syntax)).toBe(writeDocument(whole, syntax))
    })
  }
})

const api = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  tags: [{ name: 'order' }, { name: 'other' }],
  security: [{ key: [] }],
  'x-kept': 1,
  paths: {
    '/orders': {
      parameters: [{ name: 'x', in: 'query', schema: { type: 'string' } }],
      get: {
        operationId: 'listOrders',
        tags: ['order'],
        responses: { 200: { $ref: '#/components/responses/Orders' } },
      },
      post: { operationId: 'ping', security: [{ other: [] }], responses: { 204: { description: 'done' } } },
    },
    '/by-total': {
      parameters: [{ $ref: '#/components/parameters/Total' }],
      get: { operationId: 'byTotal', security: [], responses: { 204: { description: 'done' } } },
    },
    '/health': { get: { operationId: 'health', tags: ['other'], responses: { 200: { description: 'ok' } } } },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        properties: { total: { $ref: '#/components/schemas/Money' }, self: { $ref: '#/components/schemas/Order' } },
      },
      Money: { type: 'number' },
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
        discriminator: { propertyName: 'k', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
      },
      Cat: { type: 'object' },
      Dog: { type: 'object', properties: { total: { $ref: '#/components/parameters/Total/schema' } } },
    },
    parameters: { Total: { name: 'total', in: 'query', schema: { $ref: '#/components/schemas/Money' } } },
    responses: {
      Orders: {
        description: 'ok',
        content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } } },
      },
    },
    securitySchemes: { key: { type: 'http', scheme: 'basic' }, other: { type: 'http', scheme: 'bearer' } },
  },
}
const shop = read(JSON.stringify(api), 'shop.json')

// The parts of a rendered document, as "area name" lines.
const outline = (value: object | undefined): string[] =>
  Object.entries(value ?? {}).flatMap(([area, group]) =>
    ['paths', 'components'].includes(area)
      ? Object.entries(group as object).flatMap(
          ([name, inner]) => `${area} ${name}: ${Object.keys(inner as object).join(' ')}`,
        )
      : [],
  )

test('a class and what it reaches, without operations', () => {
  expect(outline(renderOpenapi(shop, 'Order').value)).toEqual(['components schemas: Order Money'])
  expect(outline(renderOpenapi(shop, 'Money').value)).toEqual(['components schemas: Money'])
  expect(outline(renderOpenapi(shop, 'Cat').value)).toEqual(['components schemas: Cat'])
  expect(outline(renderOpenapi(shop, 'Pet').value)).toEqual([
    'components schemas: Money Pet Cat Dog',
    'components parameters: Total',
  ])
  expect(Object.keys(renderOpenapi(shop, 'Order').value ?? {})).toEqual(['openapi', 'info', 'paths', 'components'])
  expect(Object.keys(renderOpenapi(shop).value ?? {})).toEqual([
    'openapi',
    'info',
    'paths',
    'components',
    'security',
    'tags',
    'x-kept',
  ])
})

test('JSON Schema of a class', () => {
  expect(renderJsonSchema(shop, 'Pet').value).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Pet',
    $ref: '#/$defs/Pet',
    $defs: {
      Money: { type: 'number' },
      Pet: {
        oneOf: [{ $ref: '#/$defs/Cat' }],
        discriminator: { propertyName: 'k', mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' } },
      },
      Cat: { type: 'object' },
      Dog: { type: 'object', properties: { total: { $ref: '#/$defs/components.parameters.Total.schema' } } },
      'components.parameters.Total.schema': { $ref: '#/$defs/Money' },
    },
  })
  expect(Object.keys((renderJsonSchema(shop).value?.$defs ?? {}) as object)).toEqual([
    'Order',
    'Money',
    'Pet',
    'Cat',
    'Dog',
    'components.parameters.Total.schema',
  ])
})

test('Arazzo whole and by class', () => {
  const step = (stepId: string, call: object) => ({ stepId, ...call })
  const workflows = read(
    JSON.stringify({
      arazzo: '1.0.0',
      info: { title: 'Flows', version: '1' },
      sourceDescriptions: [{ name: 'shop', url: './shop.json', type: 'openapi' }],
      workflows: [
        {
          workflowId: 'list',
          steps: [
            step('a', {
              operationId: '$sourceDescriptions.shop.listOrders',
              parameters: [{ reference: '$components.parameters.page' }],
            }),
          ],
        },
        {
          workflowId: 'path',
          inputs: { $ref: '#/components/inputs/In' },
          steps: [step('a', { operationPath: '{$sourceDescriptions.shop.url}#/paths/~1by-total/get' })],
        },
        { workflowId: 'calls', dependsOn: ['health'], steps: [step('a', { workflowId: 'list' })] },
        { workflowId: 'health', steps: [step('a', { operationId: 'health' })] },
      ],
      components: {
        parameters: { page: { name: 'page', value: 1 }, unused: { name: 'u', value: 1 } },
        inputs: { In: { type: 'object', properties: { a: { $ref: '#/components/inputs/Inner' } } }, Inner: {} },
      },
    }),
    'flows.json',
  )
  const source = { ...shop, arazzo: workflows.arazzo }
  const kept = (name: string) => {
    const { value, missing } = renderArazzo(source, name)
    if (value === undefined) return missing
    expect(validateStructure(reparse(value))).toEqual([])
    return [
      (value.workflows as { workflowId: string }[]).map(({ workflowId }) => workflowId),
      JSON.parse(JSON.stringify(value.components ?? {})),
    ]
  }
  expect(renderArazzo(source).value?.arazzo).toBe('1.0.1')
  const later = read('{ arazzo: 1.1.0, info: {}, $self: https://example.com/a, workflows: [] }', 'later.yaml')
  expect(Object.entries(renderArazzo({ ...shop, arazzo: later.arazzo }).value ?? {}).slice(0, 2)).toEqual([
    ['arazzo', '1.1.0'],
    ['$self', 'https://example.com/a'],
  ])
  expect(validateStructure(reparse(renderArazzo(source).value ?? {}))).toEqual([])
  expect(kept('Order')).toEqual([['list', 'calls', 'health'], { parameters: { page: { name: 'page', value: 1 } } }])
  expect(kept('Money')).toEqual([
    ['list', 'path', 'calls', 'health'],
    {
      parameters: { page: { name: 'page', value: 1 } },
      inputs: { In: { type: 'object', properties: { a: { $ref: '#/components/inputs/Inner' } } }, Inner: {} },
    },
  ])
  expect(kept('Cat')).toBe('no-workflows')
  expect(renderArazzo({ ...workflows }, 'Inner').value?.workflows).toHaveLength(1)
  expect(renderArazzo(shop)).toEqual({ missing: 'no-workflows' })
  expect(renderDocument(shop, 'openapi', 'Nope')).toEqual({ missing: 'class-not-found' })
})
