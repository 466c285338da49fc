/** Coverage, the binding to a document and counts over time on the real service: what was called becomes a draft. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { testKey } from '../fixtures/accounts.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

let real: Real
const lane = '/t/local/-/gateway/production'
const security = '/v1/slate/environments/production/security'
const versions = '/v1/tenants/local/projects/pets/versions'
const document = (version: string, maxLength: number) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    paths: {
      '/pets': {
        get: {
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', maxLength } }],
          responses: { 200: { description: 'Pets' } },
        },
      },
    },
  })

beforeAll(async () => {
  real = await openReal({ keys: { kind: 'given', keys: testKey } })
  await real.ask('POST', '/v1/tenants/local/projects', { name: 'Pets', slug: 'pets' })
  for (const [label, length] of [
    ['1.0.0', 20],
    ['2.0.0', 10],
  ] as const) {
    await real.ask('POST', versions, { label, content: document(label, length) })
    await real.ask('POST', `${versions}/${label}/publish`, { visibility: 'private' })
  }
  const body = { name: 'Production', kind: 'production', approvals: { required: false } }
  await real.ask('POST', '/v1/slate/environments', body)
  const { key } = await real.ask('POST', `${security}/enforcers`, { label: 'edge-1', engine: 'coraza-caddy' })
  const at = new Date().toISOString()
  const seen = { kind: 'seen', at, method: 'GET', route: null, pathShape: null, count: 3 }
  const lines = [
    { ...seen, id: randomUUID(), pathShape: '/pets' },
    { ...seen, id: randomUUID(), method: 'POST', pathShape: '/toys/{id}' },
    {
      kind: 'match',
      id: randomUUID(),
      at,
      action: 'block',
      ruleRef: 'crs:942100',
      method: 'GET',
      pathShape: '/toys/{id}',
      matches: [{ ruleRef: 'crs:942100', field: 'query:q', length: 7, shape: "A'Aa" }],
      exceptionIds: [],
    },
  ]
  const sent = await fetch(new URL('/v1/slate/enforcers/self/events', real.page.url()), {
    method: 'POST',
    headers: { 'x-api-key': key as string, 'content-type': 'application/x-ndjson' },
    body: lines.map((it) => JSON.stringify(it)).join('\n'),
  })
  expect(sent.status).toBe(200)
}, 60_000)
afterAll(() => real.close())

test('a policy is bound to a document; another version shows first which requests it refuses', async () => {
  const { page } = real
  await real.go(`${lane}/policy`)
  await real.press('Change the document …')
  await page.getByLabel('Project', { exact: true }).fill('pets')
  await page.getByLabel('Version', { exact: true }).fill('1.0.0')
  await real.press('Preview')
  await page.getByText('Requests are compared with version 1.0.0').waitFor()
  await real.press('Save')
  const checks = page.getByRole('list', { name: 'Checks of the document' })
  await checks.waitFor()
  expect(await checks.getByText('Log only').count()).toBe(7)
  await real.press('Change the document …')
  await page.getByLabel('Version', { exact: true }).fill('2.0.0')
  await real.press('Preview')
  const refused = page.getByRole('list', { name: 'Requests that are refused' })
  await refused.waitFor()
  expect(await refused.getByRole('listitem').count()).toBe(1)
  await real.press('Cancel')
  const { positive } = await real.ask('GET', `${security}/positive`)
  expect(positive).toMatchObject({ version: '1.0.0', mode: 'log' })
}, 60_000)

test('what was called and is not declared is added to a draft', async () => {
  const { page } = real
  await real.go(`${lane}/coverage`)
  await page.getByText('1 of 1 operation of pets 1.0.0 called.').waitFor()
  await page.getByLabel('POST /toys/{id}').check()
  await real.press('Add to the document …')
  await page.getByLabel('Label (optional)').fill('1.1.0')
  await real.press('Create the draft')
  await page.getByRole('link', { name: 'Open the draft' }).waitFor()
  const draft = await real.ask('GET', `${versions}/1.1.0`)
  expect([draft['status'], draft['operations_count']]).toEqual(['draft', 2])
}, 60_000)

test('events show the shape of a path and of a value, and how many there were over time', async () => {
  const { page } = real
  await real.go(`${lane}/events`)
  await page.getByRole('slider', { name: '1 request: 1 refused, 0 logged, 0 let through.' }).waitFor()
  await real.press('2 hours')
  await page.getByRole('slider', { name: '1 request: 1 refused, 0 logged, 0 let through.' }).waitFor()
  await page.getByRole('list', { name: 'Events' }).getByRole('button').click()
  await page.getByText("A'Aa").waitFor()
  expect(await page.getByRole('article').getByText('GET /toys/{id}').count()).toBe(1)
  expect(real.conduct).toEqual({ foreign: [], violations: [], errors: [] })
}, 60_000)
