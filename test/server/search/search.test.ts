/** The search over an organization: what each list finds, and for which callers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { tenants } from '../../../db/tables.gen.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { consumersApi } from '../../../src/api/consumers.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { searchApi } from '../../../src/api/search.ts'
import { specsApi } from '../../../src/api/specs.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { addApiKey, addMember, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson } from '../../fixtures/identity-service.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const document = (title: string, version: string, more = '') => `openapi: 3.1.0
info: { title: ${title}, version: ${version} }
paths:
  /payments: { get: { operationId: listPayments, summary: List payments, responses: { '200': { description: ok } } } }
  ${more}
components: { schemas: { PaymentIntent: { type: object }, Money: { type: object } } }
`

onBothEngines('search over an organization', (makeDb) => {
  let it: TestService
  let outsider: Call
  let readingKey: Call

  const bring = async (call: Call, tenant: string, content: string) => {
    const body = { source: { kind: 'inline' as const, name: 'a.yaml', content } }
    const job = await call(importsApi.create, { params: { tenant_slug: tenant }, body })
    expect((await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })).status).toBe(
      'completed',
    )
  }

  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db)
    const other = await addTenant(db, 'other', 'team')
    const person = await addPerson(db, 'oda')
    await addMember(db, other, person, 'owner')
    outsider = it.service.callAs(person)
    await bring(it.call, 'local', document('Shop', '1.0.0'))
    await bring(
      it.call,
      'local',
      document('Shop', '1.1.0', "/refunds: { post: { responses: { '204': { description: done } } } }"),
    )
    await bring(it.call, 'local', document('Bank', '2.0.0'))
    await bring(outsider, 'other', document('Foreign', '1.0.0'))
    const inShop = { tenant_slug: 'local', project_ref: 'shop' }
    await it.call(consumersApi.create, { params: inShop, body: { name: 'Payment app' } })
    await it.call(styleGuidesApi.create, { params: { tenant_slug: 'local' }, body: { name: 'Payment rules' } })
    const [local] = await db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, 'local'))
    readingKey = it.service.callWith(await addApiKey(db, local?.id ?? '', { scopes: ['catalog:read'] }))
  })
  afterAll(() => it.service.stop())

  const find = (q: string, call = it.call, limit = 8) =>
    call(searchApi.find, { params: { tenant_slug: 'local' }, query: { q, limit } })
  const placed = (items: readonly { project_slug: string; version_label: string }[]) =>
    items.map((one) => `${one.project_slug} ${one.version_label}`).sort()

  test('operations and schemas are found once for each project, in its greatest version, drafts too', async () => {
    const found = await find('payment')
    expect(placed(found.operations)).toEqual(['bank 2.0.0', 'shop 1.1.0'])
    expect(found.operations.map(({ ref, summary }) => [ref, summary])).toEqual([
      ['GET /payments', 'List payments'],
      ['GET /payments', 'List payments'],
    ])
    expect(placed(found.schemas)).toEqual(['bank 2.0.0', 'shop 1.1.0'])
    expect(found.schemas.map(({ name }) => name)).toEqual(['PaymentIntent', 'PaymentIntent'])
    expect((await find('PaymentIntent')).schemas.length).toBe(2)
    expect((await find('/refunds')).operations.map(({ ref }) => ref)).toEqual(['POST /refunds'])
    expect((await find('payment', it.call, 1)).operations.length).toBe(1)
  })

  test('consumers, style guides and members are found by their names', async () => {
    const { consumers, style_guides: guides } = await find('PAYMENT')
    expect(consumers.map(({ name, project_slug: slug }) => [name, slug])).toEqual([['Payment app', 'shop']])
    expect(guides.map(({ name }) => name)).toEqual(['Payment rules'])
    const { members } = await find('@')
    expect(members.length).toBe(1)
    const nothing = {
      projects: [],
      operations: [],
      schemas: [],
      types: [],
      consumers: [],
      style_guides: [],
      rules: [],
      findings: [],
      members: [],
      semantic_available: false,
      not_indexed: 0,
    }
    expect((await find('operation-tags', it.call, 1)).rules.map(({ id }) => id)).toEqual(['operation-tags'])
    expect([await find('nothing like it'), await find(' ')]).toEqual([nothing, nothing])
  })

  test('projects are found by name and description, those that are named so first', async () => {
    const { projects } = await find('o')
    expect(projects).toEqual([{ slug: 'shop', name: 'Shop' }])
    expect((await find('bank')).projects).toEqual([{ slug: 'bank', name: 'Bank' }])
  })

  test('many schemas leave no operation out, and the other way round', async () => {
    const { operations, schemas } = await find('payment', it.call, 1)
    expect([operations.length, schemas.length]).toEqual([1, 1])
  })

  test('a consumer is found by its handle, as it is in commands', async () => {
    expect((await find('payment-app')).consumers.map(({ name }) => name)).toEqual(['Payment app'])
  })

  test('a rule is found by its id, with the latest versions that have findings of it', async () => {
    const { rules, findings } = await find('operation-tags')
    expect(rules.filter(({ id }) => id === 'operation-tags')).toEqual([
      { id: 'operation-tags', description: expect.any(String), projects: 2, findings: 3 },
    ])
    expect(findings.map((one) => [one.rule, one.project_slug, one.version_label, one.count])).toEqual([
      ['operation-tags', 'shop', '1.1.0', 2],
      ['operation-tags', 'bank', '2.0.0', 1],
    ])
    expect((await find('operation tags', it.call, 1)).findings.length).toBe(1)
    // A rule without findings, and a word that is in descriptions of rules alone.
    expect((await find('path-params')).findings).toEqual([])
    expect((await find('nothing like it')).findings).toEqual([])
  })

  test('without a provider a semantic search says that there is none', async () => {
    const asked = { params: { tenant_slug: 'local' }, query: { q: 'money', mode: 'semantic' as const } }
    expect(await it.call(searchApi.find, asked).catch((error: { code?: string }) => error.code)).toBe(
      'semantic-search-unavailable',
    )
  })

  test('a key finds no members; who is in another organization finds nothing here', async () => {
    const found = await find('payment', readingKey)
    expect([found.operations.length, found.consumers.length]).toEqual([2, 1])
    expect((await find('@', readingKey)).members).toEqual([])
    expect(await find('payment', outsider).catch((error: { code?: string }) => error.code)).toBe('tenant-access-denied')
    const own = await outsider(searchApi.find, { params: { tenant_slug: 'other' }, query: { q: 'payment' } })
    expect([placed(own.operations), own.consumers, own.style_guides]).toEqual([['foreign 1.0.0'], [], []])
  })

  test('agents search operations alone: schemas are not among them', async () => {
    const found = await it.call(specsApi.search, { query: { q: 'PaymentIntent' } })
    expect([found.items, found.total]).toEqual([[], 0])
  })

  test('what no current version has is found in earlier ones', async () => {
    await bring(
      it.call,
      'local',
      document('Till', '1.0.0', '/vouchers: { get: { responses: { 200: { description: ok } } } }'),
    )
    await bring(it.call, 'local', document('Till', '2.0.0'))
    expect(placed((await find('vouchers')).operations)).toEqual(['till 1.0.0'])
  })
})
