/** One browser and one fake service for a file of tests; each test begins anew, with a page of its own. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openWeb } from '../../server/web/serve.ts'
import { openBrowser } from '../browser.ts'
import { startFake } from './fake-service.ts'

export interface Stage {
  readonly page: Page
  readonly browser: Browser
  readonly fake: ReturnType<typeof startFake>
  /** Opens a path of the application. */
  go(path: string): Promise<unknown>
  /** Waits for a heading with exactly this text. */
  heading(name: string): Promise<void>
  /** Presses a button by its name, whole or as a pattern. */
  press(name: string | RegExp): Promise<void>
  keys(...keys: string[]): Promise<void>
  /** Path and query of where the page is. */
  address(): string
  /** What was sent with the calls of an operation. */
  sent(id: string): unknown[]
  /** Waits until a dialog is gone. */
  closed(title: string): Promise<void>
}

export const openStage = (): Stage => {
  // A test that runs out of time takes the browser with it, and all tests after it: it gets more than its waits do.
  setDefaultTimeout(30_000)
  let fake: ReturnType<typeof startFake>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    fake = startFake(await openWeb())
    browser = await openBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await fake.server.stop(true)
  })
  beforeEach(async () => {
    fake.reset()
    await context?.close()
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    page = await context.newPage()
    page.setDefaultTimeout(10_000)
  })
  afterEach(() => expect(fake.state.violations).toEqual([]))
  const named = (name: string | RegExp) => ({ name, ...(typeof name === 'string' ? { exact: true } : {}) })
  return {
    get page() {
      return page
    },
    get browser() {
      return browser
    },
    get fake() {
      return fake
    },
    go: (path) => page.goto(new URL(path, fake.server.url).href),
    heading: (name) => page.getByRole('heading', named(name)).waitFor(),
    press: (name) => page.getByRole('button', named(name)).click(),
    keys: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    address: () => page.url().slice(fake.server.url.origin.length),
    sent: (id) => fake.state.calls.filter((it) => it.id === id).map((it) => it.body),
    closed: async (title) => {
      await page
        .getByRole('dialog', { name: title })
        .or(page.getByRole('alertdialog', { name: title }))
        .waitFor({ state: 'detached' })
      expect(page.url()).not.toContain('dialog=')
    },
  }
}
