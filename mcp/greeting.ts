/** The answer to the first request of a host, before the library of the protocol is loaded: that takes most of a start. */
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { isObject, type Json } from '../src/kernel/json.ts'

/** What a server says of itself. */
export interface About {
  readonly version: string
  /** What a host reads about further tools. */
  readonly more?: string
}

export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

export const serverInfoOf = ({ version }: About) => ({
  name: 'svc',
  title: 'svc: published API specifications',
  version,
})

const instructions =
  'Published API specifications, read-only. Find one with spec.list or spec.search, look at its operations with ' +
  'spec.describe, then at one operation with spec.describe and its "operation". Check an edit before you keep it: lint.check ' +
  'and diff.compare take texts. Answers stay within about 8000 tokens: ' +
  'when truncated is true, call again with the same arguments and next_cursor.'

export const instructionsOf = ({ more }: About): string =>
  more === undefined ? instructions : `${instructions} ${more}`

/** The revisions that are agreed on by `initialize`. */
export const greetedRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const

const hasOnly = (value: Json | undefined, keys: readonly string[], fits: (it: Json | undefined) => boolean): boolean =>
  isObject(value) && Object.keys(value).every((key) => keys.includes(key) && fits(value[key]))
const isText = (value: Json | undefined): boolean => typeof value === 'string'
const isEmpty = (value: Json | undefined): boolean => hasOnly(value, [], () => false)

/** Whether a client can do what every host of today can, written as the protocol says; others are left to the library. */
const areKnown = (client: Json | undefined): boolean =>
  isObject(client) &&
  Object.keys(client).every((key) => ['roots', 'sampling', 'elicitation'].includes(key)) &&
  (client.roots === undefined || hasOnly(client.roots, ['listChanged'], (it) => typeof it === 'boolean')) &&
  (client.sampling === undefined || isEmpty(client.sampling)) &&
  (client.elicitation === undefined || hasOnly(client.elicitation, ['form', 'url'], isEmpty))

/** A request that is answered before the library is there. */
export interface Greeting {
  readonly id: string | number
  readonly answer: object
}

/** The answer to a line; null for anything but a plain `initialize`. */
export function greetingOf(line: string, about: About): Greeting | null {
  let asked: Json
  try {
    asked = JSON.parse(line) as Json
  } catch {
    return null
  }
  if (!isObject(asked) || asked.jsonrpc !== '2.0' || asked.method !== 'initialize') return null
  const { id, params } = asked
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  if (Object.keys(asked).length !== 4 || !isObject(params) || Object.keys(params).length !== 3) return null
  const { protocolVersion, capabilities: client, clientInfo } = params
  const revision = greetedRevisions.find((it) => it === protocolVersion)
  const isNamed = hasOnly(clientInfo, ['name', 'title', 'version'], isText)
  const { name, version } = isObject(clientInfo) ? clientInfo : {}
  if (revision === undefined || !areKnown(client) || !isNamed || name === undefined || version === undefined)
    return null
  const result = {
    protocolVersion: revision,
    capabilities,
    serverInfo: serverInfoOf(about),
    instructions: instructionsOf(about),
  }
  return { id: id as string | number, answer: { jsonrpc: '2.0', id, result } }
}

/**
 * What a stream has, in one that can be looked into before somebody reads it: standard input itself forgets its end where it comes while nobody reads.
 */
export function lookedInto(input: Readable): Readable {
  const held = new PassThrough()
  const end = (): void => void held.end()
  input.once('error', end)
  input.once('close', end)
  return input.pipe(held)
}

/** So long a start waits for a host that has not written yet: the library is loaded meanwhile otherwise. */
const patienceMs = 5
const longestLine = 10_000

/** What a stream has within a moment; it stays in the stream. */
async function firstLine(input: Readable): Promise<string | null> {
  const chunk = await new Promise<Buffer | null>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      input.off('readable', done)
      input.off('end', done)
      resolve(input.readableEnded ? null : (input.read() as Buffer | null))
    }
    const timer = setTimeout(done, patienceMs)
    input.once('readable', done)
    input.once('end', done)
  })
  if (chunk === null) return null
  input.unshift(chunk)
  const end = chunk.indexOf(10)
  return end < 0 || end > longestLine ? null : chunk.toString('utf8', 0, end)
}

/**
 * Answers the first line of a host where it is a plain `initialize`. The line stays in the input: whoever serves the host reads it, too, and
 * answers it no more.
 * @returns the id of the request that was answered; null where the server answers all
 */
export async function greet(input: Readable, output: Writable, about: About): Promise<Greeting['id'] | null> {
  const line = await firstLine(input)
  const greeting = line === null ? null : greetingOf(line, about)
  if (greeting === null) return null
  await new Promise<void>((resolve) => output.write(`${JSON.stringify(greeting.answer)}\n`, () => resolve()))
  return greeting.id
}
