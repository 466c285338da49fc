import type { Browser, CDPSession, Page } from 'playwright-core'
import { type MainTask, TaskTrace } from './tasks.ts'

interface Answer {
  readonly path: string
  encoding: string
  /** As transferred, and as read. */
  sent: number
  read: number
}

// Kept by the page itself: what is asked of it from outside would be a task too.
const watchTasks = (): void => {
  const kept = { end: 0 }
  Object.assign(window, { longTasks: kept })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) kept.end = Math.max(kept.end, startTime + duration)
  }).observe({ type: 'longtask', buffered: true })
}

// Usable is a page whose content is there and whose main thread has rested since.
const restedMs = 300

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
const ms = (value: number): string => `${value.toFixed(0)} ms`

const tasksWords = (tasks: readonly MainTask[]): string => {
  const [longest] = tasks
  const all = tasks.reduce((sum, { processor }) => sum + processor, 0)
  return longest === undefined
    ? 'no task'
    : `longest task ${ms(longest.processor)} of processor time${longest.mostly === '' ? '' : `, ${longest.mostly}`} (${ms(longest.passed)} passed), all tasks ${ms(all)}`
}

/** Measures a page from outside: its tasks, its requests and its heap. */
export class PageMeter {
  readonly #page: Page
  readonly #session: CDPSession
  readonly #trace: TaskTrace
  #answers = new Map<string, Answer>()

  private constructor(page: Page, session: CDPSession, trace: TaskTrace) {
    this.#page = page
    this.#session = session
    this.#trace = trace
  }

  static async over(browser: Browser, page: Page): Promise<PageMeter> {
    const session = await page.context().newCDPSession(page)
    const meter = new PageMeter(page, session, await TaskTrace.over(browser))
    await page.addInitScript(watchTasks)
    await session.send('Network.enable')
    await session.send('Performance.enable')
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const { pathname, search } = new URL(response.url)
      const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
      const path = `${pathname}${search}`.slice(0, 120)
      meter.#answers.set(requestId, { path, encoding: encoding ?? 'as it is', sent: 0, read: 0 })
    })
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const answer = meter.#answers.get(requestId)
      if (answer) answer.read += dataLength
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const answer = meter.#answers.get(requestId)
      if (answer) answer.sent = encodedDataLength
    })
    return meter
  }

  /** Opens an address and waits until the page can be used; gives lines of what that took. */
  async open(address: string, ready: (page: Page) => Promise<unknown>): Promise<string> {
    await this.#page.goto('about:blank')
    return this.#measured(0, async () => {
      await this.#page.goto(address, { waitUntil: 'commit' })
      await ready(this.#page)
    })
  }

  /** Does something on the page as it is; gives lines of what that took. */
  async during(act: (page: Page) => Promise<unknown>): Promise<string> {
    return this.#measured(await this.#page.evaluate(() => performance.now()), () => act(this.#page))
  }

  async #measured(begun: number, work: () => Promise<unknown>): Promise<string> {
    this.#answers = new Map()
    await this.#trace.start()
    await work()
    const ready = await this.#page.evaluate(() => performance.now())
    const end = await this.#rested()
    const tasks = await this.#trace.stop()
    return [
      `  usable after ${ms(Math.max(ready, end) - begun)}, ${tasksWords(tasks)}, heap ${await this.#heap()}`,
      ...this.#large(),
    ].join('\n')
  }

  /** Waits until there was no long task for a moment; gives when the last one ended. */
  async #rested(): Promise<number> {
    let seen = -1
    for (;;) {
      await this.#page.waitForTimeout(restedMs)
      await this.#page.waitForLoadState('networkidle')
      const end = await this.#page.evaluate(() => (window as unknown as { longTasks: { end: number } }).longTasks.end)
      if (end === seen) return end
      seen = end
    }
  }

  /** The answers of the service, and files over 100 kB; all others in one line. */
  #large(): readonly string[] {
    const all = [...this.#answers.values()]
    const shown = all.filter(({ path, read }) => read > 20_000 && !path.startsWith('/app/assets/'))
    const rest = all.filter((it) => !shown.includes(it))
    return [
      ...shown.map(
        ({ path, encoding, sent, read }) => `    ${path}: ${kilobytes(sent)} (${encoding}), ${kilobytes(read)} read`,
      ),
      `    and ${rest.length} others: ${kilobytes(rest.reduce((sum, { sent }) => sum + sent, 0))}, ${kilobytes(rest.reduce((sum, { read }) => sum + read, 0))} read`,
    ]
  }

  async #heap(): Promise<string> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return `${((metrics.find((it) => it.name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6).toFixed(0)} MB`
  }
}
