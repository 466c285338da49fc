import type { Logger } from './log.ts'

/** A part of the shutdown: it ends when that part has stopped. */
export interface DrainStep {
  readonly name: string
  readonly run: () => Promise<unknown>
}

export interface Drain {
  readonly isDraining: boolean
  /** Aborts when draining begins: long polls and workers listen to it. */
  readonly signal: AbortSignal
  /**
   * Runs the steps in their order, once: a second call waits for the first. A step that fails is logged and the next one
   * still runs. After `graceMs` for all together the rest is given up.
   * @returns true when everything came to rest in time
   */
  stop(): Promise<boolean>
}

/**
 * The orderly end of a server: first readiness turns red and stays so for `announceMs`, for balancers to notice; then the
 * listeners stop and finish what they have, then the jobs, then storage and telemetry: in the order of `steps`.
 */
export function createDrain(options: {
  readonly steps: readonly DrainStep[]
  readonly graceMs: number
  readonly announceMs: number
  readonly logger: Logger
}): Drain {
  const { steps, graceMs, announceMs, logger } = options
  const controller = new AbortController()
  let stopping: Promise<boolean> | null = null
  const runAll = async (): Promise<boolean> => {
    await Bun.sleep(announceMs)
    const deadline = Date.now() + graceMs
    let clean = true
    for (const { name, run } of steps) {
      const { promise, resolve } = Promise.withResolvers<'late'>()
      const timer = setTimeout(() => resolve('late'), Math.max(0, deadline - Date.now()))
      try {
        if ((await Promise.race([run(), promise])) === 'late') {
          clean = false
          logger.warn('shutdown step did not end in time', { step: name })
        }
      } catch (error) {
        clean = false
        logger.error('shutdown step failed', { step: name, error })
      } finally {
        clearTimeout(timer)
      }
    }
    return clean
  }
  return {
    get isDraining() {
      return controller.signal.aborted
    },
    signal: controller.signal,
    stop() {
      controller.abort()
      return (stopping ??= runAll())
    },
  }
}
