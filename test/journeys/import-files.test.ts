/** 34 specifications of a repository, found and imported together by one person in a real browser on the real service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { parseNetworks } from '../../server/egress/address.ts'
import { parseGitHosts } from '../../server/hosting/hosts.ts'
import { testKey } from '../fixtures/accounts.ts'
import { petsYaml } from '../fixtures/pets-project.ts'
import { type Forge, startForge } from '../fixtures/web/forge.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(120_000)

let on: Real
let page: Page
let forge: Forge
const specifications = '/t/local/-/repositories/specifications'
const table = () => page.getByRole('table', { name: 'Specifications' })
const nameOf = (index: number): string => `apis/a${String(index + 10)}.yaml`

beforeAll(async () => {
  forge = startForge('gitlab')
  forge.provider.tokens.set('good-token', { login: 'acme-bot', scopes: ['read_repository', 'read_api'] })
  forge.create('acme/specs', {
    ...Object.fromEntries(
      Array.from({ length: 33 }, (_, index) => [nameOf(index), petsYaml('1.0.0').replaceAll('Pets', `Api ${index}`)]),
    ),
    'apis/broken.yaml': 'openapi: 3.1.0\ninfo: { title: Broken }\n',
  })
  on = await openReal({
    egressAllow: parseNetworks('127.0.0.0/8'),
    keys: { kind: 'given', keys: testKey },
    hosting: { hosts: parseGitHosts(`${forge.host}=gitlab`) ?? [] },
  })
  page = on.page
  page.setDefaultTimeout(90_000)
  const account = await on.ask('POST', '/v1/tenants/local/linked-accounts', {
    provider: 'gitlab',
    host: forge.host,
    token: 'good-token',
  })
  await on.ask('POST', '/v1/tenants/local/repositories', {
    source: 'linked_account',
    linkedAccountId: account['id'],
    repositoryFullName: 'acme/specs',
  })
}, 60_000)
afterAll(async () => {
  await on.close()
  await forge.stop()
})

test('three clicks import 34 specifications: all ticked, checked together, imported as one job', async () => {
  await on.go(specifications)
  await table().getByText(nameOf(32)).waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/repositories/'))
      asked.push(new URL(request.url()).pathname)
  })
  await page.getByLabel('Select all specifications of this page').click()
  await page.getByText('34 specifications chosen').waitFor()
  expect(await on.faults()).toEqual([])
  await on.press('Import 34 …')
  const decision = page.getByRole('region', { name: 'Import' })
  await decision.getByText('33 to import · 33 new projects · 1 refused').waitFor()
  const files = page.getByRole('table', { name: 'Files' })
  const broken = files.getByRole('row').filter({ hasText: 'apis/broken.yaml' })
  expect(await broken.innerText()).toContain('Line ')
  expect(await on.faults()).toEqual([])
  // The plan is in the address.
  await page.reload()
  await decision.getByRole('button', { name: 'Import 33' }).click()
  await on.heading('Specifications imported')
  await page.getByText('33 imported · 33 new projects').waitFor()
  expect(asked).toHaveLength(2)
  await page.reload()
  await page.getByText('33 imported · 33 new projects').waitFor()
  expect(await on.faults()).toEqual([])
  await files.getByRole('link', { name: 'api-0 1.0.0' }).click()
  await on.heading(/^Api 0/)
})

test('specifications are ticked by keyboard: x, Shift and X, arrows, Enter', async () => {
  await on.go(specifications)
  await table().getByText(nameOf(3)).waitFor()
  await table().getByRole('checkbox').nth(1).focus()
  await page.keyboard.press('x')
  await page.getByText('1 specification chosen').waitFor()
  for (const key of ['j', 'ArrowDown', 'Shift+X']) await page.keyboard.press(key)
  await page.getByText('3 specifications chosen').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.getByText('2 specifications chosen').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Import' }).getByText('2 to import').waitFor()
  await page.getByRole('table', { name: 'Files' }).getByText('unchanged').first().waitFor()
  expect(on.conduct).toEqual({ foreign: [], violations: [], errors: [] })
})
