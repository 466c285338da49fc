/** The five tabs of an environment, what is below each, and the addresses of before. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const lane = '/app/t/acme/-/gateway/production'

test('an environment has five tabs, and the parts of each are one click below', async () => {
  await on.go(lane)
  const tabs = on.page.getByRole('navigation', { name: 'Views of this environment' })
  await tabs.getByRole('link', { name: 'Overview' }).waitFor()
  expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Policy', 'Traffic', 'Delivery', 'History'])
  const parts: Record<string, string[]> = {}
  for (const name of ['Policy', 'Traffic', 'Delivery', 'History']) {
    await tabs.getByRole('link', { name }).click()
    const below = on.page.getByRole('navigation', { name: `Parts of the ${name.toLowerCase()}` })
    await below.getByRole('link').first().waitFor()
    parts[name] = await below.getByRole('link').allInnerTexts()
    expect(await tabs.locator('[aria-current=page]').innerText()).toBe(name)
  }
  expect(parts).toEqual({
    Policy: ['Settings', 'Rules', 'Exceptions', 'Versions'],
    Traffic: ['Events', 'Coverage'],
    Delivery: ['Gateways', 'Releases'],
    History: ['Audit trail', 'Approvals'],
  })
  await on.page.getByRole('link', { name: 'Approvals', exact: true }).click()
  expect(await tabs.locator('[aria-current=page]').innerText()).toBe('History')
})

test('the addresses of before lead to the new ones, with what they carried', async () => {
  const moved: Record<string, string> = {}
  for (const path of [
    '/rules?edit=r2',
    '/exceptions',
    '/events?ruleRef=crs%3A942100',
    '/coverage?days=7',
    '/gateways',
    '/releases?from=1&to=2',
    '/releases/2',
    '/versions',
    '/delivery/versions',
    '/approvals',
    '/audit',
  ]) {
    await on.go(`${lane}${path}`)
    await on.page.getByRole('navigation', { name: /^Parts of the/ }).waitFor()
    moved[path] = on.address().replace(lane, '')
  }
  expect(moved).toEqual({
    '/rules?edit=r2': '/policy/rules?edit=r2',
    '/exceptions': '/policy/exceptions',
    '/events?ruleRef=crs%3A942100': '/traffic?ruleRef=crs%3A942100',
    '/coverage?days=7': '/traffic/coverage?days=7',
    '/gateways': '/delivery',
    '/releases?from=1&to=2': '/delivery/releases?from=1&to=2',
    '/releases/2': '/delivery/releases/2',
    '/versions': '/policy/versions',
    '/delivery/versions': '/policy/versions',
    '/approvals': '/history/approvals',
    '/audit': '/history',
  })
})

test('the overview begins with what waits, and says once what no gateway confirmed', async () => {
  await on.go(lane)
  await on.heading('2 changes wait for approval')
  const requests = on.page.getByRole('list', { name: 'Requests for approval' }).getByRole('listitem')
  await requests.first().getByText('Reason: The search takes SQL.').waitFor()
  await requests
    .first()
    .getByRole('img', { name: '340 recorded requests: 300 as before, 30 would pass, 10 undecided.' })
    .waitFor()
  await on.heading('Requests over time')
  const enforcement = await on.page.getByRole('list', { name: 'Enforcement' }).innerText()
  expect(enforcement.match(/not confirmed by a gateway/g)?.length ?? 0).toBeLessThan(2)
  expect(enforcement).not.toContain('presets/tier')
})

test('a new rule is not called wrong before anything was written', async () => {
  await on.go(`${lane}/policy/rules?edit=new`)
  await on.heading('Add a rule')
  const text = on.page.getByLabel('Expression', { exact: true })
  expect(await text.getAttribute('aria-invalid')).toBeNull()
  await text.fill('http.path')
  await on.page.locator('textarea[aria-invalid=true]').waitFor()
})
