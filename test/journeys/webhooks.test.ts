/** Webhooks by one person, in a real browser on the real service, with a receiver on loopback. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { parseNetworks } from '../../server/egress/address.ts'
import { receivers } from '../../web/src/features/webhooks/receivers.ts'
import { testKey } from '../fixtures/accounts.ts'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { type Received, type Sink, startSink, trustSinks } from '../fixtures/sink.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

const root = join(import.meta.dir, '../..')
let on: Real
let page: Page
let sink: Sink
let trust: ReturnType<typeof trustSinks>
/** What the receiver answers. */
let status = 204
let secret = ''

beforeAll(async () => {
  trust = trustSinks()
  sink = startSink(() => new Response(null, { status }))
  const egressAllow = parseNetworks('127.0.0.0/8,::1/128')
  on = await openReal({ egressAllow, webhookSchedule: [0, 20], keys: { kind: 'given', keys: testKey } })
  page = on.page
}, 60_000)
afterAll(async () => {
  await on.close()
  await sink.stop()
  trust.end()
})

const badge = (name: string) => page.locator('article h2 ~ span', { hasText: new RegExp(`^${name}$`) }).waitFor()

/** Opens the page of the subscription, with nothing beside its deliveries. */
const open = async () => {
  await on.go('/t/local/-/webhooks')
  await page.getByRole('link', { name: `${sink.url}/hook` }).click()
  await on.heading('Deliveries')
}

/** What the TypeScript receiver that the application shows answers to a delivery. */
const receive = async (key: string, { headers, body }: Received): Promise<number> => {
  const folder = join(root, 'node_modules/.cache/svc')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `receiver-${process.pid}-${Bun.randomUUIDv7()}.ts`)
  const before = process.env['SVC_WEBHOOK_SECRET']
  process.env['SVC_WEBHOOK_SECRET'] = key
  try {
    await writeFile(file, (receivers[0]?.code ?? '').replace(/^ *console\.log.*\n/m, ''))
    const program = (await import(file)) as { receive: (request: Request) => Promise<Response> }
    return (await program.receive(new Request('http://localhost/', { method: 'POST', headers, body }))).status
  } finally {
    if (before === undefined) delete process.env['SVC_WEBHOOK_SECRET']
    else process.env['SVC_WEBHOOK_SECRET'] = before
    await rm(file, { force: true })
  }
}

test('a subscription is created by keyboard; its secret is generated and shown once', async () => {
  await on.go('/t/local')
  await on.heading('Projects')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /^Webhooks/ }).waitFor()
  await page.keyboard.type('webhook sub')
  await page.getByRole('option', { name: /Create a webhook subscription/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('URL').waitFor()
  await page.keyboard.type('http://localhost/hook')
  await page.keyboard.press('Enter')
  await page.getByText('it must begin with https://', { exact: false }).waitFor()
  expect(await page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('URL').fill(`${sink.url}/hook`)
  await page.keyboard.press('Enter')
  secret = await page.getByLabel('The secret', { exact: true }).innerText()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await page.getByLabel('I have stored the secret').check()
  await on.press('Done')
  await on.heading(`${sink.url}/hook`)
  await on.heading('No deliveries yet')
  expect(await page.content()).not.toContain(secret)
})

test('a test event is sent, signed so that the receiver shown by the application accepts it', async () => {
  await on.press('Send a test event')
  await on.heading('webhook.test')
  await badge('delivered')
  await page.getByRole('list', { name: 'Attempts' }).getByText('Accepted').waitFor()
  const [first] = sink.received
  expect(page.url()).toEndWith(`?delivery=${first?.headers['webhook-id']}`)
  expect(JSON.parse(await page.getByRole('group', { name: 'Body' }).innerText())).toEqual(JSON.parse(first?.body ?? ''))
  expect(await receive(secret, first as Received)).toBe(204)
  expect(await receive(secret, { ...(first as Received), body: '{}' })).toBe(401)
  await on.press('Send again')
  await page.getByText('Attempt 2', { exact: true }).waitFor()
  expect(sink.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array.from({ length: 2 }, () => first?.headers['webhook-id']),
  )
  expect(await accessibilityFailures(page, [], 'main')).toEqual([])
})

test('a rotated secret and the one before it sign; the page says until when', async () => {
  await open()
  await on.press('More')
  await page.getByRole('menuitem', { name: 'Rotate the secret …' }).press('Enter')
  await on.press('Rotate the secret')
  const next = await page.getByLabel('The secret', { exact: true }).innerText()
  await page.getByLabel('I have stored the secret').check()
  await on.press('Done')
  await page.getByText('signs too until', { exact: false }).waitFor()
  await on.press('Send a test event')
  await badge('delivered')
  const last = sink.received.at(-1) as Received
  expect([await receive(secret, last), await receive(next, last)]).toEqual([204, 204])
})

test('what fails becomes a dead letter with its reason, and is sent again from the list', async () => {
  status = 500
  await open()
  await on.press('Send a test event')
  await badge('dead letter')
  await page.getByText('The receiver answered 500.', { exact: true }).waitFor()
  expect(await page.getByText('Not accepted').count()).toBe(2)
  status = 204
  await on.go('/t/local/-/webhooks/dead-letters')
  await page.getByRole('list', { name: 'Dead letters' }).getByRole('listitem').waitFor()
  await on.press(/^Send again /)
  await on.heading('No dead letters')
  await on.go('/t/local/-/webhooks')
  await page.getByRole('list', { name: 'Subscriptions' }).getByText('delivered', { exact: true }).waitFor()
})

test('what a subscription misses while it is off is counted and sent when it is on again', async () => {
  await open()
  await on.press('More')
  await page.getByRole('menuitem', { name: 'Switch off …' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('This subscription is off: nothing is sent').waitFor()
  await on.ask('POST', '/v1/tenants/local/projects/bookshop/versions', { label: '9.1.0', from: 'latest' })
  await on.ask('POST', '/v1/tenants/local/projects/bookshop/versions/9.1.0/publish', {})
  const seen = sink.received.length
  await on.go('/t/local/-/webhooks')
  await page.getByRole('list', { name: 'Subscriptions' }).getByText('cancelled', { exact: true }).waitFor()
  await open()
  await on.press('Switch on')
  await on.heading('Send missed deliveries again')
  await on.press('Send 1 delivery')
  await page.getByText('1 delivery will be sent now.').waitFor()
  await on.press('Done')
  await page.getByRole('link', { name: 'version.published bookshop 9.1.0' }).click()
  await badge('delivered')
  expect(sink.received.slice(seen).map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
    'version.published',
  ])
})

test('deliveries are filtered by status, type and time', async () => {
  await open()
  const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
  await rows.first().waitFor()
  const all = await rows.count()
  await page.getByLabel('Event type').selectOption('version.published')
  await page.waitForURL(/type=version\.published/)
  await page.waitForFunction((n) => document.querySelectorAll('[aria-label=Deliveries] > li').length < n, all)
  expect(await rows.count()).toBe(1)
  await page
    .getByRole('group', { name: 'Status' })
    .getByRole('button', { name: /^dead letter/ })
    .click()
  await on.heading('No matches')
  await on.press('Clear search')
  await rows.nth(all - 1).waitFor()
  await page.getByLabel('Events from').fill('2100-01-01T00:00')
  await on.heading('No matches')
})

test('another URL and severity are saved; a URL that is taken is refused at its field; then it is deleted', async () => {
  const second = { url: 'https://example.com/other', signingSecret: secret }
  await on.ask('POST', '/v1/push-webhook-subscriptions/local', second)
  await on.go('/t/local/-/webhooks')
  await page.getByRole('button', { name: `Actions for ${second.url}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit …' }).press('Enter')
  await page.getByLabel('URL').fill(`${sink.url}/hook`)
  await page.getByRole('radio', { name: /^With breaking changes/ }).check()
  await on.press('Save')
  await page.getByText('has a webhook subscription for', { exact: false }).waitFor()
  await page.getByLabel('URL').fill('https://example.com/moved')
  await on.press('Save')
  await page.getByText('All events; publications with breaking changes').waitFor()
  await page.getByRole('link', { name: 'https://example.com/moved' }).click()
  await on.press('More')
  await page.getByRole('menuitem', { name: 'Delete …' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const subscriptions = page.getByRole('list', { name: 'Subscriptions' })
  await subscriptions.getByRole('heading').first().waitFor()
  expect(await subscriptions.getByRole('heading').allInnerTexts()).toEqual([`${sink.url}/hook`])
  expect(on.conduct.violations).toEqual([])
})

test('the guide shows the same receivers as the application', async () => {
  const guide = await readFile(join(root, 'docs/guides/webhooks.md'), 'utf8')
  expect(receivers.filter(({ code }) => !guide.includes(code)).map(({ language }) => language)).toEqual([])
})
