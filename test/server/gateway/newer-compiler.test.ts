/** What the compiler of a newer svc writes otherwise: it waits, is shown, and is taken by a person or by what people change. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { auditEvents, gatewayReleaseStates, gatewayReleaseTargets, dueWork } from '../../../db/tables.gen.ts'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { askForNewerReleases } from '../../../server/gateway/newer-compiler.ts'
import { enforcersApi, selfBase, type Bundle } from '../../../src/api/gateway-enforcers.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { compilerVersion } from '../../../src/gateway/compile/version.ts'
import type { ReleaseInputs } from '../../../src/gateway/release/cause.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'

onBothEngines('a newer compiler', (makeDb) => {
  let it: GatewayService
  let db: Database
  let key = ''
  beforeAll(async () => {
    db = await makeDb()
    it = await openGateway(db, false)
    const body = { label: 'edge', engine: 'coraza-caddy' as const }
    key = (await it.as('ann')(enforcersApi.create, { params: it.params, body })).key
    while ((await list()).total < 1) await compile()
    // From here on nothing is done by the schedule.
    await it.service.stop()
  })
  afterAll(async () => {
    await it.service.stop()
  })

  const compile = (deps = it.service.deps) => makeRelease(deps, it.tenantId, it.environment.id)
  const list = (query: { from?: string; to?: string } = {}) =>
    it.as('eva')(releasesApi.list, { params: it.params, query: { limit: 200, ...query } })
  const facts = async () =>
    (await list()).releases.map(({ number, trigger, isLatest, isStaged }) => ({ number, trigger, isLatest, isStaged }))
  const state = async () => {
    const [row] = await db.read.select().from(gatewayReleaseStates)
    if (row === undefined) throw new Error('Nothing was compiled.')
    return row
  }
  const newestId = async () => (await state()).latestReleaseId ?? ''
  /** The environment as an svc left it whose compiler had no number. */
  async function asOlder(change: Partial<typeof gatewayReleaseTargets.$inferInsert> = { digest: 'older' }) {
    const { compiler: _, ...inputs } = (await state()).inputs as ReleaseInputs
    const latest = await newestId()
    await db.inTransaction(async (tx) => {
      await tx.update(gatewayReleaseStates).set({ inputs })
      if (Object.keys(change).length > 0)
        await tx.update(gatewayReleaseTargets).set(change).where(eq(gatewayReleaseTargets.releaseId, latest))
    })
  }
  const pulled = async () => {
    const request = new Request(`http://localhost${selfBase}/bundle`, { headers: { 'x-api-key': key } })
    return (await (await it.service.handle(request)).json()) as Bundle
  }
  const take = (release_id: string, who: 'ann' | 'vic' = 'ann') =>
    it.as(who)(releasesApi.take, { params: { ...it.params, release_id }, body: { reason: 'Looked at' } })
  const asked = async () => (await db.read.select().from(dueWork).where(eq(dueWork.kind, 'gateway.compile'))).length

  test('that writes the same makes no release', async () => {
    await asOlder({})
    await db.inTransaction((tx) => tx.delete(dueWork).where(eq(dueWork.kind, 'gateway.compile')))
    expect(await askForNewerReleases(it.service.deps, new AbortController().signal)).toBe(1)
    expect(await asked()).toBe(1)
    await compile()
    expect(await facts()).toEqual([{ number: 1, trigger: 'policy', isLatest: true, isStaged: false }])
    expect((await state()).inputs?.compiler).toBe(compilerVersion)
    expect(await askForNewerReleases(it.service.deps, new AbortController().signal)).toBe(0)
  })

  test('that writes something else makes a release that waits: gateways keep theirs, and it is compared', async () => {
    await asOlder()
    const before = await pulled()
    await compile()
    await compile()
    expect(await facts()).toEqual([
      { number: 2, trigger: 'compiler', isLatest: false, isStaged: true },
      { number: 1, trigger: 'policy', isLatest: true, isStaged: false },
    ])
    expect(await askForNewerReleases(it.service.deps, new AbortController().signal)).toBe(0)
    expect((await pulled()).releaseId).toBe(before.releaseId)
    const policy = await policyOf(it)
    expect(policy.releases).toMatchObject({ latest: before.releaseId, staged: (await list()).releases[0]?.id })
    // What gateways do is known as before.
    expect(policy.enforces.map(({ reason }) => reason)).not.toContain('The release is being made.')
    const { comparison } = await list({ from: '1', to: '2' })
    expect(comparison?.files.map(({ path }) => path)).toContain('svc.conf')
  })

  test('is taken by who may edit, once', async () => {
    expect(await codeOf(take('2', 'vic'))).toBe('permission-denied')
    expect(await codeOf(take('1'))).toBe('release-unusable')
    expect(await codeOf(take('9'))).toBe('release-not-found')
    const params = { ...it.params, release_id: '2' }
    expect(await codeOf(it.as('ann')(releasesApi.rollback, { params }))).toBe('release-unusable')
    const { release, message } = await take('2')
    expect(release).toMatchObject({ number: 2, isLatest: true, isStaged: false, compiler: compilerVersion })
    expect(message).toBe('Gateways get release 2 now.')
    expect(await pulled()).toMatchObject({ releaseId: release.id, number: 2 })
    expect(await codeOf(take('2'))).toBe('release-unusable')
    await compile()
    expect((await list()).total).toBe(2)
    const rows = await db.read
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.action, 'release.taken')))
    expect(rows.map(({ detail }) => detail['reason'])).toEqual(['Looked at', 'Looked at'])
  })

  test('that knows more of the same lines waits too', async () => {
    await asOlder({ settings: [{ setting: 'tier', state: 'unproven', reason: 'x' }] })
    await compile()
    expect((await facts())[0]).toEqual({ number: 3, trigger: 'compiler', isLatest: false, isStaged: true })
    const { comparison } = await list({ from: '2', to: '3' })
    expect(comparison?.settings).toContainEqual(
      expect.objectContaining({ setting: 'tier', before: 'unproven', after: 'enforced' }),
    )
  })

  test('what people change takes its place, and its number is not used again', async () => {
    await it.as('ann')(gatewayApi.setPresets, { params: it.params, body: { tier: 'strict' } })
    await compile()
    expect((await facts()).slice(0, 2)).toEqual([
      { number: 4, trigger: 'policy', isLatest: true, isStaged: false },
      { number: 2, trigger: 'compiler', isLatest: false, isStaged: false },
    ])
    expect((await list()).releases[0]?.compiler).toBe(compilerVersion)
    expect((await policyOf(it)).releases.staged).toBeNull()
  })

  test('an exception that ends brings no newer compiler to gateways', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const scope = { path: '/search', field: 'query:q' }
    const body = { scope, target: { groups: ['sqli' as const] }, reason: 'Names', expiresAt }
    await it.as('ann')(gatewayApi.createException, { params: it.params, body })
    await compile()
    await asOlder()
    expect(await compile()).toBe(Date.parse(expiresAt))
    const later = { ...it.service.deps, clock: clockOf(() => Date.parse(expiresAt) + 1) }
    await compile(later)
    expect((await facts()).slice(0, 2)).toEqual([
      { number: 7, trigger: 'compiler', isLatest: false, isStaged: true },
      { number: 5, trigger: 'policy', isLatest: true, isStaged: false },
    ])
  })

  test('a release of a rollback has the compiler of its files, and nothing waits beside it', async () => {
    await it.as('ann')(environmentsApi.update, { params: it.params, body: { base_paths: ['/v2'] } })
    const { release } = await it.as('ann')(releasesApi.rollback, { params: { ...it.params, release_id: '4' } })
    expect(release).toMatchObject({ number: 8, trigger: 'rollback', compiler: compilerVersion })
    await compile()
    expect((await facts()).filter(({ isStaged }) => isStaged)).toEqual([])
  })
})
