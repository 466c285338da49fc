/** A second factor from end to end: the real service and a real browser. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { testKey } from '../fixtures/accounts.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'
import { codeAt } from '../fixtures/second-factors.ts'

setDefaultTimeout(90_000)
const password = 'correct horse battery'
const stepMs = 30_000
let on: Real
let secret = ''
let codes: string[] = []
/** When the last code was used: the next one has to be of a later step. */
let usedAt = 0

beforeAll(async () => {
  on = await openReal({ keys: { kind: 'given', keys: testKey } })
})
afterAll(() => on.close())

/** A code that was not used yet. */
async function nextCode(): Promise<string> {
  // The code of the next step is taken early: no test waits for more than one step.
  const steps = Math.floor(Date.now() / stepMs) === Math.floor(usedAt / stepMs) ? 1 : 0
  const code = codeAt(secret, Date.now(), steps)
  usedAt = Date.now()
  return code
}

async function signOut(): Promise<void> {
  await on.page.getByRole('button', { name: 'Account: Ada Lovelace' }).click()
  await on.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await on.heading('Sign in')
}

async function typePassword(): Promise<void> {
  await on.page.getByLabel('E-mail address').fill('ada@example.com')
  await on.page.getByLabel('Password').fill(password)
  await on.page.keyboard.press('Enter')
  await on.heading('Second factor')
}

test('an app is added with the keyboard: password, QR code, code; recovery codes are shown once', async () => {
  const { page } = on
  await on.go('/account?dialog=add-app')
  await page.getByLabel('Your password').waitFor()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  secret = await page.getByRole('dialog').locator('code, pre').first().innerText()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await page.keyboard.type(codeAt(secret, Date.now(), 5))
  await page.keyboard.press('Enter')
  await page.getByText('Wrong code. Is the clock of your phone right?').waitFor()
  await page.getByLabel('Code that the app shows').fill(await nextCode())
  await page.keyboard.press('Enter')
  codes = (await page.getByLabel('The list of codes', { exact: true }).innerText()).split('\n')
  expect(codes.map((it) => /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/.test(it))).toEqual(Array(10).fill(true))
  await page.getByLabel('I have stored the list of codes').check()
  await on.press('Done')
  await page.getByText('Signing in with your password asks for a second factor.').waitFor()
  await page.getByText('10 codes left').waitFor()
})

test('signing in asks for the code after the password, and leads to where one wanted to go', async () => {
  const { page } = on
  await signOut()
  await on.go('/account')
  await typePassword()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong code, or it was used before.').waitFor()
  await page.getByLabel('Code of your authenticator app').fill(await nextCode())
  await page.keyboard.press('Enter')
  await on.heading('Your account')
})

test('where a single code is not enough the page asks for the next one too; a recovery code takes their place, once', async () => {
  const { page } = on
  await signOut()
  await typePassword()
  const sent: unknown[] = []
  // The answers that a place gets from which the person has not signed in, while somebody guesses codes.
  await page.route('**/_app/login/second-factor', (route) => {
    sent.push(Object.keys(route.request().postDataJSON() as object))
    const code = sent.length === 1 ? 'next-code-required' : 'second-factor-wrong'
    return route.fulfill({ status: 401, json: { detail: { code, message: '', retry_after: 60 } } })
  })
  await page.keyboard.type('123456')
  await page.keyboard.press('Enter')
  await page.getByText('Enter the next code of the app as well.').waitFor()
  expect(await page.getByLabel('Next code').evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('654321')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong code, or it was used before.').waitFor()
  expect(sent).toEqual([
    ['ticket', 'code'],
    ['ticket', 'code', 'next_code'],
  ])
  await page.unroute('**/_app/login/second-factor')
  await on.press('Use a recovery code')
  await page.getByLabel('Recovery code').fill((codes[0] ?? '').toUpperCase())
  await page.keyboard.press('Enter')
  await on.heading('Home')
  await on.go('/account')
  await page.getByText('9 codes left').waitFor()
})

test('removing it takes the password; the password alone signs in from then on', async () => {
  const { page } = on
  await on.go('/account')
  await on.press('Remove …')
  await page.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Your password alone signs you in.').waitFor()
  await signOut()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await on.heading('Home')
  expect([on.conduct.foreign, on.conduct.violations]).toEqual([[], []])
})
