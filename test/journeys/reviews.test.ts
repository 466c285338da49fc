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

test('a thread is opened on a line by keyboard, answered with a mention, resolved and folded', async () => {
  await on.go('/t/local/bookshop/9.0.0/review?line=3')
  const line = (number: number) => page.getByRole('button', { name: new RegExp(`^Line ${number},`) })
  await line(3).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await line(4).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowUp')
  await line(3).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Comment', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Is this the **title**, @Ada')
  await page.getByRole('option', { name: /^Ada Lovelace/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('?')
  expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toMatch(
    /^Is this the \*\*title\*\*, @\[Ada Lovelace\]\(user:[\w-]+\) \?$/,
  )
  await on.press('Preview')
  expect(await page.getByRole('group', { name: 'Preview of: Comment' }).locator('strong').allInnerTexts()).toEqual([
    'title',
    'Ada Lovelace',
  ])
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await on.press('Write')
  await page.getByLabel('Comment', { exact: true }).press('Control+Enter')
  const card = page.getByRole('article', { name: 'Thread on #info/title' })
  await card.and(page.locator(':focus')).waitFor()
  expect(page.url()).toMatch(/[?&]thread=/)
  await page.getByLabel('Reply to the thread on #info/title', { exact: true }).focus()
  await page.keyboard.type('It is.')
  await page.keyboard.press('Control+Enter')
  await card.getByText('It is.', { exact: true }).waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await on.press('Resolve the thread on #info/title')
  await card.getByText('resolved', { exact: true }).waitFor()
  expect(await card.getByRole('listitem').count()).toBe(0)
  // The address leads to it, and unfolds it.
  await page.reload()
  await card.and(page.locator(':focus')).waitFor()
  await card.getByRole('button', { name: 'Reopen the thread on #info/title' }).waitFor()
})

test('a change and a finding lead to their line; what a thread was about is said when it is gone', async () => {
  const text = await page.evaluate(async (path) => (await fetch(path)).text(), `${versions}/9.0.0/document`)
  const edited = text.replace(/title: .*/, 'title: Books of all kinds')
  await on.ask('POST', versions, { label: '9.1.0', content: edited })
  await on.ask('POST', `${versions}/9.1.0/threads`, { anchor: { pointer: '/info/description' }, body: 'Too long?' })
  await page.evaluate(
    async ([path, body]) => {
      const { csrf_token: token } = (await (await fetch('/_app/session')).json()) as { csrf_token: string }
      const etag = (await fetch(path)).headers.get('etag') ?? ''
      const headers = { 'x-csrf-token': token, 'content-type': 'application/yaml', 'if-match': etag }
      const { status } = await fetch(path, { method: 'PUT', headers, body })
      if (status !== 200) throw new Error(String(status))
    },
    [`${versions}/9.1.0/document`, edited.replace(/\n  description: [^\n]*(\n    [^\n]*)*/, '')] as const,
  )
  await on.go('/t/local/bookshop/9.1.0/review?list=changes')
  await page.getByText('place lost', { exact: true }).first().waitFor()
  await page.getByText('this is the nearest part that is left', { exact: false }).waitFor()
  await page
    .getByRole('button', { name: /^line 3 of the source: / })
    .first()
    .press('Enter')
  await page
    .getByRole('button', { name: /^Line 3, info › title/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.getByText('(changed)').first().waitFor({ state: 'attached' })
  await on.press(/^Findings/)
  await page.getByRole('region', { name: 'List of findings' }).getByRole('button').first().click()
  await page.waitForURL(/[?&]line=\d+/)
})

test('a suggestion is shown as a difference and applied to the draft', async () => {
  const patch = [{ op: 'replace', path: '/info/title', value: 'Shop of books' }]
  await on.ask('POST', `${versions}/9.0.0/threads`, {
    anchor: { pointer: '/info/title' },
    body: 'Clearer',
    suggestion: { patch },
  })
  await on.go('/t/local/bookshop/9.0.0/review')
  await page.getByRole('group', { name: 'Suggested change' }).getByText('Shop of books').waitFor()
  await on.press('Apply and resolve')
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
  expect(new URL(page.url()).pathname).toBe('/app/t/local/-/inbox')
})
