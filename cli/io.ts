import { Buffer } from 'node:buffer'
import { isatty } from 'node:tty'
import { SvcError } from '../src/errors.ts'
import { causeOf } from './file-cause.ts'
import { createMessages, type Messages } from './messages.ts'
import { forPeople, terminalWriter } from './terminal.ts'

/** Where a command reads and writes. Standard output is for data alone; messages to the person are `log`, on standard error. */
export interface Io extends Messages {
  /** Writes as is: no newline is added. Resolves when it was written. */
  stdout(text: string | Uint8Array): Promise<void>
  /** All of standard input. */
  stdin(): Promise<Uint8Array>
  /** Standard output is a terminal. */
  readonly isTerminal: boolean
  /** Standard input is a terminal: nothing is piped in. */
  readonly isInteractive: boolean
  /** Whether that stream takes colours (a terminal without NO_COLOR; FORCE_COLOR goes before both). */
  readonly colour: { readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal, 80 where there is none. */
  readonly columns: number
  /** Standard error where it is a terminal; null elsewhere. */
  readonly errorTerminal: {
    readonly columns: number
    /** It understands control sequences (not TERM=dumb). */
    readonly redraws: boolean
    /** Shows a line in place of the one that was drawn before; "" takes it away. */
    draw(line: string): Promise<void>
  } | null
}

type Env = Readonly<Record<string, string | undefined>>

const colourOf = (stream: NodeJS.WriteStream, env: Env): boolean => {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return stream.isTTY && env.TERM !== 'dumb'
}

// The reader of a pipe may end at any time (`svc … | head`): that is not a failure.
const isClosed = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}

const failed = (error: unknown): SvcError => new SvcError('output-failed', { reason: causeOf(error) })

/** Writes to a stream; once its reader has ended, everything further is dropped, so that the exit code stays the result. */
const writer = (stream: NodeJS.WriteStream) => {
  let closed = false
  // What could not be written is reported by the write itself.
  stream.on('error', (error) => {
    closed ||= isClosed(error)
  })
  return (chunk: string | Uint8Array): Promise<void> =>
    closed
      ? Promise.resolve()
      : new Promise((resolve, reject) => {
          stream.write(chunk, (error) => {
            if (error && !isClosed(error)) return reject(failed(error))
            closed ||= Boolean(error)
            resolve()
          })
        })
}

/** The streams of this process. */
export const processIo = (env: Env): Io => {
  const out = writer(process.stdout)
  const err = writer(process.stderr)
  const colour = { stdout: colourOf(process.stdout, env), stderr: colourOf(process.stderr, env) }
  const shown = terminalWriter(colour.stdout)
  return {
    stdout: (chunk) => (chunk.length === 0 ? Promise.resolve() : out(isatty(1) ? shown(chunk) : chunk)),
    ...createMessages((text) => err(forPeople(text, colour.stderr)), colour.stderr),
    stdin: async () => {
      const chunks: Uint8Array[] = []
      for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    isTerminal: isatty(1),
    isInteractive: isatty(0),
    colour,
    columns: process.stdout.columns || 80,
    errorTerminal: isatty(2)
      ? {
          columns: process.stderr.columns || 80,
          redraws: env.TERM !== 'dumb',
          draw: (line) => err(`\r\u001b[2K${forPeople(line, colour.stderr)}`),
        }
      : null,
  }
}
