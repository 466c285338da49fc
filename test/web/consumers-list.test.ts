/** What lists of an organization say at a glance: consumers that break, limits that are reached, settings elsewhere. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

test('the list of consumers says which the newest version would break, and leads to the comparison', async () => {
  await on.go('/app/t/acme/train-travel/-/consumers')
  await on.page.getByText('with 2.0.0 (draft), compared with 1.1.0').waitFor()
  const row = on.page.getByRole('listitem').filter({ has: on.page.getByRole('heading', { name: 'Ticket app' }) })
  await row.getByText('would break with 2.0.0').waitFor()
  await on.page.getByRole('link', { name: 'Compare them' }).click()
  await on.heading('Compare')
  expect(on.address()).toBe('/app/t/acme/-/compare?base=train-travel%401.1.0&head=train-travel%402.0.0')
})

test('a limit that is reached is said first, with who can raise it', async () => {
  await on.go('/app/t/acme/-/usage')
  await on.page.getByText('Used up: Projects').waitFor()
  await on.page.getByText('ask the operator of this service to raise the limit', { exact: false }).waitFor()
})

test('settings lead to what is set on other pages; a page of no section marks none', async () => {
  await on.go('/app/t/acme/-/settings')
  await on.page.getByRole('link', { name: 'Where news go' }).click()
  await on.heading('Where news go')
  const sections = on.page.getByRole('navigation', { name: 'Sections' })
  await sections.waitFor()
  expect(await sections.locator('a.ring-1').count()).toBe(0)
  await on.go('/app/t/acme/train-travel')
  await on.heading('Train Travel API')
  expect(await sections.locator('a.ring-1').allInnerTexts()).toEqual(['Projects'])
})
