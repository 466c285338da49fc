import type { Command, Registry } from '../../cli/declare.ts'
import type { Io } from '../../cli/io.ts'
import { createMessages } from '../../cli/messages.ts'
import { run } from '../../cli/run.ts'
import type { ExitCode } from '../../src/errors.ts'

export interface Outcome {
  readonly exit: ExitCode
  readonly stdout: string
  readonly stderr: string
}

export interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** Runs a command line inside this process, on streams that are kept. */
export const runHere = async (argv: readonly string[], registry: Registry, given: Given = {}): Promise<Outcome> => {
  const decoder = new TextDecoder()
  let stdout = ''
  let stderr = ''
  const io: Io = {
    stdout: async (text) => {
      stdout += typeof text === 'string' ? text : decoder.decode(text)
    },
    ...createMessages(async (text) => {
      stderr += text
    }, false),
    stdin: async () => new TextEncoder().encode(given.stdin ?? ''),
    isTerminal: false,
    isInteractive: given.stdin === undefined,
    colour: { stdout: false, stderr: false },
    columns: 80,
    errorTerminal: null,
  }
  const exit = await run(argv, {
    io,
    env: given.env ?? {},
    cwd: given.cwd ?? process.cwd(),
    signal: given.signal ?? new AbortController().signal,
    registry,
  })
  return { exit, stdout, stderr }
}

/** A registry of ready commands. */
export const registryOf = (commands: Readonly<Record<string, Command>>): Registry =>
  Object.fromEntries(
    Object.entries(commands).map(([name, it]) => [name, { summary: it.summary, load: async () => it }]),
  )
