/** One person's way through the real service in a real browser, by keyboard: from the set-up link to a deleted key. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { registry } from '../../commands/registry.gen.ts'
import { createLogger } from '../../server/operations/log.ts'
import { serve, type Server } from '../../server/serve.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../browser.ts'
import { runHere } from '../commands/surroundings.ts'

setDefaultTimeout(60_000)

let folder: string
let server: Server
let browser: Browser
let page: Page
let conduct: Conduct
const logged: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-journey-'))
  server = await serve({
    database: { kind: 'sqlite', path: join(folder, 'svc.db') },
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    egressAllow: [],
    logger: createLogger({ level: 'info', write: (line) => void logged.push(line) }),
    environment: {},
    version: '0.0.0',
    setupFile: join(folder, 'setup-link'),
    sample: true,
  })
  browser = await openBrowser()
  page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  page.setDefaultTimeout(15_000)
  conduct = await watch(page, server.url)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const heading = (name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()
/** Reaches a control with the Tab key alone, as somebody without a pointer does, and presses it. */
const reach = async (name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> => {
  const wanted = page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first()
  await wanted.waitFor()
  for (let steps = 0; steps < 60; steps++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${String(name)}.`)
}
const svc = (key: string, ...words: string[]) =>
  runHere(['--base-url', server.url, '--api-key', key, ...words], registry)

test('claim, look around, import, compare, publish, read', async () => {
  await page.goto(server.setupLink ?? '')
  await heading('Take over this service')
  for (const [entry, then] of [
    ['Ada Lovelace', 'Tab'],
    ['ada@example.com', 'Tab'],
    ['correct horse battery', 'Enter'],
  ] as const) {
    await page.keyboard.type(entry)
    await page.keyboard.press(then)
  }
  await heading('Projects')
  await reach('Bookshop', 'link')
  await heading('2 versions')
  await reach(/^Compare with 1\.0\.0/, 'link')
  await page
    .getByText(/breaking change/)
    .first()
    .waitFor()
  expect(await accessibilityFailures(page)).toEqual([])

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('Import')
  await page.getByRole('option', { name: /Import a document/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('A file').setInputFiles(require.resolve('@readme/oas-examples/3.1/json/train-travel.json'))
  await page.getByText('openapi.yaml').waitFor({ state: 'detached' })
  await reach('Import')
  await reach(/^Open train-travel-api/, 'link')
  await heading('Train Travel API 1.0.0')
  await page.getByText('7 operations').waitFor()
  await reach(/\/stations/)
  await page.getByText('Response 200').waitFor()
  await page.keyboard.press('Escape')

  await reach('Publishing', 'link')
  await reach('Publish …')
  await heading('Publish 1.0.0?')
  await reach('Publish')
  await heading('This version is published')
  expect(await accessibilityFailures(page)).toEqual([])
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
})

test('a key: made, used by the command line, disabled, refused, enabled, used, deleted, refused', async () => {
  await reach('API keys', 'link')
  await heading('No key yet')
  await reach('Create a key …')
  await page.getByLabel('Name').fill('laptop')
  await page.keyboard.press('Enter')
  const shown = page.getByLabel('The key', { exact: true })
  await shown.waitFor()
  const key = await shown.innerText()
  await page.getByLabel('I have stored the key').focus()
  await page.keyboard.press('Space')
  await reach('Done')
  await shown.waitFor({ state: 'detached' })

  const whoami = async (): Promise<number> => (await svc(key, 'auth', 'whoami')).exit
  expect(await whoami()).toBe(0)
  await reach('Disable … laptop')
  await reach('Disable')
  await page.getByText('disabled', { exact: true }).waitFor()
  expect(await whoami()).toBe(2)
  await reach('Enable laptop')
  await page.getByText('active', { exact: true }).waitFor()
  expect(await whoami()).toBe(0)
  await reach('Delete … laptop')
  await reach('Delete')
  await heading('No key yet')
  expect(await whoami()).toBe(2)
  const answer = await fetch(`${server.url}/v1/tenants/me`, { headers: { 'x-api-key': key } })
  expect(answer.status).toBe(401)
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  expect(logged.filter((line) => line.includes(key) || line.includes('correct horse'))).toEqual([])
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
