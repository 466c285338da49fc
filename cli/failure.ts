/** Failures as a person and a program read them. */
import { ValidationError } from '../src/api/wire.ts'
import { visible } from '../src/report/escape.ts'
import { SvcError, type ExitCode } from '../src/errors.ts'
import type { Io } from './io.ts'
import { messageText } from './messages.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.gen.ts'

/** What the envelope says of a failure. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly docs: string
  readonly requestId: string | null
  readonly retryable: boolean
}

const requestIds = new WeakMap<SvcError, string>()

/** Remembers the request id that came with an error of the service. */
export const withRequestId = (error: SvcError, id: string | null): SvcError => {
  if (id !== null) requestIds.set(error, id)
  return error
}

const retryable = new Set(['transport-failed', 'database-unavailable', 'auth-rate-limited', 'fetch-failed'])

/** Turns anything thrown into what is reported; what is not an SvcError is a bug in svc. `name` is the command that failed. */
export const describeFailure = (thrown: unknown, name: string): Failure & { readonly exitCode: ExitCode } => {
  if (thrown instanceof SvcError) {
    return {
      code: thrown.code,
      message: thrown.message,
      hint:
        thrown.code === 'usage' || thrown.code === 'request-invalid'
          ? `Run "${`svc ${name}`.trimEnd()} --help" for arguments and options.`
          : thrown.hint,
      docs: `svc explain ${thrown.code}`,
      requestId: requestIds.get(thrown) ?? null,
      retryable: retryable.has(thrown.code),
      exitCode: thrown.exitCode,
    }
  }
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return {
    code: 'internal',
    message: `svc failed: ${said}`,
    hint: 'This is a bug in svc. Run the command again with --verbose and report it with that output.',
    docs: 'svc explain internal',
    requestId: null,
    retryable: false,
    exitCode: 70,
  }
}

// The message of a validation error is its first entry; each further one gets a line.
const furtherLines = (thrown: unknown): string[] =>
  thrown instanceof ValidationError ? thrown.entries.slice(1).map((it) => `  ${it.loc.join('.')}: ${it.msg}`) : []

/** What a person reads of a failure: what failed, what to do, and where to read more. */
const linesOf = (thrown: unknown, name: string, { colour }: Pick<Io, 'colour'>): string => {
  const failure = describeFailure(thrown, name)
  const lines = [failure.message, ...furtherLines(thrown)].map(visible)
  if (thrown instanceof UsageError && thrown.usage !== undefined) lines.push(`usage: ${thrown.usage}`)
  lines.push(`hint: ${failure.hint}`)
  if (!(thrown instanceof UsageError)) {
    const request = failure.requestId === null ? '' : `, request ${failure.requestId}`
    const source = `(${failure.code}${request}; ${failure.docs})`
    lines.push(colour.stderr ? `\u001b[2m${source}\u001b[22m` : source)
  }
  return lines.join('\n')
}

/** Reports a failure to the person; its stack as a debug message. */
export const reportFailure = (thrown: unknown, name: string, io: Pick<Io, 'log' | 'colour'>): void => {
  const { log } = io
  log.error(linesOf(thrown, name, io))
  if (thrown instanceof Error) log.debug(`svc ${version} ${process.platform} ${thrown.stack ?? ''}`)
}

/** A failure as `reportFailure` writes it, for what cannot wait for messages to be written. */
export const failureText = (thrown: unknown, name: string, io: Pick<Io, 'colour'>): string =>
  messageText('error', linesOf(thrown, name, io), io.colour.stderr)
