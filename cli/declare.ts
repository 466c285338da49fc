/**
 * What a command is: a declaration from which its parser, its help, its completions and the types of what `run` gets
 * are made. The path of the file is the command: commands/import/openapi.ts is `svc import openapi`, and
 * commands/import/index.ts is `svc import` itself.
 */
import type { Call } from '../src/api/endpoint.ts'
import type { Change } from '../src/diff/change.ts'
import type { ExitCode, SvcError } from '../src/errors.ts'
import type { Finding } from '../src/lint/finding.ts'
import type { Connection } from './connection/connect.ts'
import type { Globals } from './globals.ts'

interface OptionBase {
  readonly summary: string
  /** One letter: `-o`. */
  readonly short?: string
  /** The variable that gives the value where the option is absent. */
  readonly env?: string
  /** Left out of help and completions. */
  readonly hidden?: boolean
  /** The option is known and not to be had: whoever gives it is told this sentence. Implies `hidden`. */
  readonly refused?: string
}

/** `--wait` and `--no-wait`. Without a default it is false; `default: null` tells "not given" apart. */
export interface BooleanOption extends OptionBase {
  readonly type: 'boolean'
  readonly default?: boolean | null
}

export interface StringOption extends OptionBase {
  readonly type: 'string'
  readonly placeholder: string
  readonly choices?: readonly string[]
  /** Values that are known and not to be had, each with what to do instead. */
  readonly refusedChoices?: Readonly<Record<string, string>>
  readonly default?: string
  readonly multiple?: boolean
  readonly required?: boolean
}

/** `duration` is written 500ms, 30s, 5m or 1h, a bare number being seconds; its value is in milliseconds. */
export interface NumberOption extends OptionBase {
  readonly type: 'integer' | 'number' | 'duration'
  readonly placeholder?: string
  readonly default?: number
  readonly min?: number
  readonly max?: number
  readonly multiple?: boolean
  readonly required?: boolean
}

export type Option = BooleanOption | StringOption | NumberOption
export type Options = Readonly<Record<string, Option>>

export interface Argument {
  readonly name: string
  readonly summary: string
  readonly required?: boolean
  /** Takes all that remain; only the last argument can. */
  readonly variadic?: boolean
  readonly choices?: readonly string[]
}

type Single<O> = O extends { readonly type: 'boolean' }
  ? boolean
  : O extends { readonly type: 'string' }
    ? O extends { readonly choices: readonly (infer C)[] }
      ? C
      : string
    : number

type OptionValue<O> = O extends { readonly multiple: true }
  ? readonly Single<O>[]
  : O extends { readonly type: 'boolean' }
    ? O extends { readonly default: null }
      ? boolean | null
      : boolean
    : O extends { readonly default: string | number } | { readonly required: true }
      ? Single<O>
      : Single<O> | undefined

type ArgumentValue<A> = A extends { readonly variadic: true }
  ? readonly string[]
  : A extends { readonly required: true }
    ? string
    : string | undefined

export type OptionValues<O extends Options> = { readonly [K in keyof O]: OptionValue<O[K]> }
export type ArgumentValues<A extends readonly Argument[]> = {
  readonly [K in A[number] as K['name']]: ArgumentValue<K>
}

/** Where a command reads and writes. stdout is for data alone; everything said to the person goes to stderr. */
export interface Io {
  /** Writes as is: no newline is added. Resolves when the reader took it. */
  stdout(text: string | Uint8Array): Promise<void>
  /** Writes one message; a newline is added where it has none. */
  stderr(text: string): Promise<void>
  /** All of standard input. */
  stdin(): Promise<Uint8Array>
  /** Standard output is a terminal. */
  readonly isTerminal: boolean
  /** Standard input is a terminal: nobody pipes anything in. */
  readonly isInteractive: boolean
  /** Colour is welcome on that stream (terminal, no NO_COLOR; FORCE_COLOR wins). */
  readonly colour: { readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal, 80 where there is none. */
  readonly columns: number
  /** Standard error where it is a terminal; null elsewhere. */
  readonly errorTerminal: {
    readonly columns: number
    /** It understands control sequences (not TERM=dumb). */
    readonly redraws: boolean
    /** Writes as is, control sequences included. */
    draw(text: string): Promise<void>
  } | null
}

export interface Invocation<A = Readonly<Record<string, unknown>>, O = Readonly<Record<string, unknown>>> {
  readonly args: A
  readonly options: O
  /** The names of the options that stood on the command line, as opposed to a variable or a default. */
  readonly given: ReadonlySet<string>
  readonly globals: Globals
  readonly io: Io
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  /** All commands, for those that speak about commands. */
  readonly registry: Registry
  /** Opens the workspace or the service of --base-url at the first call; closed after `run`. */
  connection(): Promise<Connection>
  call(): Promise<Call>
}

/** What a command found. With --json it becomes the envelope, otherwise `text` goes to stdout. */
export interface Result {
  /** Several combine by precedence (2, 1, 7, 6, 3, 4, 5); see `combineExitCodes`. */
  readonly exitCode?: ExitCode | readonly ExitCode[]
  readonly summary?: object | null
  readonly data?: unknown
  readonly findings?: readonly Finding[]
  readonly changes?: readonly Change[]
  /** What a person reads on stdout; a function is called only where it is needed. */
  /** A long one may come in pieces, which are written one after the other. */
  readonly text?: string | Uint8Array | (() => string | Iterable<string>)
  /** The command ends before its work: what runs in this process is given back instead of waited for. */
  readonly leavesWork?: boolean
  /** Expected failures that did not stop the work: each is reported, the worst one stands in the envelope. */
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
  readonly dataSchema?: object
  readonly envelope?: 'data' | 'findings' | 'changes'
  /** The command is known and not to be had: whatever it is given, this sentence is the answer. */
  readonly refused?: string
  run(invocation: Invocation): Promise<Result | void>
}

/** Name ("import openapi") to summary and loader; a group that cannot be run by itself has no loader. */
export type Registry = Readonly<
  Record<
    string,
    {
      readonly summary: string
      readonly load: (() => Promise<Command>) | null
      /** Left out of help and completions: the command only says why it is not to be had. */
      readonly hidden?: boolean
    }
  >
>

/** Declares a command: the default export of its file. */
export const command = <const A extends readonly Argument[], const O extends Options>(it: Declared<A, O>): Command =>
  // The parser makes args and options from this same declaration, so that the values have the declared types.
  it

/** Declares what a folder of commands is about: the default export of its index.ts. */
export const group = (it: { readonly summary: string }): { readonly summary: string } => it

/** Declares a command that is known and not to be had: the default export of its file. It stays out of the help. */
export const refusal = (it: { readonly summary: string; readonly instead: string }): Command => ({
  summary: it.summary,
  examples: [],
  arguments: [],
  options: {},
  refused: it.instead,
  run: () => Promise.resolve(),
})

const precedence: readonly ExitCode[] = [70, 130, 2, 1, 7, 6, 3, 4, 5, 0]

/** The one exit code that stands for several; 0 for none. */
export const combineExitCodes = (codes: readonly ExitCode[]): ExitCode =>
  precedence.find((code) => codes.includes(code)) ?? 0
