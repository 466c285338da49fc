/** What the page of an address costs: when it can be used, its tasks of the main thread, and what it was sent. */
import type { Browser, Page } from 'playwright-core'
import { TaskTrace } from '../../bench/large-pages/tasks.ts'

export interface Cost {
  /** From the navigation until the heading is there and nothing is being loaded. */
  readonly readyMs: number
  /** Processor time of the longest task of the main thread. */
  readonly longestTaskMs: number
  /** Processor time of all of its tasks. */
  readonly mainThreadMs: number
  /** The largest answer of the service as JSON, and what of it was sent. */
  readonly largest: { readonly path: string; readonly bytes: number; readonly sent: number } | null
  /** Everything the service sent, encoded. */
  readonly sent: number
  /** Answers of 1,400 bytes and more that were sent as they are. */
  readonly plain: readonly string[]
}

/** Notes in the page when it became ready for the last time. */
function watchReadiness(): void {
  const state = { readyAt: null as number | null }
  Object.assign(window, { pageSpeed: state })
  const look = (): void => {
    const isLoading = [...document.querySelectorAll('[role=status], [aria-busy=true]')].some((it) =>
      /^Loading .* …$/.test(it.textContent ?? ''),
    )
    const isReady = document.querySelector('h1') !== null && !isLoading
    if (!isReady) state.readyAt = null
    else state.readyAt ??= performance.now()
  }
  const begin = (): void => {
    look()
    new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true })
  }
  if (document.documentElement === null) document.addEventListener('DOMContentLoaded', begin)
  else begin()
}

/** Opens an address in a fresh page of the context of `signedIn` and measures it. */
export async function costOf(browser: Browser, signedIn: Page, address: string): Promise<Cost> {
  const page = await signedIn.context().newPage()
  await page.addInitScript(watchReadiness)
  const answers: Promise<{ path: string; bytes: number; sent: number; coded: boolean } | null>[] = []
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (!pathname.startsWith('/v1/') && !pathname.startsWith('/_app/')) return
    const read = async () => {
      const [body, sizes] = await Promise.all([response.body(), response.request().sizes()])
      const coded = response.headers()['content-encoding'] !== undefined
      return { path: pathname + search, bytes: body.byteLength, sent: sizes.responseBodySize, coded }
    }
    // What the page left before it was answered has no body.
    answers.push(read().catch(() => null))
  })
  const trace = await TaskTrace.over(browser)
  await trace.start()
  await page.goto(address)
  // Ready for half a second: what is read next would show that it is being loaded.
  await page.waitForFunction(() => {
    const { readyAt } = (window as unknown as { pageSpeed: { readyAt: number | null } }).pageSpeed
    return readyAt !== null && performance.now() - readyAt > 500
  })
  const readyMs = await page.evaluate(() => (window as unknown as { pageSpeed: { readyAt: number } }).pageSpeed.readyAt)
  const tasks = (await trace.stop()).map(({ processor }) => processor)
  const all = (await Promise.all(answers)).filter((it) => it !== null)
  await page.close()
  const [largest = null] = all.toSorted((a, b) => b.bytes - a.bytes)
  return {
    readyMs,
    longestTaskMs: Math.max(0, ...tasks),
    mainThreadMs: tasks.reduce((total, it) => total + it, 0),
    largest,
    sent: all.reduce((total, it) => total + it.sent, 0),
    plain: all.filter((it) => !it.coded && it.bytes >= 1400).map((it) => it.path),
  }
}
