import type { Client, Transport } from '@modelcontextprotocol/client'
import { isObject, type Json } from '../../../src/kernel/json.ts'
import type { ObservedAnswers } from '../../../src/mcp-catalogue/types.ts'
import { ObservationFailed } from './failure.ts'
import type { ObservationLimits } from './limits.ts'
import { listMethods, type ListMethod, type Recorder } from './recorder.ts'

/** What a server offers, in the bytes that it sent. */
export interface Observed {
  readonly answers: ObservedAnswers
  readonly protocolVersion: string | null
  readonly bytes: number
  readonly pages: number
}

/** Accepts every result: what a server sent is read from its bytes. */
const anything = {
  '~standard': { version: 1, vendor: 'svc', validate: (value: unknown) => ({ value }) },
} as const

const methodNotFound = -32601

interface Counted {
  pages: number
  items: number
}

/** All pages of a list, as they were sent. @throws ObservationFailed */
async function readList(
  client: Client,
  recorder: Recorder,
  method: ListMethod,
  limits: ObservationLimits,
  counted: Counted,
  isDeclared: boolean,
): Promise<string[]> {
  const key = listMethods[method]
  const pages: string[] = []
  const seen = new Set<string>()
  for (let cursor: string | null = null; ;) {
    counted.pages += 1
    if (counted.pages > limits.maxPages)
      throw recorder.fail('too-large', `Its lists have more than ${limits.maxPages} pages.`)
    const params = cursor === null ? {} : { cursor }
    // What it rejects with is in the answer, or in the failure of the recorder.
    await client.request({ method, params }, anything, { timeout: limits.timeoutMs }).catch(() => {})
    if (recorder.failure !== null) throw recorder.failure
    const answer = recorder.lastAnswer()
    if (answer === null) throw recorder.fail('protocol', `It did not answer ${method}.`)
    if (answer.error !== undefined) {
      // A list that it does not say to have may be missing.
      if (!isDeclared || answer.error.code === methodNotFound) return []
      throw recorder.fail('protocol', `It answered ${method} with an error: ${answer.error.message}`)
    }
    const page = answer.result?.[key]
    if (!Array.isArray(page)) throw recorder.fail('protocol', `Its answer to ${method} has no list "${key}".`)
    pages.push(answer.raw ?? '')
    counted.items += page.length
    if (counted.items > limits.maxItems)
      throw recorder.fail('too-large', `It offers more than ${limits.maxItems} tools, resources and prompts.`)
    const next: Json | undefined = answer.result?.nextCursor
    if (typeof next !== 'string' || next === '') return pages
    if (seen.has(next)) throw recorder.fail('protocol', `Its pages of ${method} go round in a circle.`)
    seen.add(next)
    cursor = next
  }
}

/** Tells a server that its session is over, where it has one; what it answers does not matter. */
async function endSession(transport: Transport): Promise<void> {
  const { terminateSession } = transport as { terminateSession?: () => Promise<void> }
  if (transport.sessionId !== undefined) await terminateSession?.call(transport).catch(() => {})
}

/** What the protocol calls the capability of a list. */
const capabilityOf: Readonly<Record<ListMethod, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'prompts/list': 'prompts',
}

/**
 * Asks a server what it offers: `initialize` or `server/discover`, then its lists. No tool is called and no resource is read; no
 * sampling, roots or elicitation are declared.
 * @param connect makes the transport; the recorder must read everything that comes over it
 * @throws ObservationFailed
 */
export async function observe(
  transport: Transport,
  recorder: Recorder,
  limits: ObservationLimits,
  negotiation: 'auto' | 'legacy' = 'auto',
): Promise<Observed> {
  const sdk = await import('@modelcontextprotocol/client')
  const client: Client = new sdk.Client(
    { name: 'svc', version: '1' },
    { capabilities: {}, versionNegotiation: { mode: negotiation } },
  )
  try {
    await client.connect(transport, { timeout: limits.timeoutMs })
    const counted = { pages: 0, items: 0 }
    const greeting = recorder.answerOf('server/discover') ?? recorder.answerOf('initialize')
    const said = greeting?.result?.capabilities
    const capabilities = isObject(said) ? said : {}
    const listOf = (method: ListMethod) =>
      readList(client, recorder, method, limits, counted, capabilityOf[method] in capabilities)
    const tools = await listOf('tools/list')
    const resources = await listOf('resources/list')
    const resourceTemplates = await listOf('resources/templates/list')
    const prompts = await listOf('prompts/list')
    await endSession(transport)
    return {
      answers: { server: greeting?.raw ?? null, pages: { tools, resources, resourceTemplates, prompts } },
      protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
      bytes: recorder.bytes,
      pages: counted.pages,
    }
  } catch (error) {
    if (recorder.failure !== null) throw recorder.failure
    if (error instanceof ObservationFailed) throw error
    const answer = recorder.lastAnswer()
    const said = answer?.error?.message ?? (error instanceof Error ? error.message : String(error))
    throw new ObservationFailed('protocol', `It does not speak MCP as expected: ${said.slice(0, 300)}`)
  } finally {
    await client.close().catch(() => {})
  }
}
