/** The registry of types by one person, in a real browser on the real service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

const registry = '/t/local/-/types'
let on: Real
let page: Page

beforeAll(async () => {
  on = await openReal()
  page = on.page
}, 60_000)
afterAll(() => on.close())

const versions = '/v1/tenants/local/projects/bookshop/versions'
const create = (namespace: string, name: string, schema: unknown) =>
  on.ask('POST', '/v1/primitives/local', { namespace, name, schema })
const write = async (text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Schema' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

test('a type is created; a name that is taken and a schema that is invalid are refused where they are', async () => {
  await on.go(registry)
  await page.getByRole('link', { name: 'Create a type …' }).click()
  await page.getByRole('textbox', { name: 'Schema' }).waitFor()
  await page.getByLabel('Namespace').fill('shop//x')
  await page.getByLabel('Name', { exact: true }).fill('Price')
  await write('type: object\nproperties:\n  amount: { type: strng }\n')
  await on.press('Create')
  await page.getByText('Invalid namespace "shop//x"', { exact: false }).waitFor()
  await page.getByLabel('Namespace').fill('shop')
  await on.press('Create')
  await page.getByText('1 problem: fix before saving').waitFor()
  await page.getByRole('button', { name: 'line 3:19' }).waitFor()
  await write('type: object\nproperties:\n  amount: { $ref: "svc:core/Money" }\n')
  await on.press('Create')
  await on.heading('Price')
  await page.getByRole('link', { name: 'svc:core/Money' }).waitFor()
  await page.getByText('svc:shop/Price@1', { exact: true }).waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
})

test('what a change breaks, and the consumers it affects, are shown before it is saved; revisions are compared afterwards', async () => {
  const schema = { $ref: 'svc:shop/Price' }
  const { schema: same } = await on.ask('GET', '/v1/primitives/local/resolve?ref=svc:core/Percentage')
  const content = {
    openapi: '3.1.0',
    info: { title: 'Bookshop', version: '7.0.0' },
    paths: {
      '/prices': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '204': { description: 'done' } },
        },
      },
    },
    components: { schemas: { OwnShare: same } },
  }
  await on.ask('POST', versions, { content: JSON.stringify(content) })
  await on.ask('POST', `${versions}/7.0.0/publish`, {})
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Schema' }).waitFor()
  await write('{ "type": "object", "required": ["amount"], "properties": { "amount": { "$ref": "svc:core/Money" } } }')
  await page.getByText('1 breaking change', { exact: true }).waitFor()
  await page.getByText('Values that revision 1 allows are rejected by your text', { exact: false }).waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await on.press('Save as revision 2')
  await page.getByText('The change breaks 1 version.', { exact: false }).waitFor()
  const affected = page.getByRole('list', { name: 'Affected versions' })
  await affected.getByRole('link', { name: /^bookshop 7\.0\.0/ }).waitFor()
  await affected.getByText('receives it').waitFor()
  expect(await accessibilityFailures(page, [], '[role=dialog]')).toEqual([])
  await on.press('Save revision 2')
  await on.heading('Refer to it')
  await page.getByRole('link', { name: 'Revisions', exact: true }).click()
  await page.getByText('Values that revision 1 allows are rejected by revision 2', { exact: false }).waitFor()
  await page.getByRole('list', { name: 'Changes' }).getByText('accepted by').first().waitFor()
  await page.getByRole('region', { name: 'Changed lines of the schema' }).getByText('"required": [').waitFor()
  await page.getByLabel('Base').selectOption('2')
  await page.getByLabel('Head').selectOption('1')
  await page.waitForURL(/base=2&head=1|head=1&base=2/)
  await page.getByText('Values that revision 1 allows were not allowed by revision 2', { exact: false }).waitFor()
  await page.getByRole('list', { name: 'Revisions' }).getByRole('link', { name: 'Revision 1' }).click()
  await page.getByText('Show the newest revision').waitFor()
  expect(await page.getByRole('region', { name: 'Schema of revision 1' }).innerText()).not.toContain('required')
})

test('a change of someone else in between is not overwritten', async () => {
  const { primitive } = (await on.ask('GET', '/v1/primitives/local/resolve?ref=svc:shop/Price')) as {
    primitive: { id: string }
  }
  await on.go(`${registry}/${primitive.id}/edit`)
  await page.getByRole('textbox', { name: 'Schema' }).waitFor()
  await page.getByLabel('Description (optional)').fill('Mine')
  await on.ask('PATCH', `/v1/primitives/local/${primitive.id}`, { description: 'Theirs' })
  await on.press('Save')
  await page.getByText('Someone changed this type meanwhile').waitFor()
  await on.press('Continue with the newest revision')
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Theirs')
  await page.getByRole('link', { name: 'Price', exact: true }).click()
  await page.getByText('Theirs').waitFor()
})

test('users are drawn as a graph and listed in a table, through other types too', async () => {
  await create('shop', 'Line', { properties: { price: { $ref: 'svc:shop/Price' } } })
  await create('shop', 'Order', { properties: { lines: { items: { $ref: 'svc:shop/Line' } } } })
  await page.reload()
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  const table = page.getByRole('table', { name: 'Types that refer to it' })
  await table.getByRole('link', { name: 'svc:shop/Line' }).waitFor()
  await on.press('All')
  await table.getByRole('link', { name: 'svc:shop/Order' }).waitFor()
  expect(page.url()).toEndWith('?depth=32')
  const graph = page.getByRole('group', { name: /^Graph of Price/ })
  expect(await graph.locator('text').allTextContents()).toEqual([
    'shop/Order',
    'shop/Line',
    'bookshop 7.0.0',
    'Price',
    'core/Money',
  ])
  expect(await graph.locator('path[marker-end]').count()).toBe(4)
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
})

test('a published version keeps its revision, and a draft with the newest one is created from the table', async () => {
  await on.press('Move bookshop 7.0.0 …')
  await on.heading('Move to revision 2')
  await on.press('Create the draft')
  await page.getByText('The draft 7.0.1 was created: 1 breaking change against 7.0.0.').waitFor()
  await page.getByRole('list', { name: 'Moved types' }).getByText('svc:shop/Price').waitFor()
  await page.getByRole('link', { name: 'See the changes' }).click()
  await on.heading('Bookshop 7.0.1')
  await page.getByRole('navigation', { name: 'Views of this version' }).getByRole('link', { name: 'Types' }).click()
  const row = page.getByRole('list', { name: 'Suggestions' }).getByRole('listitem')
  await row.filter({ hasText: '/components/schemas/OwnShare' }).first().waitFor()
  await page.getByText('What to change').first().click()
  await page.getByRole('group', { name: 'Change of /components/schemas/OwnShare' }).first().waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
})

test('an import is staged, reviewed with both sides, decided and reported; what finds nothing is listed', async () => {
  await on.go(registry)
  await page.getByRole('link', { name: 'Import types …' }).click()
  await on.press('Text')
  const types = {
    Price: { type: 'string' },
    Fresh: { properties: { total: { $ref: 'svc:else/money' } } },
    Bad: { type: 'strng' },
  }
  await page.getByLabel('JSON or YAML').fill(JSON.stringify({ types }))
  expect(await page.getByRole('radio', { name: /^Bundle of types/ }).isChecked()).toBe(true)
  await page.getByLabel('Namespace (optional)').fill('shop')
  await on.press('Review the types')
  await on.heading('Review the types')
  await page.getByText('3 types: 1 created, 0 with a new revision, 1 unchanged, 1 left out').waitFor()
  await on.press(/^Conflicts/)
  await page.waitForURL(/show=conflict/)
  await on.press(/^Show both sides/)
  await page.getByRole('group', { name: 'In the source' }).getByText('"type": "string"').waitFor()
  await page.getByRole('group', { name: 'Registered', exact: true }).getByText('svc:core/Money').waitFor()
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
  await page.getByLabel('Decision for Price').selectOption('rename')
  await page.getByLabel('New name of Price').fill('PriceText')
  await on.press('Import')
  await page.getByText('Imported: 2 created, 1 invalid, with 1 unresolved reference.').waitFor()
  await page.getByRole('link', { name: 'svc:shop/PriceText' }).waitFor()
  await page.getByRole('link', { name: 'See the unresolved references' }).click()
  await page.getByText('1 reference of 1 type is unresolved.').waitFor()
  await page.getByRole('link', { name: 'svc:core/Money' }).waitFor()
  await page.getByRole('link', { name: 'Create svc:else/money' }).click()
  await page.getByRole('textbox', { name: 'Schema' }).waitFor()
  expect(await page.getByLabel('Namespace').inputValue()).toBe('else')
  await page.getByLabel('Description (optional)').fill('Made for a reference')
  await on.press('Create')
  await on.heading('Refer to it')
  await on.go(`${registry}/unresolved`)
  await on.heading('All references are resolved')
  await page.getByRole('link', { name: 'Imports', exact: true }).click()
  await page.getByRole('list', { name: 'Imports' }).getByText('2 created, 1 invalid').waitFor()
  expect(on.conduct.violations).toEqual([])
})
