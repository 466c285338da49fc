/** Two people on the real service: one asks for a risky change of a gateway policy, the other approves it, and that applies it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReal, type Person, type Real } from '../fixtures/web/real.ts'

let ada: Real
let grace: Person

beforeAll(async () => {
  ada = await openReal()
  grace = await ada.join('Grace Hopper', 'admin')
  await ada.ask('POST', '/v1/slate/environments', { name: 'Production', approvals: { required: true } })
}, 60_000)
afterAll(() => ada.close())

test('a change is asked for, approved by another person, and in force without coming back to it', async () => {
  const { page } = ada
  await ada.go('/t/local/-/gateway/production/policy')
  await ada.press('Actions for SQL injection')
  await page.getByRole('menuitem', { name: 'Change the mode …' }).click()
  await page.getByLabel('Log only').check()
  await page.getByLabel('Reason').fill('The search takes SQL.')
  await ada.press('Preview')
  await page.getByLabel('Apply the change as soon as it is approved').check()
  await ada.press('Request approval')
  await page.getByText('This waits for the approval of 1 other person').waitFor()

  // What waits is the first thing on the overview.
  await grace.go('/t/local/-/gateway/production')
  await grace.heading('1 change waits for approval')
  const card = grace.page.getByRole('list', { name: 'Requests for approval' }).getByRole('listitem').first()
  await card.getByText('Reason: The search takes SQL.', { exact: true }).waitFor()
  await card.getByText('The group SQL injection stops blocking.').waitFor()
  await card.getByText('The last approval applies the change, as Ada Lovelace chose.').waitFor()
  await grace.press('Approve and apply …')
  const dialog = grace.page.getByRole('dialog')
  await dialog.getByText('Reason: The search takes SQL.', { exact: true }).waitFor()
  await dialog.getByText('Your approval applies the change at once, in the name of Ada Lovelace').waitFor()
  await dialog.getByRole('button', { name: 'Approve and apply' }).click()
  await card.waitFor({ state: 'detached' })

  // Who asked did nothing more, and reads it where they asked.
  await page.getByText('Approved by Grace Hopper: the change is made').waitFor()
  await ada.go('/t/local/-/gateway/production/audit')
  const rows = page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem')
  await rows.first().waitFor()
  const sentences = await rows.locator('p:first-child > span:first-child').allInnerTexts()
  const change = 'The group SQL injection changes from the catalogue default to log: The search takes SQL.'
  expect(sentences.map((it) => it.trim())).toEqual([
    `Grace Hopper applied the approval: ${change}`,
    'Ada Lovelace changed the mode of the group SQL injection',
    `Grace Hopper gave the approval: ${change}`,
    `Ada Lovelace asked for the approval: ${change}`,
    'Ada Lovelace created the environment',
  ])
  // What a browser says of the refusal that asks for an approval.
  expect(ada.conduct.errors.filter((it) => !it.includes('409'))).toEqual([])
  expect(grace.conduct).toEqual({ foreign: [], violations: [], errors: [] })
}, 90_000)

test('what the approval could not apply says why, and is tried again', async () => {
  const { page } = ada
  const group = '/v1/slate/environments/production/security/managed-groups/xss'
  const change = { mode: 'log', reason: 'Trial', applyWhenApproved: true }
  const refused = await grace.ask('PUT', group, change).catch(String)
  expect(refused).toContain('approval-required')
  const { items } = (await ada.ask('GET', '/v1/tenants/local/members')) as {
    items: { user_id: string; name: string }[]
  }
  const id = items.find(({ name }) => name === 'Grace Hopper')?.user_id ?? ''
  await ada.ask('PATCH', `/v1/tenants/local/members/${id}`, { role: 'viewer' })
  await ada.go('/t/local/-/gateway/production/approvals')
  await ada.press('Approve and apply …')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
  const card = page
    .getByRole('list', { name: 'Requests for approval' })
    .getByRole('listitem')
    .filter({ hasText: 'Trial' })
  await card.first().getByText('It was approved, but could not be applied').waitFor()
  await card.first().getByText('approved, not yet made').waitFor()
  await ada.ask('PATCH', `/v1/tenants/local/members/${id}`, { role: 'admin' })
  await ada.press('Try again …')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
  await card.first().getByText('made', { exact: true }).waitFor()
  expect(await ada.faults()).toEqual([])
}, 90_000)
