/** Rules, exceptions and events of gateway security on the real service: builder and text agree, what is unsafe is refused, removal is undone. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { testKey } from '../fixtures/accounts.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

let real: Real
const lane = '/t/local/-/gateway/production'
const security = '/v1/slate/environments/production/security'

beforeAll(async () => {
  real = await openReal({ keys: { kind: 'given', keys: testKey } })
  await real.ask('POST', '/v1/slate/environments', { name: 'Production', kind: 'production' })
}, 60_000)
afterAll(() => real.close())

const rules = async (): Promise<unknown[]> => {
  const { rules: found } = await real.ask('GET', security)
  return (found as { name: string; expressionText: string; enabled: boolean }[]).map((it) => [
    it.name,
    it.expressionText,
    it.enabled,
  ])
}

test('a rule is built, read as text, typed, refused where it is unsafe, saved, removed and restored', async () => {
  const { page } = real
  await real.go(`${lane}/rules`)
  await real.press('Add a rule …')
  const text = page.getByLabel('Expression', { exact: true })
  await page.getByLabel('Name', { exact: true }).fill('Admin from outside')
  // What nobody wrote yet is not wrong.
  expect(await page.getByText('Line 1, column').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
  await page.getByLabel('Value: Condition 1').fill('/admin')
  expect(await text.inputValue()).toBe('http.path starts "/admin"')
  await real.press('Condition')
  await page.getByLabel('Field: Condition 2').selectOption('ip.src')
  await page.getByLabel('Not: Condition 2').check()
  await page.getByLabel('Value: Condition 2').fill('10.0.0.0/8\n192.0.2.0/24')
  expect(await text.inputValue()).toBe('http.path starts "/admin" and not ip.src cidr ["10.0.0.0/8", "192.0.2.0/24"]')
  // The other way round: what is typed is what the builder shows, also while it cannot be read.
  await text.fill('http.path starts "/admin" and (http.method in ["post", "put"] or geo.country eq')
  await page.getByText('Line 1, column 80').waitFor()
  expect(await page.getByLabel('Value: Condition 2').inputValue()).toBe('10.0.0.0/8\n192.0.2.0/24')
  expect(await page.getByLabel('Value: Condition 2').isDisabled()).toBe(true)
  await text.press('End')
  await text.pressSequentially(' "de")')
  await page.getByLabel('Joined by: Group 2').waitFor()
  expect(await page.getByLabel('Joined by: Group 2').inputValue()).toBe('or ')
  expect(await page.getByLabel('Value: Condition 2.1').inputValue()).toBe('POST\nPUT')
  expect(await page.getByLabel('Value: Condition 2.2').inputValue()).toBe('DE')
  // Unsafe: refused by name, with what to do.
  await text.fill('http.path starts "/"')
  await real.press('Preview')
  const refusals = page.getByRole('list', { name: 'Refusals' })
  await refusals.waitFor()
  expect(await refusals.innerText()).toMatch(/rule-matches-all[^]*Limit it to a path, a route or addresses/)
  await text.fill('http.path starts "/admin"')
  await real.press('Preview')
  await page.getByText('Nothing was recorded in the last 7 days:').waitFor()
  await real.press('Save')
  const row = page.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem')
  await row.getByText('http.path starts "/admin"').waitFor()
  expect(await rules()).toEqual([['Admin from outside', 'http.path starts "/admin"', true]])
  await page.getByRole('switch', { name: 'On: Admin from outside' }).click()
  await row.getByText('off', { exact: true }).waitFor()
  expect(await rules()).toEqual([['Admin from outside', 'http.path starts "/admin"', false]])
  await page.getByRole('button', { name: 'More: Admin from outside' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await real.heading('Removed rules')
  expect(await rules()).toEqual([])
  await real.press('Restore Admin from outside')
  await row.getByText('http.path starts "/admin"').waitFor()
  expect(await rules()).toEqual([['Admin from outside', 'http.path starts "/admin"', false]])
  expect(real.conduct).toEqual({ foreign: [], violations: [], errors: [] })
}, 60_000)

test('an exception is drafted from an event in one click, and removed', async () => {
  const { page } = real
  const match = { ruleRef: 'crs:942100', groupId: 'sqli', paranoia: 1, severity: 'critical', field: 'query:q' }
  const event = {
    id: 'e1',
    at: new Date().toISOString(),
    action: 'block',
    ruleRef: 'crs:942100',
    groupId: 'sqli',
    method: 'GET',
    route: '/search',
    status: 403,
    source: 'edge-1',
    score: { inbound: 5, threshold: 5, detection: 2 },
    matches: [{ ...match, value: "zebrafish' or 1=1" }],
    policyVersion: 1,
    count: 3,
  }
  await page.evaluate(
    async ([path, line]) => {
      const { csrf_token: token } = (await (await fetch('/_app/session')).json()) as { csrf_token: string }
      const headers = { 'x-csrf-token': token, 'content-type': 'application/x-ndjson' }
      const answer = await fetch(path, { method: 'POST', headers, body: line })
      if (!answer.ok) throw new Error(await answer.text())
    },
    [`${security}/events`, JSON.stringify(event)] as const,
  )
  await real.go(`${lane}/events`)
  await page.getByRole('list', { name: 'Events' }).getByRole('button').click()
  await page.getByText('query:q').waitFor()
  expect(await page.content()).not.toContain('zebrafish')
  await page.getByLabel('Rule', { exact: true }).fill('crs:1')
  await real.press('Filter')
  await real.heading('No matches')
  await real.press('Clear search')
  const suggested = await page
    .locator('datalist option')
    .evaluateAll((all) => all.map((it) => it.getAttribute('value')))
  expect(suggested).toEqual(['crs:942100', '/search', 'edge-1'])
  await page.getByRole('button', { name: 'crs:942100' }).click()
  await page.waitForURL(/ruleRef=crs/)
  await page.getByRole('list', { name: 'Events' }).getByRole('button').click()
  await page.getByRole('link', { name: 'Draft an exception' }).click()
  await real.heading('Add an exception for an event')
  expect(await page.getByLabel('Route', { exact: true }).inputValue()).toBe('/search')
  expect(await page.getByLabel('Exempt from rules').inputValue()).toBe('crs:942100')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('q')
  await real.press('Preview')
  await page.getByRole('group', { name: 'Effect on recorded events' }).getByText('lets 3 more pass').first().waitFor()
  await real.press('Save')
  const list = page.getByRole('list', { name: 'Exceptions' }).getByRole('listitem')
  await list.first().waitFor()
  expect(await list.innerText()).toMatch(/GET \/search in query:q\s+ends within 24 hours\s+crs:942100/)
  await page.getByRole('button', { name: /^More: GET/ }).click()
  await page.getByRole('menuitem', { name: 'Remove …' }).click()
  await real.press('Remove')
  await list.getByText('removed', { exact: true }).waitFor()
  const { exceptions } = await real.ask('GET', `${security}/exceptions?include_expired=true`)
  expect((exceptions as { state: string; scope: object }[]).map((it) => [it.state, it.scope])).toEqual([
    ['removed', { route: '/search', path: null, method: 'GET', field: 'query:q' }],
  ])
  expect(real.conduct).toEqual({ foreign: [], violations: [], errors: [] })
}, 60_000)
