/** Threads, reviews and notifications by one person, in a real browser on the real service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

let on: Real
let page: Page
const versions = '/v1/tenants/local/projects/bookshop/versions'

beforeAll(async () => {
  on = await openReal()
  page = on.page
  await on.ask('POST', versions, { label: '9.0.0', from: 'latest' })
}, 60_000)
afterAll(() => on.close())

test('a thread is opened, answered by keyboard, and resolved', async () => {
  await on.go('/t/local/bookshop/9.0.0/review')
  await on.heading('No threads yet')
  await on.press('Open a thread …')
  await page.getByLabel('Place').fill('/info/nothing')
  await page.getByLabel('Comment').fill('Is this the **title**?')
  await on.press('Open the thread')
  await page.getByText('"/info/nothing" does not exist', { exact: false }).waitFor()
  await page.getByLabel('Place').fill('/info/title')
  await on.press('Open the thread')
  await on.heading('#info/title')
  await page.getByLabel('Reply to the thread on #info/title').focus()
  await page.keyboard.type('It is.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('It is.', { exact: true }).waitFor()
  // Below the sticky header a tab has less room.
  await page.evaluate(() => scrollTo(0, 0))
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await on.press('Resolve the thread on #info/title')
  await page.getByRole('button', { name: 'Reopen the thread on #info/title' }).waitFor()
  await page.getByRole('link', { name: /^line \d+$/ }).click()
  await page.waitForURL(/\/source\?line=/)
})

test('a suggestion is shown as a difference and applied to the draft', async () => {
  const patch = [{ op: 'replace', path: '/info/title', value: 'Shop of books' }]
  await on.ask('POST', `${versions}/9.0.0/threads`, {
    anchor: { pointer: '/info/title' },
    body: 'Clearer',
    suggestion: { patch },
  })
  await on.go('/t/local/bookshop/9.0.0/review?status=open')
  await page.getByRole('group', { name: 'Suggested change' }).getByText('Shop of books').waitFor()
  await on.press('Apply the suggestion')
  await page.getByText('Applied by Ada Lovelace', { exact: false }).waitFor()
  const stored = await (await page.request.get(new URL(`${versions}/9.0.0`, page.url()).href)).json()
  expect((stored as { title: string }).title).toBe('Shop of books')
})

test('who wrote the draft is not offered as a reviewer', async () => {
  await on.go('/t/local/bookshop/9.0.0/review')
  await on.press('Request a review …')
  await page.getByText('No other member can decide reviews.', { exact: false }).waitFor()
  await on.go('/t/local/-/reviews')
  await on.heading('Nothing waits for you')
})
