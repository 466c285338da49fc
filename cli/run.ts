/** Finds the command, reads its arguments, runs it, and says what came of it. */
import { SvcError, type ExitCode } from '../src/errors.ts'
import { jsonPieces } from '../src/report/json-pieces.ts'
import { suggest } from '../src/suggest.ts'
import {
  combineExitCodes,
  type Command,
  type Invocation,
  type Io,
  type Options,
  type Registry,
  type Result,
} from './declare.ts'
import { connect, type Connection } from './connection/connect.ts'
import { envelope } from './envelope.ts'
import { describeFailure, renderFailure } from './failure.ts'
import { globalOptions, type Globals } from './globals.ts'
import { children, renderHelp, unshadowed, usageLine } from './help.ts'
import { processIo } from './io.ts'
import { assign, parse, settle, UsageError } from './parse.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What surrounds a run; tests give their own. */
export interface Surroundings {
  readonly io: Io
  readonly env: Env
  readonly cwd: string
  readonly signal: AbortSignal
  readonly registry: Registry
}

interface Found {
  readonly name: string
  /** Global options that stood before or between the command's words. */
  readonly before: readonly string[]
  readonly rest: readonly string[]
}

// How many arguments a global option at `index` takes up; 0 where there is none.
const globalWidth = (argv: readonly string[], index: number): number => {
  const word = argv[index] ?? ''
  if (word === '-h') return 1
  const match = /^--(no-)?([^=]+)(=.*)?$/s.exec(word)
  const option = Object.entries(globalOptions).find(([name]) => name === match?.[2])?.[1]
  if (!option) return 0
  return option.type === 'boolean' || match?.[3] !== undefined ? 1 : 2
}

const isName = (registry: Registry, name: string): boolean =>
  registry[name] !== undefined || Object.keys(registry).some((key) => key.startsWith(`${name} `))

const find = (argv: readonly string[], registry: Registry): Found => {
  const before: string[] = []
  let name = ''
  let index = 0
  while (index < argv.length) {
    const width = globalWidth(argv, index)
    const next = `${name} ${argv[index]}`.trim()
    if (width > 0) {
      before.push(...argv.slice(index, index + width))
      index += width
    } else if (!(argv[index] ?? '').startsWith('-') && isName(registry, next)) {
      name = next
      index += 1
      // A leaf: whatever follows belongs to it.
      if (children(registry, name).length === 0) break
    } else break
  }
  return { name, before, rest: argv.slice(index) }
}

const unknownCommand = (registry: Registry, found: Found): UsageError => {
  const word = found.rest[0]
  const below = children(registry, found.name).map(([name]) => name)
  const usage = usageLine(found.name, null)
  if (word === undefined) return new UsageError(`Which command of "svc ${found.name}"? ${below.join(', ')}`, usage)
  if (word.startsWith('-')) {
    const near = suggest(word.replace(/^-+/, ''), Object.keys(globalOptions))
    return new UsageError(`There is no option ${word}${near === null ? '' : `; did you mean --${near}?`}`, usage)
  }
  const near = suggest(word, below)
  const path = `svc ${found.name === '' ? '' : `${found.name} `}`
  return new UsageError(
    `There is no command "${path}${word}"${near === null ? '' : `; did you mean "${path}${near}"?`}`,
    usage,
  )
}

const globalsOf = (values: Readonly<Record<string, unknown>>, given: readonly string[]): Globals => ({
  baseUrl: values['base-url'] as string | undefined,
  tenant: values.tenant as string | undefined,
  apiKey: values['api-key'] as string | undefined,
  workspace: values.workspace as string | undefined,
  json: values.json === true,
  timeoutMs: values.timeout as number,
  given,
})

// Which global options have a value that somebody gave, on the command line or in a variable.
const givenGlobals = (values: ReadonlyMap<string, unknown>, env: Env): string[] =>
  Object.entries(globalOptions as Options).flatMap(([name, { env: variable }]) =>
    values.has(name) || (variable !== undefined && (env[variable] ?? '') !== '') ? [name] : [],
  )

interface Prepared {
  readonly it: Command
  readonly invocation: Invocation
  readonly close: (inHurry: boolean) => Promise<void>
}

// `--json` and `--format json` are one thing where a command has a report format of that name.
const linkFormat = (
  it: Command,
  values: Record<string, unknown>,
  given: ReadonlySet<string>,
  json: boolean,
): boolean => {
  const format = it.options.format
  if (format?.type !== 'string' || format.choices?.includes('json') !== true) return json
  if (json && given.has('format') && values.format !== 'json') {
    throw new UsageError(`--json and --format ${String(values.format)} exclude each other`)
  }
  if (json) values.format = 'json'
  return values.format === 'json'
}

const prepare = (it: Command, found: Found, around: Surroundings): Prepared => {
  const { env, io, cwd, signal, registry } = around
  const own = it.options
  const parsed = parse(found.rest, { ...Object.fromEntries(unshadowed(own)), ...own })
  const ahead = parse(found.before, globalOptions)
  const values = settle(own, parsed, env)
  const after = [...parsed.values].filter(([name]) => own[name] === undefined)
  const everywhere = new Map([...ahead.values, ...after])
  const globals = globalsOf(
    settle(globalOptions, { values: everywhere, positionals: [] }, env),
    givenGlobals(everywhere, env),
  )
  const given = new Set([...parsed.values.keys()].filter((name) => own[name] !== undefined))
  const json = linkFormat(it, values, given, globals.json)
  const settled = { ...globals, json }
  let opened: Promise<Connection> | null = null
  const connection = (): Promise<Connection> => (opened ??= connect(settled, env, cwd, signal))
  return {
    it,
    invocation: {
      args: assign(it.arguments, parsed.positionals),
      options: values,
      given,
      globals: settled,
      io,
      env,
      cwd,
      signal,
      registry,
      connection,
      call: async () => (await connection()).call,
    },
    close: async (inHurry) => {
      if (opened !== null) await (await opened.catch(() => null))?.close(inHurry)
    },
  }
}

const asksHelp = (found: Found): boolean => {
  const end = found.rest.indexOf('--')
  const words = [...found.before, ...(end < 0 ? found.rest : found.rest.slice(0, end))]
  return words.includes('--help') || words.includes('-h')
}

function textOf({ text }: Result): Iterable<string | Uint8Array> {
  const written = typeof text === 'function' ? text() : text
  if (written === undefined) return []
  return typeof written === 'string' || written instanceof Uint8Array ? [written] : written
}

const report = async (result: Result, name: string, json: boolean, around: Surroundings): Promise<ExitCode> => {
  const failures = [...(result.failures ?? [])]
  const codes = typeof result.exitCode === 'object' ? result.exitCode : [result.exitCode ?? 0]
  const exitCode = combineExitCodes([...codes, ...failures.map((failure) => failure.exitCode)])
  const worst = failures.find((failure) => failure.exitCode === exitCode) ?? failures[0]
  const pieces = json ? jsonPieces(envelope(name, result, exitCode, worst)) : textOf(result)
  for (const piece of pieces) await around.io.stdout(piece)
  const debug = around.env.SVC_DEBUG === '1'
  for (const failure of failures) await around.io.stderr(renderFailure(failure, around.io.colour.stderr, debug))
  return exitCode
}

const interrupted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new DOMException('interrupted', 'AbortError'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

const closingMs = 500

const execute = async (prepared: Prepared, name: string, around: Surroundings): Promise<ExitCode> => {
  const { it, invocation, close } = prepared
  let leaves = false
  try {
    const work = it.run(invocation)
    const result = await (it.graceful === true ? work : Promise.race([work, interrupted(around.signal)]))
    leaves = result?.leavesWork === true
    // A command that wrote its own output and returns nothing has nothing left to say, except to a program.
    return result || invocation.globals.json ? await report(result ?? {}, name, invocation.globals.json, around) : 0
  } finally {
    if (!around.signal.aborted) await close(leaves)
    // Whoever interrupted does not wait for work that nobody wants any more: what is not stored comes to nothing.
    else if (it.graceful === true) await Promise.race([close(true), Bun.sleep(closingMs)])
  }
}

/** Runs one command line and gives its exit code; never throws for what a person or a document did wrong. */
export const run = async (argv: readonly string[], around: Surroundings): Promise<ExitCode> => {
  const { io, env, registry } = around
  const found = find(argv, registry)
  // Asked for before anything is understood, so that a usage error is answered in the same shape.
  const end = argv.indexOf('--')
  const wantsJson = (end < 0 ? argv : argv.slice(0, end)).includes('--json')
  let usage: string | undefined
  let json = wantsJson
  try {
    const entry = registry[found.name]
    const it = entry?.load ? await entry.load() : null
    if (it?.refused !== undefined) throw new UsageError(`"svc ${found.name}" is not available yet: ${it.refused}`)
    if (asksHelp(found) && (it !== null || found.rest.every((word) => word.startsWith('-')))) {
      await io.stdout(renderHelp(registry, found.name, it, io.columns))
      return 0
    }
    const stray = found.rest[0] !== undefined && !found.rest[0].startsWith('-') && it?.arguments.length === 0
    if (it === null || (stray && children(registry, found.name).length > 0)) throw unknownCommand(registry, found)
    usage = usageLine(found.name, it)
    const prepared = prepare(it, found, around)
    json = prepared.invocation.globals.json
    return await execute(prepared, found.name, around)
  } catch (error) {
    if (around.signal.aborted && !(error instanceof SvcError)) return 130
    const shown =
      error instanceof UsageError && error.usage === undefined ? new UsageError(error.message, usage) : error
    const { exitCode } = describeFailure(shown)
    if (json) for (const piece of jsonPieces(envelope(found.name, null, exitCode, shown))) await io.stdout(piece)
    await io.stderr(renderFailure(shown, io.colour.stderr, env.SVC_DEBUG === '1'))
    return exitCode
  }
}

/** `run` on the streams and signals of this process; ends the process. */
export const runProcess = async (argv: readonly string[], registry: Registry): Promise<never> => {
  const { env } = process
  const controller = new AbortController()
  const stop = (): void => {
    // The second one does not wait for anybody.
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Nobody reads any more: what is left to compute is for nobody.
  const io = processIo(env, () => process.exit(0))
  if (argv.length === 0) {
    await io.stderr(renderHelp(registry, '', null, io.columns))
    process.exit(2)
  }
  process.exit(await run(argv, { io, env, cwd: process.cwd(), signal: controller.signal, registry }))
}
