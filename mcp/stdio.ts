import type { Readable, Writable } from 'node:stream'
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { cursorSeal } from './cursor-seal.ts'
import { createMcpServer, type McpOptions } from './server.ts'

/** How long answers may take after the end of the input. */
const lastAnswersMs = 30_000

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
  readonly #buffer = new ReadBuffer({ maxBufferSize: 4 * 1024 * 1024 })
  readonly #pending = new Set<string | number>()
  #ended = false
  #closed = false
  readonly #done = Promise.withResolvers<void>()

  /** Resolves when the connection is over. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  constructor(input: Readable, output: Writable) {
    this.#input = input
    this.#output = output
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
    try {
      this.#buffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        if ('method' in message && 'id' in message) this.#pending.add(message.id)
        this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
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
    await new Promise<void>((resolve) => this.#output.write(serializeMessage(message), () => resolve()))
    if (!('method' in message) && message.id !== undefined) {
      this.#pending.delete(message.id)
      this.#closeWhenAnswered()
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#buffer.clear()
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
    readonly input: Readable
    readonly output: Writable
    readonly signal: AbortSignal
  },
): Promise<void> {
  const transport = new CalmStdio(options.input, options.output)
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
