/** Gateways of an environment: what each reports, adding one, replacing its key, removing it. */
import { expect, test } from 'bun:test'
import { gatewayKey } from '../fixtures/web/fake-enforcers.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const path = '/app/t/acme/-/gateway/production/delivery'

test('each gateway says what it uses, and a failed one why', async () => {
  await on.go(path)
  const rows = on.page.getByRole('list', { name: 'Gateways' }).getByRole('listitem')
  await rows.first().waitFor()
  const states = await Promise.all((await rows.all()).map(async (it) => (await it.innerText()).split('\n').slice(0, 2)))
  // What failed is first, and says why below its row.
  expect(states.map((it) => it.filter(Boolean))).toEqual([
    ['edge-3', 'failed'],
    ['edge-3: It could not use the newest release and keeps the one before.'],
    ['edge-4', 'silent'],
    ['edge-4: The agent has not reported for two minutes. The gateway keeps its last release.'],
    ['edge-2', 'behind'],
    ['edge-5', 'never seen'],
    ['edge-1', 'up to date'],
  ])
  expect(await rows.nth(1).innerText()).toContain('at 30-rules.conf:12: unknown variable')
  expect(await rows.nth(4).innerText()).toContain('nginx with ModSecurity')
})

test('adding one shows its key once, with the commands that start its agent', async () => {
  await on.go('/app/t/acme/-/gateway/staging/delivery')
  await on.heading('No gateways yet')
  await on.press('Add a gateway …')
  await on.page.getByLabel('Name').fill('edge-9')
  await on.page.getByRole('radio', { name: /nginx with ModSecurity/ }).check()
  await on.press('Add')
  expect(await on.page.getByLabel('The key', { exact: true }).innerText()).toBe(gatewayKey)
  const snippet = await on.page.locator('pre').innerText()
  expect(snippet.split('\n')).toEqual([
    `export SVC_GATEWAY_KEY=${gatewayKey}`,
    expect.stringMatching(/^export SVC_GATEWAY_PUBLIC_KEY=\S+$/),
    `svc gateway run --url ${on.fake.server.url.origin} --dir /var/lib/svc-gateway --engine nginx`,
  ])
  await on.page.getByLabel('I have stored the key').check()
  await on.press('Done')
  expect(on.sent('enforcers.create')).toEqual([{ label: 'edge-9', engine: 'modsecurity' }])
})

test('a key is replaced after a question; a removal that needs approval becomes a request', async () => {
  await on.go(path)
  const ask = async (item: string): Promise<void> => {
    await on.press('More: edge-1')
    await on.page.getByRole('menuitem', { name: item }).click()
  }
  await ask('Replace the key …')
  await on.press('Replace the key')
  expect(await on.page.getByLabel('The key', { exact: true }).innerText()).toBe(gatewayKey)
  await on.page.getByLabel('I have stored the key').check()
  await on.press('Done')
  await ask('Remove …')
  await on.press('Remove')
  await on.page.getByText('This waits for the approval of 1 other person').waitFor()
})

test('who may not change the policy sees the gateways only', async () => {
  on.fake.state.role = 'editor'
  await on.go(path)
  await on.heading('edge-1')
  expect(await on.page.getByRole('button', { name: /Add a gateway|More: edge/ }).count()).toBe(0)
})
