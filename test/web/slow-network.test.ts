/** On a slow network (400 kbit/s, 100 ms): something stands there at once, and is replaced by the page when it came. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

const slowDown = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = (400 * 1000) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

test('a page that is opened from another one shows a skeleton within 300 ms', async () => {
  await on.alone()
  await on.go('/app/t/acme/-/home')
  await on.heading('Needs attention')
  await on.page.waitForLoadState('networkidle')
  await slowDown(on.page)
  for (const [name, heading] of [
    ['Audit trail', 'Audit trail'],
    ['Projects', 'Projects'],
    ['Style guides', 'Style guides'],
  ] as const) {
    // Measured in the page, from the click until the skeleton is drawn.
    const waited = await on.page.evaluate(async (name) => {
      const link = [...document.querySelectorAll<HTMLElement>('#sections a')].find((it) => it.textContent === name)
      const before = performance.now()
      link?.click()
      while (document.querySelector('main .skeleton') === null && performance.now() - before < 5000)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      return performance.now() - before
    }, name)
    expect(waited).toBeLessThan(300)
    await on.page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
})

test('an empty cache shows something as soon as the style sheet came, before any script', async () => {
  await on.alone()
  await slowDown(on.page)
  await on.page.goto(new URL('/app/t/acme/-/home', on.fake.server.url).href, { waitUntil: 'commit' })
  await on.page.getByText('Loading svc …').waitFor()
  const painted = await on.page.evaluate(async () => {
    for (;;) {
      const [first] = performance.getEntriesByName('first-contentful-paint')
      if (first !== undefined) return first.startTime
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  expect(await on.page.getByRole('navigation').count()).toBe(0)
  expect(painted).toBeLessThan(2000)
  await on.heading('Needs attention')
  expect(await on.page.getByText('Loading svc …').count()).toBe(0)
})
