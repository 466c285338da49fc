import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { bytesOfTokens, defaultTokens, replySize, sizeOf } from '../../mcp/budget.ts'
import { callTool } from '../../mcp/call-tool.ts'
import { cursorSeal } from '../../mcp/cursor-seal.ts'
import { listTools } from '../../mcp/server.ts'
import { tools } from '../../mcp/tools.gen.ts'
import { mcpTools } from '../../src/api/mcp-keys.ts'
import type { Json } from '../../src/kernel/json.ts'
import { catalogueCall } from './catalogue.ts'
import { largeDocument } from './documents.ts'

const petstore = (await Bun.file('node_modules/@readme/oas-examples/3.0/json/petstore.json').json()) as Json
const circular = (await Bun.file('node_modules/@readme/oas-examples/3.0/json/circular.json').json()) as Json
const failed = { description: 'It failed', content: { 'application/json': { schema: { type: 'object' } } } }
const repeats: Json = {
  openapi: '3.1.0',
  info: { title: 'Repeats', version: '1' },
  paths: {
    '/all': {
      get: {
        operationId: 'list',
        responses: {
          '200': { description: 'ok' },
          '400': failed,
          '401': failed,
          '404': { ...failed, description: 'It is not there' },
          '500': failed,
        },
      },
    },
  },
}
const callFor = catalogueCall({
  'acme/petstore/1.0.0': petstore,
  'acme/circular/1.0.0': circular,
  'acme/things/1.0.0': largeDocument(1000),
  'acme/repeats/1.0.0': repeats,
  'private/secret/1.0.0': petstore,
})
const faults: unknown[] = []
const seal = cursorSeal('a secret of the test')

/** Calls a tool as a server does and gives the structured answer, or the error as a value; the budget holds always. */
async function use(name: string, args: object = {}, key: string | null = null) {
  const answer = await callTool({ tools, name, args, call: callFor(key), seal, onFault: (fault) => faults.push(fault) })
  expect(faults).toEqual([])
  const tokens = (args as { max_tokens?: number }).max_tokens ?? defaultTokens
  expect(sizeOf(answer)).toBeLessThanOrEqual(bytesOfTokens(tokens))
  if ('isError' in answer) return { error: JSON.parse(answer.content[0]?.text ?? '') as { code: string } }
  const tool = tools.find((one) => one.name === name || one.name.replaceAll('.', '_') === name)
  expect(tool && Value.Check(tool.output, answer.structuredContent)).toBe(true)
  expect(JSON.parse(answer.content[0]?.text ?? '')).toEqual(answer.structuredContent)
  return answer.structuredContent as Answer
}

interface Answer {
  readonly items?: readonly { readonly ref: string; readonly spec: string; readonly project: string }[]
  readonly total?: number
  readonly truncated?: boolean
  readonly next_cursor?: string | null
  readonly definition?: unknown
  readonly referenced?: Readonly<Record<string, unknown>>
  readonly not_shown?: readonly string[]
  readonly content?: string
  readonly about?: { readonly title: string; readonly tags: readonly unknown[] }
  readonly error?: { readonly code: string }
}

test('every file below mcp/tools is the tool of its name, and every governed tool exists', () => {
  const files = readdirSync(join(import.meta.dir, '../../mcp/tools'), { recursive: true, encoding: 'utf8' })
  const names = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace('.ts', '').replaceAll('/', '.').replaceAll('-', '_'))
  expect(tools.map((tool) => tool.name).sort()).toEqual(names.sort())
  expect(tools.map((tool) => tool.name).sort()).toEqual([...mcpTools].sort())
})

test('all definitions together stay within 3,700 tokens, and say that they only read', () => {
  for (const names of ['dots', 'underscore'] as const) {
    const list = listTools(names)
    expect(list.length).toBeLessThanOrEqual(14)
    expect(sizeOf(list) / 4).toBeLessThanOrEqual(3700)
    for (const { annotations, inputSchema, outputSchema } of list) {
      expect(annotations?.readOnlyHint).toBe(true)
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
    }
  }
  expect(listTools('underscore').every(({ name }) => /^[a-z_]+$/.test(name))).toBe(true)
})

test('lists show what the caller may see', async () => {
  expect((await use('spec.list')).items?.map(({ spec }) => spec)).toEqual([
    'acme/petstore/1.0.0',
    'acme/circular/1.0.0',
    'acme/things/1.0.0',
    'acme/repeats/1.0.0',
  ])
  expect((await use('spec_list', {}, 'good')).total).toBe(5)
  expect((await use('project.list', { limit: 1 })).next_cursor).toMatch(/^[\w-]{22}1$/)
  expect(await use('spec.describe', { spec: 'private/secret' })).toMatchObject({ error: { code: 'spec-not-found' } })
  expect((await use('spec.describe', { spec: 'private/secret' }, 'good')).total).toBe(20)
})

test('following next_cursor reaches every operation of a large document, each answer within its budget', async () => {
  for (const max_tokens of [1000, defaultTokens]) {
    const refs: string[] = []
    let cursor: string | null | undefined
    do {
      const page: Answer = await use('spec.describe', { spec: 'acme/things', max_tokens, ...(cursor && { cursor }) })
      expect(page.total).toBe(1000)
      expect(page.truncated).toBe(page.next_cursor !== null)
      refs.push(...(page.items ?? []).map(({ ref }) => ref))
      cursor = page.next_cursor
    } while (cursor)
    expect(new Set(refs).size).toBe(1000)
    expect(refs.length).toBe(1000)
  }
})

test('an operation comes with its nearest schemas, and the cursor goes on with the others', async () => {
  const seen = new Set<string>()
  const ask = { spec: 'acme/things', operation: 'getThing7' }
  let answer = await use('spec.describe', ask)
  expect(answer.definition).toMatchObject({ operationId: 'getThing7' })
  expect(Object.keys(answer.referenced ?? {})[0]).toBe('#/components/schemas/Thing7')
  for (;;) {
    for (const ref of Object.keys(answer.referenced ?? {})) {
      expect(seen.has(ref)).toBe(false)
      seen.add(ref)
    }
    if (!answer.next_cursor) break
    answer = await use('spec.describe', { ...ask, cursor: answer.next_cursor })
    expect(answer.definition).toBeNull()
  }
  expect(seen.size + 1).toBe(answer.total ?? 0)
})

test('one operation takes 2,000 tokens unless more is asked for, and answers that repeat are shown once', async () => {
  const sizes: number[] = []
  for (const spec of ['acme/petstore', 'acme/things', 'acme/repeats'])
    for (const { ref } of (await use('spec.describe', { spec, limit: 30 })).items ?? []) {
      const answer = await use('spec.describe', { spec, operation: ref })
      sizes.push(replySize(answer) / 4)
    }
  expect(sizes.length).toBeGreaterThan(50)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2000)
  const ask = { spec: 'acme/things', operation: 'getThing7' }
  expect(replySize(await use('spec.describe', { ...ask, detail: 'operation' })) / 4).toBeGreaterThan(2000)
  const { definition } = await use('spec.describe', { spec: 'acme/repeats', operation: 'list' })
  expect(definition).toEqual({
    operationId: 'list',
    responses: {
      '200': { description: 'ok' },
      '400': failed,
      '401': { same_as: '400' },
      '404': { ...failed, description: 'It is not there' },
      '500': { same_as: '400' },
    },
  })
  const whole = await use('spec.describe', { spec: 'acme/repeats', operation: 'list', detail: 'full' })
  expect(JSON.stringify(whole.definition)).not.toContain('same_as')
})

test('full detail keeps examples that the normal detail leaves out', async () => {
  const ask = { spec: 'acme/things', schema: 'Thing3' }
  expect(JSON.stringify((await use('spec.describe', ask)).definition)).not.toContain('example')
  expect(JSON.stringify((await use('spec.describe', { ...ask, detail: 'full' })).definition)).toContain('example')
})

test('references are inlined as deep as the budget reaches, and never in a circle', async () => {
  for (const spec of ['acme/petstore', 'acme/circular', 'acme/things']) {
    const { items = [] } = await use('spec.describe', { spec, limit: 30 })
    for (const { ref } of items.slice(0, 30)) {
      const answer = await use('spec.describe', { spec, operation: ref, refs: 'inline' })
      expect(answer.truncated).toBe((answer.not_shown ?? []).length > 0)
    }
  }
  const pet = await use('spec.describe', { spec: 'acme/petstore', operation: 'addPet', refs: 'inline' })
  expect(JSON.stringify(pet.definition)).not.toContain('$ref')
})

test('what alone exceeds the budget is cut; each cut piece can be asked for, and the cursor goes on with them', async () => {
  const ask = { spec: 'acme/things', schema: 'Thing3', max_tokens: 700, detail: 'full' }
  let answer = await use('spec.describe', ask)
  const cuts = [...JSON.stringify(answer.definition).matchAll(/"\$truncated":"(#[^"]+)"/g)].map(([, ref = '']) => ref)
  expect([answer.truncated, cuts.length > 0]).toEqual([true, true])
  const field = { spec: 'acme/things', schema: '#/components/schemas/Thing3/properties/field5', detail: 'full' }
  expect((await use('spec.describe', field)).definition).toMatchObject({ type: 'string', example: 'x'.repeat(50) })
  const shown: Record<string, unknown> = {}
  for (let page = 0; page < 30 && answer.next_cursor; page++) {
    answer = await use('spec.describe', { ...ask, cursor: answer.next_cursor })
    Object.assign(shown, answer.referenced)
  }
  expect(cuts.filter((ref) => !Object.hasOwn(shown, ref))).toEqual([])
  for (const schema of cuts) {
    const piece = await use('spec.describe', { spec: 'acme/things', schema, detail: 'full' })
    const place = (shown[schema] as { $truncated?: string }).$truncated
    if (place === undefined)
      expect(Object.keys(piece.definition as object)).toEqual(Object.keys(shown[schema] as object))
    else expect(place).toBe(schema)
  }
})

test('of every operation, in any detail and budget, the cursor reaches all that was cut or left out', async () => {
  for (const spec of ['acme/petstore', 'acme/circular'])
    for (const { ref } of (await use('spec.describe', { spec })).items ?? [])
      for (const more of [
        {},
        { detail: 'full' },
        { refs: 'inline' },
        { max_tokens: 500 },
        { max_tokens: 700, refs: 'inline' },
      ]) {
        const ask = { spec, operation: ref, ...more }
        let answer = await use('spec.describe', ask)
        const expected = new Set([...(answer.not_shown ?? []), ...Object.keys(answer.referenced ?? {})])
        const shown = new Set(Object.keys(answer.referenced ?? {}))
        while (answer.next_cursor) {
          expect(answer.truncated).toBe(true)
          answer = await use('spec.describe', { ...ask, cursor: answer.next_cursor })
          for (const name of Object.keys(answer.referenced ?? {})) shown.add(name)
        }
        expect([ask, [...expected].filter((name) => !shown.has(name)), answer.truncated]).toEqual([ask, [], false])
      }
})

test('every answer says how complete it is', async () => {
  const spec = 'acme/petstore'
  const asked: Readonly<Record<string, object>> = {
    'spec.describe': { spec },
    'spec.export': { spec },
    'spec.search': { q: 'pet' },
    'type.describe': { type: 'svc:core/Money' },
  }
  // Those that check documents are tested with the service, which does it.
  const checking = ['lint.check', 'diff.compare', 'schema.contains', 'explain', 'spec.search_semantic']
  for (const { name } of tools.filter((one) => !checking.includes(one.name))) {
    const answer = await use(name, asked[name] ?? {})
    expect([name, typeof answer.total, typeof answer.truncated]).toEqual([name, 'number', 'boolean'])
    expect([null, 'string']).toContain(answer.next_cursor === null ? null : typeof answer.next_cursor)
  }
})

test('an export is read to its end in stretches', async () => {
  let text = ''
  let cursor: string | null | undefined
  do {
    const part: Answer = await use('spec.export', { spec: 'acme/petstore', ...(cursor && { cursor }) })
    text += part.content ?? ''
    cursor = part.next_cursor
  } while (cursor)
  expect(JSON.parse(text)).toEqual(petstore)
})

test('the short form says what a call needs and how it fails, in a fraction of the definition', async () => {
  const ask = { spec: 'acme/petstore', operation: 'addPet' }
  expect((await use('spec.describe', { ...ask, detail: 'summary' })).definition).toEqual({
    operationId: 'addPet',
    summary: 'Add a new pet to the store',
    parameters: [],
    body: {
      required: true,
      'application/json': { type: 'Pet', fields: petFields },
      'application/xml': { type: 'Pet', fields: petFields },
    },
    responses: { '405': 'Invalid input' },
    security: ['petstore_auth'],
  })
  const lookup = await use('spec.describe', { spec: 'acme/petstore', operation: 'getPetById', detail: 'summary' })
  expect(lookup.definition).toMatchObject({
    parameters: ['petId (path, required): integer'],
    responses: { '200': 'successful operation: Pet', '404': 'Pet not found' },
  })
  const schema = await use('spec.describe', { spec: 'acme/petstore', schema: 'Pet', detail: 'summary' })
  expect(schema.definition).toEqual({ type: 'object', fields: petFields })
})

const petFields = {
  id: 'integer',
  category: 'Category',
  name: 'string, required',
  photoUrls: 'string[], required',
  tags: 'Tag[]',
  status: 'available | pending | sold',
}

test('a cursor goes on with its own question alone', async () => {
  const { next_cursor: cursor } = await use('spec.describe', { spec: 'acme/things', tag: 'area-3', limit: 5 })
  expect((await use('spec.describe', { spec: 'acme/things', tag: 'area-3', limit: 9, cursor })).items).toHaveLength(9)
  for (const args of [{ tag: 'area-4' }, {}, { tag: 'area-3', spec: 'acme/petstore' }])
    expect((await use('spec.describe', { spec: 'acme/things', ...args, cursor })).error?.code).toBe('cursor-invalid')
  const forged = Buffer.from(JSON.stringify(['operations', 5])).toString('base64url')
  for (const made of ['', '5', forged, `${cursor}x`, 'x'.repeat(500)])
    expect((await use('spec.describe', { spec: 'acme/things', tag: 'area-3', cursor: made })).error?.code).toBe(
      'cursor-invalid',
    )
})

test('search finds by words; search by meaning is refused clearly', async () => {
  const found = await use('spec.search', { q: 'findByStatus' })
  expect(found.items?.map(({ spec, ref }) => [spec, ref])).toEqual([['acme/petstore/1.0.0', 'GET /pet/findByStatus']])
  expect(await use('spec.search_semantic', { q: 'adopt an animal' })).toMatchObject({
    error: { code: 'semantic-search-unavailable', hint: expect.stringContaining('spec.search') },
  })
})

test('wrong arguments are an answer that says which and what exists', async () => {
  expect(await use('spec.describe', { specification: 'x' })).toEqual({
    error: {
      code: 'arguments-invalid',
      message: 'Invalid arguments for spec.describe.',
      problems: expect.arrayContaining([expect.objectContaining({ argument: 'specification' })]),
      arguments: expect.arrayContaining(['spec', 'operation']),
    } as never,
  })
  expect((await use('spec.describe', { spec: 'nowhere' })).error?.code).toBe('spec-not-found')
  expect((await use('spec.describe', { spec: 'acme/petstore', operation: 'nope' })).error?.code).toBe(
    'operation-not-found',
  )
  expect((await use('spec.describe', { spec: 'acme/petstore', operation: 'addPet', cursor: 'x' })).error?.code).toBe(
    'cursor-invalid',
  )
})

test('a refused key and a disabled tool are protocol errors without key material', async () => {
  const refusal = async (name: string, key: string) => {
    try {
      await use(name, {}, key)
      return null
    } catch (error) {
      return error
    }
  }
  expect(await refusal('spec.list', 'narrow')).toMatchObject({ code: -32003, data: { code: 'capability_disabled' } })
  expect(await refusal('spec.list', 'svm_wrong')).toMatchObject({ code: -32001, data: { code: 'credentials-invalid' } })
  expect(JSON.stringify(await refusal('spec.list', 'svm_wrong'))).not.toContain('svm_wrong')
  expect(await refusal('spec.nothing', 'good')).toMatchObject({ code: -32602 })
})
