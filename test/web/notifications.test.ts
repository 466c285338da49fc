/** The bell and the page of notifications, on the fake service: counts and the latest ones. */
import { expect, test } from 'bun:test'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

test('the bell counts to 99+, lists the latest and leads to the place', async () => {
  await on.go('/app/t/acme')
  const bell = on.page.getByRole('button', { name: /^Notifications, 99\+ unread/ })
  await bell.focus()
  await on.page.keyboard.press('Enter')
  await on.page.getByRole('menuitem', { name: /^Unread: .*\(n1\)/ }).waitFor()
  expect(await accessibilityFailures(on.page, [], '[role="menu"]')).toEqual([])
  await on.page.getByRole('menuitem', { name: /^Unread: .*\(n1\)/ }).press('Enter')
  await on.page.waitForURL(/\/app\/t\/acme\/train-travel\/2\.0\.0\/review\?thread=t1$/)
  await on.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('the bell asks each minute while the page is visible, and not while it is hidden', async () => {
  await on.alone()
  await on.page.clock.install()
  await on.go('/app/t/acme')
  await on.page.getByRole('button', { name: /^Notifications, 99\+ unread/ }).waitFor()
  const asked = (): number => on.sent('notifications.unread-count').length
  // The page needs time of its own between the seconds of its clock: to receive an answer, and to wait for the next minute.
  const secondsUntil = async (count: number): Promise<number> => {
    let seconds = 0
    for (; asked() < count; seconds++) {
      await on.page.clock.runFor(1000)
      await Bun.sleep(10)
    }
    return seconds
  }
  expect(asked()).toBe(1)
  // An answer that comes when the clock has moved on counts as new, and is not asked for again.
  const second = on.page.waitForResponse((it) => it.url().includes('unread-count'))
  expect(await secondsUntil(2)).toBeGreaterThan(50)
  await (await second).finished()
  const show = (state: 'hidden' | 'visible') =>
    on.page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  await show('hidden')
  await on.page.clock.runFor(300_000)
  expect(asked()).toBe(2)
  await show('visible')
  expect(await secondsUntil(3)).toBeLessThan(30)
  expect(await secondsUntil(4)).toBeGreaterThan(50)
})
