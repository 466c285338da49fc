/** Getting in: set-up link, signing in and out, invitations, the wizard. */
import { describe, expect, test } from 'bun:test'
import { csrf, goodPassword, setupToken } from '../fixtures/web/fake-answers.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

describe('entrance', () => {
  test('claiming by keyboard alone; the token leaves the address at once and is never asked for in one', async () => {
    Object.assign(on.fake.state, { claimed: false, signedIn: false })
    const asked: string[] = []
    on.page.on('request', (request) => asked.push(request.url()))
    await on.go(`/app/claim#token=${setupToken}`)
    await on.heading('Create the administrator account')
    expect(on.page.url()).toBe(new URL('/app/claim', on.fake.server.url).href)
    await on.page.keyboard.type('Ada Lovelace')
    await on.keys('Tab')
    await on.page.keyboard.type('ada@example.com')
    await on.keys('Tab')
    await on.page.keyboard.type(goodPassword)
    await on.keys('Enter')
    await on.heading('Home')
    expect(on.fake.state.calls.find((it) => it.id === 'app.claim')?.body).toEqual({
      token: setupToken,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password: goodPassword,
    })
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.filter((url) => url.includes(setupToken))).toEqual([])
  })

  test('a used set-up link says so and what to do', async () => {
    Object.assign(on.fake.state, { claimed: true, signedIn: false })
    await on.go('/app/claim#token=used')
    await on.page.getByLabel('Your name').fill('A')
    await on.page.getByLabel('E-mail address').fill('a@example.com')
    await on.page.getByLabel('Password').fill(goodPassword)
    await on.page.getByRole('button', { name: 'Create the account' }).click()
    expect(await on.page.getByRole('alert').innerText()).toContain('setup-token-invalid')
  })

  test('what is missing in a form is said below its fields, and the first of them gets the focus', async () => {
    Object.assign(on.fake.state, { claimed: true, signedIn: false })
    await on.go('/app/claim#token=used')
    await on.page.getByLabel('E-mail address').fill('nobody')
    await on.press('Create the account')
    const wrong = on.page.locator('input[aria-invalid=true]')
    expect(await wrong.evaluateAll((all) => all.map((it) => (it as HTMLInputElement).autocomplete))).toEqual([
      'name',
      'username',
      'new-password',
    ])
    expect(await on.page.evaluate(() => document.activeElement?.getAttribute('autocomplete'))).toBe('name')
    await on.page.getByText("include an '@' in the email address").waitFor()
    await on.page.getByLabel('Your name').fill('A')
    expect(await wrong.count()).toBe(2)
    expect(on.sent('app.claim')).toEqual([])
  })

  test('signing in leads back to where one wanted to go', async () => {
    on.fake.state.signedIn = false
    await on.go('/app/t/acme/train-travel?offset=50')
    await on.heading('Sign in')
    await on.page.getByLabel('E-mail address').fill('ada@example.com')
    await on.page.getByLabel('Password').fill('wrong')
    await on.keys('Enter')
    expect(await on.page.getByRole('alert').innerText()).toContain('Incorrect e-mail address or password.')
    await on.page.getByLabel('Password').fill(goodPassword)
    await on.keys('Enter')
    await on.heading('Train Travel API')
    expect(on.page.url()).toBe(new URL('/app/t/acme/train-travel?offset=50', on.fake.server.url).href)
    // The organization of the address tells which account is meant.
    const sent = on.fake.state.calls.filter((it) => it.id === 'app.login').at(-1)
    expect(sent?.body).toEqual({ email: 'ada@example.com', password: goodPassword, tenant_slug: 'acme' })
  })

  test('a reset link sets the password of the account that it names, and signs in', async () => {
    Object.assign(on.fake.state, { claimed: true, signedIn: false })
    await on.go('/app/reset-password#token=reset-token')
    await on.heading('Set a new password')
    await on.page.getByText('For grace@example.com.').waitFor()
    expect(on.page.url()).toBe(new URL('/app/reset-password', on.fake.server.url).href)
    await on.page.keyboard.type(goodPassword)
    await on.keys('Enter')
    await on.heading('Home')
    expect(on.sent('app.password-reset.use')).toEqual([{ token: 'reset-token', password: goodPassword }])
  })

  test('the page of an invitation leads to the issuer, which proves the address', async () => {
    Object.assign(on.fake.state, { signedIn: false, issuer: 'Acme Login' })
    await on.go('/app/invitation#token=known')
    const link = on.page.getByRole('link', { name: 'Sign in with Acme Login' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(
      `/_app/oidc/start?${new URLSearchParams({ return_to: '/app/?all=yes' }).toString()}`,
    )
  })

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'signing in does not lead to %s',
    async (to) => {
      on.fake.state.signedIn = false
      await on.go(`/app/sign-in?to=${encodeURIComponent(to)}`)
      await on.page.getByLabel('E-mail address').fill('ada@example.com')
      await on.page.getByLabel('Password').fill(goodPassword)
      await on.keys('Enter')
      await on.heading('Home')
      expect(on.page.url()).toBe(new URL('/app/t/acme/-/home', on.fake.server.url).href)
    },
  )

  test('an issuer is offered beside the password, and leads back to where one wanted to go', async () => {
    Object.assign(on.fake.state, { signedIn: false, issuer: 'Acme Login' })
    await on.go('/app/t/acme/-/keys?dialog=new')
    const link = on.page.getByRole('link', { name: 'Sign in with Acme Login' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(
      `/_app/oidc/start?${new URLSearchParams({ return_to: '/app/t/acme/-/keys?dialog=new' }).toString()}`,
    )
    await on.go('/app/sign-in?error=oidc-account-unknown')
    expect(await on.page.getByRole('alert').innerText()).toContain('no account here')
    await on.go('/app/sign-in?error=made-up')
    await on.page.getByRole('link', { name: 'Sign in with Acme Login' }).waitFor()
    expect(await on.page.getByRole('alert').count()).toBe(0)
  })

  test('signing out ends the session and forgets what was read', async () => {
    await on.go('/app/')
    await on.heading('Home')
    await on.page.getByRole('button', { name: 'Account: Ada Lovelace' }).click()
    await on.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await on.heading('Sign in')
    expect(on.fake.state.calls.find((it) => it.id === 'app.logout')?.csrf).toBe(csrf)
    await on.page.goBack()
    await on.heading('Sign in')
  })
})

describe('onboarding', () => {
  const events = (): unknown[] =>
    on.fake.state.calls
      .filter((it) => it.id.startsWith('onboarding.') && it.id !== 'onboarding.wizard-state.get')
      .map((it) => [it.id.replace('onboarding.', ''), it.csrf, it.body])

  test('the wizard is left, resumed where it was, goes back without counting, and ends', async () => {
    await on.go('/app/new-tenant')
    await on.page.getByLabel('Name of the organization').fill('Acme Rail')
    await on.page.getByLabel('URL slug').fill('taken')
    await on.page.getByRole('button', { name: 'Next' }).click()
    await on.page.getByRole('button', { name: 'Create the organization' }).waitFor()
    await on.page.reload()
    await on.page.getByRole('button', { name: 'Create the organization' }).click()
    expect(await on.page.getByRole('alert').innerText()).toContain('tenant-slug-taken')
    await on.page.getByRole('button', { name: 'Back' }).click()
    expect(await on.page.getByLabel('Name of the organization').inputValue()).toBe('Acme Rail')
    await on.page.getByLabel('URL slug').fill('rail')
    await on.keys('Enter')
    await on.page.getByRole('button', { name: 'Create the organization' }).click()
    await on.page.getByRole('link', { name: 'Go to the home page' }).click()
    await on.heading('Home')
    const at = (step: string, slug: string, more: object): unknown => [
      'wizard-state.put',
      csrf,
      { step, org_name: 'Acme Rail', slug, ...more },
    ]
    const make = (slug: string): unknown => [
      'first-tenant',
      csrf,
      { name: 'Acme Rail', slug, provision_sample_project: true },
    ]
    expect(events()).toEqual([
      at('organization', 'taken', { event: 'reached' }),
      at('summary', 'taken', { event: 'reached' }),
      make('taken'),
      at('organization', 'taken', {}),
      at('summary', 'rail', { event: 'reached' }),
      make('rail'),
      at('done', 'rail', { event: 'completed' }),
      ['wizard-state.delete', csrf, {}],
    ])
  })

  test('the history of the browser leads through its steps', async () => {
    await on.go('/app/?all=yes')
    await on.page.getByRole('link', { name: 'Create an organization' }).click()
    await on.heading('Name your organization')
    await on.page.getByLabel('Name of the organization').fill('Acme Rail')
    await on.press('Next')
    await on.heading('Review')
    await on.page.goBack()
    await on.heading('Name your organization')
    expect(await on.page.getByLabel('Name of the organization').inputValue()).toBe('Acme Rail')
    await on.page.goForward()
    await on.heading('Review')
    await on.press('Create the organization')
    await on.heading('Acme Rail is ready')
  })

  test('a step that needs a name is not shown without one', async () => {
    await on.go('/app/new-tenant?step=summary')
    await on.heading('Name your organization')
    await on.go('/app/new-tenant?step=done')
    await on.heading('Name your organization')
  })

  test('a sign-in can be cancelled and started again', async () => {
    on.fake.state.wizard = { step: 'organization', org_name: 'Acme Rail', slug: null, updated_at: null }
    await on.go('/app/?all=yes')
    await on.page.getByRole('link', { name: 'Continue creating an organization' }).click()
    await on.heading('Name your organization')
    expect(await on.page.getByLabel('Name of the organization').inputValue()).toBe('Acme Rail')
    await on.press('Discard')
    await on.heading('Home')
    expect(events()).toEqual([
      ['wizard-state.put', csrf, { step: 'organization', org_name: 'Acme Rail', slug: null, event: 'abandoned' }],
      ['wizard-state.delete', csrf, {}],
    ])
    await on.go('/app/new-tenant')
    await on.heading('Name your organization')
  })

  test.each([
    ['new', { token: 'new', name: 'Grace Hopper', password: goodPassword }],
    ['known', { token: 'known', password: goodPassword }],
  ] as const)('an invitation of a %s person is accepted', async (token, body) => {
    on.fake.state.signedIn = false
    await on.go(`/app/invitation#token=${token}`)
    await on.heading('Join Acme')
    expect(on.page.url()).toEndWith('/app/invitation')
    if (token === 'new') await on.page.getByLabel('Your name').fill('Grace Hopper')
    else await on.page.getByRole('radio', { name: /^Use my account/ }).check()
    await on.page.getByLabel('Password').fill(goodPassword)
    await on.keys('Enter')
    await on.heading('Home')
    expect(on.fake.state.calls.find((it) => it.id === 'app.invitation.accept')?.body).toEqual(body)
  })
})
