/** Looks at an engine after it read a release: does it answer, and does its error log say that it could not use the configuration? */
import { pause } from '../../pause.ts'
import { Tail } from './tail.ts'

export interface WatchOptions {
  /** Has to answer with a status below 500; null: nothing is asked. */
  readonly health: string | null
  readonly errorLog: string | null
  readonly fatal: RegExp
  readonly forMs: number
  readonly everyMs: number
}

/** One answer may be lost while workers are replaced; as many in a row are a failure. */
const mostFailures = 3
const healthMs = 5000
const mostBytes = 1 << 20

async function healthProblem(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(healthMs)]),
    })
    await response.body?.cancel()
    return response.status < 500 ? null : `it answered ${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Makes a watch from now on: what the error log has already is older than the release. */
export function watchOf(options: WatchOptions): (signal: AbortSignal) => Promise<string | null> {
  return async (signal) => {
    const log = options.errorLog === null ? null : new Tail(options.errorLog)
    log?.skipToEnd()
    let failures = 0
    for (let waited = 0; ; waited += options.everyMs) {
      const line = log?.read(mostBytes)?.lines.find((it) => options.fatal.test(it))
      if (line !== undefined) return `The engine reports: ${line}`
      const problem = options.health === null ? null : await healthProblem(options.health, signal)
      failures = problem === null ? 0 : failures + 1
      if (failures >= mostFailures) return `The gateway does not answer at ${options.health}: ${problem}`
      if (signal.aborted) return null
      // A failure that began late is looked at until it is decided.
      if (waited >= options.forMs && failures === 0) return null
      await pause(options.everyMs, signal).catch(() => undefined)
    }
  }
}
