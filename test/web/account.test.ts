/** The own account: the name, and where one is signed in. */
import { expect, test } from 'bun:test'
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
