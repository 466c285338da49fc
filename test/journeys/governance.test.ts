/**
 * Change governance by one person, in a real browser on the real service: what changed between two versions, who is hit,
 * its change report, and how data is migrated.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

let on: Real
let page: Page

beforeAll(async () => {
  on = await openReal()
  page = on.page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
}, 60_000)
afterAll(() => on.close())

const shop = (path: string): Promise<void> => on.go(`/t/local/bookshop${path}`)
const heading = (name: string): Promise<void> => on.heading(name)
const press = (name: string | RegExp): Promise<void> => on.press(name)
/** The text of an address of the service. */
const read = async (path: string): Promise<string> => (await page.request.get(new URL(path, page.url()).href)).text()

test('consumers: registered, declared by choosing, declared again, asked, retired', async () => {
  await shop('/-/consumers')
  await heading('No consumers yet')
  await press('Register a consumer …')
  await page.getByLabel('Name').fill('Shop app')
  expect(await page.getByLabel('Handle (optional)').getAttribute('placeholder')).toBe('shop-app')
  await page.keyboard.press('Enter')
  await heading('No declaration yet')

  await shop('/-/consumers/shop-app/declare?version=1.0.0')
  await page.getByLabel('Uses DELETE /orders/{orderId}', { exact: true }).check()
  await press(/^GET\s*\/orders\/\{orderId\}/)
  await page.getByLabel('status string, required').check()
  await page.getByText('Add a field by path').click()
  await page.getByLabel('Path', { exact: true }).fill('colour')
  await press('Add')
  await page.getByText('1.0.0 does not have it: it will be unresolved').waitFor()
  await press('Declare as revision 1')
  await page.getByText('1 item could not be resolved.', { exact: false }).waitFor()
  await page.getByText('field-not-found').waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await press('Continue choosing')
  await press(/^GET\s*\/orders\/\{orderId\}/)
  await press('remove colour')
  await press('Declare as revision 2')
  await page.getByText('All items were resolved.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Revisions' }).click()
  await page.getByRole('link', { name: 'Revision 1' }).click()
  await page.getByText('earlier revision').waitFor()
  await heading('1 item unresolved')

  await page.getByRole('link', { name: 'Impact' }).click()
  await page.getByText('DELETE /orders/{orderId}', { exact: false }).first().waitFor()
  await page.getByRole('region', { name: 'List of changes' }).getByText('Order.status').first().waitFor()
  await page.getByLabel('Version to deploy', { exact: true }).click()
  await page.getByRole('option', { name: '1.0.0' }).click()
  await page.getByText('1.0.0 keeps everything that shop-app uses.').waitFor()
})

test('a Pact file is imported for a consumer that it names, with what could not be resolved', async () => {
  await shop('/-/consumers?dialog=pact')
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
  await press('Show the consumer')
  await heading('Warehouse')
})

test('two versions are compared: verdict, filters, proof, who is hit, Markdown, a document of one’s own', async () => {
  await on.go('/t/local/-/compare')
  const base = page.getByRole('group', { name: 'Base' })
  await base.getByLabel('Project', { exact: true }).click()
  await page.keyboard.type('book')
  await page.getByRole('option', { name: /Bookshop/ }).waitFor()
  await page.keyboard.press('Enter')
  // The other side is the newest version of the same project, unasked.
  await page.getByText('5 breaking changes').waitFor()
  expect(new URL(page.url()).searchParams.get('head')).toBe('bookshop@2.0.0')
  await page.getByText('2 of 2 consumers would break').waitFor()
  await page.getByRole('combobox', { name: /^Consumer/ }).selectOption('warehouse')
  await press(/^breaking \d/)
  const list = page.getByRole('region', { name: 'List of changes' })
  await list.getByRole('button').first().waitFor()
  await page.keyboard.press('j')
  await list.getByText('may be sent by bookshop@2.0.0').waitFor()
  expect(new URL(page.url()).searchParams.get('change')).toMatch(/^[0-9a-f]{32}$/)
  const example = await list.getByLabel('Counterexample', { exact: true }).innerText()
  expect(example).toStartWith('HTTP/1.1 200\nContent-Type: application/json\n')
  expect(example).toContain('"delivered"')
  await list.getByRole('textbox', { name: 'Source of bookshop@2.0.0' }).getByText('delivered').waitFor()
  expect(await list.getByText('Affects').innerText()).toContain('Warehouse')
  await list.getByText('What schema-enum-value-added means').click()
  await list.getByText('Applies to requests and responses', { exact: false }).waitFor()
  // What is half below the header of the application is smaller than a finger needs.
  await page.evaluate(() => scrollTo(0, 0))
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await press('Copy as Markdown')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('DELETE /orders/{orderId}')
  await press('Download')
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'SARIF' }).click()
  expect((await saved).suggestedFilename()).toBe('bookshop-1.0.0-to-bookshop-2.0.0.sarif')
  await list.getByRole('link', { name: /of bookshop@2\.0\.0/ }).click()
  await page.getByRole('region', { name: 'Lines of the document' }).waitFor()
  await page.goBack()
  // What only one version has is marked among its own lines.
  await page.getByRole('combobox', { name: /^Consumer/ }).selectOption({ label: 'All consumers' })
  await list.getByRole('button', { name: /DELETE \/orders\/\{orderId\} was removed/ }).click()
  const lines = list.getByRole('group', { name: 'Source of bookshop@1.0.0' })
  await lines.locator('mark').first().waitFor()
  expect(await lines.innerText()).toStartWith('Removed from bookshop@1.0.0')
  await press('Swap base and head')
  await page.waitForURL(/base=bookshop%402\.0\.0/)

  await press('Upload a document')
  const text = await read('/v1/schema/local/bookshop/2.0.0')
  const paste = async (document: string) => {
    await page.getByLabel('Or paste the document').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(document)
  }
  await paste(text)
  await press('Compare')
  await page.getByText('No changes').waitFor()
  await paste(text.replace(/"title":\s*"Bookshop"/, '"title": "Book shop"'))
  await press('Compare')
  await page.getByText('Only documentation changed', { exact: true }).waitFor()
  await list.getByRole('button').first().click()
  await press(/^Open at line/)
  await page.getByRole('region', { name: 'Lines of the pasted document' }).waitFor()
})

test('the change report of a version: previewed, published, read, edited, cleared, rendered again', async () => {
  await shop('?dialog=draft')
  await page.getByLabel('Label').fill('2.1.0')
  await press('Create draft')
  await press('Close')
  await page.getByRole('link', { name: 'Overview' }).click()
  await press('Publish …')
  await page.getByLabel('A specific version').check()
  await page.getByLabel('Baseline version').selectOption({ label: '1.0.0 (published)' })
  await page.getByText('Preview the release notes').click()
  await page.getByText('from 1.0.0 to 2.1.0').waitFor()
  await press('Publish')
  await heading('2.1.0 is published')
  await page.getByRole('link', { name: 'Read and edit them' }).click()
  await heading('Bookshop 2.1.0')
  await page.getByText('5 breaking changes.').waitFor()

  await press('Edit')
  const body = page.getByLabel('Body, in Markdown')
  await body.fill('**Move by May.** <img src=x onerror=alert(1)> [no](javascript:alert(1)) [yes](https://example.com)')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Move by May.').waitFor()
  await press('Save')
  await page.getByText('body edited by Ada Lovelace', { exact: false }).waitFor()
  const report = page.getByRole('article')
  expect(await report.locator('img').count()).toBe(0)
  expect(await report.getByRole('link').allInnerTexts()).toEqual(['yes'])
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])

  await press('Regenerate …')
  await page.getByLabel('Template').selectOption({ index: 1 })
  await press('Regenerate')
  await page.getByText('Regenerated', { exact: false }).waitFor()
  await report.getByText('Move by May.').waitFor()
  await press('Clear edits …')
  await press('Clear edits')
  await report.getByText('5 breaking changes.').waitFor()
  const feed = await page.getByRole('link', { name: /Atom feed/ }).getAttribute('href')
  expect(await read(feed ?? '')).toContain('2.1.0')
})

test('migration rules: proposed, accepted, rejected, written by hand, saved', async () => {
  const version = (label: string, properties: object) => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Bookshop', version: label },
      paths: {},
      components: { schemas: { Reader: { type: 'object', properties } } },
    }
    const body = { label, content: JSON.stringify(document) }
    return on.ask('POST', '/v1/tenants/local/projects/bookshop/versions', body)
  }
  const text = { type: 'string' }
  await version('3.0.0', { id: text, name: text, age: { type: 'integer' }, fax: text })
  await version('4.0.0', { id: text, first_name: text, last_name: text, age: text })
  await shop('/-/migration?from=3.0.0&to=4.0.0')
  await heading('Reader')
  await page.getByText('3 proposals to review').waitFor()
  await press('Accept the proposal for name')
  await press('Reject the proposal for fax')
  await press('Add a rule for fax')
  await press('Accept the proposal for age')
  await page.getByLabel('Before').fill('{"id": "1", "name": "Ada Lovelace", "age": 36, "fax": "2"}')
  expect(JSON.parse(await page.getByLabel('After', { exact: true }).innerText())).toEqual({
    id: '1',
    first_name: 'Ada',
    last_name: 'Lovelace',
    age: '36',
  })
  await page.getByLabel('Before').fill('[]')
  await page.getByText('Write one JSON object.').waitFor()
  await press('Save rules')
  await page.getByText('Saved', { exact: false }).waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Reader 3 rules' }).waitFor()
  expect(
    await page.getByLabel(/^Rule for/).evaluateAll((all) => all.map((it) => (it as HTMLSelectElement).value)),
  ).toEqual(['split', 'type-change', 'drop'])
})

test('a consumer is retired: it leaves the list, and what it declared is kept', async () => {
  await shop('/-/consumers/shop-app')
  await press('Retire …')
  await page.getByText('Its 2 revisions are kept', { exact: false }).waitFor()
  await press('Retire')
  await heading('Consumers')
  await page.getByText('1 consumer', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Shop app' }).count()).toBe(0)
  expect(on.conduct).toEqual({ foreign: [], violations: [], errors: [] })
})
