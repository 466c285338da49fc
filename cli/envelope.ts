import type { ExitCode } from '../src/errors.ts'
import type { Result } from './declare.ts'
import { describeFailure } from './failure.ts'

/** The one machine-readable answer of every command; fields are only ever added within a schemaVersion. */
export const envelope = (name: string, result: Result | null, exitCode: ExitCode, thrown: unknown): object => {
  const failure = thrown === undefined ? null : describeFailure(thrown, name)
  const content =
    result?.findings !== undefined
      ? { findings: result.findings }
      : result?.changes !== undefined
        ? { changes: result.changes }
        : {}
  const plain = result?.data !== undefined || Object.keys(content).length === 0 ? { data: result?.data ?? null } : {}
  return {
    schemaVersion: 1,
    command: name,
    ok: exitCode === 0,
    exitCode,
    summary: result?.summary ?? null,
    ...content,
    ...plain,
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
  }
}
