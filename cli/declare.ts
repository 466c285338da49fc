/**
 * What a command is: a declaration from which its parser, its help, its completions and the types of what `run` gets
 * are made. The path of the file is the command: commands/import/openapi.ts is `svc import openapi`, and
 * commands/import/index.ts is `svc import` itself.
 */
import type { Call } from '../src/api/endpoint.ts'
import type { Change } from '../src/diff/change.ts'
import type { ExitCode, SvcError } from '../src/errors.ts'
import type { Finding } from '../src/lint/finding.ts'
import type { Connection } from './connection/connection.ts'
import type { Globals } from './globals.ts'
import type { Io } from './io.ts'
import type { Argument, ArgumentValues, Options, OptionValues } from './options.ts'

export interface Invocation<A = Readonly<Record<string, unknown>>, O = Readonly<Record<string, unknown>>> {
  readonly args: A
  readonly options: O
  /** The names of the options that were given on the command line, as opposed to a variable or a default. */
  readonly given: ReadonlySet<string>
  readonly globals: Globals
  readonly io: Io
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  /** All commands, for those that describe commands. */
  readonly registry: Registry
  /** Opens the workspace or the service of --base-url at the first call; closed after `run`. */
  connection(): Promise<Connection>
  call(): Promise<Call>
}

/** What a command found. With --json it becomes the envelope, otherwise `text` goes to stdout. */
export interface Result {
  /** Several combine by precedence; see `cli/combine-exit-codes.ts`. */
  readonly exitCode?: ExitCode | readonly ExitCode[]
  readonly summary?: object | null
  readonly data?: unknown
  readonly findings?: readonly Finding[]
  readonly changes?: readonly Change[]
  /** What a person reads on stdout; a function is called only where it is needed, and may give a long text in pieces. */
  readonly text?: string | Uint8Array | (() => string | Iterable<string>)
  /** The command ends before its work: jobs that run in this process are given back instead of waited for. */
  readonly detach?: boolean
  /** Expected failures that did not stop the work: each is reported, the worst one is in the envelope. */
  readonly failures?: readonly SvcError[]
}

interface Declared<A extends readonly Argument[], O extends Options> {
  /** One line, without a full stop. */
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly arguments: A
  readonly options: O
  /** The command ends by itself when `signal` aborts; without it the process ends at once with 130. */
  readonly graceful?: boolean
  /** It computes without pauses and has nothing to give back: signals end the process by their default action, at once. */
  readonly endsAtOnce?: boolean
  /**
   * It reads documents in this process and does more than that: the deadline and the memory limit apply while it computes, not while it
   * waits for the service. Commands that end at once have both limits anyway.
   */
  readonly isBounded?: boolean
  /** Left out of help, completions and the reference: programs run it. */
  readonly hidden?: boolean
  /** JSON Schema of `data` in the envelope. */
  readonly dataSchema?: object
  /** The list that the envelope of this command holds. */
  readonly envelope?: 'data' | 'findings' | 'changes'
  run(invocation: Invocation<ArgumentValues<A>, OptionValues<O>>): Promise<Result | void>
}

/** A command with its types erased, as the dispatcher holds it. */
export interface Command {
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly arguments: readonly Argument[]
  readonly options: Options
  readonly graceful?: boolean
  readonly endsAtOnce?: boolean
  readonly isBounded?: boolean
  readonly hidden?: boolean
  readonly dataSchema?: object
  readonly envelope?: 'data' | 'findings' | 'changes'
  run(invocation: Invocation): Promise<Result | void>
}

/** Name ("import openapi") to summary and loader; a group that cannot be run by itself has no loader. */
export type Registry = Readonly<
  Record<
    string,
    {
      readonly summary: string
      /** Left out of help, completions and the reference. */
      readonly hidden?: boolean
      readonly load: (() => Promise<Command>) | null
    }
  >
>

/** Declares a command: the default export of its file. */
export const command = <const A extends readonly Argument[], const O extends Options>(it: Declared<A, O>): Command =>
  // The parser makes args and options from this same declaration, so that the values have the declared types.
  it

/** The commands of one noun that are declared together, by their last word. */
type Commands = Readonly<Record<string, Command>>

interface Group<C extends Commands, Own extends Command | null> {
  readonly summary: string
  /** The command that the words of the folder are by themselves; null where one of its commands must be named. */
  readonly command: Own
  readonly commands: C
}

type NoCommands = Readonly<Record<string, never>>

/**
 * Declares a folder of commands: the default export of its index.ts. `commands` are those that have no file of their own: they are one
 * call each (`derive`), or short. A folder that is a command itself has `command` in the place of a summary.
 */
export function group<const C extends Commands = NoCommands>(it: {
  readonly summary: string
  readonly commands?: C
}): Group<C, null>
export function group<const C extends Commands = NoCommands>(it: {
  readonly command: Command
  readonly commands?: C
}): Group<C, Command>
export function group({
  summary = '',
  command: own = null,
  commands = {},
}: {
  readonly summary?: string
  readonly command?: Command | null
  readonly commands?: Commands
}): Group<Commands, Command | null> {
  return { summary: own?.summary ?? summary, command: own, commands }
}
