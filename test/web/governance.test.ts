/**
 * Change governance by one person, in a real browser on the real service: what changed between two versions, who is hit,
 * what is told of it, and how data is carried over.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createLogger } from '../../server/operations/log.ts'
import { serve, type Server } from '../../server/serve.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../browser.ts'

setDefaultTimeout(60_000)

let folder: string
let server: Server
let browser: Browser
let page: Page
let conduct: Conduct

const shop = (path: string): string => `${server.url}/app/t/local/bookshop${path}`
const heading = (name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()
const press = (name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-governance-'))
  server = await serve({
    database: { kind: 'sqlite', path: join(folder, 'svc.db') },
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    egressAllow: [],
    issuers: { oidc: null, trusted: null },
    logger: createLogger({ level: 'error', write: () => {} }),
    environment: {},
    version: '0.0.0',
    setupFile: join(folder, 'setup-link'),
    sample: true,
    agents: null,
  })
  browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  conduct = await watch(page, server.url)
  await page.goto(server.setupLink ?? '')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await heading('Projects')
}, 60_000)
afterAll(async () => {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('consumers: registered, declared by choosing, declared again, asked, retired', async () => {
  await page.goto(shop('/-/consumers'))
  await heading('Nobody is known yet')
  await press('Register a consumer …')
  await page.getByLabel('Name').fill('Shop app')
  expect(await page.getByLabel('Handle (optional)').getAttribute('placeholder')).toBe('shop-app')
  await page.keyboard.press('Enter')
  await heading('It never declared what it uses')

  await page.goto(shop('/-/consumers/shop-app/declare?version=1.0.0'))
  await page.getByLabel('Uses DELETE /orders/{orderId}', { exact: true }).check()
  await press(/^GET\s*\/orders\/\{orderId\}/)
  await page.getByLabel('status string, required').check()
  await page.getByText('Name a field by hand').click()
  await page.getByLabel('Its path').fill('colour')
  await press('Add')
  await page.getByText('1.0.0 does not have it: it will stay unresolved').waitFor()
  await press('Declare as revision 1')
  await page.getByText('1 item could not be resolved.', { exact: false }).waitFor()
  await page.getByText('field-not-found').waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await press('Go on choosing')
  await press(/^GET\s*\/orders\/\{orderId\}/)
  await press('remove colour')
  await press('Declare as revision 2')
  await page.getByText('Everything was resolved.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Revisions' }).click()
  await page.getByRole('link', { name: 'Revision 1' }).click()
  await page.getByText('an earlier declaration').waitFor()
  await heading('1 item unresolved')

  await page.getByRole('link', { name: 'Impact' }).click()
  await page.getByText('DELETE /orders/{orderId} is gone', { exact: false }).first().waitFor()
  await page.getByRole('region', { name: 'List of changes' }).getByText('Order.status').first().waitFor()
  await page.getByLabel('Version to deploy', { exact: true }).click()
  await page.getByRole('option', { name: '1.0.0' }).click()
  await page.getByText('1.0.0 keeps everything that shop-app uses.').waitFor()
})

test('a Pact file is imported for a consumer that it names, with what could not be resolved', async () => {
  await page.goto(shop('/-/consumers?dialog=pact'))
  const interaction = (path: string, body: unknown) => ({
    description: `a request for ${path}`,
    request: { method: 'GET', path },
    response: { status: 200, body },
  })
  await page.getByLabel('Choose a Pact file, or drop it here').setInputFiles({
    name: 'warehouse.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({
        consumer: { name: 'Warehouse' },
        provider: { name: 'bookshop' },
        interactions: [interaction('/orders/1', { status: 'new' }), interaction('/shelves', [])],
        metadata: { pactSpecification: { version: '2.0.0' } },
      }),
    ),
  })
  await press('Import')
  await heading('Imported for Warehouse')
  await page.getByText('operation-not-found').waitFor()
  await press('To the consumer')
  await heading('Warehouse')
})

test('two versions are compared: verdict, filters, proof, who is hit, Markdown, a document of one’s own', async () => {
  await page.goto(`${server.url}/app/t/local/-/compare`)
  const base = page.getByRole('group', { name: 'Base' })
  await base.getByLabel('Project', { exact: true }).click()
  await page.keyboard.type('book')
  await page.getByRole('option', { name: /Bookshop/ }).waitFor()
  await page.keyboard.press('Enter')
  // The other side is the newest version of the same project, unasked.
  await page.getByText('4 breaking changes').waitFor()
  expect(new URL(page.url()).searchParams.get('head')).toBe('bookshop@2.0.0')
  await page.getByText('2 of 2 consumers would break').waitFor()
  await page.getByRole('combobox', { name: /^Consumer/ }).selectOption('warehouse')
  await press(/^breaking/)
  const list = page.getByRole('region', { name: 'List of changes' })
  await list.getByText('may be sent by bookshop@2.0.0').waitFor()
  expect(await list.getByLabel('A value that proves it', { exact: true }).innerText()).toBe('"delivered"')
  expect(await list.getByText('Hits').innerText()).toContain('Warehouse')
  await list.getByText('What schema-enum-value-added means').click()
  await list.getByText('Concerns requests and responses', { exact: false }).waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await press('Copy as Markdown')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('DELETE /orders/{orderId}')
  await press('Download')
  const saved = page.waitForEvent('download')
  await press('SARIF')
  expect((await saved).suggestedFilename()).toBe('bookshop-1.0.0-to-bookshop-2.0.0.sarif')
  await list.getByRole('link', { name: /of bookshop@2\.0\.0/ }).click()
  await page.getByRole('region', { name: 'Lines of the document' }).waitFor()
  await page.goBack()
  await press('Swap base and head')
  await page.waitForURL(/base=bookshop%402\.0\.0/)

  await press('A document of mine')
  const text = await (await page.request.get(`${server.url}/v1/schema/local/bookshop/2.0.0`)).text()
  await page.getByLabel('Or paste the document').fill(text)
  await press('Compare')
  await page.getByText('Nothing changed').waitFor()
  await page.getByLabel('Or paste the document').fill(text.replace(/"title":\s*"Bookshop"/, '"title": "Book shop"'))
  await press('Compare')
  await page.getByText('Only documentation changed').waitFor()
  await press(/^line/)
  await page.getByRole('region', { name: 'Lines of the pasted document' }).waitFor()
})

test('what is told of a version: previewed, published, read, edited, cleared, rendered again', async () => {
  await page.goto(shop('?dialog=draft'))
  await page.getByLabel('Label').fill('2.1.0')
  await press('Make the draft')
  await page.getByRole('link', { name: 'Publishing' }).click()
  await press('Publish …')
  await page.getByLabel('A version that I choose').check()
  await page.getByLabel('That version').selectOption({ label: '1.0.0 (published)' })
  await page.getByText('Preview the change report').click()
  await page.getByText('from 1.0.0 to 2.1.0').waitFor()
  await press('Publish')
  await heading('This version is published')
  await page.getByRole('link', { name: 'Change report' }).click()
  await heading('Bookshop 2.1.0')
  await page.getByText('4 breaking changes.').waitFor()

  await press('Edit')
  const body = page.getByLabel('Body, in Markdown')
  await body.fill('**Move by May.** <img src=x onerror=alert(1)> [no](javascript:alert(1)) [yes](https://example.com)')
  const preview = page.getByRole('region', { name: 'What readers will see' })
  await preview.getByText('Move by May.').waitFor()
  await press('Save')
  await page.getByText('body written over by Ada Lovelace', { exact: false }).waitFor()
  const report = page.getByRole('article')
  expect(await report.locator('img').count()).toBe(0)
  expect(await report.getByRole('link').allInnerTexts()).toEqual(['yes'])
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])

  await press('Render again …')
  await page.getByLabel('Template').selectOption({ index: 1 })
  await press('Render again')
  await page.getByText('Rendered again', { exact: false }).waitFor()
  await report.getByText('Move by May.').waitFor()
  await press('Clear edits …')
  await press('Clear them')
  await report.getByText('4 breaking changes.').waitFor()
  const feed = await page.getByRole('link', { name: /Feed of what/ }).getAttribute('href')
  expect(await (await page.request.get(`${server.url}${feed}`)).text()).toContain('2.1.0')
})

test('migration rules: proposed, accepted, rejected, written by hand, saved', async () => {
  const put = await page.evaluate(async () => {
    const read = await fetch('/_app/session').then((it) => it.json() as Promise<{ csrf_token: string }>)
    const version = (label: string, properties: object) =>
      fetch('/v1/tenants/local/projects/bookshop/versions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': read.csrf_token },
        body: JSON.stringify({
          label,
          content: JSON.stringify({
            openapi: '3.1.0',
            info: { title: 'Bookshop', version: label },
            paths: {},
            components: { schemas: { Reader: { type: 'object', properties } } },
          }),
        }),
      })
    const text = { type: 'string' }
    const older = await version('3.0.0', { id: text, name: text, age: { type: 'integer' }, fax: text })
    const newer = await version('4.0.0', { id: text, first_name: text, last_name: text, age: text })
    return [older.status, newer.status]
  })
  expect(put).toEqual([201, 201])
  await page.goto(shop('/-/migration?from=3.0.0&to=4.0.0'))
  await heading('Reader')
  await page.getByText('3 proposals wait').waitFor()
  await press('Accept the proposal for name')
  await press('Reject the proposal for fax')
  await press('Add a rule for fax')
  await press('Accept the proposal for age')
  await press('Save the rules')
  await page.getByText('Saved', { exact: false }).waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Reader 3 rules' }).waitFor()
  expect(
    await page.getByLabel(/^What becomes of/).evaluateAll((all) => all.map((it) => (it as HTMLSelectElement).value)),
  ).toEqual(['split', 'type-change', 'drop'])
})

test('a consumer is retired: it leaves the list, and what it declared is kept', async () => {
  await page.goto(shop('/-/consumers/shop-app'))
  await press('Retire …')
  await page.getByText('all 2 revisions', { exact: false }).waitFor()
  await press('Retire')
  await heading('Consumers')
  await page.getByText('1 consumer', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Shop app' }).count()).toBe(0)
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
})
