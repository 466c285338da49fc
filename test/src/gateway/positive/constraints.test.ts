import { expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { coraza } from '../../../../src/gateway/dialects/coraza.ts'
import { corazaWasm } from '../../../../src/gateway/dialects/coraza-wasm.ts'
import { modsecurity } from '../../../../src/gateway/dialects/modsecurity.ts'
import { doubtOf } from '../../../../src/gateway/proof/proof.ts'
import { proofTable } from '../../../../src/gateway/dialects/proof.gen.ts'
import { proofDocument, valueRows, otherCases } from '../../../../scripts/gateway/proof-rows.ts'
import { constraintsOf } from '../../../../src/gateway/positive/constraints.ts'
import { operationsOf, pathsOf } from '../../../../src/diff/model/openapi.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { Side } from '../../../../src/diff/side.ts'
import { documentWith, gateway, operation } from '../../../fixtures/gateway/positive.ts'

function constraints(document: Json) {
  const side = new Side('head', parseDocument(JSON.stringify(document), { source: 'a.json', syntax: 'json' }))
  return constraintsOf(
    side,
    [...pathsOf(side)].flatMap(([template, item]) => operationsOf(side, item, template)),
  )
}

test('a document asks for the words of its schemas, through references and what holds them', () => {
  const parameters = [
    { name: 'q', in: 'query', required: true, schema: { $ref: '#/components/schemas/Page' } },
    {
      name: 'ids',
      in: 'query',
      explode: false,
      schema: { type: 'array', maxItems: 3, items: { type: 'string', format: 'uuid' } },
    },
    { name: 'note', in: 'header', schema: { type: 'string', format: 'x-note', additionalProperties: true } },
    { name: 'id', in: 'path', required: true, schema: {} },
  ]
  const json = { schema: { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/Node' } } } }
  const requestBody = {
    required: true,
    content: { 'application/json': json, 'text/plain': { schema: { minLength: 1 } } },
  }
  const found = constraints(
    documentWith(
      { '/a/{id}': { post: operation({ parameters, requestBody, security: [{ key: [] }] }) } },
      {
        components: {
          schemas: {
            Page: { allOf: [{ type: 'integer', minimum: 1 }] },
            Node: {
              type: ['object', 'null'],
              additionalProperties: false,
              properties: { next: { $ref: '#/components/schemas/Node' } },
            },
          },
          securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        },
      },
    ),
  )
  expect(found).toEqual({
    unknownOperation: ['path'],
    method: ['method'],
    parameters: [
      'header string',
      'query allOf',
      'query array',
      'query form',
      'query format uuid',
      'query integer',
      'query maxItems',
      'query minimum',
      'query required',
      'query string',
    ],
    undeclaredQuery: ['undeclared name'],
    contentType: ['media type', 'required body'],
    body: ['json additionalProperties', 'json duplicate names', 'json null', 'json object', 'json required'],
    security: ['credential apiKey in header'],
  })
})

test('bodies in parts, and parameters that begin with a character of their style, have words of their own', () => {
  const parameters = ['label', 'matrix'].map((style) => ({
    name: style,
    in: 'path',
    required: true,
    style,
    schema: { type: 'integer' },
  }))
  const requestBody = {
    content: { 'multipart/form-data': { schema: { type: 'object', properties: { a: { maxLength: 3 } } } } },
  }
  const found = constraints(documentWith({ '/a/{label}/{matrix}': { post: operation({ parameters, requestBody }) } }))
  expect(found).toMatchObject({
    parameters: ['path integer', 'path label', 'path matrix'],
    contentType: ['media type', 'media type multipart'],
    body: ['multipart maxLength', 'multipart object'],
  })
})

test('a check is enforced only where the table has all of it without a miss', () => {
  const known = proofTable.coraza.filter(([, , refused, , passed]) => refused + passed === 0).map(([name]) => name)
  expect(doubtOf('coraza', known)).toBeNull()
  expect(doubtOf('coraza', ['query nothing', 'query never'])).toEqual({
    state: 'unproven',
    reason: 'The engine was never tried with: query nothing, query never.',
  })
  expect(doubtOf('coraza-wasm', ['path'])?.state).toBe('unproven')
  for (const [name, rows] of Object.entries(proofTable))
    for (const [constraint, , refused, , passed] of rows)
      expect([constraint, doubtOf(name as 'coraza', [constraint])?.state ?? 'enforced']).toEqual([
        constraint,
        refused + passed === 0 ? 'enforced' : 'approximated',
      ])
})

test('the release says so for each engine', () => {
  const states = (schema: Json, dialect: NonNullable<Parameters<typeof gateway>[1]>['dialect']) => {
    const document = documentWith({ '/a': { get: operation({ parameters: [{ name: 'q', in: 'query', schema }] }) } })
    const { checks } = gateway(document, dialect === undefined ? {} : { dialect }).compiled
    const found = checks.find(({ setting }) => setting === 'positive:parameters')
    return [found?.state, found?.reason]
  }
  for (const dialect of [coraza, modsecurity]) {
    expect(states({ type: 'integer', minimum: 1 }, dialect)).toEqual(['enforced', null])
    expect(states({ type: 'integer', discriminator: { propertyName: 'a' } }, dialect)).toEqual([
      'unproven',
      'The engine was never tried with: query discriminator.',
    ])
    expect(states({ type: 'object', properties: { a: { type: 'integer' } } }, dialect)).toEqual([
      'approximated',
      'When the engine was tried, some requests were decided wrongly: query object.',
    ])
  }
  expect(states({ type: 'integer' }, corazaWasm)).toEqual(['unproven', 'This engine was never run with rules of svc.'])
})

test('the table has a row for everything that the script sends', () => {
  const sent = new Set([...valueRows, ...otherCases].map(({ constraint }) => constraint))
  for (const rows of Object.values(proofTable))
    expect(rows.map(([name]): string => name).toSorted()).toEqual([...sent].toSorted())
  // Each row is about something that a document can ask for; how a form writes lists is a part of its encoding.
  const asked = new Set(Object.values(constraints(proofDocument)).flat())
  expect([...sent].filter((it) => !asked.has(it) && !it.startsWith('form form'))).toEqual([])
})
