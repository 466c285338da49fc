/** Runs the command that a command line names, and reports its result. */
import { ValidationError } from '../src/api/wire.ts'
import { writtenChanges } from '../src/diff/written.ts'
import { type ExitCode, SvcError } from '../src/errors.ts'
import { suggest } from '../src/kernel/suggest.ts'
import { withSecretFiles } from '../server/settings/secret-files.ts'
import { envelopeOf } from '../src/report/envelope.ts'
import { jsonPieces } from '../src/report/json-pieces.ts'
import { endOf, exitCodeOfSignal } from './combine-exit-codes.ts'
import type { Command, Registry, Result } from './declare.ts'
import { pauseWork, startDeadline } from './deadline.ts'
import { describeFailure, failureText, reportFailure } from './failure.ts'
import { globalOptions } from './globals.ts'
import { children, renderHelp, usageLine } from './help.ts'
import { processIo } from './io.ts'
import { messageLevel } from './messages.ts'
import { parse } from './parse.ts'
import { type CliContext, prepare, type Prepared } from './prepare.ts'
import { inCommandWords, wordByName } from './request-words.ts'
import { type Reached, resolveCommand } from './tree.ts'
import { UsageError } from './usage-error.ts'

const envelope = (name: string, result: Result | null, exitCode: ExitCode, thrown: unknown): object => {
  const failure = thrown === undefined ? null : describeFailure(thrown, name)
  const changes = result?.changes === undefined ? {} : { changes: writtenChanges(result.changes) }
  const content = result?.findings === undefined ? changes : { findings: result.findings }
  const plain = result?.data !== undefined || Object.keys(content).length === 0 ? { data: result?.data ?? null } : {}
  return envelopeOf({
    command: name,
    exitCode,
    summary: result?.summary ?? null,
    content: { ...content, ...plain },
    error:
      failure === null
        ? null
        : {
            code: failure.code,
            message: failure.message,
            hint: failure.hint,
            docs: failure.docs,
            requestId: failure.requestId,
            retryable: failure.retryable,
          },
  })
}

/** The words of `argv` before `--`: those that may be options. */
const beforeDashes = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--')
  return end < 0 ? argv : argv.slice(0, end)
}

/** The error of a command line that ends in a group, or in a word that is not a command of it. */
const unknownCommand = (registry: Registry, { name, ahead, rest }: Reached): UsageError => {
  const usage = usageLine(name, null)
  const below = children(registry, name).map(([word]) => word)
  try {
    parse(ahead, globalOptions)
    const word = parse(rest, globalOptions).positionals[0]
    const path = `svc ${name === '' ? '' : `${name} `}`
    if (word === undefined)
      return new UsageError(`Missing subcommand after "${path.trimEnd()}": ${below.join(', ')}`, usage)
    // A file where the format is missing is read by the command that detects it.
    const isFile = /[./]/.test(word) && below.includes('auto')
    const near = suggest(word, below) ?? (isFile ? `auto ${word}` : null)
    return new UsageError(
      `Unknown command "${path}${word}"${near === null ? '' : `; did you mean "${path}${near}"?`}`,
      usage,
    )
  } catch (error) {
    if (error instanceof UsageError) return new UsageError(error.message, usage)
    throw error
  }
}

function textOf({ text }: Result): Iterable<string | Uint8Array> {
  const written = typeof text === 'function' ? text() : text
  if (written === undefined) return []
  return typeof written === 'string' || written instanceof Uint8Array ? [written] : written
}

const report = async (result: Result, name: string, json: boolean, context: CliContext): Promise<ExitCode> => {
  const { io } = context
  const failures = [...(result.failures ?? [])]
  const { exitCode, worst } = endOf(result.exitCode, failures)
  // What was said while the command ran comes before what it found.
  await io.flush()
  const pieces = json ? jsonPieces(envelope(name, result, exitCode, worst)) : textOf(result)
  for (const piece of pieces) await io.stdout(piece)
  for (const failure of failures) reportFailure(failure, name, io)
  return exitCode
}

const interrupted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new DOMException('interrupted', 'AbortError'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

const closingMs = 500

const execute = async (prepared: Prepared, name: string, context: CliContext): Promise<ExitCode> => {
  const { it, invocation, close } = prepared
  let detach = false
  if (it.endsAtOnce === true) context.releaseSignals?.()
  if (it.endsAtOnce === true || it.isBounded === true) {
    const { json, deadlineMs, memoryMb } = invocation.globals
    context.startDeadline?.(`svc ${name}`, { deadlineMs, memoryMb }, (failure) => ({
      stderr: `${failureText(failure, name, context.io)}\n`,
      stdout: json ? [...jsonPieces(envelope(name, null, failure.exitCode, failure))].join('') : '',
      exitCode: failure.exitCode,
    }))
  }
  try {
    const work = it.run(invocation)
    const result = await (it.graceful === true ? work : Promise.race([work, interrupted(context.signal)]))
    detach = result?.detach === true
    // A command that wrote its own output and returns nothing has no further output, except the JSON envelope.
    return result || invocation.globals.json ? await report(result ?? {}, name, invocation.globals.json, context) : 0
  } finally {
    pauseWork()
    if (!context.signal.aborted) await close(detach)
    // After Ctrl-C nothing is waited for: what is not stored is rolled back.
    else if (it.graceful === true) await Promise.race([close(true), Bun.sleep(closingMs)])
  }
}

/** An error as people read it who know the command line. */
const shownError = (error: unknown, command: Command | null, usage: string | undefined): unknown => {
  if (error instanceof UsageError && error.usage === undefined) return new UsageError(error.message, usage)
  return error instanceof ValidationError && command !== null
    ? inCommandWords(error, (field) => wordByName(field, command))
    : error
}

const dispatch = async (argv: readonly string[], context: CliContext): Promise<ExitCode> => {
  const { io, registry } = context
  // Read before anything else, so that a usage error is reported in the same form.
  let json = beforeDashes(argv).includes('--json')
  let name = ''
  let usage: string | undefined
  let it: Command | null = null
  try {
    const reached = await resolveCommand(argv, registry)
    name = reached.name
    it = (await registry[name]?.load?.()) ?? null
    const asked = beforeDashes(argv)
    const asksHelp = asked.includes('--help') || asked.includes('-h')
    if (asksHelp && (it !== null || reached.rest.every((word) => word.startsWith('-')))) {
      await io.stdout(renderHelp(registry, name, it, io.columns))
      return 0
    }
    const stray = reached.rest[0]?.startsWith('-') === false && it?.arguments.length === 0
    if (it === null || (stray && children(registry, name).length > 0)) throw unknownCommand(registry, reached)
    usage = usageLine(name, it)
    const prepared = prepare(it, reached, { ...context, env: withSecretFiles(context.env) })
    json = prepared.invocation.globals.json
    return await execute(prepared, name, context)
  } catch (error) {
    if (context.signal.aborted && !(error instanceof SvcError)) return exitCodeOfSignal(context.signal)
    const shown = shownError(error, it, usage)
    const { exitCode } = describeFailure(shown, name)
    await io.flush()
    const canWrite = !(shown instanceof SvcError && shown.code === 'output-failed')
    if (json && canWrite) for (const piece of jsonPieces(envelope(name, null, exitCode, shown))) await io.stdout(piece)
    reportFailure(shown, name, io)
    return exitCode
  }
}

/**
 * Runs one command line and gives its exit code; errors of the person, the input or the service never throw.
 * `svc help COMMAND` is `svc COMMAND --help`.
 */
export const run = async (argv: readonly string[], context: CliContext): Promise<ExitCode> => {
  context.io.log.level = messageLevel({ quiet: false, verbose: false }, context.env)
  const [first, ...others] = argv
  try {
    return await dispatch(first === 'help' ? [...others, '--help'] : argv, context)
  } finally {
    await context.io.flush()
  }
}

/** `run` on the streams and signals of this process; ends the process. */
export const runProcess = async (argv: readonly string[], registry: Registry): Promise<never> => {
  const { env } = process
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals): void => {
    const isSecond = controller.signal.aborted
    if (!isSecond) controller.abort(new DOMException(name, 'AbortError'))
    // The second signal ends the process at once.
    else process.exit(exitCodeOfSignal(controller.signal))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.on(name, stop)
  const releaseSignals = (): void => {
    for (const name of signals) process.off(name, stop)
  }
  const io = processIo(env)
  if (argv.length === 0) {
    io.log.log(renderHelp(registry, '', null, io.columns))
    await io.flush()
    process.exit(2)
  }
  const around = { io, env, cwd: process.cwd(), signal: controller.signal, registry, releaseSignals, startDeadline }
  process.exit(await run(argv, around))
}
