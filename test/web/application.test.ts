import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openWeb } from '../../server/web/serve.ts'
import { SvcError } from '../../src/errors.ts'
import { openBrowser } from '../browser.ts'
import { csrf, goodPassword, setupToken, startFake } from './fake-service.ts'

// A test that runs out of time takes the browser with it, and all tests after it: it gets more than its waits do.
setDefaultTimeout(30_000)

let fake: ReturnType<typeof startFake>
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  fake = startFake(await openWeb())
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  await fake.server.stop(true)
})
beforeEach(async () => {
  fake.reset()
  await context?.close()
  context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})

const go = (path: string): Promise<unknown> => page.goto(new URL(path, fake.server.url).href)
const heading = (name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

describe('entrance', () => {
  test('claiming by keyboard alone; the token leaves the address at once and is never asked for in one', async () => {
    Object.assign(fake.state, { claimed: false, signedIn: false })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await go(`/app/claim#token=${setupToken}`)
    await heading('Take over this service')
    expect(page.url()).toBe(new URL('/app/claim', fake.server.url).href)
    await page.keyboard.type('Ada Lovelace')
    await press('Tab')
    await page.keyboard.type('ada@example.com')
    await press('Tab')
    await page.keyboard.type(goodPassword)
    await press('Enter')
    await heading('Projects')
    expect(fake.state.calls.find((it) => it.id === 'app.claim')?.body).toEqual({
      token: setupToken,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password: goodPassword,
    })
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((url) => url.includes(setupToken))).toEqual([])
  })

  test('a used set-up link says so and what to do', async () => {
    Object.assign(fake.state, { claimed: true, signedIn: false })
    await go('/app/claim#token=used')
    await page.getByLabel('Your name').fill('A')
    await page.getByLabel('E-mail address').fill('a@example.com')
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByRole('button', { name: 'Create the account' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('setup-token-invalid')
  })

  test('signing in leads back to where one wanted to go', async () => {
    fake.state.signedIn = false
    await go('/app/t/acme/train-travel?offset=50')
    await heading('Sign in')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill('wrong')
    await press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('e-mail address or password is wrong')
    await page.getByLabel('Password').fill(goodPassword)
    await press('Enter')
    await heading('Train Travel API')
    expect(page.url()).toBe(new URL('/app/t/acme/train-travel?offset=50', fake.server.url).href)
  })

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'signing in does not lead to %s',
    async (to) => {
      fake.state.signedIn = false
      await go(`/app/sign-in?to=${encodeURIComponent(to)}`)
      await page.getByLabel('E-mail address').fill('ada@example.com')
      await page.getByLabel('Password').fill(goodPassword)
      await press('Enter')
      await heading('Projects')
      expect(page.url()).toBe(new URL('/app/t/acme', fake.server.url).href)
    },
  )

  test('signing out ends the session and forgets what was read', async () => {
    await go('/app/')
    await heading('Projects')
    await page.getByRole('button', { name: 'Account: Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading('Sign in')
    expect(fake.state.calls.find((it) => it.id === 'app.logout')?.csrf).toBe(csrf)
    await page.goBack()
    await heading('Sign in')
  })
})

describe('onboarding', () => {
  const events = (): unknown[] =>
    fake.state.calls
      .filter((it) => it.id.startsWith('onboarding.') && it.id !== 'onboarding.wizard-state.get')
      .map((it) => [it.id.replace('onboarding.', ''), it.csrf, it.body])

  test('the wizard is left, resumed where it was, goes back without counting, and ends', async () => {
    await go('/app/new-tenant')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByLabel('Name of the organization').fill('Acme Rail')
    await page.getByLabel('Word for addresses').fill('taken')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Make the tenant' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Make the tenant' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('tenant-slug-taken')
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await page.getByLabel('Name of the organization').inputValue()).toBe('Acme Rail')
    await page.getByLabel('Word for addresses').fill('rail')
    await press('Enter')
    await page.getByRole('button', { name: 'Make the tenant' }).click()
    await page.getByRole('link', { name: 'Go to its projects' }).click()
    await heading('Projects')
    const at = (step: string, slug: string | null, more: object): unknown => [
      'wizard-state.put',
      csrf,
      { step, org_name: slug === null ? null : 'Acme Rail', slug, ...more },
    ]
    const make = (slug: string): unknown => [
      'first-tenant',
      csrf,
      { name: 'Acme Rail', slug, provision_sample_project: true },
    ]
    expect(events()).toEqual([
      at('organization', null, { event: 'reached' }),
      at('summary', 'taken', { event: 'reached' }),
      make('taken'),
      at('organization', 'taken', {}),
      at('summary', 'rail', { event: 'reached' }),
      make('rail'),
      at('done', 'rail', { event: 'completed' }),
      ['wizard-state.delete', csrf, {}],
    ])
  })

  test.each([
    ['new', { token: 'new', name: 'Grace Hopper', password: goodPassword }],
    ['known', { token: 'known', password: goodPassword }],
  ] as const)('an invitation of a %s person is accepted', async (token, body) => {
    fake.state.signedIn = false
    await go(`/app/invitation#token=${token}`)
    await heading('Join Acme')
    expect(page.url()).toEndWith('/app/invitation')
    if (token === 'new') await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(goodPassword)
    await press('Enter')
    await heading('Projects')
    expect(fake.state.calls.find((it) => it.id === 'app.invitation.accept')?.body).toEqual(body)
  })
})

describe('lists', () => {
  test('typing searches, and the search is part of the address', async () => {
    await go('/app/t/acme')
    await page.getByLabel('Search projects').fill('number 11')
    await page.getByText('11 projects').waitFor()
    expect(new URL(page.url()).search).toBe('?q=number+11')
    await page.getByLabel('Search projects').fill('number 11x')
    await heading('Nothing matches')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByText('120 projects').waitFor()
  })

  test('pages of a list are addresses', async () => {
    await go('/app/t/acme')
    await page.getByText('1–50 of 120').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51–100 of 120').waitFor()
    expect(new URL(page.url()).search).toBe('?offset=50')
    await page.goBack()
    await page.getByText('1–50 of 120').waitFor()
  })

  test('a refusal stands where the list would, in the words of the catalogue, and can be tried again', async () => {
    fake.state.refusals.set('projects.list', new SvcError('permission-denied', { permission: 'projects:view' }))
    await go('/app/t/acme')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('You may not see this')
    expect(await alert.innerText()).toContain('permission-denied')
    fake.state.refusals.clear()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('120 projects').waitFor()
  })

  test('a session that ended leads to signing in and back', async () => {
    await go('/app/t/acme')
    await heading('Projects')
    fake.state.signedIn = false
    await page.getByLabel('Search projects').fill('train')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill(goodPassword)
    await press('Enter')
    await page.getByText('1 project', { exact: true }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/app/t/acme?q=train')
  })

  test('what a role may not do is not offered', async () => {
    fake.state.role = 'viewer'
    await go('/app/t/acme/-/members')
    await heading('Grace Hopper')
    expect(await page.getByRole('button', { name: /Invite|Remove|Suspend|Reinstate/ }).count()).toBe(0)
    await go('/app/t/acme/train-travel/2.0.0/publishing')
    await page.getByText('Publishing needs a role').waitFor()
    expect(await page.getByRole('button', { name: 'Publish …' }).count()).toBe(0)
  })

  test('thousands of operations: few rows exist, more come while scrolling, one opens in full by its address', async () => {
    await go('/app/t/acme/train-travel/2.0.0')
    await page.getByText('1,200 operations').waitFor()
    const list = page.getByRole('region', { name: 'List of operations' })
    expect(await list.getByRole('listitem').count()).toBeLessThan(60)
    for (let round = 0; round < 6; round++) {
      await list.evaluate((frame) => frame.scrollTo({ top: frame.scrollHeight }))
      await page.waitForTimeout(80)
    }
    await list.getByText('/resource-1199/{id}').waitFor()
    await page.getByLabel('Search operations').fill('create a booking')
    await page.getByText('1 operation', { exact: true }).waitFor()
    await page.getByRole('button', { name: /Create a booking/ }).click()
    await page.getByText('Request body, required').waitFor()
    expect(new URL(page.url()).searchParams.get('operation')).toBe('POST /bookings')
    await press('Escape')
    await page.getByText('Request body, required').waitFor({ state: 'detached' })
  })

  test('a finding leads to its line in the source', async () => {
    await go('/app/t/acme/train-travel/2.0.0/findings?severity=warning')
    await page.getByRole('link', { name: 'line 10', exact: true }).click()
    await page.getByRole('region', { name: 'Lines of the document' }).waitFor()
    expect(page.url()).toEndWith('/source?line=10')
  })

  test('changes are compared with the version before, and with any other', async () => {
    await go('/app/t/acme/train-travel/2.0.0/changes')
    await page.getByText('2 breaking changes among 4').waitFor()
    await page.getByText('undecided').waitFor()
    await page.getByLabel('Compared with').selectOption('1.0.0')
    await page.waitForURL(/base=1\.0\.0/)
    await page.getByRole('button', { name: 'docs-only 1' }).click()
    await page.getByText('The description changed.').waitFor()
    expect(fake.state.calls.filter((it) => it.id === 'diff.classified').map((it) => it.body)).toEqual([
      { base: { project: 'train-travel', version: '1.1.0' }, head: { project: 'train-travel', version: '2.0.0' } },
      { base: { project: 'train-travel', version: '1.0.0' }, head: { project: 'train-travel', version: '2.0.0' } },
    ])
  })
})

test('the command palette goes anywhere by keyboard', async () => {
  await go('/app/t/acme')
  await heading('Projects')
  await press('Control+k')
  const box = page.getByRole('combobox', { name: /Go to/ })
  await box.waitFor()
  await page.keyboard.type('train')
  await page.getByRole('option', { name: /Train Travel API/ }).waitFor()
  await press('Enter')
  await heading('Train Travel API')
  await press('Control+k')
  await page.keyboard.type('API k')
  await page.getByRole('option', { name: /API keys/ }).waitFor()
  await press('ArrowDown', 'ArrowUp', 'Enter')
  await heading('API keys')
  await press('Control+k')
  await box.waitFor()
  await press('Escape')
  await box.waitFor({ state: 'detached' })
})

test('the theme is chosen by keyboard and stays', async () => {
  await go('/app/t/acme')
  await page.getByRole('button', { name: 'Account: Ada Lovelace' }).focus()
  await press('Enter')
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  const scheme = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await scheme()).toBe('dark')
  await page.reload()
  await heading('Projects')
  expect(await scheme()).toBe('dark')
})

test('a key: created by keyboard, shown once behind a guard, disabled after a question, enabled without, deleted', async () => {
  await go('/app/t/acme/-/keys')
  await page.getByText('1 key expires within 14 days: pipeline').waitFor()
  await page.getByRole('button', { name: 'Create a key …' }).focus()
  await press('Enter')
  await heading('Create an API key')
  await page.getByLabel('Name').fill('laptop')
  await page.getByRole('radio', { name: /CI: diff \+ lint/ }).check()
  await page.getByLabel('Expires after so many days').fill('')
  await press('Enter')
  const shown = page.getByLabel('The key', { exact: true })
  await shown.waitFor()
  expect(await shown.innerText()).toMatch(/^svk_\w{38}$/)
  expect(await page.getByText(/export SVC_API_KEY=svk_/).count()).toBe(1)
  await press('Escape')
  expect(await shown.isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await shown.waitFor({ state: 'detached' })
  expect(await page.getByText(/svk_0a1b2c3d4e5f/).count()).toBe(0)

  await page.getByRole('button', { name: 'Disable … laptop' }).click()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByRole('button', { name: 'Enable laptop' }).click()
  await page.getByRole('button', { name: 'Delete … laptop' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { name: 'laptop' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /(En|Dis)able.* old/ }).count()).toBe(0)

  const changes = fake.state.calls.filter((it) => /create|update|delete/.test(it.id))
  expect(changes.map((it) => [it.id, it.csrf, it.body])).toEqual([
    [
      'app.api-keys.create',
      csrf,
      { name: 'laptop', description: '', scopes: ['diff:read', 'lint:read'], expires_in_days: null },
    ],
    ['app.api-keys.update', csrf, { enabled: false }],
    ['app.api-keys.update', csrf, { enabled: true }],
    ['app.api-keys.delete', csrf, {}],
  ])
}, 20_000)

test('an agent key takes its toolset from the form and is shown once', async () => {
  await go('/app/t/acme/-/agents')
  await page.getByRole('button', { name: 'Create an agent key …' }).click()
  await page.getByLabel('Label').fill('reviewer')
  await page.getByRole('radio', { name: /^lint/ }).check()
  await press('Enter')
  await page.getByLabel('The key', { exact: true }).waitFor()
  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('The key', { exact: true }).waitFor({ state: 'detached' })
  expect(fake.state.calls.find((it) => it.id === 'agent-keys.create')?.body).toEqual({
    label: 'reviewer',
    toolset: 'lint',
    expires_in_days: 30,
  })
})

test('settings show what the role may see; the own password is for everybody', async () => {
  await go('/app/t/acme/-/settings')
  await heading('Audit trail')
  await page.getByText('member.suspended').waitFor()
  await page.getByText('100 of 100').waitFor()
  fake.state.role = 'viewer'
  await page.reload()
  await page.getByLabel('Current password').fill(goodPassword)
  await page.getByLabel('New password').fill('another good password')
  await press('Enter')
  await page.getByText('It is changed').waitFor()
  expect(await page.getByRole('heading', { name: /Audit|Plan/ }).count()).toBe(0)
  expect(fake.state.calls.find((it) => it.id === 'auth.password')).toEqual({
    id: 'auth.password',
    csrf,
    body: { current_password: goodPassword, new_password: 'another good password' },
  })
})

test('publishing asks first and names the content it means', async () => {
  await go('/app/t/acme/train-travel/2.0.0/publishing')
  await page.getByLabel('Visible to').selectOption('public')
  await page.getByRole('button', { name: 'Publish …' }).click()
  await heading('Publish 2.0.0?')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { name: 'Publish 2.0.0?' }).waitFor({ state: 'detached' })
  expect(fake.state.calls.find((it) => it.id === 'versions.publish')?.body).toEqual({
    visibility: 'public',
    expected_digest: `sha256:${'0'.repeat(64)}`,
  })
})
