/** Passkeys from end to end: the real service, a real browser, and the virtual authenticator of Chromium. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { CDPSession } from 'playwright-core'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(90_000)
const password = 'correct horse battery'
let on: Real
let cdp: CDPSession
let authenticatorId = ''

/** A port that was free a moment ago: the public address has to be known before the service listens. */
async function freePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return port ?? 0
}

beforeAll(async () => {
  const port = await freePort()
  on = await openReal({ port, publicUrl: `http://localhost:${port}` })
  cdp = await on.page.context().newCDPSession(on.page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  authenticatorId = (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
})
afterAll(() => on.close())

async function signOut(): Promise<void> {
  await on.page.getByRole('button', { name: 'Account: Ada Lovelace' }).click()
  await on.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await on.heading('Sign in')
}

const verified = (isUserVerified: boolean) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })

test('a passkey is added with the keyboard; recovery codes are shown once', async () => {
  const { page } = on
  await on.go('/account?dialog=add-passkey')
  await page.getByLabel('Name', { exact: true }).last().waitFor()
  await page.keyboard.type('Laptop')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  const codes = (await page.getByLabel('The list of codes', { exact: true }).innerText()).split('\n')
  expect(codes.length).toBe(10)
  await page.getByLabel('I have stored the list of codes').check()
  await on.press('Done')
  await page.getByRole('list', { name: 'Second factors' }).getByRole('button', { name: 'Remove … Laptop' }).waitFor()
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials.map((it) => [it.rpId, it.isResidentCredential])).toEqual([['localhost', true]])
})

test('the same authenticator is not added twice', async () => {
  const { page } = on
  await on.go('/account?dialog=add-passkey')
  await page.getByRole('dialog').getByLabel('Name').fill('Again')
  await page.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('has a passkey of your account already').waitFor()
})

test('signing in asks for it after the password', async () => {
  const { page } = on
  await on.go('/account')
  await signOut()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await on.heading('Second factor')
  await on.press('Use a passkey')
  await on.heading('Home')
})

test('it signs in alone, where the authenticator verified the person', async () => {
  const { page } = on
  await signOut()
  await verified(false)
  await on.press('Sign in with a passkey')
  await page.getByText('No passkey was used').waitFor()
  await verified(true)
  await on.press('Sign in with a passkey')
  await on.heading('Home')
})

test('it is renamed and removed; the password alone signs in from then on', async () => {
  const { page } = on
  await on.go('/account')
  await on.press('Rename … Laptop')
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
  await page.keyboard.press('Enter')
  await on.press('Remove … Old laptop')
  await page.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Your password alone signs you in.').waitFor()
  await signOut()
  await on.press('Sign in with a passkey')
  await page.getByText('it is not a passkey of an account here, or was removed').waitFor()
  expect([on.conduct.foreign, on.conduct.violations]).toEqual([[], []])
})
