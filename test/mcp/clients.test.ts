import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createMcpHttp, type McpHttp } from '../../mcp/http.ts'
import { catalogueCall } from './catalogue.ts'
import { largeDocument } from './documents.ts'

const documents = { 'acme/things/1.0.0': largeDocument(50), 'private/things/1.0.0': largeDocument(5) }
let mcp: McpHttp
let server: ReturnType<typeof Bun.serve>
let url: URL
const faults: unknown[] = []

beforeAll(() => {
  mcp = createMcpHttp({
    version: '1.2.3',
    callFor: catalogueCall(documents),
    names: 'dots',
    secret: 'a secret of the test',
    hosts: ['mcp.test'],
    origins: ['https://app.test'],
    onFault: (fault) => faults.push(fault),
  })
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => mcp.handle(request) })
  url = new URL('/mcp', server.url)
})
afterAll(async () => {
  await mcp.close()
  await server.stop(true)
  expect(faults).toEqual([])
})

const stdio = { command: process.execPath, args: [join(import.meta.dir, 'stdio-host.ts')], stderr: 'ignore' as const }
const headers = { authorization: 'Bearer good' }

/** What both clients can do, as far as it is asked here. */
interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(params: {
    name: string
    arguments: Record<string, unknown>
    _meta?: Record<string, unknown>
  }): Promise<object>
  getServerVersion(): { name: string; version: string } | undefined
  close(): Promise<void>
}

async function connectNew(transport: NewHttp | NewStdio): Promise<AnyClient> {
  const client = new NewClient({ name: 'test', version: '0' })
  await client.connect(transport)
  return client
}
async function connectOld(transport: OldHttp | OldStdio): Promise<AnyClient> {
  const client = new OldClient({ name: 'test', version: '0' })
  await client.connect(transport)
  return client
}

const clients: Readonly<Record<string, (key: string | null) => Promise<AnyClient>>> = {
  'client 2.x over HTTP': (key) => connectNew(new NewHttp(url, key === null ? {} : { requestInit: { headers } })),
  'sdk 1.x over HTTP': (key) => connectOld(new OldHttp(url, key === null ? {} : { requestInit: { headers } })),
  'client 2.x over stdio': (key) =>
    connectNew(new NewStdio({ ...stdio, env: key === null ? {} : { SVC_MCP_API_KEY: key } })),
  'sdk 1.x over stdio': (key) =>
    connectOld(new OldStdio({ ...stdio, env: key === null ? {} : { SVC_MCP_API_KEY: key } })),
}

const refusalOf = (run: Promise<object>) =>
  run.then(
    () => null,
    (error: unknown) => error,
  )
const totalOf = (answer: object) => (answer as { structuredContent?: { total?: number } }).structuredContent?.total

for (const [name, connect] of Object.entries(clients)) {
  test(`${name}: lists, calls, keys and refusals`, async () => {
    const client = await connect(null)
    expect(client.getServerVersion()).toMatchObject({ name: 'svc', version: '1.2.3' })
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual([
      'diff.compare',
      'explain',
      'lint.check',
      'mcp_server.describe',
      'ping',
      'project.list',
      'schema.contains',
      'spec.describe',
      'spec.export',
      'spec.list',
      'spec.search',
      'spec.search_semantic',
      'type.describe',
      'type.list',
    ])
    expect(totalOf(await client.callTool({ name: 'spec.list', arguments: {} }))).toBe(1)
    expect(totalOf(await client.callTool({ name: 'spec_list', arguments: {} }))).toBe(1)
    const withKey = { name: 'spec.list', arguments: {}, _meta: { api_key: 'good' } }
    expect(totalOf(await client.callTool(withKey))).toBe(2)
    expect(await client.callTool({ name: 'spec.list', arguments: { limit: 'x' } })).toMatchObject({ isError: true })
    const wrong = await refusalOf(client.callTool({ ...withKey, _meta: { api_key: 'svm_wrongkey' } }))
    expect(wrong).toMatchObject({ code: -32001, data: { code: 'credentials-invalid' } })
    expect(JSON.stringify(wrong) + String(wrong)).not.toContain('wrongkey')
    const denied = await refusalOf(client.callTool({ ...withKey, _meta: { api_key: 'narrow' } }))
    expect(denied).toMatchObject({ code: -32003, data: { code: 'capability_disabled' } })
    await client.close()
    const known = await connect('good')
    expect(totalOf(await known.callTool({ name: 'spec.list', arguments: {} }))).toBe(2)
    await known.close()
  })
}

test('the underscore spelling is listed where it is asked for', async () => {
  const client = await connectNew(new NewHttp(new URL('/mcp?names=underscore', url)))
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('spec_search_semantic')
  await client.close()
})

const post = (init: Record<string, string>, body = '{}') =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...init },
  }).then(({ status }) => status)

test('a request under a foreign name or from a foreign page is refused', async () => {
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(await post({}, call)).toBe(200)
  expect(await post({ host: 'evil.test' }, call)).toBe(403)
  expect(await post({ host: 'mcp.test' }, call)).toBe(200)
  expect(await post({ origin: 'https://evil.test' }, call)).toBe(403)
  expect(await post({ origin: 'null' }, call)).toBe(403)
  expect(await post({ origin: 'http://localhost:3000' }, call)).toBe(200)
  expect(await post({ origin: 'https://app.test' }, call)).toBe(200)
})

test('a body over the limit is refused, and sessions are not offered', async () => {
  expect(await post({}, `{"x":"${'x'.repeat(12 * 1024 * 1024)}"}`)).toBe(413)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405)
})

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('')
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } },
}

test('at the end of its input the stdio server answers what is pending and leaves', async () => {
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'spec.list', arguments: {} } }
  const child = Bun.spawn([stdio.command, ...stdio.args], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
  await child.stdin.write(lines(hello, { jsonrpc: '2.0', method: 'notifications/initialized' }, call))
  await child.stdin.end()
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result?: object })
  expect(answers.map(({ id, result }) => [id, result !== undefined])).toEqual([
    [1, true],
    [2, true],
  ])
  expect([code, errors]).toEqual([0, ''])
})

test('the stdio server leaves when its host closes at once, and speaks only protocol when it gets nonsense', async () => {
  const run = async (input: string) => {
    const child = Bun.spawn([stdio.command, ...stdio.args], { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
    await child.stdin.write(input)
    await child.stdin.end()
    const output = await new Response(child.stdout).text()
    return { code: await child.exited, output }
  }
  expect(await run('')).toEqual({ code: 0, output: '' })
  const { code, output } = await run(`not json\n\n[]\n{"id":7,"method":"ping"}\n${lines(hello)}`)
  expect(code).toBe(0)
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: { code: number } })
  // JSON-RPC 2.0, section 5.1: what is no JSON, what is no request, and the id where one can be read.
  expect(answers.map((it) => [it.jsonrpc, it.id, it.error?.code])).toEqual([
    ['2.0', null, -32700],
    ['2.0', null, -32600],
    ['2.0', 7, -32600],
    ['2.0', 1, undefined],
  ])
})
