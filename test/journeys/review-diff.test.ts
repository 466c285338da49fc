/** A review by people in browsers of their own on the real service: asked for, answered with a suggestion, applied, approved. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../fixtures/browser.ts'
import { faultsOf, openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(120_000)

const before = `openapi: 3.1.0
info:
  title: Museum
  version: 1.0.0
  description: Opening hours of the museum.
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
                $ref: '#/components/schemas/Hours'
components:
  schemas:
    Hours:
      type: object
      required:
        - date
        - timeOpen
      properties:
        date:
          type: string
          format: date
        timeOpen:
          type: string
          pattern: ^\\d\\d:\\d\\d$
          description: Time the museum opens on a specific date.
`
// The required property is gone, and another one says the same.
const after = before
  .replace('        - timeOpen\n', '')
  .replace('        timeOpen:\n', '        opens:\n')
  .replace('Time the museum opens', 'Opening time')
  .replace('version: 1.0.0', 'version: 2.0.0')

let on: Real
let ada: Page
let grace: Page
let alan: Page
let browser: Browser
const versions = '/v1/tenants/local/projects/museum/versions'
const review = '/t/local/museum/2.0.0/review'

/** The clicks of a person, counted. */
const clicksOf = (page: Page) => {
  let clicks = 0
  return {
    click: async (role: 'button' | 'link' | 'checkbox', name: string | RegExp): Promise<void> => {
      clicks++
      await page
        .getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) })
        .first()
        .click()
    },
    count: () => clicks,
  }
}

/** A member who accepted an invitation, in a browser of their own. */
const join = async (name: string, email: string): Promise<Page> => {
  const { link } = await on.ask('POST', '/v1/tenants/local/invitations', { email, role: 'editor' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(new URL(String(link), ada.url()).href)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
  return page
}

beforeAll(async () => {
  on = await openReal()
  ada = on.page
  await on.ask('POST', '/v1/tenants/local/projects', { name: 'Museum', slug: 'museum' })
  await on.ask('POST', versions, { label: '1.0.0', content: before })
  await on.ask('POST', `${versions}/1.0.0/publish`, { force: true, force_reason: 'a base' })
  await on.ask('POST', versions, { label: '2.0.0', content: after })
  const consumers = '/v1/tenants/local/projects/museum/consumers'
  for (const [name, fields] of [
    ['Mobile app', ['timeOpen']],
    ['Calendar', ['date']],
  ] as const) {
    const { handle } = await on.ask('POST', consumers, { name })
    const operations = [{ method: 'GET', path: '/hours', responses: { '200': fields } }]
    await on.ask('PUT', `${consumers}/${String(handle)}/contract?version=1.0.0`, { operations })
  }
  browser = await openBrowser()
  grace = await join('Grace Hopper', 'grace@example.com')
  alan = await join('Alan Turing', 'alan@example.com')
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await on.close()
})

const go = (page: Page, path: string) => page.goto(`${new URL(ada.url()).origin}/app${path}`)

test('the author asks a colleague, in six clicks at most', async () => {
  await go(ada, '/t/local/museum')
  const steps = clicksOf(ada)
  await steps.click('link', /2\.0\.0/)
  await steps.click('link', 'Review')
  await steps.click('button', 'Request a review …')
  await steps.click('checkbox', /^Grace Hopper/)
  await steps.click('checkbox', /^Alan Turing/)
  await steps.click('button', 'Request the review')
  const rows = ada.getByRole('list', { name: 'Reviewers' }).getByRole('listitem')
  await rows.first().waitFor()
  expect((await rows.allInnerTexts()).map((it) => it.split(/\n+/).filter(Boolean).slice(1))).toEqual([
    ['Grace Hopper', 'pending'],
    ['Alan Turing', 'pending'],
  ])
  expect(steps.count()).toBeLessThanOrEqual(6)
})

test('the colleague sees what changed, whom it breaks, and what was removed', async () => {
  await go(grace, review)
  const list = grace.getByRole('region', { name: 'What the version changes' })
  const removal = list.getByRole('article').filter({ hasText: 'timeOpen' }).filter({ hasText: 'breaking' }).first()
  await removal.getByText('Mobile app', { exact: true }).waitFor()
  await removal.getByRole('group', { name: 'Counterexample' }).waitFor()
  // Lines that did not change are not there, removed ones are.
  await list.locator('code').filter({ hasText: 'removed: - timeOpen' }).first().waitFor({ state: 'attached' })
  expect(await list.getByText('summary: Get the hours').count()).toBe(0)
  // The removal leads to its lines.
  await removal.getByRole('button', { name: /^line \d+ of 1\.0\.0/ }).click()
  await list.locator('[data-at]:focus').waitFor()
  // Nothing is chosen beforehand.
  const bar = grace.getByRole('region', { name: 'Your decision' })
  expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Comment', 'Request changes', 'Approve'])
  await bar.getByText('1 of 2 consumers', { exact: false }).waitFor()
})

test('changes are ticked by keyboard, and a tick is remembered', async () => {
  await go(grace, review)
  await grace.getByText(/^0 of \d+ viewed$/).waitFor()
  await grace.keyboard.press('j')
  await grace.locator('[data-change]:focus').waitFor()
  await grace.keyboard.press('v')
  await grace.getByText(/^1 of \d+ viewed$/).waitFor()
  await grace.reload()
  await grace.getByText(/^1 of \d+ viewed$/).waitFor()
  await grace.keyboard.press('j')
  await grace.locator('[data-change]:focus').waitFor()
  await grace.keyboard.press('c')
  await grace.getByLabel('Comment', { exact: true }).and(grace.locator(':focus')).waitFor()
  await grace.keyboard.press('Escape')
})

test('a removed line is commented on, and the thread is below it', async () => {
  await go(grace, review)
  await grace
    .getByRole('button', { name: /^Comment on removed line/ })
    .first()
    .click()
  await grace.getByLabel('Comment', { exact: true }).fill('Who reads this?')
  await grace.keyboard.press('Control+Enter')
  await grace
    .getByRole('article', { name: /^Thread on / })
    .filter({ hasText: 'Who reads this?' })
    .waitFor()
})

test('the colleague suggests another name and requests changes, in five clicks at most', async () => {
  await go(grace, review)
  const steps = clicksOf(grace)
  const line = after.split('\n').indexOf('        opens:') + 1
  await steps.click('button', `Comment on line ${line}`)
  await steps.click('checkbox', 'Suggest a change of it')
  const name = grace.getByLabel('Suggested name')
  expect(await name.inputValue()).toBe('opens')
  await name.fill('timeOpen')
  await grace.getByRole('group', { name: 'What the suggestion changes' }).getByText('timeOpen').first().waitFor()
  await steps.click('button', 'Open the thread')
  await grace.getByRole('group', { name: 'Suggested change' }).waitFor()
  await steps.click('button', 'Request changes')
  await steps.click('button', 'Request changes')
  await grace.getByText('You requested changes', { exact: false }).waitFor()
  expect(steps.count()).toBeLessThanOrEqual(5)
  await grace.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the author applies it in two clicks at most; its thread is resolved', async () => {
  await go(ada, review)
  const steps = clicksOf(ada)
  await steps.click('button', 'Apply and resolve')
  await ada
    .getByRole('article', { name: /^Thread on / })
    .getByText('resolved', { exact: true })
    .waitFor()
  expect(steps.count()).toBeLessThanOrEqual(2)
  const { threads } = (await on.ask('GET', `${versions}/2.0.0/threads`)) as {
    threads: { status: string; comments: { suggestion: object | null }[] }[]
  }
  expect(threads.map(({ status, comments }) => [comments[0]?.suggestion !== null, status])).toEqual([
    [false, 'open'],
    [true, 'resolved'],
  ])
})

test('the person who wrote an applied suggestion cannot approve and is told why; another colleague approves', async () => {
  const decide = async (page: Page): Promise<void> => {
    await go(page, review)
    const bar = page.getByRole('region', { name: 'Your decision' })
    await bar.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  }
  // Changed since they answered: it is answered again.
  await decide(grace)
  await grace.getByRole('dialog').getByText('Grace Hopper', { exact: false }).waitFor()
  await decide(alan)
  await alan.getByText('You approved this', { exact: false }).waitFor()
  await alan.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await faultsOf(alan)).toEqual([])
})
