/** Observing servers over HTTP: what is asked, and that no server makes it ask more, take more, or hang. */
import { afterEach, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { parseNetworks } from '../../../server/egress/address.ts'
import { ObservationFailed } from '../../../server/mcp-servers/observation/failure.ts'
import { observeHttp, type HttpTarget } from '../../../server/mcp-servers/observation/http.ts'
import { observationLimits } from '../../../server/mcp-servers/observation/limits.ts'
import type { Observed } from '../../../server/mcp-servers/observation/observe.ts'
import {
  forecastTool,
  greeting,
  startMcpServer,
  type McpRequest,
  type ScriptedMcpServer,
} from '../../fixtures/mcp-server.ts'

const started: ScriptedMcpServer[] = []
const start = (...given: Parameters<typeof startMcpServer>): ScriptedMcpServer => {
  const server = startMcpServer(...given)
  started.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()))
})

const observe = (url: string, more: Partial<HttpTarget> = {}, limits = observationLimits): Promise<Observed> =>
  observeHttp(
    { address: url, transport: 'streamable_http', header: null, ...more },
    { allow: parseNetworks('127.0.0.1/32'), limits, signal: new AbortController().signal },
  )

/** "kind: message" of the failure; what was observed where there is none. */
const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (seen) => seen,
    (error: unknown) => {
      if (!(error instanceof ObservationFailed)) throw error
      return `${error.kind}: ${error.message}`
    },
  )

const resultsOf = (pages: readonly string[] | undefined) => (pages ?? []).map((text) => JSON.parse(text).result)
const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`
const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })

const usual = [
  'POST server/discover',
  'POST initialize',
  'POST notifications/initialized',
  'POST tools/list',
  'POST resources/list',
  'POST resources/templates/list',
  'POST prompts/list',
]

test('a server is asked for its lists and nothing else; what it sent is kept with properties that no client knows', async () => {
  const tool = { ...forecastTool, 'x-extra': [1, 2] }
  const server = start(({ rpc, params }) =>
    rpc === 'tools/list'
      ? params['cursor'] === undefined
        ? { tools: [tool], nextCursor: 'two' }
        : { tools: [{ ...tool, name: 'second' }] }
      : undefined,
  )
  const seen = await observe(server.url)
  expect(server.asked()).toEqual([...usual.slice(0, 4), 'POST tools/list', ...usual.slice(4)])
  expect(seen.protocolVersion).toBe('2025-06-18')
  expect(seen.pages).toBe(5)
  expect(resultsOf(seen.answers.pages.tools)).toEqual([
    { tools: [tool], nextCursor: 'two' },
    { tools: [{ ...tool, name: 'second' }] },
  ])
  expect([seen.answers.pages.resources, seen.answers.pages.prompts]).toEqual([[], []])
  expect(JSON.parse(seen.answers.server ?? '').result).toEqual(greeting())
})

test('a session is ended, whatever the server answers to that', async () => {
  const server = start(({ method, rpc, id }) => {
    if (method === 'DELETE') return new Response('gone', { status: 401 })
    if (rpc !== 'initialize') return undefined
    return Response.json({ jsonrpc: '2.0', id, result: greeting() }, { headers: { 'mcp-session-id': 's1' } })
  })
  expect((await observe(server.url)).pages).toBe(4)
  expect(server.asked()).toEqual([...usual, 'DELETE'])
  expect(server.requests.at(-1)?.headers.get('mcp-session-id')).toBe('s1')
})

test('no sampling, roots or elicitation are declared', async () => {
  const server = start()
  await observe(server.url)
  const [asked] = server.requests.filter(({ rpc }) => rpc === 'initialize')
  expect(asked?.params['capabilities']).toEqual({})
})

test('lists that a server has must be answered; those that it does not say to have may be missing', async () => {
  const refusing = start(({ rpc, id }) =>
    rpc === 'tools/list'
      ? Response.json({ jsonrpc: '2.0', id, error: { code: -32000, message: 'the database is down' } })
      : undefined,
  )
  expect(await failure(observe(refusing.url))).toBe(
    'protocol: It answered tools/list with an error: the database is down',
  )
})

test('the header goes to the origin of the address with every request', async () => {
  const server = start()
  await observe(server.url, { header: { name: 'Authorization', value: 'Bearer planted' } })
  expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual(usual.map(() => 'Bearer planted'))
})

test('a 401 ends it: no metadata is fetched, wherever the answer says it is', async () => {
  const metadata = start(() => new Response('{}'))
  for (const address of ['http://169.254.169.254/latest/meta-data', `${metadata.origin}/.well-known/oauth`]) {
    const server = start(
      () => new Response('', { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${address}"` } }),
    )
    expect(await failure(observe(server.url))).toBe('auth-required: It answered 401: it asks for credentials.')
    expect(server.asked()).toEqual(['POST server/discover'])
  }
  expect(metadata.requests).toEqual([])
})

test('a redirect to another origin is not followed, one within the origin is', async () => {
  const other = start()
  const away = start(() => new Response(null, { status: 307, headers: { location: other.url } }))
  expect(await failure(observe(away.url))).toBe(
    `redirected: It redirects to ${other.origin}; only its own origin is asked.`,
  )
  const loopback = start(() => new Response(null, { status: 308, headers: { location: 'http://127.0.0.2:9/mcp' } }))
  expect(await failure(observe(loopback.url))).toBe(
    'redirected: It redirects to http://127.0.0.2:9; only its own origin is asked.',
  )
  expect(other.requests).toEqual([])
  const moved = start(({ path }) =>
    path === '/mcp' ? new Response(null, { status: 307, headers: { location: '/v2/mcp' } }) : undefined,
  )
  expect((await observe(moved.url)).pages).toBe(4)
  const circle = start(() => new Response(null, { status: 307, headers: { location: '/mcp' } }))
  expect(await failure(observe(circle.url))).toStartWith('protocol: ')
  expect(circle.requests.length).toBeLessThan(202)
})

test('an address that is not public is not asked', async () => {
  const server = start()
  const target = { address: server.url, transport: 'streamable_http', header: null } as const
  const asked = observeHttp(target, { allow: [], signal: new AbortController().signal })
  expect(await failure(asked)).toStartWith('refused: ')
  expect(server.requests).toEqual([])
})

test('nothing listens: unreachable', async () => {
  const server = start()
  await server.stop()
  expect(await failure(observe(server.url))).toStartWith('unreachable: ')
})

test('cursors without end are cut off, whether they are new or go round', async () => {
  let page = 0
  const endless = start(({ rpc }) => (rpc === 'tools/list' ? { tools: [], nextCursor: `page ${++page}` } : undefined))
  expect(await failure(observe(endless.url))).toBe('too-large: Its lists have more than 64 pages.')
  expect(page).toBe(64)
  const circle = start(({ rpc }) => (rpc === 'tools/list' ? { tools: [], nextCursor: 'again' } : undefined))
  expect(await failure(observe(circle.url))).toBe('protocol: Its pages of tools/list go round in a circle.')
})

test('more than 2,000 items are too many', async () => {
  const tools = Array.from({ length: 2001 }, (_, n) => ({ name: `t${n}`, inputSchema: { type: 'object' } }))
  const server = start(({ rpc }) => (rpc === 'tools/list' ? { tools } : undefined))
  expect(await failure(observe(server.url))).toBe('too-large: It offers more than 2000 tools, resources and prompts.')
})

/** Sends bytes until it is stopped, and counts them. */
function flood(head: string, type: string) {
  const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
  const sent = { bytes: 0 }
  const response = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
        pull(controller) {
          sent.bytes += chunk.byteLength
          if (sent.bytes > 100 * 1024 * 1024) controller.close()
          else controller.enqueue(chunk)
        },
      }),
      { headers: { 'content-type': type } },
    )
  return { sent, response }
}

test('a tool of 100 MB is cut off after 8 MB, in JSON and in events', async () => {
  for (const type of ['application/json', 'text/event-stream']) {
    const json = '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"'
    const { sent, response } = flood(type === 'application/json' ? json : `data: ${json}`, type)
    const server = start(({ rpc }) => (rpc === 'tools/list' ? response() : undefined))
    expect(await failure(observe(server.url))).toStartWith('too-large: ')
    // What the sockets of both sides held when the connection was closed comes on top.
    expect(sent.bytes).toBeLessThan(40 * 1024 * 1024)
  }
})

test('pages are counted together', async () => {
  const text = 'x'.repeat(1024 * 1024)
  let page = 0
  const server = start(({ rpc }) =>
    rpc === 'tools/list'
      ? { tools: [{ ...forecastTool, description: text }], nextCursor: `page ${++page}` }
      : undefined,
  )
  expect(await failure(observe(server.url))).toStartWith('too-large: ')
  expect(page).toBeLessThan(9)
})

test('a gzip bomb is cut off', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const server = start(({ rpc }) =>
    rpc === 'tools/list'
      ? new Response(new Uint8Array(bomb), {
          headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        })
      : undefined,
  )
  expect(await failure(observe(server.url))).toStartWith('too-large: ')
})

test('schemas that nest without end or consist of millions of values are not read', async () => {
  const deep = `${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}`
  const wide = `[${'0,'.repeat(600_000)}0]`
  const answers = async (schema: string): Promise<unknown> => {
    const server = start(({ rpc }) =>
      rpc === 'tools/list'
        ? new Response(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","inputSchema":${schema}}]}}`, {
            headers: { 'content-type': 'application/json' },
          })
        : undefined,
    )
    return failure(observe(server.url))
  }
  expect(await answers(deep)).toBe('too-large: What it sends nests deeper than 200 levels.')
  expect(await answers(wide)).toBe('too-large: What it sends consists of more than 500,000 values.')
})

const brief = { ...observationLimits, timeoutMs: 2500 }
// The whole observation or one of its requests: whichever is late first.
const late = /^timeout: (?:It was not read within 2\.5 seconds\.|Cannot fetch \S+: it did not answer in time\.)$/

test('an event stream that never ends, and one that drips, end with the time', async () => {
  const silent = start(({ rpc }) =>
    rpc === 'tools/list'
      ? new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(':\n\n')) }),
          {
            headers: { 'content-type': 'text/event-stream' },
          },
        )
      : undefined,
  )
  expect(await failure(observe(silent.url, {}, brief))).toMatch(late)
  const dripping = start(({ rpc }) =>
    rpc === 'tools/list'
      ? new Response(
          new ReadableStream({
            async pull(controller) {
              await Bun.sleep(50)
              controller.enqueue(new TextEncoder().encode(' '))
            },
          }),
          { headers: { 'content-type': 'application/json' } },
        )
      : undefined,
  )
  expect(await failure(observe(dripping.url, {}, brief))).toMatch(late)
})

test('requests of the server are not answered: nothing is sampled, and no address of this machine is sent', async () => {
  const asks = (id: number) => ({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { messages: [] } })
  const server = start(({ rpc, id }) =>
    rpc === 'tools/list'
      ? stream(
          `id: 1\ndata: \n\n${Array.from({ length: 100 }, (_, n) => event(asks(n + 1000))).join('')}${event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}${event({ jsonrpc: '2.0', id, result: { tools: [forecastTool] } })}`,
        )
      : undefined,
  )
  const seen = await observe(server.url)
  expect(resultsOf(seen.answers.pages.tools)).toEqual([{ tools: [forecastTool] }])
  expect(server.asked()).toEqual(usual)
})

test('duplicate names are kept as they were sent', async () => {
  const tools = [forecastTool, { ...forecastTool, description: 'Another one.' }]
  const server = start(({ rpc }) => (rpc === 'tools/list' ? { tools } : undefined))
  expect(resultsOf((await observe(server.url)).answers.pages.tools)).toEqual([{ tools }])
})

test('what is no JSON, no JSON-RPC, or no list ends it', async () => {
  const answers = async (text: string): Promise<unknown> => {
    const server = start(({ rpc, id }) =>
      rpc === 'tools/list'
        ? new Response(text.replace('ID', String(id)), { headers: { 'content-type': 'application/json' } })
        : undefined,
    )
    return failure(observe(server.url))
  }
  expect(await answers('<html>')).toBe('protocol: What it sends is not JSON.')
  expect(await answers('{"tools":[]}')).toBe('protocol: What it sends is not JSON-RPC 2.0.')
  expect(await answers('{"jsonrpc":"2.0","id":ID,"result":{"tools":{}}}')).toBe(
    'protocol: Its answer to tools/list has no list "tools".',
  )
  expect(await answers('{"jsonrpc":"2.0","id":ID}')).toBe(
    'protocol: Its answer to tools/list has neither a result nor an error.',
  )
})

/** A server of the older transport: answers come over the stream that a GET opened. */
function startSse(endpoint: (origin: string) => string) {
  const text = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const answers = ({ rpc, id }: McpRequest, http: Request): Response => {
    if (http.method === 'GET') {
      const { origin } = new URL(http.url)
      const body = new ReadableStream<Uint8Array>({
        start(it) {
          controller = it
          it.enqueue(text.encode(`event: endpoint\ndata: ${endpoint(origin)}\n\n`))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const result = rpc === 'initialize' ? greeting() : rpc === 'tools/list' ? { tools: [forecastTool] } : undefined
    const error = { code: -32601, message: 'Method not found' }
    if (rpc !== 'notifications/initialized')
      controller?.enqueue(text.encode(event({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })))
    return new Response(null, { status: 202 })
  }
  return answers
}

test('the older transport is read over its one stream, and sends nothing to another origin', async () => {
  const other = start()
  const here = start(startSse(() => '/messages'))
  const seen = await observe(here.url, { transport: 'sse' })
  expect(resultsOf(seen.answers.pages.tools)).toEqual([{ tools: [forecastTool] }])
  expect(here.asked()).toEqual(['GET', ...usual])
  const away = start(startSse(() => `${other.origin}/messages`))
  expect(await failure(observe(away.url, { transport: 'sse' }, brief))).toMatch(/^(?:redirected|protocol|timeout): /)
  expect(other.requests).toEqual([])
})
