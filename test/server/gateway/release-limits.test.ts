/** Releases that cannot be made, that need another person, and that are kept. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import { newId } from '../../../db/id.ts'
import {
  environments,
  gatewayEnforcers,
  gatewayReleaseStates,
  gatewayReleaseTargets,
  outboxEvents,
} from '../../../db/tables.gen.ts'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { keptReleases, storeRelease } from '../../../server/gateway/store-release.ts'
import { readTargets, releasesOf } from '../../../server/gateway/release-rows.ts'
import { renewSigningKey } from '../../../server/gateway/signing.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { enforcersApi, selfBase, type Bundle } from '../../../src/api/gateway-enforcers.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'

onBothEngines('releases within limits', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
  })
  afterAll(async () => {
    await it.service.stop()
  })
  const compile = (deps = it.service.deps) => makeRelease(deps, it.tenantId, it.environment.id)
  const list = () => it.as('eva')(releasesApi.list, { params: it.params, query: { limit: 200 } })
  const setTier = (tier: 'basic' | 'strict') =>
    it.as('ann')(gatewayApi.setPresets, { params: it.params, body: { tier } })

  test('what cannot be compiled is reported once, tried again later, and leaves what there was', async () => {
    await it.as('ann')(enforcersApi.create, { params: it.params, body: { label: 'edge', engine: 'coraza-caddy' } })
    // The schedule of the service may have been faster.
    while ((await list()).total === 0) await compile()
    await it.service.stop()
    await setTier('strict')
    const now = Date.now()
    const stopped = {
      run: () =>
        Promise.reject(new SvcError('analysis-stopped', { what: 'Compiling', under: '', reason: 'slow', rules: [] })),
      subjectOf: it.service.deps.analysis.subjectOf.bind(it.service.deps.analysis),
    }
    const failing = {
      ...it.service.deps,
      clock: clockOf(() => now),
      analysis: stopped as unknown as typeof it.service.deps.analysis,
    }
    expect(await compile(failing)).toBe(now + 60_000)
    expect(await compile(failing)).toBe(now + 120_000)
    expect(await compile(failing)).toBe(now + 240_000)
    const { failure, total } = await list()
    expect([total, failure?.policyVersion]).toEqual([1, 2])
    const { read } = it.service.deps.db
    const events = await read.select().from(outboxEvents).where(eq(outboxEvents.type, 'gateway.release_failed'))
    expect(events.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        policy_version: 2,
        release_id: null,
        enforcer_id: null,
        reason: failure?.reason,
      }) as never,
    ])
    const { enforces } = await policyOf(it)
    expect(new Set(enforces.map(({ state }) => state))).toEqual(new Set(['unknown']))
    expect(enforces[0]?.reason).toBe(`No release of this policy could be made: ${failure?.reason}`)
    expect(await compile()).toBeNull()
    const after = await list()
    expect([after.total, after.failure]).toEqual([2, null])
  })

  test('what gateways record of values reaches them with a release of the same files', async () => {
    const before = await list()
    await it.as('ann')(environmentsApi.update, { params: it.params, body: { evidence: 'shape' } })
    await compile()
    const { releases, total } = await list()
    expect([total, releases[0]?.trigger]).toEqual([before.total + 1, 'environment'])
    const { key } = await it.as('ann')(enforcersApi.create, {
      params: it.params,
      body: { label: 'edge-2', engine: 'coraza-spoa' },
    })
    const pull = async () => (await (await it.get(`${selfBase}/bundle`, { 'x-api-key': key })).json()) as Bundle
    const first = await pull()
    expect(first.evidence).toBe('shape')
    // Another key of the service signs the same release otherwise.
    const { deps } = it.service
    const renewed = await deps.db.inTransaction((tx) => renewSigningKey(deps, tx))
    const { enforcers, publicKey } = await it.as('eva')(enforcersApi.list, { params: it.params })
    expect([enforcers.length, publicKey]).toEqual([2, renewed.publicKey])
    const { keyId, signature, ...rest } = await pull()
    expect(keyId).toBe(renewed.id)
    expect(signature).not.toBe(first.signature)
    expect({ ...rest, keyId: first.keyId, signature: first.signature }).toEqual(first)
    expect((await deps.vault.check(deps.db.read)).count).toBe(2)
  })

  test('a rollback to a weaker policy needs another person', async () => {
    const [, newest, older] = (await list()).releases
    const params = { ...it.params, release_id: String(older?.number) }
    const refused = (await outcome(it.as('ann')(releasesApi.rollback, { params, body: { reason: 'Refused' } }))) as {
      code: string
      changeDigest: string
      approvalId: string
    }
    expect(refused.code).toBe('approval-required')
    const { changeDigest, approvalId } = refused
    await it.as('ben')(gatewayRecordsApi.approve, { params: it.params, body: { changeDigest } })
    const { release } = await it.as('ann')(releasesApi.rollback, { params, body: { reason: 'Refused', approvalId } })
    expect(release).toMatchObject({ number: 4, trigger: 'rollback', rolledBackTo: older?.id, holds: true })
    // What the rollback took back is what the policy had brought.
    expect(release.diff).toEqual({ added: newest?.diff.removed ?? -1, removed: newest?.diff.added ?? -1 })
    expect(release.diff.added).toBeGreaterThan(0)
    // To a policy that is as strong it needs no one.
    const back = await it.as('ann')(releasesApi.rollback, { params: { ...it.params, release_id: newest?.id ?? '' } })
    expect(back.release.number).toBe(5)
  })

  test('the newest releases are kept, and the one that a gateway uses', async () => {
    const { db } = it.service.deps
    const [row] = await db.read.select().from(environments)
    const [state] = await db.read.select().from(gatewayReleaseStates)
    const [newest, used] = (await list()).releases
    if (row === undefined || state?.inputs == null || newest === undefined || used === undefined)
      throw new Error('There is no release.')
    const { inputs } = state
    const [target] = await db.read
      .select()
      .from(gatewayReleaseTargets)
      .where(eq(gatewayReleaseTargets.releaseId, newest.id))
    if (target === undefined) throw new Error('The release has no files.')
    await db.inTransaction(async (tx) => {
      await tx.update(gatewayEnforcers).set({ activeReleaseId: used.id })
      const facts = {
        projectId: null,
        versionId: null,
        versionLabel: null,
        rolledBackTo: null,
        compiler: null,
        createdBy: null,
      }
      for (let n = 0; n < keptReleases + 2; n++) {
        const made = { ...facts, id: newId(), policyVersion: 2, headPolicyVersion: 2, trigger: 'policy' as const }
        await storeRelease(it.service.deps, tx, row, { row: { ...made, differences: [] }, targets: [target] }, inputs)
      }
    })
    const numbers = (await releasesOf(db.read, row)).map(({ number }) => number)
    expect(numbers).toEqual([...Array.from({ length: keptReleases }, (_, n) => keptReleases + 7 - n), used.number])
    // The files of what is gone are gone with it.
    const targets = await db.read.select({ id: gatewayReleaseTargets.releaseId }).from(gatewayReleaseTargets)
    expect(targets.length).toBe(keptReleases + 1)
    expect(await readTargets(db.read, it.tenantId, [newest.id])).toEqual([])
  })

  // The hooks of the database run before those of the group: there it would be too late to look.
  test('nothing failed beside what was asked', () => {
    expect(it.faults).toEqual([])
  })
})
