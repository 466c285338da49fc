/** What a contract uses and a specification lacks, said once. */
import { expect, test } from 'bun:test'
import type { Contract, Unresolved, UsedOperation } from '../../../src/contracts/contract.ts'
import { keyedParts, lossesIn, parameterOf, partsOf, withoutRepeats } from '../../../src/contracts/losses.ts'
import { resolveSelection } from '../../../src/contracts/selection.ts'
import { specificationOf } from './documents.ts'

const text = { type: 'string' }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const things = (more: { request?: object; response?: object; responses?: object; parameters?: object[] } = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      put: {
        parameters: more.parameters ?? [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'sort', in: 'query', schema: text },
        ],
        requestBody: json(more.request ?? { type: 'object', properties: { name: text } }),
        responses: more.responses ?? {
          '200': {
            description: 'Good',
            ...json(
              more.response ?? { type: 'object', properties: { owner: { type: 'object', properties: { id: text } } } },
            ),
          },
          default: { description: 'Other', ...json({ type: 'object', properties: { error: text } }) },
        },
      },
    },
  },
})

const contractOf = (): Contract =>
  resolveSelection(
    {
      operations: [
        {
          method: 'PUT',
          path: '/things/{id}',
          request: ['name'],
          responses: { '200': ['owner', 'owner.id'], '500': ['error'] },
          parameters: ['sort', 'id'],
        },
      ],
    },
    specificationOf(things()),
  ).contract
const losses = (more: Parameters<typeof things>[0]) =>
  lossesIn(specificationOf(things(more)), contractOf()).map(({ reason, status, location, field }) =>
    [reason, status, location, field].map((it) => it ?? '-').join(' '),
  )

test('nothing is lost where nothing changed', () => {
  expect(losses({})).toEqual([])
})

test('each kind of part: status, field of a request and of a response, parameter', () => {
  expect(losses({ parameters: [] })).toEqual(['parameter-not-found - parameter sort'])
  expect(losses({ request: { type: 'object', properties: {} } })).toEqual(['field-removed - request name'])
  // A field is reported without those below it.
  expect(losses({ response: { type: 'object', properties: {} } })).toEqual(['field-removed 200 response owner'])
  expect(losses({ response: { type: 'object', properties: { owner: { type: 'object', properties: {} } } } })).toEqual([
    'field-removed 200 response owner.id',
  ])
})

test('a response that only the default covers now is gone, with its fields; the default itself stays', () => {
  const rest = { default: { description: 'Other', ...json({ type: 'object', properties: { error: text } }) } }
  expect(losses({ responses: rest })).toEqual(['status-not-declared 200 response -'])
  expect(losses({ responses: { '200': { description: 'No content' }, ...rest } })).toEqual([
    'body-schema-missing 200 response -',
  ])
})

test('a path parameter is known by its position, every other one by name and place', () => {
  const [used] = contractOf().operations
  expect([...partsOf(used!)].filter((it) => it.kind === 'parameter').map((it) => [it.name, it.position])).toEqual([
    ['id', 0],
    ['sort', -1],
  ])
  const renamed = things({ parameters: [{ name: 'key', in: 'path', required: true, schema: text }] })
  const found = specificationOf(renamed).find('PUT', '/things/{id}').found!
  const part = (name: string, place: string, position: number) =>
    ({ kind: 'parameter', name, in: place, position }) as const
  expect(parameterOf(found, part('id', 'path', 0))?.name).toBe('key')
  expect(parameterOf(found, part('id', 'path', -1))).toBeNull()
  expect(parameterOf(found, part('key', 'path', 1))).toBeNull()
})

test('how surely a field was there is that of its surest place; what is sent is always sure', () => {
  const [used] = contractOf().operations
  const certainty = (...pointers: string[]) =>
    [...partsOf({ ...used!, parameters: [], responses: [], request: [{ field: 'a', pointers }] })][1]
  const part = { kind: 'field', body: { location: 'request' }, sure: true, field: 'a' } as const
  expect(certainty('/x/properties/a', '/y/additionalProperties')).toEqual({ ...part, certainty: 2 })
  expect(certainty('/y/additionalProperties', '/z')).toEqual({ ...part, certainty: 1 })
  expect(certainty('/z')).toEqual({ ...part, certainty: 0 })
})

test('what is gone is said in words: the operation alone where it is gone, else the body that lacks the field', () => {
  const said = (more: Parameters<typeof things>[0]) =>
    lossesIn(specificationOf(things(more)), contractOf()).map((it) => it.message)
  expect(said({ request: { type: 'object', properties: {} } })).toEqual([
    'PUT /things/{id}: the request no longer has the field "name".',
  ])
  expect(said({ response: { type: 'object', properties: {} } })).toEqual([
    'PUT /things/{id}: the response 200 no longer has the field "owner".',
  ])
  const gone = lossesIn(specificationOf({ ...things(), paths: {} }), contractOf())
  expect(gone.map((it) => [it.reason, it.location, it.field])).toEqual([['operation-retired', null, null]])
})

test('the parts of an operation are made once; parameters of a path do not depend on their names', () => {
  const [used] = contractOf().operations
  expect(keyedParts(used!)).toBe(keyedParts(used!))
  const keys = keyedParts(used!).map(([key]) => key)
  expect(keys).toContain('parameter path 0')
  expect(keys).toContain('parameter query sort')
  const other: UsedOperation = {
    ...used!,
    path: '/things/{key}',
    parameters: [{ name: 'key', in: 'path', pointer: '' }],
  }
  expect(keyedParts(other).map(([key]) => key)).toContain('parameter path 0')
})

test('what is said once: a body for each place, a field without those below it, parameters each', () => {
  const item = (more: Partial<Unresolved>): Unresolved => ({
    reason: 'field-removed',
    interaction: null,
    method: 'PUT',
    path: '/a',
    status: '200',
    location: 'response',
    field: null,
    message: '',
    ...more,
  })
  const kept = (...items: Partial<Unresolved>[]) =>
    withoutRepeats(items.map(item)).map((it) => `${it.reason} ${it.status} ${it.location} ${it.field}`)
  for (const reason of ['body-schema-missing', 'body-not-json'] as const)
    expect(kept({ reason, field: 'a' }, { reason, field: 'b' }, { reason, field: 'c', status: '201' })).toEqual([
      `${reason} 200 response null`,
      `${reason} 201 response null`,
    ])
  expect(
    kept({ field: 'a' }, { field: 'a.b' }, { field: 'a[].c' }, { field: 'ab' }, { field: 'a.b', status: '201' }),
  ).toEqual(['field-removed 200 response a', 'field-removed 200 response ab', 'field-removed 201 response a.b'])
  expect(kept({ location: 'parameter', field: 'a' }, { location: 'parameter', field: 'a.b' })).toHaveLength(2)
  expect(kept({ reason: 'status-not-declared' }, { reason: 'status-not-declared' })).toHaveLength(2)
})

test('a field of a map, or of an object of anything, is not gone where that still allows it', () => {
  const open = { type: 'object', additionalProperties: text }
  const contract = (response: object) =>
    resolveSelection(
      {
        operations: [{ method: 'PUT', path: '/things/{id}', responses: { '200': ['owner'] } }],
      },
      specificationOf(things({ response })),
    ).contract
  const lost = (before: object, after: object) =>
    lossesIn(specificationOf(things({ response: after })), contract(before)).map((it) => it.reason)
  const named = { type: 'object', properties: { owner: text } }
  expect(lost(open, open)).toEqual([])
  expect(lost(named, open)).toEqual(['field-removed'])
  expect(lost(open, named)).toEqual([])
  expect(lost(open, { type: 'object' })).toEqual(['field-removed'])
})
