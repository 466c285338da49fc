/** The own account: the name, and where one is signed in. */
import { expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

test('the name is changed, and only another one', async () => {
  await on.go('/app/account')
  const save = on.page.getByRole('button', { name: 'Save the name' })
  await on.page.getByLabel('Name', { exact: true }).fill('  Ada Lovelace ')
  expect(await save.isDisabled()).toBe(true)
  await on.page.getByLabel('Name', { exact: true }).fill('Ada King')
  await on.keys('Enter')
  await on.page.getByText('Name saved.').waitFor()
  expect(on.sent('app.account.rename')).toEqual([{ name: 'Ada King' }])
})

test('sign-ins are named as one knows them; each but this one can be ended, and all others at once', async () => {
  await on.go('/app/account')
  const list = on.page.getByRole('list', { name: 'Sign-ins' })
  await list.waitFor()
  expect(await list.locator('p:first-child').allInnerTexts()).toEqual([
    'Firefox on Linux\nthis session',
    'Safari on iOS',
    'Command line or another program',
    'Unknown browser',
  ])
  expect(await list.getByRole('button').allTextContents()).toEqual([
    'Sign out Safari on iOS',
    'Sign out Command line or another program',
    'Sign out Unknown browser',
  ])
  const ended = on.page.waitForRequest((it) => it.method() === 'DELETE')
  await on.press('Sign out Safari on iOS')
  expect(new URL((await ended).url()).pathname).toBe('/_app/sign-ins/s2')
  await on.press('Sign out all others …')
  await on.page.getByText('3 sign-ins end immediately.').waitFor()
  await on.press('Sign out all others')
  await on.closed('Sign out everywhere else?')
  expect(on.sent('app.sign-ins.end-others').length).toBe(1)
})

test('an organization that requires a second factor shows nothing but the way to one', async () => {
  await on.page.route('**/v1/auth/me', async (route) => {
    const identity = (await (await route.fetch()).json()) as { memberships: object[] }
    const memberships = identity.memberships.map((it) => ({ ...it, permissions: [], second_factor_missing: true }))
    await route.fulfill({ json: { ...identity, memberships } })
  })
  await on.go('/app/t/acme/-/members')
  await on.heading('Acme requires a second factor')
  expect(await on.page.getByRole('heading', { name: 'Members' }).count()).toBe(0)
  await on.page.getByRole('link', { name: 'Add a second factor' }).click()
  await on.heading('Your account')
  expect(on.address()).toBe('/app/account#second-factor')
})

test('an Owner lets Editors edit only what is theirs', async () => {
  await on.go('/app/t/acme/-/settings')
  const toggle = on.page.getByRole('switch', { name: /Editors edit what is theirs/ })
  await toggle.click()
  await on.page.getByRole('switch', { name: /Editors edit what is theirs/, checked: true }).waitFor()
  expect(on.sent('tenants.editing.set')).toEqual([{ editors_edit_own: true }])
})

test('an Owner requires one of all members, or learns why not', async () => {
  await on.go('/app/t/acme/-/settings')
  await on.page.getByText('3 members have none.').waitFor()
  const toggle = on.page.getByRole('switch', { name: /second factor/ })
  await toggle.click()
  await on.page.getByText('3 members have none and cannot get in.').waitFor()
  expect(on.sent('tenants.second-factor.set')).toEqual([{ required: true }])
  on.fake.state.refusals.set('tenants.second-factor.set', new SvcError('second-factor-own-missing'))
  await toggle.click()
  await on.page.getByText('you would lock yourself out').waitFor()
  await on.page.getByRole('link', { name: 'Add a second factor to your account' }).click()
  await on.heading('Your account')
})
