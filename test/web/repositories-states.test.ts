/** Repositories in states that a service reaches rarely: providers that are set up, refusals, and roles. */
import { expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const home = '/app/t/acme/-/repositories'

test('an account is linked by one click where the operator set a provider up; the address says what came of it', async () => {
  await on.go(`${home}/accounts?dialog=link`)
  await on.press('Connect with GitHub')
  await on.page.getByText('Linked: acme-bot on github.com').waitFor()
  expect(on.sent('linked-accounts.authorize')).toEqual([
    {
      host: 'github.com',
      kind: 'oauth',
      owner: 'user',
      return_to: '/app/t/acme/-/repositories/accounts',
    },
  ])
  await on.press('Close')
  await on.page.getByText('Linked: acme-bot on github.com').waitFor({ state: 'detached' })
  expect(on.address()).toBe(`${home}/accounts`)
})

test('the App is offered to those who may share accounts, and at its host only', async () => {
  await on.go(`${home}/accounts?dialog=link`)
  await on.page.getByRole('button', { name: 'Install the GitHub App' }).waitFor()
  await on.page.getByRole('dialog').getByLabel('Host').fill('code.example.com')
  await on.page.getByRole('button', { name: 'Install the GitHub App' }).waitFor({ state: 'detached' })
  expect(await on.page.getByText('Or with a token').count()).toBe(0)
  on.fake.state.role = 'editor'
  await on.go(`${home}/accounts?dialog=link`)
  await on.page.getByRole('button', { name: 'Connect with GitHub' }).waitFor()
  expect(await on.page.getByRole('button', { name: 'Install the GitHub App' }).count()).toBe(0)
})

test('an account that the provider ended is connected again in place', async () => {
  await on.go(`${home}/accounts`)
  await on.press('Actions for acme-bot on github.com')
  await on.page.getByRole('menuitem', { name: 'Connect again' }).click()
  await on.page.getByText('Linked: acme-bot on github.com').waitFor()
  expect(on.sent('linked-accounts.authorize')).toEqual([
    { host: 'github.com', kind: 'app', return_to: '/app/t/acme/-/repositories/accounts' },
  ])
})

test('the operator stores an OAuth client; the page shows where to register it', async () => {
  await on.go(`${home}/providers`)
  await on.press('Set up OAuth … of GitLab, gitlab.com')
  const dialog = on.page.getByRole('dialog', { name: 'OAuth client of gitlab.com' })
  expect(await dialog.getByRole('link').getAttribute('href')).toBe('https://gitlab.com/-/user_settings/applications')
  await dialog.getByText('https://svc.example.com/v1/auth/linked-accounts/callback').waitFor()
  await dialog.getByLabel('Client id').fill(' id ')
  await dialog.getByLabel('Client secret').fill('secret')
  await on.page.keyboard.press('Enter')
  await on.closed('OAuth client of gitlab.com')
  expect(on.sent('providers.set-oauth')).toEqual([{ host: 'gitlab.com', client_id: 'id', client_secret: 'secret' }])
})

test('who is not the operator sees how accounts are linked, and who sets that up', async () => {
  on.fake.state.refusals.set('providers.list', new SvcError('operator-required'))
  await on.go(`${home}/providers`)
  await on.page.getByText('The operator of the service sets it up', { exact: false }).waitFor()
  expect(await on.page.getByRole('list', { name: 'Providers' }).getByRole('listitem').count()).toBe(4)
  expect(await on.page.getByRole('button', { name: /OAuth|App …/ }).count()).toBe(0)
})

test('the palette finds repositories and accounts by their names', async () => {
  await on.go('/app/t/acme')
  await on.heading('Projects')
  await on.keys('Control+k')
  await on.page.getByRole('combobox').fill('acme/go')
  await on.page.getByRole('option', { name: /^acme\/gone github\.com Repositories$/ }).waitFor()
  await on.page.getByRole('combobox').fill('acme-bot')
  await on.page.getByRole('option', { name: /^acme-bot on github\.com GitHub Linked accounts$/ }).waitFor()
  await on.page.getByRole('combobox').fill('acme/go')
  await on.page.getByRole('option', { name: /^acme\/gone/ }).waitFor()
  await on.keys('Enter')
  await on.heading('acme/gone')
})

test('a repository that cannot be read says what to do, and nothing about what is in it', async () => {
  await on.go(`${home}/r3`)
  await on.page.getByText('The repository was not found.').waitFor()
  await on.page.getByText('No files were read').waitFor()
  expect(await on.page.getByText('was recognized', { exact: false }).count()).toBe(0)
  expect(await on.page.getByRole('link', { name: 'Change account' }).getAttribute('href')).toBe(`${home}/r3/settings`)
  const asked = on.page.waitForRequest((it) => it.method() === 'POST' && it.url().endsWith('/r3/scan'))
  await on.press('Check again')
  await asked
  await on.go(`${home}/import`)
  await on.page.getByRole('link', { name: 'Choose specifications' }).click()
  await on.page.waitForURL(/\/specifications/)
})

test('a viewer reads everything and changes nothing', async () => {
  on.fake.state.role = 'viewer'
  for (const [path, heading] of [
    ['', 'acme/specs'],
    ['/accounts', 'acme-bot on github.com'],
    ['/polling', 'Limit'],
    ['/sources', 'Networks of your own'],
    ['/r1/settings', 'Conflicts'],
    ['/r1/webhook', 'Deliveries'],
    ['/r1/file?branch=main&path=openapi.yaml', 'Content'],
  ] as const) {
    await on.go(`${home}${path}`)
    await on.heading(heading)
    const buttons = await on.page.locator('main').getByRole('button').allInnerTexts()
    expect([path, buttons.filter((it) => it.endsWith('…') || it === 'Refresh now')]).toEqual([path, []])
    expect(await on.page.locator('main').getByRole('switch', { disabled: false }).count()).toBe(0)
  }
})
