/** What waits for the person: the inbox by mouse and keyboard, and the reviews of the organization. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const path = '/app/t/acme/-/inbox'
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const names = (list: string) => on.page.getByRole('list', { name: list }).locator('a[data-inbox]').allInnerTexts()
const chosen = () => on.page.evaluate(() => document.activeElement?.getAttribute('data-inbox'))

test('what is to be decided comes first, kinds are filters with whole counts', async () => {
  await on.go('/app/t/acme/-/reviews')
  await on.heading('Inbox')
  expect(on.address()).toBe(path)
  await on.page.getByRole('list', { name: 'Decide' }).waitFor()
  expect([await names('Decide'), await names('Look at')]).toEqual([
    ['Production', 'Train Travel API 2.0.0', 'Train Travel API 2.0.0'],
    [
      'You were mentioned in a comment on Train Travel API 2.0.0 (n1)',
      'Train Travel API 1.1.0 was published',
      'https://hooks.example.com/w3',
    ],
  ])
  const kinds = on.page.getByRole('group', { name: 'Kinds' }).getByRole('button')
  expect((await kinds.allInnerTexts()).map(plain)).toEqual([
    'Reviews 1',
    'Gateway changes 1',
    'Repository changes 1',
    'Webhooks 1',
    'Mentions 1',
    'Other news 1',
  ])
  await on.press(/^Webhooks/)
  await on.page.getByRole('list', { name: 'Decide' }).waitFor({ state: 'detached' })
  expect(on.address()).toBe(`${path}?kind=webhook`)
  expect(await names('Look at')).toEqual(['https://hooks.example.com/w3'])
})

test('j and k move, e marks news as read, which can be undone, and enter opens', async () => {
  await on.go(path)
  await on.page.getByRole('list', { name: 'Look at' }).waitFor()
  await on.keys('j', 'j', 'j', 'j')
  expect(await chosen()).toBe('mention:1')
  await on.keys('k')
  // A decision is not done by saying so.
  await on.keys('e')
  expect([await chosen(), on.sent('notifications.mark-read')]).toEqual(['candidate:1', []])
  await on.keys('j', 'e')
  await on.page.getByRole('link', { name: /^You were mentioned/ }).waitFor({ state: 'detached' })
  expect([await chosen(), on.sent('notifications.mark-read')]).toEqual(['news:1', [{ ids: ['n1'] }]])
  await on.press('Undo')
  await on.page.getByRole('link', { name: /^You were mentioned/ }).waitFor()
  expect(on.sent('notifications.mark-unread')).toEqual([{ ids: ['n1'] }])
  await on.page.getByRole('link', { name: 'Production' }).focus()
  await on.keys('Enter')
  await on.heading('Approvals')
  expect(on.address()).toBe('/app/t/acme/-/gateway/production/history/approvals')
})

test('a review says who was asked and what they answered; others are one button away', async () => {
  await on.go('/app/t/acme/-/reviews?show=authored')
  const reviewers = on.page.getByRole('list', { name: 'Reviewers' })
  await reviewers.waitFor()
  expect((await reviewers.getByRole('listitem').allTextContents()).map(plain)).toEqual([
    'Youpending',
    'Mary Kenneth Kellerapproved',
  ])
  await on.press('All open reviews')
  await on.page.getByText('Adds stations').waitFor()
  expect(on.address()).toBe('/app/t/acme/-/reviews?show=all')
})
