import { noteUnderWay, whatIsUnderWay } from '../loop/door.ts'

const lookEveryMs = 25
/** A longer block keeps others waiting. */
const tolerableMs = 200
const mostNamed = 5

/** A time without any answer of the process. */
export interface Stall {
  readonly ms: number
  /** Processor time that the loop's own thread used meanwhile: little where it waited for the disk, or the machine for something else. */
  readonly cpuMs: number
  /** The operations that were under way, the most likely one first; empty where none was. */
  readonly operations: readonly string[]
}

/**
 * Watches the event loop until it is stopped.
 * @param onStall called with each time of more than 200 ms in which the loop did not turn
 * @param onLook called 40 times a second with the seconds that the loop was late
 */
export function watchLoop(
  onStall: (stall: Stall) => void,
  onLook: (lateSeconds: number) => void = () => {},
): { readonly stop: () => void } {
  let last = performance.now()
  let cpu = process.threadCpuUsage()
  const look = (): void => {
    const now = performance.now()
    const used = process.threadCpuUsage(cpu)
    const ms = now - last - lookEveryMs
    onLook(Math.max(0, ms) / 1000)
    const names = new Set(whatIsUnderWay().map(({ name }) => name()))
    if (ms > tolerableMs)
      onStall({
        ms: Math.round(ms),
        cpuMs: Math.round((used.user + used.system) / 1000),
        operations: [...names].slice(0, mostNamed),
      })
    last = performance.now()
    cpu = process.threadCpuUsage()
  }
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

/** Notes a request as under way, by its route; the function that it returns ends that. */
export const noteRequest = (method: string, route: () => string | null): (() => void) =>
  // A caller can make up any method.
  noteUnderWay(() => `${methods.test(method) ? method : 'other'} ${route() ?? 'unmatched'}`)
