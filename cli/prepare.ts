/** From the arguments of a command line to what the command is run with. */
import { SvcError } from '../src/errors.ts'
import { connect } from './connection/connect.ts'
import type { Connection } from './connection/connection.ts'
import type { Command, Invocation, Registry } from './declare.ts'
import { type startDeadline, whileWaiting } from './deadline.ts'
import { globalOptions, type Globals } from './globals.ts'
import { unshadowed } from './help.ts'
import type { Io } from './io.ts'
import { messageLevel } from './messages.ts'
import type { Options } from './options.ts'
import { assign, parse, settle } from './parse.ts'
import type { Reached } from './tree.ts'
import { UsageError } from './usage-error.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Everything outside of the process that a run uses; tests pass their own. */
export interface CliContext {
  readonly io: Io
  readonly env: Env
  readonly cwd: string
  readonly signal: AbortSignal
  readonly registry: Registry
  /** Called before a command runs that leaves signals to their default action. */
  readonly releaseSignals?: () => void
  /** Called before a command runs that computes on documents of others; absent where no process is to be ended. */
  readonly startDeadline?: typeof startDeadline
}

export interface Prepared {
  readonly it: Command
  readonly invocation: Invocation
  readonly close: (force: boolean) => Promise<void>
}

const splitHosts = (text: unknown): readonly string[] =>
  typeof text === 'string' ? text.split(',').flatMap((it) => it.trim() || []) : []

/** The addresses among values of a command line. */
const addressesIn = (values: readonly unknown[]): readonly string[] =>
  values.flat().filter((it): it is string => typeof it === 'string' && /^https?:\/\//i.test(it))

const globalsOf = (
  values: Readonly<Record<string, unknown>>,
  given: readonly string[],
  named: readonly string[],
): Globals => ({
  baseUrl: values['base-url'] as string | undefined,
  tenant: values.tenant as string | undefined,
  apiKey: values['api-key'] as string | undefined,
  workspace: values.workspace as string | undefined,
  root: values.root as string | undefined,
  json: values.json === true,
  quiet: values.quiet === true,
  verbose: values.verbose === true,
  timeoutMs: values.timeout as number,
  deadlineMs: values.deadline as number,
  memoryMb: values['max-memory'] as number,
  offline: values.offline === true,
  allowHosts: splitHosts(values['allow-hosts']),
  named,
  given,
})

// Which global options were given a value, on the command line or in a variable.
const givenGlobals = (values: ReadonlyMap<string, unknown>, env: Env): string[] =>
  Object.entries(globalOptions as Options).flatMap(([name, { env: variable }]) =>
    values.has(name) || (variable !== undefined && (env[variable] ?? '') !== '') ? [name] : [],
  )

// `--json` and `--format json` are one thing where a command has a report format of that name.
const linkFormat = (
  command: Command,
  values: Record<string, unknown>,
  given: ReadonlySet<string>,
  json: boolean,
): boolean => {
  const format = command.options.format
  if (format?.type !== 'string' || format.choices?.includes('json') !== true || format.ofDocument === true) return json
  if (json && given.has('format') && values.format !== 'json') {
    throw new UsageError(`--json and --format ${String(values.format)} exclude each other`)
  }
  if (json) values.format = 'json'
  // A report in a file is one of its format, and not the envelope.
  if (!json && values.output !== undefined) return false
  return values.format === 'json'
}

/** A connection whose calls are no work of the command. */
const waitingForCalls = (opened: Connection): Connection => ({
  ...opened,
  call: (endpoint, input) => whileWaiting(() => opened.call(endpoint, input)),
})

/**
 * Reads the options and arguments of a command strictly, sets the level of the messages, and prepares the connection.
 * @throws UsageError as `parse`, `settle` and `assign` do
 */
export const prepare = (command: Command, reached: Reached, context: CliContext): Prepared => {
  const { env, io, cwd, signal, registry } = context
  const own = command.options
  // The options of the program come first, so that a mistake is reported in the order of the command line.
  const ahead = parse(reached.ahead, globalOptions)
  const parsed = parse(reached.rest, { ...Object.fromEntries(unshadowed(own)), ...own })
  const values = settle(own, parsed, env)
  const after = [...parsed.values].filter(([name]) => own[name] === undefined)
  const everywhere = new Map([...ahead.values, ...after])
  const globals = globalsOf(
    settle(globalOptions, { values: everywhere, positionals: [] }, env),
    givenGlobals(everywhere, env),
    addressesIn([...Object.values(values), parsed.positionals]),
  )
  if (globals.quiet && globals.verbose) throw new UsageError('--quiet and --verbose exclude each other')
  io.log.level = messageLevel(globals, env)
  const given = new Set([...parsed.values.keys()].filter((name) => own[name] !== undefined))
  const json = linkFormat(command, values, given, globals.json)
  const settled = { ...globals, json }
  let opened: Promise<Connection> | null = null
  const connection = (): Promise<Connection> => {
    if (settled.offline && settled.baseUrl !== undefined)
      return Promise.reject(new SvcError('offline', { url: settled.baseUrl }))
    return (opened ??= whileWaiting(() => connect(settled, { env, cwd, signal, log: io.log })).then(waitingForCalls))
  }
  return {
    it: command,
    invocation: {
      args: assign(command.arguments, parsed.positionals, parsed.ahead),
      options: values,
      given,
      globals: settled,
      io: { ...io, stdin: () => whileWaiting(() => io.stdin()) },
      env,
      cwd,
      signal,
      registry,
      connection,
      call: async () => (await connection()).call,
    },
    close: async (force) => {
      if (opened !== null) await (await opened.catch(() => null))?.close(force)
    },
  }
}
