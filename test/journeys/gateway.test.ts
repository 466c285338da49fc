/** Gateways on the real service: an environment, a group that is changed with a preview, the version, the audit row. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReal, type Real } from '../fixtures/web/real.ts'

let real: Real

beforeAll(async () => {
  real = await openReal()
}, 60_000)
afterAll(() => real.close())

test('an environment is created, a group changed with a reason after a preview, and both are recorded', async () => {
  const { page } = real
  await real.go('/t/local')
  await page.getByRole('link', { name: 'Gateways' }).click()
  await real.heading('No environments yet')
  await real.press('Create the first one …')
  await page.getByLabel('Name', { exact: true }).fill('Production')
  await page.getByLabel('Host names').fill('api.example.com')
  await real.press('Create')
  await page.getByRole('link', { name: 'Production' }).click()
  await page.getByText('are not confirmed by a gateway').waitFor()
  expect(await page.getByText('not confirmed by a gateway').count()).toBe(1)
  await page.getByRole('link', { name: 'Policy', exact: true }).click()
  await real.heading('Policy')
  const row = page
    .getByRole('list', { name: 'Managed groups' })
    .getByRole('listitem')
    .filter({ hasText: 'SQL injection' })
  await real.press('Actions for SQL injection')
  await page.getByRole('menuitem', { name: 'Change the mode …' }).click()
  await page.getByLabel('Log only').check()
  await page.getByLabel('Reason').fill('The search takes SQL.')
  await real.press('Preview')
  await page.getByText('Nothing was recorded in the last 7 days:').waitFor()
  expect(await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').count()).toBe(1)
  await real.press('Save')
  await row.getByText('The search takes SQL.').waitFor()
  await row.getByText('Log only').waitFor()
  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  await real.press('Actions for version 2')
  await page.getByRole('menuitem', { name: 'Compare with 1' }).click()
  await real.heading('From version 1 to version 2')
  await real.press('Actions for version 1')
  await page.getByRole('menuitem', { name: 'Restore …' }).click()
  await real.press('Preview')
  await real.press('Restore')
  await page.getByText('restored from 1').waitFor()
  await page.getByRole('link', { name: 'History', exact: true }).click()
  const audit = page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem')
  await audit.first().waitFor()
  const sentences = await audit.locator('p:first-child > span:first-child').allInnerTexts()
  expect(sentences.map((it) => it.trim())).toEqual([
    'Ada Lovelace restored version 1',
    'Ada Lovelace changed the mode of the group SQL injection',
    'Ada Lovelace created the environment',
  ])
  expect(real.conduct).toEqual({ foreign: [], violations: [], errors: [] })
}, 60_000)
