import type { Browser, CDPSession } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Microseconds that passed, and those of them that the thread had a processor. */
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** A task of the main thread, in milliseconds. */
export interface MainTask {
  readonly passed: number
  /** Without what other programs took of the processor meanwhile: what remains on a machine that does nothing else. */
  readonly processor: number
  /** What most of its processor time went to. */
  readonly mostly: string
}

const parts = new Set([
  'EvaluateScript',
  'FunctionCall',
  'FireAnimationFrame',
  'TimerFire',
  'Layout',
  'UpdateLayoutTree',
  'Paint',
  'PrePaint',
  'ParseHTML',
  'RunMicrotasks',
  'MajorGC',
  'MinorGC',
  'V8.GC_MC_BACKGROUND_MARKING',
])

/** Records what the main threads of the pages do. */
export class TaskTrace {
  readonly #session: CDPSession
  #events: TraceEvent[] = []

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async over(browser: Browser): Promise<TaskTrace> {
    const trace = new TaskTrace(await browser.newBrowserCDPSession())
    trace.#session.on('Tracing.dataCollected', ({ value }) => {
      for (const event of value) trace.#events.push(event as unknown as TraceEvent)
    })
    return trace
  }

  async start(): Promise<void> {
    this.#events = []
    await this.#session.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['__metadata', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] },
    })
  }

  /** Ends the recording; gives the tasks of the main threads, the longest by processor time first. */
  async stop(): Promise<readonly MainTask[]> {
    const complete = new Promise<unknown>((resolve) => this.#session.once('Tracing.tracingComplete', resolve))
    await this.#session.send('Tracing.end')
    await complete
    const isMain = new Set(
      this.#events
        .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    const own = this.#events.filter(({ pid, tid, dur }) => dur !== undefined && isMain.has(`${pid} ${tid}`))
    return own
      .filter(({ name }) => name === 'RunTask')
      .map((task) => ({
        passed: (task.dur ?? 0) / 1000,
        processor: (task.tdur ?? 0) / 1000,
        mostly: this.#mostly(task, own),
      }))
      .toSorted((a, b) => b.processor - a.processor)
  }

  #mostly(task: TraceEvent, own: readonly TraceEvent[]): string {
    if ((task.tdur ?? 0) < 30_000) return ''
    const sums = new Map<string, number>()
    for (const { name, pid, ts, tdur = 0 } of own)
      if (parts.has(name) && pid === task.pid && ts >= task.ts && ts < task.ts + (task.dur ?? 0))
        sums.set(name, (sums.get(name) ?? 0) + tdur / 1000)
    const [most] = [...sums].toSorted((a, b) => b[1] - a[1])
    return most === undefined ? '' : `${most[0]} ${most[1].toFixed(0)} ms`
  }
}
