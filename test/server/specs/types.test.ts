import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tenants } from '../../../db/tables.gen.ts'
import { primitivesApi } from '../../../src/api/primitives.ts'
import { specsApi } from '../../../src/api/specs.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { addMcpKey } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

onBothEngines('types that agents may read', (makeDb) => {
  let it: TestService
  let own: Call
  let anyone: Call
  const describe = async (call: Call, type: string, more: object = {}) => {
    try {
      return await call(specsApi.type, { query: { type, ...more } })
    } catch (error) {
      return (error as { code?: string }).code
    }
  }
  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db)
    const params = { tenant_slug: it.tenant }
    const make = (name: string, schema: Record<string, unknown>, visibility: 'public' | 'private', replace = false) =>
      it.call(primitivesApi.create, { params, body: { namespace: 'zoo', name, schema, visibility, replace } })
    await make('Hidden', { type: 'string', maxLength: 3 }, 'private')
    await make(
      'Open',
      { type: 'object', properties: { a: { $ref: 'svc:zoo/Hidden' }, b: { $ref: 'svc:core/Percentage' } } },
      'public',
    )
    await make('Hidden', { type: 'string', maxLength: 4 }, 'private', true)
    const [local] = await db.read.select({ id: tenants.id }).from(tenants)
    own = it.service.callWith(await addMcpKey(db, local?.id ?? ''))
    anyone = it.service.callWith(null)
  })
  afterAll(() => it.service.stop())

  test('pages list public types and those that come with svc; a key adds those of its organization', async () => {
    const all = async (call: Call) => {
      const found: string[] = []
      let cursor: string | null = null
      let total = 0
      do {
        const page: Awaited<ReturnType<typeof one>> = await one(call, cursor)
        found.push(...page.items.map(({ type, tenant }) => `${tenant ?? 'svc'} ${type}`))
        ;({ total, next_cursor: cursor } = page)
      } while (cursor !== null)
      expect([found.length, new Set(found).size]).toEqual([total, total])
      return found.filter((name) => !name.startsWith('svc '))
    }
    const one = (call: Call, cursor: string | null) =>
      call(specsApi.types, { query: { limit: 40, ...(cursor === null ? {} : { cursor }) } })
    expect(await all(anyone)).toEqual(['local svc:zoo/Open'])
    expect(await all(own)).toEqual(['local svc:zoo/Hidden', 'local svc:zoo/Open'])
    const named = await own(specsApi.types, { query: { q: 'ZOO hid', limit: 1 } })
    expect([named.items.map(({ type }) => type), named.total, named.next_cursor]).toEqual([['svc:zoo/Hidden'], 1, null])
    expect((await anyone(specsApi.types, { query: { namespace: 'rfc7946' } })).total).toBe(10)
  })

  test('a type comes with what it refers to, as far as the caller may read it', async () => {
    const percentage = { 'svc:core/Percentage': { type: 'number', minimum: 0, maximum: 100 } }
    expect(await describe(own, 'zoo/Open')).toMatchObject({
      type: 'svc:zoo/Open',
      tenant: 'local',
      referenced: { 'svc:zoo/Hidden': { type: 'string', maxLength: 4 }, ...percentage },
      omitted: [],
    })
    const seen = await describe(anyone, 'svc:zoo/Open')
    expect(typeof seen === 'object' && [seen.referenced, seen.omitted]).toEqual([percentage, []])
    const short = await describe(own, 'zoo/Open', { limit_bytes: 0 })
    expect(typeof short === 'object' && [short.referenced, short.omitted]).toEqual([
      {},
      ['svc:zoo/Hidden', 'svc:core/Percentage'],
    ])
    expect(await describe(own, 'zoo/Hidden@1')).toMatchObject({ revision: 1, schema: { type: 'string', maxLength: 3 } })
    expect(await describe(anyone, 'core/Money', {})).toMatchObject({ tenant: null, scope: 'core' })
    const refused = ['zoo/Hidden', 'zoo/Hidden@1', 'zoo/Nothing', 'no reference']
    expect(await Promise.all(refused.map((type) => describe(anyone, type)))).toEqual(
      refused.map(() => 'primitive-not-found'),
    )
    expect(await describe(own, 'zoo/Hidden@9')).toBe('primitive-revision-not-found')
    expect(await describe(anyone, 'core/Money@2')).toBe('primitive-revision-not-found')
    expect(it.faults).toEqual([])
  })
})
