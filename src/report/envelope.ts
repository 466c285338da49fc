/** The one machine-readable answer of every command. */
import type { ExitCode } from '../errors.ts'

/** An error as programs read it. */
export interface EnvelopeError {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly docs: string | null
  readonly requestId: string | null
  readonly retryable: boolean
}

/** What a command answers: `content` is `{findings}`, `{changes}` or `{data}`. */
export interface Outcome {
  readonly command: string
  readonly exitCode: ExitCode
  readonly summary: object | null
  readonly content: object
  readonly error: EnvelopeError | null
}

/** The envelope; fields are only ever added within a `schemaVersion`. */
export const envelopeOf = ({ command, exitCode, summary, content, error }: Outcome): object => ({
  schemaVersion: 1,
  command,
  ok: exitCode === 0,
  exitCode,
  summary,
  ...content,
  error,
})
