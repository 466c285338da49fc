import { spawn, type ChildProcess } from 'node:child_process'
import type { Transport } from '@modelcontextprotocol/client'
import { ObservationFailed } from './failure.ts'
import { untilAborted } from './http.ts'
import { observationLimits, type ObservationLimits } from './limits.ts'
import { observe, type Observed } from './observe.ts'
import { Recorder } from './recorder.ts'

/** A server that a command starts on this machine. */
export interface StdioTarget {
  readonly command: readonly [string, ...string[]]
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** So much of what it writes to standard error is kept, to say why it ended. */
const keptErrorBytes = 4000
/** How long it may take to end by itself once its input ended. */
const graceMs = 1000

type Sent = Parameters<NonNullable<Transport['onmessage']>>[0]

/** The protocol over standard input and output: each message is a line. */
class Stdio implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: Sent) => void
  #child: ChildProcess | null = null
  #line: Buffer[] = []
  #isClosing = false
  /** The end of what it wrote to standard error. */
  said = ''
  readonly #target: StdioTarget
  readonly #recorder: Recorder

  constructor(target: StdioTarget, recorder: Recorder) {
    this.#target = target
    this.#recorder = recorder
  }

  start(): Promise<void> {
    const { command, env, cwd } = this.#target
    const [program, ...words] = command
    // A group of its own, so that what it starts ends with it; Windows has none.
    const detached = process.platform !== 'win32'
    const child = spawn(program, words, { env, cwd, detached, shell: false, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.said = (this.said + chunk.toString()).slice(-keptErrorBytes)
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => reject(this.#recorder.fail('unreachable', `It does not start: ${error.message}.`)))
      child.once('exit', (code, signal) => {
        if (this.#isClosing) return
        const how = code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with ${code}`
        const last = this.said.trim().split('\n').at(-1) ?? ''
        this.#recorder.fail('unreachable', `The command ${how}${last === '' ? '' : `: ${last.slice(0, 300)}`}.`)
        this.onclose?.()
      })
    })
  }

  #take(chunk: Buffer): void {
    try {
      this.#recorder.count(chunk.byteLength)
      let rest = chunk
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const text = Buffer.concat([...this.#line, rest.subarray(0, end)])
          .toString()
          .trim()
        this.#line = []
        rest = rest.subarray(end + 1)
        // Many servers greet people on standard output: other lines are left out.
        if (text.startsWith('{') || text.startsWith('['))
          for (const message of this.#recorder.read(text)) this.onmessage?.(message as unknown as Sent)
      }
      this.#line.push(rest)
    } catch (error) {
      this.onerror?.(error as Error)
    }
  }

  send(message: unknown): Promise<void> {
    if (this.#recorder.sends(message)) this.#child?.stdin?.write(`${JSON.stringify(message)}\n`)
    return Promise.resolve()
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child ?? {}
    if (pid === undefined) return
    try {
      if (process.platform === 'win32') this.#child?.kill(signal)
      else process.kill(-pid, signal)
    } catch {
      // It has ended already.
    }
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === null || this.#isClosing) return
    this.#isClosing = true
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    const ended = new Promise<void>((resolve) => {
      if (hasEnded()) resolve()
      else child.once('exit', () => resolve())
    })
    const within = (ms: number) => Promise.race([ended, Bun.sleep(ms)])
    child.stdin?.end()
    await within(graceMs)
    this.#kill('SIGTERM')
    if (!hasEnded()) await within(graceMs)
    this.#kill('SIGKILL')
    this.onclose?.()
  }
}

/**
 * Starts a command and observes the server that it is. Only people do this, on their own machines: the service runs no command.
 * @throws ObservationFailed
 */
export async function observeStdio(
  target: StdioTarget,
  options: { readonly limits?: ObservationLimits; readonly signal: AbortSignal },
): Promise<Observed> {
  const limits = options.limits ?? { ...observationLimits, timeoutMs: 60_000 }
  const stop = new AbortController()
  const recorder = new Recorder(limits, stop)
  const timer = setTimeout(
    () => recorder.fail('timeout', `It was not read within ${limits.timeoutMs / 1000} seconds.`),
    limits.timeoutMs,
  )
  const transport = new Stdio(target, recorder)
  try {
    const signal = AbortSignal.any([stop.signal, options.signal])
    return await untilAborted(signal, observe(transport, recorder, limits, 'legacy'), recorder)
  } catch (error) {
    if (options.signal.aborted) throw new ObservationFailed('timeout', 'The observation was interrupted.')
    throw error
  } finally {
    clearTimeout(timer)
    await transport.close()
  }
}
