import { yieldToEventLoop } from '../../db/yield.ts'
import { Pause } from './pause.ts'
import { Share } from './share.ts'
import { inSpan } from '../../src/kernel/span.ts'
import { noteLook } from './failing.ts'
import { noteUnderWay } from './under-way.ts'

/** What works in the background until it is stopped. */
export interface Worker {
  /** Makes it look at what is due now: call it after something was queued (`tx.afterCommit(worker.wake)`). */
  readonly wake: () => void
  /** Gives work under way back now instead of letting it finish: it runs again elsewhere, or here the next time. */
  readonly giveBack: () => void
  /** Resolves when it has ended after its signal. */
  readonly done: Promise<void>
}

/**
 * Begins a piece of work that was taken, of an organization; null: of the whole service. It counts until it has ended.
 * @param name says what it is, out of a closed set
 * @param run does the work and writes how it ended; its signal aborts when it must stop now
 * @param traceparent the trace that asked for it (W3C Trace Context), which it continues; without it begins one of its own
 */
export type Begin = (
  tenantId: string | null,
  name: string,
  run: (cutOff: AbortSignal) => Promise<void>,
  traceparent?: string | null,
) => void

export interface LoopOptions {
  /**
   * Takes what is due, as much as the share has room for, so that no other process has it, and begins each piece. Work that is short
   * it may do itself. What it throws is reported, and it is asked again after the pause.
   * @returns how much it took: while that is more than 0, it is asked again at once
   */
  readonly claim: (begin: Begin) => Promise<number>
  /** How much may be under way; without it everything is that was begun. Nothing is claimed while it has no room. */
  readonly share?: Share
  /** Pause between looks that found nothing, ten per cent longer or shorter by chance; `wake` and the end of work end it early. */
  readonly pollMs: number
  /** How long work under way may continue after the signal, before it is cut off; without it until it has ended. */
  readonly drainMs?: number
  /** Called with what a claim or a piece of work threw. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Takes and does what is due until the signal aborts; then it takes nothing more, and ends when what is under way has ended. Any number of
 * loops, in any number of processes, share what is due.
 */
export function runLoop(options: LoopOptions, signal: AbortSignal): Worker {
  const { claim, share = new Share(Number.POSITIVE_INFINITY), pollMs, drainMs, onFault } = options
  const pause = new Pause()
  const cutOff = new AbortController()
  const running = new Set<Promise<void>>()
  const begin: Begin = (tenantId, name, run, traceparent = null) => {
    const end = share.begin(tenantId)
    const endNote = noteUnderWay(name)
    const work: Promise<void> = inSpan({ name, kind: 'internal', traceparent }, () => run(cutOff.signal))
      .catch(onFault)
      .finally(() => {
        running.delete(work)
        endNote()
        end()
        // What had to wait for room may begin.
        pause.end()
      })
    running.add(work)
  }
  const look = async (): Promise<number> => {
    try {
      const taken = share.free > 0 ? await claim(begin) : 0
      noteLook(pause, true)
      return taken
    } catch (fault) {
      noteLook(pause, false)
      onFault(fault)
      return 0
    }
  }
  const giveBack = (): void => cutOff.abort(new Error('The worker stops.'))
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = (): void => {
    pause.end()
    if (drainMs !== undefined) timer = setTimeout(giveBack, drainMs)
  }
  const work = async (): Promise<void> => {
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    while (!signal.aborted)
      if ((await look()) > 0) await yieldToEventLoop()
      else if (!signal.aborted) await pause.wait(pollMs * (0.9 + Math.random() * 0.2))
    noteLook(pause, true)
    while (running.size > 0) await Promise.all(running)
    clearTimeout(timer)
  }
  return { wake: pause.end, giveBack, done: work() }
}
