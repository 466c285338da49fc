/** The bell and the page of notifications, on the fake service: counts, the latest ones, types that are switched off. */
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

test('a type that is switched off in this browser is neither counted nor shown', async () => {
  await on.go('/app/t/acme/-/notifications')
  await on.page
    .getByRole('list', { name: 'Notifications' })
    .getByRole('link', { name: /\(n1\)/ })
    .waitFor()
  await on.page.getByLabel('Mentions', { exact: true }).uncheck()
  await on.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  expect(await on.page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').count()).toBe(1)
  await on.page.reload()
  await on.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  await on.page.getByLabel('Mentions', { exact: true }).check()
  await on.page.getByRole('button', { name: 'Notifications, 99+ unread' }).waitFor()
})
