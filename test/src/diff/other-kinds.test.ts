import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { contained, schema } from '../schema/attack.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { diff } from '../../../src/diff/diff.ts'
import type { DiffOptions, DiffResult } from '../../../src/diff/options.ts'

const compare = (base: Json, head: Json, options: DiffOptions = {}): DiffResult =>
  diff(
    parseDocument(JSON.stringify(base), { source: 'base.json' }),
    parseDocument(JSON.stringify(head), { source: 'head.json' }),
    options,
  )
const told = (result: DiffResult): string[] => result.changes.map((change) => `${change.severity} ${change.id}`)

describe('diff of JSON Schema', () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const narrow: Json = { $schema, type: 'object', properties: { a: { type: 'integer' } } }
  const wide: Json = { $schema, type: 'object', properties: { a: { type: 'number' } } }

  test('the mode says whose values have to stay valid', () => {
    expect(told(compare(narrow, wide, { mode: 'backward' }))).toEqual(['non-breaking schema-type-widened'])
    expect(told(compare(narrow, wide, { mode: 'forward' }))).toEqual(['breaking schema-type-widened'])
    expect(told(compare(narrow, wide, { mode: 'full' }))).toEqual(['breaking schema-type-widened'])
    expect(compare(narrow, wide, { mode: 'forward' }).changes[0]!.witness).toMatchObject({
      value: { a: 0.5 },
      at: '/a',
      acceptedBy: 'head',
    })
    expect(compare(wide, narrow).verdict).toBe('breaking')
  })

  test('boolean roots are schemas, formats are remarks', () => {
    expect(compare(true, false, { mode: 'backward' }).verdict).toBe('breaking')
    expect(compare(false, true, { mode: 'backward' }).verdict).toBe('safe')
    expect(told(compare({ $schema, type: 'string' }, { $schema, type: 'string', format: 'email' }))).toEqual([
      'non-breaking schema-format-added',
    ])
  })

  test('a verdict is never above what both directions of a value prove', () => {
    const schema = fc.record({
      $schema: fc.constant($schema),
      type: fc.constantFrom('integer', 'number', 'string'),
      minimum: fc.integer({ min: 0, max: 3 }),
      maxLength: fc.integer({ min: 0, max: 3 }),
    })
    fc.assert(
      fc.property(schema, schema, (a, b) => {
        const there = compare(a, b)
        const back = compare(b, a)
        expect(told(compare(a, a))).toEqual([])
        // What is added one way is removed the other way.
        expect(there.changes.length).toBe(back.changes.length)
        if (there.verdict === 'breaking') expect(there.changes.some((it) => it.witness !== null)).toBe(true)
      }),
      { numRuns: 100, seed: 3 },
    )
  })
})

describe('diff of JSON Schema, attacked', () => {
  test('its verdict is that of containment, however the schemas are put together', () => {
    fc.assert(
      fc.property(schema, schema, schema, (a, b, c) => {
        const base: Json = {
          type: 'object',
          properties: { x: a, y: { anyOf: [{ type: 'null' }, { properties: { x: a } }] }, z: c },
        }
        const head: Json = {
          type: 'object',
          properties: { x: b, y: { anyOf: [{ type: 'null' }, { properties: { x: b } }] }, z: c },
        }
        for (const [left, right] of [
          [base, head],
          [a, b],
          [{ allOf: [c, a] }, { allOf: [c, b] }],
        ] as const) {
          const proof = contained(left, right).is
          const { verdict } = compare(left, right, { mode: 'backward' })
          expect([JSON.stringify([left, right]), verdict]).toEqual([
            JSON.stringify([left, right]),
            proof === 'contained' ? 'safe' : 'breaking',
          ])
        }
      }),
      { numRuns: 120, seed: 11 },
    )
  })
})

describe('diff of OpenAPI, attacked', () => {
  const api = (body: Json): Json => ({
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema: body } } }, responses: {} } } },
  })
  test('what escapes a request schema is never called safe', () => {
    fc.assert(
      fc.property(schema, schema, schema, (a, b, c) => {
        const base: Json = {
          type: 'object',
          properties: { x: { anyOf: [{ type: 'null' }, a] }, y: { type: 'array', items: a }, z: c },
        }
        const head: Json = {
          type: 'object',
          properties: { x: { anyOf: [{ type: 'null' }, b] }, y: { type: 'array', items: b }, z: c },
        }
        for (const [left, right] of [
          [base, head],
          [a, b],
          [{ allOf: [c, a] }, { allOf: [c, b] }],
        ] as const) {
          if (contained(left, right, 'no').is !== 'escapes') continue
          expect([JSON.stringify([left, right]), compare(api(left), api(right)).verdict]).not.toEqual([
            JSON.stringify([left, right]),
            'safe',
          ])
        }
      }),
      { numRuns: 120, seed: 5 },
    )
  })
})

describe('diff of MCP descriptors', () => {
  const server = (tools: Json): Json => ({
    manifest_version: '0.3',
    name: 'a',
    version: '1',
    server: { type: 'node', entry_point: 'a.js' },
    tools,
  })
  test('tools, what they take, and what is promised about them', () => {
    const tool = (annotations: Json, required: Json): Json => ({
      name: 'read',
      description: 'Reads.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required },
      annotations,
    })
    const base = server([tool({ readOnlyHint: true }, []), { name: 'gone', description: 'x' }])
    const head = server([tool({ readOnlyHint: false }, ['path']), { name: 'new', description: 'x' }])
    expect(told(compare(base, head)).sort()).toEqual([
      'breaking schema-required-added',
      'breaking tool-annotation-changed',
      'breaking tool-removed',
      'non-breaking tool-added',
    ])
  })
})

describe('diff of what else an MCP server offers', () => {
  const offers = (fields: { readonly [key: string]: Json }): Json => ({
    manifest_version: '0.3',
    name: 'a',
    version: '1',
    server: { type: 'node', entry_point: 'a.js' },
    tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
    ...fields,
  })
  test('prompts and their arguments', () => {
    const base = offers({
      prompts: [{ name: 'ask', arguments: [{ name: 'about' }, { name: 'tone', required: true }] }, { name: 'gone' }],
    })
    const head = offers({
      prompts: [
        {
          name: 'ask',
          title: 'Ask',
          arguments: [
            { name: 'about', required: true },
            { name: 'tone' },
            { name: 'length' },
            { name: 'who', required: true },
          ],
        },
      ],
    })
    expect(told(compare(base, head)).sort()).toEqual([
      'breaking argument-added',
      'breaking argument-required-added',
      'breaking prompt-removed',
      'docs-only document-documentation-added',
      'non-breaking argument-added',
      'non-breaking argument-required-removed',
    ])
  })

  test('resources', () => {
    const base = offers({
      resources: [
        { uri: 'a://x', name: 'x', mimeType: 'text/plain' },
        { uri: 'a://y', name: 'y' },
      ],
    })
    const head = offers({
      resources: [
        { uri: 'a://x', name: 'X', mimeType: 'text/html' },
        { uri: 'a://z', name: 'z' },
      ],
    })
    expect(told(compare(base, head)).sort()).toEqual([
      'breaking resource-media-type-changed',
      'breaking resource-removed',
      'docs-only document-documentation-changed',
      'non-breaking resource-added',
    ])
  })

  test('hints that flip, and titles', () => {
    const hinted = (annotations: Json, title: string): Json =>
      offers({ tools: [{ name: 'read', title, description: 'Reads.', inputSchema: { type: 'object' }, annotations }] })
    const flip = (before: Json, after: Json) => told(compare(hinted(before, 'a'), hinted(after, 'a')))
    expect(flip({ destructiveHint: false }, { destructiveHint: true })).toEqual(['breaking tool-annotation-changed'])
    expect(flip({ destructiveHint: true }, { destructiveHint: false })).toEqual([
      'non-breaking tool-annotation-changed',
    ])
    expect(flip({ readOnlyHint: true }, {})).toEqual(['breaking tool-annotation-changed'])
    expect(flip({ title: 'a' }, { title: 'b' })).toEqual(['docs-only document-documentation-changed'])
    expect(told(compare(hinted({}, 'a'), hinted({}, 'b')))).toEqual(['docs-only document-documentation-changed'])
  })

  test('the ways to reach a server', () => {
    const server = (fields: { readonly [key: string]: Json }): Json => ({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.a/b',
      description: 'B.',
      version: '1.0.0',
      ...fields,
    })
    const box = (version: string, variables: Json): Json => [
      {
        registryType: 'oci',
        identifier: `docker.io/a/b:${version}`,
        transport: { type: 'stdio' },
        environmentVariables: variables,
      },
    ]
    const base = server({ packages: box('1.0.0', []), remotes: [{ type: 'sse', url: 'https://a.example/sse' }] })
    const head = server({ packages: box('1.1.0', [{ name: 'KEY', isRequired: true }, { name: 'LOG' }]) })
    expect(told(compare(base, head)).sort()).toEqual([
      'breaking argument-added',
      'breaking remote-removed',
      'non-breaking argument-added',
    ])
  })
})

describe('diff of Arazzo documents', () => {
  const workflows = (inputs: Json, outputs: Json, steps: Json): Json => ({
    arazzo: '1.0.1',
    info: { title: 'a', version: '1' },
    sourceDescriptions: [{ name: 'a', url: './a.yaml' }],
    workflows: [{ workflowId: 'buy', inputs, outputs, steps }],
  })
  test('inputs, outputs and steps', () => {
    const step: Json = { stepId: 'one', operationId: 'a' }
    const base = workflows(
      { type: 'object', properties: { id: { type: 'string' } } },
      { total: '$steps.one.outputs.total' },
      [step],
    )
    const head = workflows({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, {}, [
      step,
      { stepId: 'two', operationId: 'b' },
    ])
    expect(told(compare(base, head)).sort()).toEqual([
      'breaking schema-required-added',
      'breaking workflow-output-removed',
      'non-breaking workflow-step-added',
    ])
  })

  test('what 1.1 adds to a step, and the components that steps refer to', () => {
    const document = (arazzo: string, step: Json, limit: Json): Json => ({
      ...(workflows({ type: 'object' }, {}, [step]) as { [key: string]: Json }),
      arazzo,
      components: { parameters: { limit: { name: 'limit', in: 'query', value: limit } } },
    })
    const use: Json = { stepId: 'one', operationId: 'a', parameters: [{ reference: '$components.parameters.limit' }] }
    const told11 = (a: Json, b: Json): string[] => compare(a, b).changes.map(({ message }) => message)
    expect(told11(document('1.0.1', use, 10), document('1.1.0', use, 10))).toEqual([])
    expect(told11(document('1.1.0', use, 10), document('1.1.0', use, 20))).toEqual([
      'The parameters of step `one` of workflow `buy` changed from [{"name":"limit","in":"query","value":10}] to [{"name":"limit","in":"query","value":20}]',
    ])
    const receive: Json = { stepId: 'one', channelPath: 'c', action: 'receive', timeout: 100, dependsOn: ['two'] }
    const send: Json = { stepId: 'one', channelPath: 'd', action: 'send' }
    expect(told11(document('1.1.0', receive, 1), document('1.1.0', send, 1))).toEqual([
      'The action of step `one` of workflow `buy` changed from receive to send',
      'The channel of step `one` of workflow `buy` changed from c to d',
      'The steps waited for of step `one` of workflow `buy` changed from ["two"] to none',
      'The timeout of step `one` of workflow `buy` changed from 100 to none',
    ])
  })

  test('what a step says, the order of steps, and the documents that they call', () => {
    const one: Json = { stepId: 'one', operationId: 'a', successCriteria: [{ condition: '$statusCode == 200' }] }
    const two: Json = { stepId: 'two', operationId: 'b' }
    const base = workflows({ type: 'object' }, {}, [one, two]) as { [key: string]: Json }
    const head = workflows({ type: 'object' }, {}, [
      two,
      {
        ...(one as object),
        description: 'first',
        onFailure: [{ name: 'stop', type: 'end' }],
        successCriteria: [{ condition: '$statusCode == 201' }],
      },
    ]) as { [key: string]: Json }
    head.sourceDescriptions = [{ name: 'a', url: './b.yaml' }]
    const result = compare(base, head)
    expect(told(result).sort()).toEqual([
      'docs-only document-documentation-added',
      'non-breaking workflow-source-changed',
      'non-breaking workflow-step-changed',
      'non-breaking workflow-step-changed',
      'non-breaking workflow-step-order-changed',
    ])
    expect(result.changes.map((change) => change.message)).toContain(
      'The order of the steps of workflow `buy` changed from one, two to two, one',
    )
  })
})
