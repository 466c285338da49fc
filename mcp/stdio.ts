import type { Readable, Writable } from 'node:stream'
import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { cursorSeal } from './cursor-seal.ts'
import { createMcpServer, type McpOptions, mostMessageBytes } from './server.ts'

/** How long answers may take after the end of the input. */
const lastAnswersMs = 30_000

const idIn = (value: unknown): string | number | null => {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * The stdio transport with a calm end: when the input ends, requests that are still being answered are answered first.
 * The SDK's own transport drops them.
 */
class CalmStdio implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  /** What was read of a line that has not ended yet. */
  #rest: Buffer[] = []
  #restBytes = 0
  readonly #pending = new Set<string | number>()
  #ended = false
  #closed = false
  readonly #done = Promise.withResolvers<void>()

  /** Resolves when the connection is over. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  /** The id of a request that is answered already. */
  #greeted: string | number | null

  constructor(input: Readable, output: Writable, greeted: string | number | null) {
    this.#input = input
    this.#output = output
    this.#greeted = greeted
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#input.on('end', () => this.#end())
    this.#input.on('close', () => this.#end())
    this.#input.on('error', () => this.#end())
    // The host is gone: no one reads the answers any more.
    this.#output.on('error', () => void this.close())
  }

  #take(chunk: Buffer): void {
    if (this.#closed) return
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#rest.push(chunk.subarray(from, end))
      const line = Buffer.concat(this.#rest).toString('utf8').trim()
      this.#rest = []
      this.#restBytes = 0
      from = end + 1
      if (line !== '') this.#read(line)
    }
    this.#rest.push(chunk.subarray(from))
    this.#restBytes += chunk.length - from
    if (this.#restBytes <= mostMessageBytes) return
    this.onerror?.(new Error(`The host sent a line of more than ${mostMessageBytes / 1024 / 1024} MB.`))
    void this.close()
  }

  #read(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      return this.#refuse(null, PARSE_ERROR, `Parse error: the line is not JSON (${(error as Error).message})`)
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      const what = Array.isArray(value) ? 'batches are not supported' : 'the line is not a JSON-RPC 2.0 message'
      return this.#refuse(idIn(value), INVALID_REQUEST, `Invalid request: ${what}`)
    }
    if ('method' in message && 'id' in message) this.#pending.add(message.id)
    this.onmessage?.(message)
  }

  /** Answers a line without a valid message, as JSON-RPC 2.0 section 5.1 says; the id is null where none can be read. */
  #refuse(id: string | number | null, code: number, message: string): void {
    this.onerror?.(new Error(message))
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#closeWhenAnswered()
    // A host that died reads no answer, and one that waits has waited long enough.
    setTimeout(() => void this.close(), lastAnswersMs).unref()
  }

  #closeWhenAnswered(): void {
    if (this.#ended && this.#pending.size === 0) void this.close()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return
    const answered = 'method' in message ? undefined : message.id
    if (answered !== undefined && answered === this.#greeted) this.#greeted = null
    else await new Promise<void>((resolve) => this.#output.write(serializeMessage(message), () => resolve()))
    if (answered !== undefined) {
      this.#pending.delete(answered)
      this.#closeWhenAnswered()
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#rest = []
    this.#input.pause()
    this.onclose?.()
    this.#done.resolve()
  }
}

/**
 * Serves one host over a pair of streams: one JSON-RPC message a line, and nothing else ever on the output.
 * Resolves when the input has ended and what was asked is answered, when the host is gone, or when `signal` aborts.
 */
export async function serveMcpStdio(
  options: McpOptions & {
    readonly key: string | null
    /** The id of the request that `greet` answered. */
    readonly greeted?: string | number | null
    readonly input: Readable
    readonly output: Writable
    readonly signal: AbortSignal
  },
): Promise<void> {
  const transport = new CalmStdio(options.input, options.output, options.greeted ?? null)
  const seal = cursorSeal(options.secret)
  const handle = serveStdio(() => createMcpServer({ ...options, seal }), {
    transport,
    onerror: (error) => options.onFault(error),
  })
  const abort = () => void transport.close()
  if (options.signal.aborted) abort()
  options.signal.addEventListener('abort', abort, { once: true })
  await transport.done
  options.signal.removeEventListener('abort', abort)
  await handle.close()
}
