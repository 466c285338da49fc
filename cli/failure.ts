/** Failures as a person and a program read them. */
import { ValidationError } from '../src/api/wire.ts'
import { SvcError, type ExitCode } from '../src/errors.ts'
import { UsageError } from './parse.ts'
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

/** Turns anything thrown into what is reported; what is no SvcError is a fault of svc. */
export const describeFailure = (thrown: unknown): Failure & { readonly exitCode: ExitCode } => {
  if (thrown instanceof SvcError) {
    return {
      code: thrown.code,
      message: thrown.message,
      hint: thrown.hint,
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
    hint: 'This is a fault of svc. SVC_DEBUG=1 shows where; please report it with the command and that output.',
    docs: 'svc explain internal',
    requestId: null,
    retryable: false,
    exitCode: 70,
  }
}

// The message of a validation error is its first entry; each further one is worth a line.
const furtherLines = (thrown: unknown): string[] =>
  thrown instanceof ValidationError ? thrown.entries.slice(1).map((it) => `  ${it.loc.join('.')}: ${it.msg}`) : []

/** The report of a failure on stderr. */
export const renderFailure = (thrown: unknown, colour: boolean, debug: boolean): string => {
  const failure = describeFailure(thrown)
  const red = (text: string): string => (colour ? `\u001b[31m${text}\u001b[39m` : text)
  const dim = (text: string): string => (colour ? `\u001b[2m${text}\u001b[22m` : text)
  const lines = [`${red('error:')} ${failure.message}`, ...furtherLines(thrown)]
  if (thrown instanceof UsageError) {
    if (thrown.usage !== undefined) lines.push(`usage: ${thrown.usage}`)
    lines.push(`hint: ${failure.hint}`)
  } else {
    lines.push(`hint: ${failure.hint}`)
    const request = failure.requestId === null ? '' : `, request ${failure.requestId}`
    lines.push(dim(`(${failure.code}${request}; ${failure.docs})`))
  }
  if (debug && thrown instanceof Error) lines.push(dim(`svc ${version} ${process.platform} ${thrown.stack ?? ''}`))
  return `${lines.join('\n')}\n`
}
