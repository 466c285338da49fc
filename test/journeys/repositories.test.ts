/** Repositories by one person, in a real browser on the real service, with a real git server and a fake provider on loopback. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { parseNetworks } from '../../server/egress/address.ts'
import { parseGitHosts } from '../../server/hosting/hosts.ts'
import { testKey } from '../fixtures/accounts.ts'
import { petsYaml } from '../fixtures/pets-project.ts'
import { type Forge, startForge } from '../fixtures/web/forge.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

const home = '/t/local/-/repositories'
const withPaths = (...paths: readonly string[]): string =>
  petsYaml(
    '1.0.0',
    `{ ${paths.map((it) => `${it}: { get: { responses: { '200': { description: ok } } } }`).join(', ')} }`,
  )

let on: Real
let page: Page
let forge: Forge
/** The path of the page of the repository. */
let repository = ''

beforeAll(async () => {
  forge = startForge('gitlab')
  forge.provider.tokens.set('good-token', { login: 'acme-bot', scopes: ['read_repository', 'read_api'] })
  forge.provider.tokens.set('other-token', { login: 'grace', scopes: ['read_repository', 'read_api'] })
  forge.create('acme/specs', {
    'openapi.yaml': withPaths('/a'),
    'apis/payments/v1/openapi.yaml': petsYaml('1.0.0').replaceAll('Pets', 'Payments'),
    'vendor/lib/openapi.yaml': petsYaml('8.0.0'),
    '.github/openapi.yaml': petsYaml('9.0.0'),
    'latest.yaml': { link: 'openapi.yaml' },
    'README.md': '# Specs',
    ...Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [`many/f${String(index).padStart(4, '0')}.txt`, 'x']),
    ),
  })
  forge.git.git('acme/specs', 'branch', 'next')
  on = await openReal({
    egressAllow: parseNetworks('127.0.0.0/8'),
    keys: { kind: 'given', keys: testKey },
    hosting: { hosts: parseGitHosts(`${forge.host}=gitlab`) ?? [] },
  })
  page = on.page
}, 60_000)
afterAll(async () => {
  await on.close()
  await forge.stop()
})

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
/** The rows of the tree that are drawn, as they are heard. */
const treeRows = async (): Promise<string[]> => {
  const rows = await page.getByRole('treeitem').allInnerTexts()
  return rows.map((it) => it.replaceAll(/\s+/g, ' ').trim())
}
const row = (name: RegExp | string) => page.getByRole('treeitem', { name })

test('an account is linked by a token: a refused one says why and keeps what was entered', async () => {
  await on.go(`${home}/accounts`)
  await on.heading('No linked accounts yet')
  await page.getByRole('button', { name: 'Link an account …' }).last().click()
  const link = dialog('Link an account')
  await link.getByRole('button', { name: 'GitLab' }).click()
  expect(await link.getByRole('link').getAttribute('href')).toBe(
    'https://gitlab.com/-/user_settings/personal_access_tokens?name=svc&scopes=read_repository,read_api',
  )
  await link.getByLabel('Host').fill(forge.host)
  expect(new URL((await link.getByRole('link').getAttribute('href')) ?? '').host).toBe(forge.host)
  await link.getByLabel('Token').fill('bad-token')
  await page.keyboard.press('Enter')
  await link.getByText(`${forge.host} refused the token`, { exact: false }).waitFor()
  expect(await link.getByLabel('Host').inputValue()).toBe(forge.host)
  await link.getByLabel('Token').fill('good-token')
  await page.keyboard.press('Enter')
  await dialog('Add a repository').waitFor()
  expect(await page.content()).not.toContain('good-token')
})

test('a repository is found by typing and added; its files appear by themselves', async () => {
  const add = dialog('Add a repository')
  await add.getByRole('combobox', { name: 'Repository' }).fill('spec')
  await page.getByRole('option', { name: /^acme\/specs public · main$/ }).waitFor()
  await page.keyboard.press('Enter')
  await add.getByRole('button', { name: 'Add the repository' }).click()
  await page.getByRole('tree').waitFor()
  repository = new URL(page.url()).pathname.replace('/app', '')
  expect(await treeRows()).toEqual([
    'apis/payments/v1 1 file',
    'openapi.yaml OpenAPI 211 bytes'.replace('211', String(withPaths('/a').length)),
  ])
  expect(await on.faults()).toEqual([])
})

test('the tree opens, moves and closes by keyboard; presets, marks and branches show other files', async () => {
  await page.getByRole('tree').focus()
  for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
  await row(/^openapi\.yaml OpenAPI/)
    .first()
    .waitFor()
  await page.locator('[role=treeitem][aria-level="2"][aria-selected=true]').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.locator('[role=treeitem][aria-expanded=true][aria-selected=true]').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.locator('[role=treeitem][aria-expanded=false][aria-selected=true]').waitFor()
  expect(await page.getByRole('treeitem').count()).toBe(2)
  await on.press('All files')
  await page.getByLabel('Vendored').check()
  await page.getByLabel('Hidden').check()
  await row(/^\.github hidden/).waitFor()
  expect((await treeRows()).map((it) => it.replace(/ \d+ bytes$/, ''))).toEqual([
    '.github hidden 1 file',
    'apis/payments/v1 1 file',
    'many 1,200 files',
    'vendor/lib vendored 1 file',
    'README.md',
    'latest.yaml symbolic link',
    'openapi.yaml OpenAPI',
  ])
  await page.getByRole('combobox', { name: 'Branch' }).selectOption('next')
  await page.getByRole('tree', { name: /^Files of next at/ }).waitFor()
  expect(page.url()).toContain('branch=next')
})

test('a large folder has only the rows that are seen, its end is reached by one key, and what is seen is read', async () => {
  await row(/^many/).click()
  await row(/^f0000\.txt/).waitFor()
  expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
  await page.getByRole('tree').focus()
  await page.keyboard.press('End')
  await row(/^f1199/).waitFor()
  await row(/^openapi\.yaml/).waitFor()
  expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
  // The middle was skipped: it is read when it is seen.
  await page.getByRole('tree').evaluate((it) => it.scrollTo({ top: it.scrollHeight / 2 }))
  await row(/^f06\d\d/)
    .first()
    .waitFor()
})

test('a search finds paths in any case', async () => {
  await on.go(`${repository}?preset=all`)
  await page.getByLabel('Search paths').fill('PAYments')
  await page.getByRole('list', { name: 'Found files' }).waitFor()
  await page.getByText('1 file', { exact: true }).waitFor()
  expect(await page.getByRole('list', { name: 'Found files' }).getByRole('link').allInnerTexts()).toEqual([
    'apis/payments/v1/openapi.yaml',
  ])
  await page.getByLabel('Search paths').fill('a(b')
  await on.heading('No matches')
})

test('a file is shown and imported; the tree says where to', async () => {
  await on.go(`${repository}/file?branch=main&path=openapi.yaml`)
  await on.heading('Content')
  await page.getByText('# as the author wrote it', { exact: false }).waitFor()
  await on.press('Import …')
  await dialog('Import openapi.yaml').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Open pets 1.0.0' }).waitFor()
  await on.press('Close')
  await page.getByRole('link', { name: 'pets 1.0.0', exact: true }).waitFor()
  await page.getByText('up to date', { exact: true }).waitFor()
  expect(await on.faults()).toEqual([])
  await page.getByLabel('If it is edited here and in the repository').selectOption('overwrite')
  await page.getByText('The file replaces the draft', { exact: false }).waitFor()
  await on.go(`${repository}/settings`)
  await page.getByRole('list', { name: 'Files with their own policy' }).getByText('main: openapi.yaml').waitFor()
  await on.press('Clear the policy of openapi.yaml')
  await page.getByRole('list', { name: 'Files with their own policy' }).waitFor({ state: 'detached' })
  expect(await on.faults()).toEqual([])
})

test('a change is imported by "Refresh now", and the history says what it was', async () => {
  forge.commit('acme/specs', { 'openapi.yaml': withPaths('/a', '/b') })
  await on.go(repository)
  await on.press('Refresh now')
  await page.getByText('1 changed file is being imported.').waitFor()
  await page.getByRole('link', { name: 'History' }).click()
  const rows = page.getByRole('list', { name: 'Refreshes' }).getByRole('listitem')
  await page.waitForFunction(() => document.querySelectorAll('[aria-label=Refreshes] > li').length === 2)
  expect((await rows.allInnerTexts()).map((it) => /\b(?:imported|failed)\b/.exec(it)?.[0])).toEqual([
    'imported',
    'imported',
  ])
  expect(await on.faults()).toEqual([])
})

test('settings change at once, and stay', async () => {
  await on.go(`${repository}/settings`)
  await page.getByRole('switch', { name: 'Import changes automatically' }).click()
  await page.getByText('not polled').waitFor()
  await page.getByText('New draft', { exact: true }).click()
  await page.getByRole('switch', { name: 'Scan completed' }).click()
  await page.getByRole('switch', { name: 'Report on pull requests' }).click()
  await page.getByRole('switch', { name: 'Report on pull requests', checked: true }).waitFor()
  await page.reload()
  await page.getByRole('radio', { name: /^New draft/, checked: true }).waitFor()
  expect(await page.getByRole('switch', { name: 'Scan completed' }).getAttribute('aria-checked')).toBe('true')
  expect(await page.getByRole('switch', { name: 'Import changes automatically' }).getAttribute('aria-checked')).toBe(
    'false',
  )
})

test('a webhook made by hand shows its secret once; a push and a forged one are listed with what to do', async () => {
  await on.go(`${repository}/webhook`)
  await on.press('Create a webhook …')
  await dialog('Create a webhook').getByText('I create it').click()
  await on.press('Create the webhook')
  const secret = await page.getByLabel('The secret', { exact: true }).innerText()
  const url = await dialog('Enter the webhook at the provider').locator('dd code').first().innerText()
  await page.getByLabel('I have stored the secret').check()
  await on.press('Done')
  await on.heading('Nothing arrived yet')
  const push = (token: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'x-gitlab-token': token, 'x-gitlab-event': 'Push Hook', 'content-type': 'application/json' },
      body: JSON.stringify({ object_kind: 'push', ref: 'refs/heads/main' }),
    })
  expect([(await push(secret)).status, (await push('forged')).status]).toEqual([202, 401])
  await page.reload()
  const deliveries = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await deliveries.first().waitFor()
  const [forged, taken] = await deliveries.allInnerTexts()
  expect(forged).toContain('refused: signature')
  expect(forged).toContain('Rotate the secret, or enter the same secret there.')
  expect(taken).toContain('accepted: unknown address')
  expect(await on.faults()).toEqual([])
})

test('networks are added with a reason for each refusal; checking stops with a reason and starts again', async () => {
  await on.go(`${home}/sources`)
  await on.press('Add a network …')
  await page.getByLabel('Network', { exact: true }).fill('10.0.0.1/8')
  await page.keyboard.press('Enter')
  await page.getByText('"10.0.0.1/8" is an address inside the network 10.0.0.0/8.').waitFor()
  await page.getByLabel('Network', { exact: true }).fill('10.0.0.0/8')
  await page.keyboard.press('Enter')
  await page
    .getByRole('list', { name: 'Networks of your own' })
    .getByText('10.0.0.0/8', { exact: true })
    .first()
    .waitFor()
  await page.getByRole('switch', { name: '10.0.0.0/8' }).click()
  await page.getByRole('switch', { name: '10.0.0.0/8', checked: false }).waitFor()
  await on.press('Stop checking …')
  await page.getByLabel('Reason').fill('moving to another proxy')
  await page.getByRole('dialog').getByRole('button', { name: 'Stop checking' }).click()
  await page.getByText('Reason: moving to another proxy', { exact: false }).waitFor()
  expect(await on.faults()).toEqual([])
  await on.press('Check again')
  await on.press('Stop checking …')
})

test('the limit of polls is changed, and the catalogue has the files of the default branch', async () => {
  await on.go(`${home}/polling`)
  await on.press('Change the limit …')
  await page.getByLabel('Polls per hour', { exact: true }).fill('30')
  await page.keyboard.press('Enter')
  await page.getByText('of 30 polls in the last 60 minutes', { exact: false }).waitFor()
  await on.go(`${home}/specifications`)
  await page.getByText('3 specifications', { exact: true }).waitFor()
  await on.press('Imported 1')
  await page.getByText('1 of 3 specifications', { exact: true }).waitFor()
  expect(page.url()).toContain('imported=yes')
  expect(await on.faults()).toEqual([])
})

test('a token is replaced by one of the same login only; an account in use is not deleted', async () => {
  await on.go(`${home}/accounts`)
  const name = `acme-bot on ${forge.host}`
  await on.press(`Actions for ${name}`)
  await page.getByRole('menuitem', { name: 'Replace the token …' }).click()
  const replace = dialog(`Replace the token of ${name}`)
  await replace.getByLabel('Token').fill('other-token')
  await page.keyboard.press('Enter')
  await replace.getByText('The token belongs to grace and not to acme-bot', { exact: false }).waitFor()
  await replace.getByLabel('Token').fill('good-token')
  await page.keyboard.press('Enter')
  await replace.waitFor({ state: 'detached' })
  await on.press(`Actions for ${name}`)
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  const used = dialog(`${name} is used`)
  expect(await used.getByRole('link').allInnerTexts()).toEqual(['acme/specs'])
  await used.getByRole('link').click()
  await page.getByLabel('Account that reads it').waitFor()
})

test('a removed repository is gone from the list; what was imported stays', async () => {
  await on.press('Remove the repository …')
  await on.press('Remove')
  await on.heading('No repositories yet')
  await on.go('/t/local/pets/1.0.0')
  await on.heading('Pets 1.0.0')
  expect(on.conduct.violations).toEqual([])
  expect(on.conduct.foreign).toEqual([])
})
