/** What a host is greeted with before the library of the protocol is loaded is what the library would answer. */
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import { greet, greetedRevisions, greetingOf, lookedInto } from '../../mcp/greeting.ts'
import { serveMcpStdio } from '../../mcp/stdio.ts'

const about = { version: '1.2.3', more: 'And more.' }
const info = { name: 'host', version: '1' }
const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: info }
const asking = (given: object, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: given, ...more })

/** What a server writes for lines, which the first was answered of already where `greeted` says so. */
async function served(lines: readonly string[], greeted: string | number | null = null): Promise<unknown[]> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end(lines.map((it) => `${it}\n`).join(''))
  await serveMcpStdio({
    ...about,
    greeted,
    callFor: () => (() => Promise.resolve(null)) as never,
    names: 'dots',
    secret: 'a secret of the test',
    key: null,
    input,
    output,
    signal: new AbortController().signal,
    onFault: () => {},
  })
  output.end()
  const text = await new Response(output as never).text()
  return text
    .split('\n')
    .filter((it) => it !== '')
    .map((it) => JSON.parse(it) as unknown)
}

/** Requests that every host sends. */
const plain = [
  ...greetedRevisions.map((protocolVersion) => asking({ ...params, protocolVersion })),
  asking(params, { id: 'a text' }),
  asking({ ...params, capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } }),
  asking({ ...params, capabilities: { roots: {}, elicitation: { form: {}, url: {} } } }),
  asking({ ...params, clientInfo: { ...info, title: 'A host' } }),
]

test('every revision of the library is greeted', () => {
  expect<string[]>([...greetedRevisions].toSorted()).toEqual([...SUPPORTED_PROTOCOL_VERSIONS].toSorted())
})

test.each(plain)('the answer to %s is that of the library', async (line) => {
  expect<unknown[]>([greetingOf(line, about)?.answer]).toEqual(await served([line]))
})

test('what the library may refuse, or answer in another way, is left to it', () => {
  const others = [
    '{',
    '[]',
    asking(params, { jsonrpc: '1.0' }),
    asking(params, { method: 'ping' }),
    asking(params, { id: null }),
    asking(params, { id: 1.5 }),
    asking(params, { extra: 1 }),
    asking({ ...params, protocolVersion: '2026-07-28' }),
    asking({ ...params, protocolVersion: 'of tomorrow' }),
    asking({ ...params, _meta: {} }),
    asking({ ...params, capabilities: { roots: { listChanged: 'yes' } } }),
    asking({ ...params, capabilities: { sampling: { tools: {} } } }),
    asking({ ...params, capabilities: { elicitation: { form: { a: 1 } } } }),
    asking({ ...params, capabilities: { experimental: {} } }),
    asking({ ...params, clientInfo: { name: 'host' } }),
    asking({ ...params, clientInfo: { ...info, icons: [] } }),
    asking({ ...params, clientInfo: { ...info, title: 1 } }),
    asking({ protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {} }),
  ]
  expect(others.map((it) => greetingOf(it, about))).toEqual(others.map(() => null))
})

test('a request that was answered is answered once, and those after it in their turn', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(await served([asking(params, { id: 7 }), ping], 7)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
})

test('the first line stays in the input; who writes nothing, or half a line, is not waited for', async () => {
  const begin = (...chunks: readonly string[]) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    for (const chunk of chunks) input.write(chunk)
    return { input, output, id: greet(input, output, about) }
  }
  const line = asking(params)
  const whole = begin(`${line}\nand more`)
  expect(await whole.id).toBe(1)
  expect(String(whole.output.read())).toBe(`${JSON.stringify(greetingOf(line, about)?.answer)}\n`)
  expect(String(whole.input.read())).toBe(`${line}\nand more`)
  const half = begin(line)
  expect([await half.id, half.output.read(), String(half.input.read())]).toEqual([null, null, line])
  const silent = begin()
  expect([await silent.id, silent.output.read()]).toEqual([null, null])
  const ended = begin()
  ended.input.end()
  expect(await ended.id).toBe(null)
})

test('what comes before anybody reads is kept, and so is the end', async () => {
  const [source, output] = [new PassThrough(), new PassThrough()]
  const input = lookedInto(source)
  source.write(`${asking(params)}\n`)
  expect(await greet(input, output, about)).toBe(1)
  source.end('more')
  await Bun.sleep(20)
  expect(await new Response(input as never).text()).toBe(`${asking(params)}\nmore`)
  const [broken, other] = [new PassThrough(), new PassThrough()]
  const held = lookedInto(broken)
  const ended = new Promise((resolve) => held.resume().once('end', () => resolve('ended')))
  broken.destroy(new Error('gone'))
  expect([await ended, await greet(held, other, about)]).toEqual(['ended', null])
})
