/**
 * One person's way through the real service in a real browser, by keyboard alone: every control is reached with the Tab
 * key, every text is typed, nothing is filled in or pressed by script.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { parseNetworks } from '../../server/egress/address.ts'
import { createLogger } from '../../server/operations/log.ts'
import { serve, type Server } from '../../server/serve.ts'
import { type IssuerProcess, startIssuer } from '../server/sign-in/issuer.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../fixtures/browser.ts'

setDefaultTimeout(90_000)

let folder: string
let server: Server
let issuer: IssuerProcess
let browser: Browser
let page: Page
let conduct: Conduct
const logged: string[] = []
const asked: string[] = []
const password = 'correct horse battery'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-journey-'))
  issuer = await startIssuer()
  server = await serve({
    database: { kind: 'sqlite', path: join(folder, 'svc.db') },
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    egressAllow: parseNetworks('127.0.0.0/8'),
    issuers: {
      oidc: {
        issuer: issuer.url,
        clientId: 'svc',
        clientSecret: 'a secret & more',
        scopes: 'openid email profile',
        name: 'Acme Login',
        allowedDomains: ['example.com'],
        provision: 'domains',
      },
      trusted: null,
    },
    logger: createLogger({ level: 'info', write: (line) => void logged.push(line) }),
    environment: {},
    version: '0.0.0',
    setupFile: join(folder, 'setup-link'),
    sample: true,
    agents: null,
  })
  await issuer.register(`${server.url}/_app/oidc/callback`)
  browser = await openBrowser()
  page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  page.setDefaultTimeout(30_000)
  page.on('request', (request) => asked.push(request.url()))
  conduct = await watch(page, server.url)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await issuer.stop()
  await rm(folder, { recursive: true, force: true })
})

const heading = (name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()

/** Moves with the Tab key alone until the focus is there. */
const tabTo = async (wanted: Locator): Promise<void> => {
  await wanted.waitFor()
  for (let steps = 0; steps < 80; steps++) {
    // An editor has the focus in a shadow root.
    const isThere = await wanted.evaluate((element) => {
      const root = element.getRootNode()
      return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element
    })
    if (isThere) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${wanted.toString()}.`)
}
const reach = async (name: string | RegExp, role: 'button' | 'link' | 'switch' = 'button'): Promise<void> => {
  await tabTo(page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first())
  await page.keyboard.press(role === 'switch' ? 'Space' : 'Enter')
}
/** Chooses an item of the open menu with the arrow keys. */
const choose = async (name: string, role: 'menuitem' | 'menuitemradio'): Promise<void> => {
  const wanted = page.getByRole(role, { name, exact: true })
  await wanted.waitFor()
  for (let steps = 0; steps < 20; steps++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The arrow keys do not reach ${name}.`)
}
const type = async (label: string, text: string): Promise<void> => {
  await tabTo(page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}
/** Goes somewhere by the command palette. */
const goTo = async (text: string): Promise<void> => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type(text)
  await page.getByRole('option', { name: text }).first().waitFor()
  await page.keyboard.press('Enter')
}

/** The real command, as a process of its own. */
const svc = async (key: string, ...words: string[]): Promise<{ exit: number; stdout: string }> => {
  const main = join(import.meta.dir, '../../cli/main.ts')
  const child = Bun.spawn([process.execPath, main, '--base-url', server.url, '--api-key', key, ...words], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, exit] = await Promise.all([new Response(child.stdout).text(), child.exited])
  return { exit, stdout }
}

test('claim, and a wizard that is left and resumed', async () => {
  await page.goto(server.setupLink ?? '')
  await heading('Create the administrator account')
  await type('Your name', 'Ada Lovelace')
  await type('E-mail address', 'ada@example.com')
  await type('Password', password)
  await page.keyboard.press('Enter')
  await heading('Home')

  await reach(/^Organization:/)
  await choose('Create an organization …', 'menuitem')
  await type('Name of the organization', 'Acme Rail')
  await page.keyboard.press('Enter')
  await heading('Review')
  // Left for another page, and the browser closed: it goes on where it was.
  await goTo('Local workspace')
  await heading('Home')
  await page.reload()
  await reach('svc, home', 'link')
  await goTo('Your organizations')
  await reach('Continue creating an organization', 'link')
  await heading('Review')
  expect(await page.getByRole('definition').allInnerTexts()).toEqual(['Acme Rail', 'acme-rail', 'Owner'])
  await reach('Create the organization')
  await heading('Acme Rail is ready')
  expect(await accessibilityFailures(page)).toEqual([])
})

test('the first key: made, used by svc, disabled, refused, enabled, used, deleted, 401', async () => {
  await reach('Create an API key', 'link')
  await heading('Create an API key')
  await type('Name', 'laptop')
  await page.keyboard.press('Enter')
  const shown = page.getByLabel('The key', { exact: true })
  await shown.waitFor()
  const key = await shown.innerText()
  await page.keyboard.press('Escape')
  expect(await shown.isVisible()).toBe(true)
  await tabTo(page.getByLabel('I have stored the key'))
  await page.keyboard.press('Space')
  await reach('Done')
  await shown.waitFor({ state: 'detached' })

  const used = await svc(key, 'auth', 'tenants')
  expect([used.exit, used.stdout.includes('acme-rail')]).toEqual([0, true])
  await reach('Actions for laptop')
  await page.getByRole('menuitem', { name: 'Disable …' }).press('Enter')
  await reach('Disable')
  await page.getByText('disabled', { exact: true }).waitFor()
  expect((await svc(key, 'auth', 'tenants')).exit).toBe(2)
  await reach('Actions for laptop')
  await page.getByRole('menuitem', { name: 'Enable' }).press('Enter')
  await page.getByText('active', { exact: true }).waitFor()
  expect((await svc(key, 'auth', 'tenants')).exit).toBe(0)
  await reach('Actions for laptop')
  await page.getByRole('menuitem', { name: 'Delete …' }).press('Enter')
  await reach('Delete')
  await page.getByText('No API keys.').waitFor()
  expect((await svc(key, 'auth', 'tenants')).exit).toBe(2)
  const answer = await fetch(`${server.url}/v1/tenants/me`, { headers: { 'x-api-key': key } })
  expect(answer.status).toBe(401)
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  const secrets = [key, password, (server.setupLink ?? '').split('token=')[1] ?? '']
  expect([...logged, ...asked].filter((line) => secrets.some((it) => line.includes(it)))).toEqual([])
})

test('a document: imported, edited, published, compared, read', async () => {
  await reach('Import', 'link')
  await reach('Paste text')
  await type('Document', 'openapi: 3.1.0\ninfo: {title: Stations, version: 1.0.0}\npaths: {}\n')
  await reach('Check')
  await reach('Import')
  await reach(/^Open stations/, 'link')
  await heading('Stations 1.0.0')
  await reach('Source', 'link')
  await reach('Edit the draft', 'link')
  // The focus is in the editor.
  await page.getByText('Checked', { exact: true }).waitFor()
  await page.keyboard.press('Control+Home')
  for (let line = 0; line < 2; line++) await page.keyboard.press('Shift+ArrowDown')
  for (const line of ['openapi: 3.1.0', 'info: {title: Rail stations, version: 1.0.0}']) {
    await page.keyboard.type(line)
    // What is proposed is not wanted.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await reach('Close')
  // The project keeps its name, whatever the title of a draft is.
  await heading('Stations 1.0.0')
  await reach('Overview', 'link')
  await reach('Publish …')
  await heading('Publish 1.0.0?')
  await reach('Publish')
  await heading('1.0.0 is published')
  expect(await accessibilityFailures(page)).toEqual([])

  await reach(/^Organization:/)
  await choose('Local workspace', 'menuitemradio')
  await reach('Bookshop', 'link')
  await reach(/^Compare with 1\.0\.0/, 'link')
  await page
    .getByText(/breaking change/)
    .first()
    .waitFor()
  expect(await accessibilityFailures(page)).toEqual([])
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
})

test('a program of another device: its code is approved and it is signed in', async () => {
  const begun = await fetch(`${server.url}/v1/auth/device/code`, { method: 'POST' })
  const {
    user_code: code,
    device_code: device,
    verification_uri_complete: link,
  } = (await begun.json()) as Record<'user_code' | 'device_code' | 'verification_uri_complete', string>
  await goTo('Authorize a device')
  await type('Code', code.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByText('Requested from').waitFor()
  // The link that the program prints leads to the same question.
  await page.goto(link)
  await page.getByText(code, { exact: true }).waitFor()
  await reach('Approve')
  await heading('Device authorized')
  const answer = await fetch(`${server.url}/v1/auth/device/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const me = await fetch(`${server.url}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(((await me.json()) as { user: { email: string } }).user.email).toBe('ada@example.com')
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
})

test('an invited person signs in at the issuer and accepts the pending membership', async () => {
  await goTo('Acme Rail')
  await heading('Home')
  await goTo('Invite a member')
  await heading('Invite a member')
  await type('E-mail address', 'ann@example.com')
  await page.keyboard.press('Enter')
  await page.getByLabel('The link', { exact: true }).waitFor()
  await reach('Done')
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })

  const ada = page
  page = await browser.newContext().then((context) => context.newPage())
  await page.goto(`${server.url}/app/`)
  await reach('Sign in with Acme Login', 'link')
  const login = page.locator('input[name=login]')
  await login.waitFor()
  await tabTo(login)
  await page.keyboard.type('ann')
  await page.keyboard.press('Tab')
  await page.keyboard.type('x')
  await page.keyboard.press('Enter')
  await reach(/Continue/)
  await heading('Your organizations')
  // It is the only one, so that accepting it leads right into it.
  await reach(/^Accept/)
  await heading('Home')
  expect(await accessibilityFailures(page)).toEqual([])
  await page.context().close()
  page = ada
})

test('the documentation page of the sample, without signing in', async () => {
  const visitor = await browser.newPage()
  const seen = await watch(visitor, server.url)
  await visitor.goto(`${server.url}/v1/swagger/local/bookshop/latest`)
  await visitor.getByRole('heading', { name: 'Bookshop' }).first().waitFor()
  await visitor.getByText('Search the catalogue').first().waitFor()
  await visitor.waitForLoadState('networkidle')
  expect(seen).toEqual({ foreign: [], violations: [], errors: [] })
  await visitor.close()
})
