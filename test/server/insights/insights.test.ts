/** What pages show of versions beside their documents: the overview, what was counted, and the timeline of a project. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { desc } from 'drizzle-orm'
import { outboxEvents } from '../../../db/tables.gen.ts'
import { insightsApi } from '../../../src/api/insights.ts'
import { tenantsApi } from '../../../src/api/tenants.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const operation = (tags: readonly string[], more: object = {}) => ({
  tags,
  responses: { '200': { description: 'OK' } },
  ...more,
})
const pets = (version: string, paths: object) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version, description: 'All **pets**.' },
  servers: [{ url: 'https://api.example.com' }],
  tags: [{ name: 'pets', description: 'Animals' }],
  paths,
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
})
const place = { tenant_slug: 'local', project_ref: 'pets' }
const at = (version_ref: string) => ({ params: { ...place, version_ref } })

onBothEngines('insights', (makeDb) => {
  let it: PetsProject
  const send = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await it.send(method, path, body)
    expect([status < 300, text.slice(0, 200)]).toEqual([true, text.slice(0, 200)])
  }
  const store = (version: string, paths: object) => send('POST', '', { content: JSON.stringify(pets(version, paths)) })
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    const [list, one] = [{ get: operation(['pets']) }, { delete: operation(['pets', 'admin']) }]
    await store('1.0.0', { '/pets': list, '/pets/all': one })
    await send('POST', '/1.0.0/publish')
    await send('POST', '/v1/tenants/local/projects/pets/consumers', { name: 'Shop' })
    await send('POST', '/v1/tenants/local/projects/pets/consumers', { name: 'Kiosk' })
    const contract = (path: string) => ({ operations: [{ method: 'DELETE', path }] })
    await send('PUT', '/v1/tenants/local/projects/pets/consumers/shop/contract', contract('/pets/all'))
    const lists = { operations: [{ method: 'GET', path: '/pets' }] }
    await send('PUT', '/v1/tenants/local/projects/pets/consumers/kiosk/contract', lists)
    await store('1.1.0', { '/pets': list, '/pets/all': one, '/toys': { get: operation([], { deprecated: true }) } })
    await send('POST', '/1.1.0/publish')
    await store('2.0.0', { '/pets': list, '/toys': { get: operation([], { deprecated: true }) } })
  })
  afterAll(() => it.service.stop())

  test('the overview has what the document says, its tags with counts, and the grades up to it', async () => {
    const { trend, ...overview } = await it.call(insightsApi.overview, at('1.1.0'))
    expect(overview).toEqual({
      description: 'All **pets**.',
      servers: ['https://api.example.com'],
      security: ['token: http bearer'],
      tags: [
        { name: 'pets', description: 'Animals', operations: 2 },
        { name: 'admin', description: null, operations: 1 },
      ],
      untagged: 1,
      deprecated: 1,
      created_by: 'Key "key"',
      published_by: 'Key "key"',
    })
    expect(trend.map((one) => one.label)).toEqual(['1.0.0', '1.1.0'])
    const draft = await it.call(insightsApi.overview, at('2.0.0'))
    expect([draft.trend.map((one) => one.label), draft.published_by]).toEqual([['1.0.0', '1.1.0', '2.0.0'], null])
  })

  test('findings, changes and consumers are counted', async () => {
    const { changes, consumers, findings, grade } = await it.call(insightsApi.assessment, at('2.0.0'))
    expect([changes, consumers]).toEqual([
      {
        base: { slug: '1.1.0', label: '1.1.0' },
        max_severity: 'breaking',
        counts: { breaking: 1, non_breaking: 0, docs_only: 1, unknown: 0 },
      },
      { total: 2, broken: ['shop'], unknown: [] },
    ])
    const { grade: stored } = await it.call(versionsApi.get, at('2.0.0'))
    expect(grade).toBe(stored)
    expect(findings.warning).toBeGreaterThan(0)
    expect((await it.call(insightsApi.assessment, at('1.0.0'))).changes).toBeNull()
  })

  test('the timeline says what each version changed, newest first', async () => {
    const { items, total } = await it.call(insightsApi.timeline, { params: place })
    expect([
      total,
      items.map((one) => [one.label, one.base?.label ?? null, one.severity, one.added, one.removed]),
    ]).toEqual([
      3,
      [
        ['2.0.0', '1.1.0', null, 0, 1],
        ['1.1.0', '1.0.0', 'non-breaking', 1, 0],
        ['1.0.0', null, null, null, null],
      ],
    ])
    expect(items.map((one) => one.counts?.non_breaking ?? null)).toEqual([null, 1, 0])
  })

  test('operations are listed by tag; "" are those without one', async () => {
    const refs = async (tag: string) => {
      const { items, total } = await it.call(versionsApi.operations, { ...at('1.1.0'), query: { tag, limit: 1 } })
      return [total, ...items.map((one) => one.ref)]
    }
    expect([await refs('pets'), await refs('admin'), await refs(''), await refs('none')]).toEqual([
      [2, 'GET /pets'],
      [1, 'DELETE /pets/all'],
      [1, 'GET /toys'],
      [0],
    ])
  })

  test('a deprecation is changed without a new beginning, withdrawn, and each step is in the audit trail', async () => {
    const first = await it.call(versionsApi.deprecate, { ...at('1.0.0'), body: { replacement: '1.1.0' } })
    const sunset_at = '2030-01-31T23:59:59.000Z'
    const second = await it.call(versionsApi.deprecate, { ...at('1.0.0'), body: { sunset_at } })
    expect([second.deprecated_at, second.sunset_at, second.replacement]).toEqual([
      first.deprecated_at,
      sunset_at,
      '1.1.0',
    ])
    const third = await it.call(versionsApi.undeprecate, at('1.0.0'))
    expect([third.status, third.deprecated_at, third.sunset_at, third.replacement]).toEqual([
      'published',
      null,
      null,
      null,
    ])
    expect(await it.brief('DELETE', '/1.0.0/deprecate')).toBe('409 version-transition')
    await it.call(versionsApi.retire, at('1.0.0'))
    const { items } = await it.call(tenantsApi.audit, { params: { tenant_slug: 'local' }, query: { limit: 4 } })
    const steps = ['version.retired', 'version.undeprecated', 'version.deprecated', 'version.deprecated']
    expect(items.map((one) => [one.action, one.target_name])).toEqual(steps.map((action) => [action, 'pets@1.0.0']))
    const events = await it.service.deps.db.read.select().from(outboxEvents).orderBy(desc(outboxEvents.id)).limit(4)
    expect(events.map(({ type, payload }) => [type, (payload as { label: string }).label])).toEqual(
      steps.map((type) => [type, '1.0.0']),
    )
  })
})
