/** Looks at an engine after it read a release: does it use it, and does its error log say that it could not? */
import { pause } from '../../pause.ts'
import { askGateway, notUsed } from './probe.ts'
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

/** Why a release is not kept, as a sentence; null: it is. */
export type Watch = (digest: string, signal: AbortSignal) => Promise<string | null>

/** One answer may be lost while workers are replaced; as many in a row are a failure. */
const mostFailures = 3
const mostBytes = 1 << 20

/** What the error log has when the watch begins is older than the release. */
export const watchOf =
  (options: WatchOptions): Watch =>
  async (digest, signal) => {
    const { health, probes, errorLog, fatal, forMs, everyMs } = options
    const log = errorLog === null ? null : new Tail(errorLog)
    log?.skipToEnd()
    let failures = 0
    let isUsed = health === null || !probes
    for (let waited = 0; !signal.aborted; waited += everyMs) {
      const line = log?.read(mostBytes)?.lines.find((it) => fatal.test(it))
      if (line !== undefined) return `The engine reports: ${line}`
      const asked = health === null ? null : await askGateway(health, digest, signal)
      failures = asked === null || asked.problem === null ? 0 : failures + 1
      isUsed ||= asked?.isUsed === true
      if (failures >= mostFailures) return `The gateway does not answer at ${health}: ${asked?.problem}`
      // A failure that began late is looked at until it is decided.
      if (waited >= forMs && failures === 0) {
        if (isUsed) return null
        if (waited >= options.graceMs) return notUsed(health ?? '', options.folder)
      }
      await pause(everyMs, signal).catch(() => undefined)
    }
    return null
  }
