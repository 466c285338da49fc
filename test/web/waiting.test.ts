/** What waits for the person: reviews and changes of gateway policies. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const path = '/app/t/acme/-/reviews'
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

test('a review says who was asked and what they answered; others are one button away', async () => {
  await on.go(path)
  const reviewers = on.page.getByRole('list', { name: 'Reviewers' })
  await reviewers.waitFor()
  expect((await reviewers.getByRole('listitem').allTextContents()).map(plain)).toEqual([
    'Youpending',
    'Mary Kenneth Kellerapproved',
  ])
  await on.page.getByRole('link', { name: 'train-travel 2.0.0', exact: true }).waitFor()
  await on.press('Requested by you')
  expect(on.address()).toBe(`${path}?show=authored`)
  await on.press('All open reviews')
  await on.page.getByText('Adds stations').waitFor()
  expect(on.address()).toBe(`${path}?show=all`)
})

test('changes of gateway policies by others wait for who may approve them', async () => {
  const changes = on.page.getByRole('list', { name: 'Changes of gateway policies' })
  await on.go(path)
  const links = changes.getByRole('link')
  await links.first().waitFor()
  // The second one was requested by the person who looks.
  expect(await links.allInnerTexts()).toEqual(['Production: The group sqli changes from block to log.'])
  await links.first().click()
  await on.heading('Approvals')
  expect(on.address()).toBe('/app/t/acme/-/gateway/production/history/approvals')
  on.fake.state.role = 'editor'
  await on.go(path)
  await on.page.getByRole('link', { name: 'train-travel 2.0.0', exact: true }).waitFor()
  expect(await changes.count()).toBe(0)
})
