import type { CDPSession, Page } from 'playwright-core'

interface Answer {
  readonly path: string
  encoding: string
  /** As transferred, and as read. */
  sent: number
  read: number
}

/** The tasks of the main thread that took more than 50 ms, as [start, duration]. */
type Tasks = readonly (readonly [start: number, duration: number])[]

// Kept by the page itself: what is asked of it from outside would be a task too.
const watchTasks = (): void => {
  const kept: [number, number][] = []
  Object.assign(window, { longTasks: kept })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) kept.push([startTime, duration])
  }).observe({ type: 'longtask', buffered: true })
}

// Usable is a page whose content is there and whose main thread has rested since.
const restedMs = 300

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
const ms = (value: number): string => `${value.toFixed(0)} ms`

/** What the tasks of a page come to: when the last one ended, the longest, and all of them. */
const sumOf = (tasks: Tasks) => ({
  end: Math.max(0, ...tasks.map(([start, duration]) => start + duration)),
  longest: Math.max(0, ...tasks.map(([, duration]) => duration)),
  all: tasks.reduce((sum, [, duration]) => sum + duration, 0),
})

/** Measures a page from outside: its tasks, its requests, its processor time and its heap. */
export class PageMeter {
  readonly #page: Page
  readonly #session: CDPSession
  #answers = new Map<string, Answer>()

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  static async over(page: Page): Promise<PageMeter> {
    const session = await page.context().newCDPSession(page)
    const meter = new PageMeter(page, session)
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
    this.#answers = new Map()
    const before = await this.#processor()
    await this.#page.goto(address, { waitUntil: 'commit' })
    const tasks = await this.#settled(ready)
    const { end, longest, all } = sumOf(tasks.tasks)
    const processor = (await this.#processor()) - before
    return [
      `  usable ${ms(Math.max(tasks.ready, end))}, longest task ${ms(longest)}, long tasks ${ms(all)}, processor time ${ms(processor)}, heap ${await this.#heap()}`,
      ...this.#large(),
    ].join('\n')
  }

  /** Does something on the page as it is; gives a line of what that took. */
  async during(act: (page: Page) => Promise<unknown>): Promise<string> {
    this.#answers = new Map()
    await this.#page.evaluate(() => {
      const { longTasks } = window as unknown as { longTasks: unknown[] }
      longTasks.length = 0
    })
    const begun = await this.#page.evaluate(() => performance.now())
    const { tasks, ready } = await this.#settled(act)
    const { end, longest } = sumOf(tasks)
    return [
      `${ms(Math.max(ready, end) - begun)}, longest task ${ms(longest)}, heap ${await this.#heap()}`,
      ...this.#large(),
    ].join('\n')
  }

  async #settled(ready: (page: Page) => Promise<unknown>): Promise<{ readonly tasks: Tasks; readonly ready: number }> {
    await ready(this.#page)
    const at = await this.#page.evaluate(() => performance.now())
    let seen = -1
    for (;;) {
      await this.#page.waitForTimeout(restedMs)
      await this.#page.waitForLoadState('networkidle')
      const tasks = await this.#page.evaluate(() => (window as unknown as { longTasks: Tasks }).longTasks)
      if (tasks.length === seen) return { tasks, ready: at }
      seen = tasks.length
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

  async #metric(name: string): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return metrics.find((it) => it.name === name)?.value ?? Number.NaN
  }

  async #processor(): Promise<number> {
    return (await this.#metric('TaskDuration')) * 1000
  }

  async #heap(): Promise<string> {
    return `${((await this.#metric('JSHeapUsedSize')) / 1e6).toFixed(0)} MB`
  }
}
