/** Resources, prompts and completions, through a real client and server in one process. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, InMemoryTransport, type GetPromptResult } from '@modelcontextprotocol/client'
import { defaultTokens } from '../../mcp/budget.ts'
import { cursorSeal } from '../../mcp/cursor-seal.ts'
import { operationUri, parseResourceUri, specUri } from '../../mcp/resources.ts'
import { createMcpServer } from '../../mcp/server.ts'
import type { Json } from '../../src/kernel/json.ts'
import { catalogueCall } from './catalogue.ts'
import { largeDocument } from './documents.ts'

const petstore = (await Bun.file('node_modules/@readme/oas-examples/3.0/json/petstore.json').json()) as Json
const things = Object.fromEntries(
  Array.from({ length: 130 }, (_, index) => [`acme/things/${index}.0.0`, index === 0 ? largeDocument(300) : petstore]),
)
const callFor = catalogueCall({ ...things, 'acme/petstore/1.0.0': petstore, 'private/secret/1.0.0': petstore })
const faults: unknown[] = []
const client = new Client({ name: 'test', version: '0' })

beforeAll(async () => {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer({
    version: '1.2.3',
    callFor,
    names: 'underscore',
    seal: cursorSeal('a secret of the test'),
    key: null,
    onFault: (fault) => faults.push(fault),
  })
  await Promise.all([server.connect(there), client.connect(here)])
})
afterAll(async () => {
  await client.close()
  expect(faults).toEqual([])
})

const good = { _meta: { api_key: 'good' } }
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )
const tokensOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) / 4

test('addresses of resources lead back to what they are made of', () => {
  expect(parseResourceUri(specUri('acme/pets/1.0.0'))).toEqual({ spec: 'acme/pets/1.0.0' })
  expect(parseResourceUri(specUri('acme/pets'))).toEqual({ spec: 'acme/pets/latest' })
  expect(parseResourceUri(specUri('a/b/release/2 of é'))).toEqual({ spec: 'a/b/release/2 of é' })
  const uri = operationUri('acme/pets', 'GET /pets/{id}?x#y')
  expect(parseResourceUri(uri)).toEqual({ spec: 'acme/pets/latest', operation: 'GET /pets/{id}?x#y' })
  expect(parseResourceUri(`${uri}?cursor=c`)?.cursor).toBe('c')
  for (const wrong of [
    '',
    'svc://specs/',
    'svc://specs/a/b',
    'svc://specs/a//c',
    'svc://specs/a/b/c/d',
    'file:///etc/passwd',
  ])
    expect(parseResourceUri(wrong)).toBeNull()
  expect(parseResourceUri('svc://specs/a/b/%FF')).toBeNull()
  expect(parseResourceUri('svc://specs/a/b/c/other/d')).toBeNull()
})

test('every specification that the caller sees is listed as a resource, in pages within the budget', async () => {
  const uris: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor }, { cacheMode: 'no-store' } as never)
    expect(tokensOf(page)).toBeLessThanOrEqual(defaultTokens)
    uris.push(...page.resources.map(({ uri }) => uri))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(new Set(uris).size).toBe(131)
  expect(uris.some((uri) => uri.includes('private'))).toBe(false)
  expect(await failureOf(client.listResources({ cursor: 'forged' }))).toMatchObject({
    code: -32602,
    data: { code: 'cursor-invalid' },
  })
})

test('the templates name a specification, an operation and a schema, and each can be read', async () => {
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'svc://specs/{tenant}/{project}/{version}{?tag,cursor}',
    'svc://specs/{tenant}/{project}/{version}/operations/{operation}{?cursor}',
    'svc://specs/{tenant}/{project}/{version}/schemas/{schema}{?cursor}',
  ])
  const read = async (uri: string, more: object = {}) => {
    const { contents } = await client.readResource({ uri, ...more })
    expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }])
    expect(tokensOf(contents)).toBeLessThanOrEqual(defaultTokens)
    return JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>
  }
  expect(await read('svc://specs/acme/petstore/latest')).toMatchObject({
    total: 20,
    about: { title: 'Swagger Petstore' },
  })
  expect(await read('svc://specs/acme/petstore/1.0.0?tag=user')).toMatchObject({ total: 8 })
  expect(await read(operationUri('acme/petstore/1.0.0', 'DELETE /pet/{petId}'))).toMatchObject({
    definition: { operationId: 'deletePet' },
  })
  expect(await read('svc://specs/acme/petstore/1.0.0/schemas/Pet')).toMatchObject({
    pointer: '/components/schemas/Pet',
  })
  expect(await read('svc://specs/private/secret/1.0.0', good)).toMatchObject({ total: 20 })
})

test('a large resource goes on with its cursor until everything was read', async () => {
  const refs: string[] = []
  let uri = 'svc://specs/acme/things/0.0.0'
  for (;;) {
    const { contents } = await client.readResource({ uri })
    const page = JSON.parse((contents[0] as { text: string }).text) as {
      items: { ref: string }[]
      next_cursor: string | null
    }
    refs.push(...page.items.map(({ ref }) => ref))
    if (page.next_cursor === null) break
    uri = `svc://specs/acme/things/0.0.0?cursor=${encodeURIComponent(page.next_cursor)}`
  }
  expect(new Set(refs).size).toBe(300)
})

test('what is not there, or not for the caller, is not found; a wrong key is refused without its letters', async () => {
  for (const uri of ['svc://specs/private/secret/1.0.0', 'svc://specs/acme/nothing/1', 'file:///etc/passwd']) {
    const error = await failureOf(client.readResource({ uri }))
    expect(error).toMatchObject({ data: { uri } })
    expect([-32602, -32002]).toContain((error as { code: number }).code)
  }
  const wrong = { _meta: { api_key: 'svm_wrongkey' } }
  for (const refused of [
    client.readResource({ uri: 'svc://specs/acme/petstore/latest', ...wrong }),
    client.listResources(wrong),
    client.getPrompt({ name: 'find_operation', arguments: { task: 'x' }, ...wrong }),
  ]) {
    const error = await failureOf(refused)
    expect(error).toMatchObject({ code: -32001, data: { code: 'credentials-invalid' } })
    expect(JSON.stringify(error) + String(error)).not.toContain('wrongkey')
  }
  const narrow = { uri: 'svc://specs/acme/petstore/latest', _meta: { api_key: 'narrow' } }
  expect(await failureOf(client.readResource(narrow))).toMatchObject({
    code: -32003,
    data: { code: 'capability_disabled' },
  })
})

const textsOf = (messages: GetPromptResult['messages']) =>
  messages.map(({ content }) => {
    if (content.type === 'text') return content.text
    return content.type === 'resource' && 'text' in content.resource ? content.resource.text : ''
  })

test('two prompts begin with what the caller may see, and name the tools as the host lists them', async () => {
  const { prompts } = await client.listPrompts()
  expect(
    prompts.map(({ name, arguments: all = [] }) => [name, all.filter((it) => it.required).map((it) => it.name)]),
  ).toEqual([
    ['call_operation', ['spec', 'operation']],
    ['find_operation', ['task']],
  ])
  const find = await client.getPrompt({ name: 'find_operation', arguments: { task: 'findByStatus', spec: '' } })
  expect(textsOf(find.messages)[0]).toContain('"ref":"GET /pet/findByStatus"')
  expect(textsOf(find.messages)[0]).toContain('spec_describe')
  expect(tokensOf(find)).toBeLessThanOrEqual(defaultTokens)
  const call = await client.getPrompt({
    name: 'call_operation',
    arguments: { spec: 'acme/petstore', operation: 'addPet' },
  })
  const [definition = '', task = ''] = textsOf(call.messages)
  expect(JSON.parse(definition)).toMatchObject({ definition: { operationId: 'addPet' } })
  expect(task).toContain('curl')
  expect(tokensOf(call)).toBeLessThanOrEqual(defaultTokens)
  const hidden = { name: 'call_operation', arguments: { spec: 'private/secret', operation: 'addPet' } }
  expect(await failureOf(client.getPrompt(hidden))).toMatchObject({ code: -32602, data: { code: 'spec-not-found' } })
  expect(textsOf((await client.getPrompt({ ...hidden, ...good })).messages)[0]).toContain('addPet')
  expect(await failureOf(client.getPrompt({ name: 'nothing' }))).toMatchObject({ code: -32602 })
  expect(await failureOf(client.getPrompt({ name: 'call_operation', arguments: { spec: 'a/b' } }))).toMatchObject({
    code: -32602,
    message: expect.stringContaining('operation'),
  })
})

test('arguments are completed with what the caller sees', async () => {
  const values = async (name: string, value: string, others: Record<string, string> = {}, more: object = {}) => {
    const ref = { type: 'ref/prompt' as const, name: 'call_operation' }
    const context = { arguments: others }
    const { completion } = await client.complete({ ref, argument: { name, value }, context, ...more })
    return completion.values
  }
  expect(await values('tenant', '')).toEqual(['acme'])
  expect((await values('tenant', '', {}, good)).toSorted()).toEqual(['acme', 'private'])
  expect(await values('operation', 'findPetsBy', { spec: 'acme/petstore' })).toEqual([
    'findPetsByStatus',
    'findPetsByTags',
  ])
  expect(await values('operation', 'DELETE', { spec: 'acme/petstore' })).toHaveLength(3)
  expect(await values('schema', 'p', { tenant: 'acme', project: 'petstore' })).toEqual(['Pet', 'ApiResponse'])
  expect(await values('spec', 'acme/things/77')).toEqual(['acme/things/77.0.0'])
  expect(await values('operation', 'x', { spec: 'private/secret' })).toEqual([])
  expect(await values('language', 'c')).toEqual([])
})
