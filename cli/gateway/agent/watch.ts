/** Looks at an engine after it read a release: does it use it, and does its error log say that it could not? */
import { pause } from '../../pause.ts'
import { askGateway, isAnswering, notUsed } from './probe.ts'
import { Tail } from './tail.ts'

export interface WatchOptions {
  /** An address of a site that the gateway protects; null: nothing is asked. */
  readonly health: string | null
  /** The engine answers with the status of a rule, so that it can be asked which release it uses. */
  readonly probes: boolean
  readonly errorLog: string | null
  readonly fatal: RegExp
  readonly folder: string
  readonly forMs: number
  readonly everyMs: number
  /** Old workers are still there for a moment after a reload. */
  readonly graceMs: number
}

/** Why a release is not kept. */
export interface WatchProblem {
  readonly error: string
  /** The site does not answer under the release. */
  readonly isSilent: boolean
}
export interface Watch {
  /** Whether the site answers now, below 500; null: it cannot be asked. @param digest of the release in use */
  answers(digest: string | null, signal: AbortSignal): Promise<boolean | null>
  /** Looks at the engine for a while; null: nothing is wrong with it. */
  watch(digest: string, signal: AbortSignal): Promise<WatchProblem | null>
}

/** One answer may be lost while workers are replaced; as many in a row are a failure. */
const mostFailures = 3
const mostBytes = 1 << 20

/** What the error log has when the watch begins is older than the release. */
export const watchOf = (options: WatchOptions): Watch => ({
  answers: async (digest, signal) => (options.health === null ? null : isAnswering(options.health, digest, signal)),
  async watch(digest, signal) {
    const { health, probes, errorLog, fatal, forMs, everyMs } = options
    const log = errorLog === null ? null : new Tail(errorLog)
    log?.skipToEnd()
    let failures = 0
    let isUsed = health === null || !probes
    for (let waited = 0; !signal.aborted; waited += everyMs) {
      const line = log?.read(mostBytes)?.lines.find((it) => fatal.test(it))
      if (line !== undefined) return { error: `The engine reports: ${line}`, isSilent: false }
      const asked = health === null ? null : await askGateway(health, digest, signal)
      failures = asked === null || asked.problem === null ? 0 : failures + 1
      isUsed ||= asked?.isUsed === true
      if (failures >= mostFailures)
        return { error: `The gateway does not answer at ${health}: ${asked?.problem}`, isSilent: true }
      // A failure that began late is looked at until it is decided.
      if (waited >= forMs && failures === 0) {
        if (isUsed) return null
        if (waited >= options.graceMs) return { error: notUsed(health ?? '', options.folder), isSilent: false }
      }
      await pause(everyMs, signal).catch(() => undefined)
    }
    return null
  },
})
