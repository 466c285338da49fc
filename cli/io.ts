import { Buffer } from 'node:buffer'
import { isatty } from 'node:tty'
import type { Io } from './declare.ts'

type Env = Readonly<Record<string, string | undefined>>

const colourOf = (stream: NodeJS.WriteStream, env: Env): boolean => {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return stream.isTTY && env.TERM !== 'dumb'
}

// The reader of a pipe may go away at any time (`svc … | head`): that is no failure of ours.
const closed = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}

const writer = (stream: NodeJS.WriteStream, onClosed: () => void) => {
  stream.on('error', (error) => {
    if (closed(error)) onClosed()
    else throw error
  })
  return (chunk: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(chunk, (error) => {
        if (!error) resolve()
        else if (closed(error)) {
          onClosed()
          resolve()
        } else reject(error)
      })
    })
}

/** The streams of this process. `onClosed` is called when the reader of standard output has gone away. */
export const processIo = (env: Env, onClosed: () => void): Io => {
  const out = writer(process.stdout, onClosed)
  const err = writer(process.stderr, () => {})
  return {
    stdout: (chunk) => (chunk.length === 0 ? Promise.resolve() : out(chunk)),
    stderr: (text) => err(text.endsWith('\n') ? text : `${text}\n`),
    stdin: async () => {
      const chunks: Uint8Array[] = []
      for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    isTerminal: isatty(1),
    isInteractive: isatty(0),
    colour: { stdout: colourOf(process.stdout, env), stderr: colourOf(process.stderr, env) },
    columns: process.stdout.columns || 80,
    errorTerminal: isatty(2)
      ? { columns: process.stderr.columns || 80, redraws: env.TERM !== 'dumb', draw: (text) => err(text) }
      : null,
  }
}
