/**
 * What people come to do, each from Home to its end on the real service, with the number of steps that it may take: an import that ends in
 * the portal, a change that breaks a consumer, a type and its impact, and a colleague with the least rights. What two people do with a
 * review is in `review-diff.test.ts`.
 */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openReal, type Real } from '../fixtures/web/real.ts'
import { stepsOn } from '../fixtures/web/steps.ts'

setDefaultTimeout(120_000)

const museum = (version: string, field = 'timeOpen'): string => `openapi: 3.1.0
info:
  title: Museum
  version: ${version}
  description: Opening hours of the museum.
servers:
  - url: https://museum.example.com
paths:
  /hours:
    get:
      operationId: getHours
      summary: Get the hours
      responses:
        '200':
          description: The hours
          content:
            application/json:
              schema:
                type: object
                required: [${field}]
                properties:
                  ${field}:
                    type: string
`

let on: Real
let page: Page

beforeAll(async () => {
  on = await openReal()
  page = on.page
})
afterAll(() => on.close())
afterEach(() => expect(on.conduct).toEqual({ foreign: [], violations: [], errors: [] }))

test('a first import is published and found in the portal, in six steps', async () => {
  await on.go('/t/local/-/home')
  const steps = stepsOn(page)
  await steps.click('link', 'Import')
  await steps.choose('museum.yaml', museum('1.0.0'))
  await steps.click('radio', /^Publish for everyone/)
  await steps.click('button', 'Import')
  // The result says where everybody reads it.
  await on.heading('1.0.0 is published')
  const portal = page.getByRole('listitem').filter({ hasText: 'Portal' }).getByRole('link')
  const [opened] = await Promise.all([page.context().waitForEvent('page'), steps.clickOn(portal)])
  await opened.getByRole('heading', { name: 'Museum' }).waitFor()
  await opened.close()
  expect(steps.taken.length).toBeLessThanOrEqual(6)
  expect(await on.faults()).toEqual([])
})

test('a file is imported by keyboard alone', async () => {
  await on.go('/t/local/-/home')
  await on.heading('Home')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('import')
  await page
    .getByRole('option', { name: /^Import/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/-\/import/)
  const chosen = page.waitForEvent('filechooser')
  const button = page.locator('button', { hasText: 'Choose files' })
  for (let tabs = 0; tabs < 40 && !(await button.evaluate((it) => it === document.activeElement)); tabs++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const files = [
    { name: 'zoo.yaml', mimeType: 'application/yaml', buffer: Buffer.from(museum('1.0.0').replace('Museum', 'Zoo')) },
  ]
  await (await chosen).setFiles(files)
  const go = page.getByRole('button', { name: 'Import', exact: true })
  await go.waitFor()
  for (let tabs = 0; tabs < 40 && !(await go.evaluate((it) => it === document.activeElement)); tabs++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open zoo 1.0.0' }).waitFor()
})

test('a draft that breaks a consumer says whom while it is written, and Close leads to its changes, in seven steps', async () => {
  const versions = '/v1/tenants/local/projects/museum/versions'
  const { handle } = await on.ask('POST', '/v1/tenants/local/projects/museum/consumers', { name: 'Mobile app' })
  await on.ask('PUT', `/v1/tenants/local/projects/museum/consumers/${String(handle)}/contract?version=1.0.0`, {
    operations: [{ method: 'GET', path: '/hours', responses: { '200': ['timeOpen'] } }],
  })
  await on.ask('POST', versions, { label: '2.0.0', content: museum('2.0.0') })
  await on.go('/t/local/-/home')
  const steps = stepsOn(page)
  await steps.clickOn(page.getByRole('list', { name: 'Your drafts' }).getByRole('link', { name: /Museum 2\.0\.0/ }))
  await steps.click('link', 'Source')
  await steps.click('link', 'Edit the draft')
  await page.getByText('Checked', { exact: true }).waitFor()
  await page.keyboard.press('Control+a')
  // Typing is one step, as filling a field is.
  await steps.press('Delete')
  await page.keyboard.insertText(museum('2.0.0', 'opens'))
  await page.getByText('1 of 1 consumer: Mobile app', { exact: false }).waitFor()
  await steps.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  await steps.click('button', 'Close')
  await page.waitForURL(/2\.0\.0\/changes$/)
  await page.getByText('Mobile app').first().waitFor()
  expect(steps.taken.length).toBeLessThanOrEqual(7)
  expect(await on.faults()).toEqual([])
})

test('a deprecation names the consumers of the version, and proposes the newest as its replacement', async () => {
  await on.ask('POST', '/v1/tenants/local/projects/museum/versions/2.0.0/publish', {
    force: true,
    force_reason: 'trial',
  })
  await on.go('/t/local/museum/1.0.0')
  await on.press('Deprecate …')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Mobile app', { exact: false }).waitFor()
  expect(await dialog.getByLabel('Replaced by (optional)').inputValue()).toBe('2.0.0')
  expect(await on.faults()).toEqual([])
  await page.keyboard.press('Escape')
})

test('a type of four fields, a change of it and what that breaks, in four steps and three', async () => {
  await on.go('/t/local/-/types')
  const create = stepsOn(page)
  await create.click('link', 'Create a type …')
  await page.getByRole('textbox', { name: 'Schema' }).waitFor()
  await create.fill('Namespace', 'shop')
  await create.fill('Name', 'Ticket')
  await page.getByRole('textbox', { name: 'Schema' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('{ "type": "object", "properties": { "id": { "type": "string" } } }')
  await create.click('button', 'Create')
  await on.heading('Ticket')
  // One more for the schema.
  expect(create.taken.length + 1).toBeLessThanOrEqual(5)

  const content = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Tickets', version: '1.0.0' },
    paths: {
      '/tickets': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: 'svc:shop/Ticket' } } } },
          responses: { '204': { description: 'done' } },
        },
      },
    },
  })
  await on.ask('POST', '/v1/tenants/local/projects', { name: 'Tickets', slug: 'tickets' })
  await on.ask('POST', '/v1/tenants/local/projects/tickets/versions', { content })
  await on.ask('POST', '/v1/tenants/local/projects/tickets/versions/1.0.0/publish', {
    force: true,
    force_reason: 'trial',
  })
  const change = stepsOn(page)
  await change.click('link', 'Edit')
  await page.getByRole('textbox', { name: 'Schema' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(
    '{ "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } }',
  )
  await page.getByText('1 breaking change', { exact: true }).waitFor()
  await change.press('Control+s')
  // Nothing is saved before it is known whom it breaks.
  await page.getByText('The change breaks 1 version.', { exact: false }).waitFor()
  await change.click('button', 'Save revision 2')
  await on.heading('Refer to it')
  expect(change.taken.length).toBeLessThanOrEqual(3)
})

test('a colleague is invited as a viewer and reads, in four steps and three', async () => {
  await on.go('/t/local/-/home')
  const inviting = stepsOn(page)
  await inviting.click('link', 'People and keys')
  await inviting.click('button', 'Invite …')
  await inviting.fill('E-mail address', 'grace@example.com')
  expect(await page.getByRole('radio', { name: /^Viewer/ }).isChecked()).toBe(true)
  await inviting.press('Enter')
  const link = await page.getByLabel('The link', { exact: true }).innerText()
  expect(inviting.taken.length).toBeLessThanOrEqual(4)

  const context = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' })
  const grace = await context.newPage()
  grace.setDefaultTimeout(30_000)
  await grace.goto(link)
  const joining = stepsOn(grace)
  await joining.fill('Your name', 'Grace Hopper')
  await joining.fill('Password', 'correct horse battery')
  await joining.press('Enter')
  await grace.getByRole('heading', { name: 'Home', exact: true }).waitFor()
  expect(joining.taken.length).toBeLessThanOrEqual(3)
  // What they may not do is not offered: nothing to import, and the audit trail says why it is closed.
  expect(await grace.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0)
  await grace.goto(new URL('/app/t/local/-/audit', link).href)
  await grace.getByRole('heading', { name: "You don't have access" }).waitFor()
  expect(await grace.getByLabel('Show').count()).toBe(0)
  expect(await grace.getByRole('button', { name: /Export/ }).count()).toBe(0)

  // The inviter closes the window, and the invitation is not listed as open any more.
  await on.press('Done')
  await page.getByText('Grace Hopper').first().waitFor()
  await page.getByText('grace@example.com').first().waitFor()
  expect(await page.getByRole('button', { name: /^Withdraw/ }).count()).toBe(0)
  await context.close()
})
