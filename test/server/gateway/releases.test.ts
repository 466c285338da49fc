/** Releases: what makes one, what each gateway pulls, that it is signed, and how people go back. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { auditEvents, gatewayEnforcers, notifications, outboxEvents } from '../../../db/tables.gen.ts'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { releaseNotifier } from '../../../server/gateway/release-notifier.ts'
import { noticeSilent } from '../../../server/gateway/silent.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { enforcersApi, selfBase, type Bundle } from '../../../src/api/gateway-enforcers.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { filesDigest, sha256Of } from '../../../src/gateway/release/digest.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'
import { startService } from '../../fixtures/service.ts'

const pets = (version: string, path: string): string => `openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths: { ${path}: { get: { responses: { '200': { description: ok } } } } }
`

/** Whether the signature of a bundle is that of the key. */
function isSigned({ signature, ...signed }: Bundle, publicKey: string): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'base64')])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(canonicalJson(signed as unknown as Json)), key, Buffer.from(signature, 'base64'))
}

onBothEngines('releases', (makeDb) => {
  let it: GatewayService
  let db: Database
  /** Another process on the same database. */
  let other: Awaited<ReturnType<typeof startService>>
  const made: Record<string, { readonly id: string; readonly key: string; readonly publicKey: string }> = {}
  beforeAll(async () => {
    const target = await makeDb.makeTarget()
    db = await makeDb.open(target)
    it = await openGateway(db, false)
    other = await startService(await makeDb.open(target))
  })
  afterAll(async () => {
    await Promise.all([it.service.stop(), other.service.stop()])
  })

  const list = () => it.as('eva')(releasesApi.list, { params: it.params, query: { limit: 200 } })
  const compile = (deps = it.service.deps) => makeRelease(deps, it.tenantId, it.environment.id)
  /** The triggers of all releases, oldest first, once there are so many; nothing more is made by compiling again. */
  async function triggers(count: number): Promise<string[]> {
    while ((await list()).total < count) {
      await compile()
      await Bun.sleep(20)
    }
    await compile()
    return (await list()).releases.map(({ trigger }) => trigger).reverse()
  }
  const pull = async (key: string, query = '', etag: string | null = null, from = it) => {
    const headers = { 'x-api-key': key, ...(etag === null ? {} : { 'if-none-match': etag }) }
    const response = await from.service.handle(new Request(`http://localhost${selfBase}/bundle${query}`, { headers }))
    const text = await response.text()
    const body = (text === '' ? null : JSON.parse(text)) as (Bundle & { detail?: { code: string } }) | null
    return { status: response.status, etag: response.headers.get('etag'), body }
  }
  const report = (key: string, body: object) =>
    it.service.handle(
      new Request(`http://localhost${selfBase}/status`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ engine: { kind: 'test' }, ...body }),
      }),
    )
  const setTier = (tier: 'basic' | 'standard' | 'strict') =>
    it.as('ann')(gatewayApi.setPresets, { params: it.params, body: { tier } })
  const statesOf = async () =>
    Object.fromEntries(
      (await it.as('eva')(enforcersApi.list, { params: it.params })).enforcers.map((one) => [one.label, one.state]),
    )
  const add = async (label: string, engine: 'coraza-caddy' | 'coraza-spoa' | 'modsecurity') => {
    const { enforcer, key, publicKey } = await it.as('ann')(enforcersApi.create, {
      params: it.params,
      body: { label, engine },
    })
    made[label] = { id: enforcer.id, key, publicKey }
    return made[label]
  }

  test('the first gateway asks for the first release; before it there is none', async () => {
    await setTier('basic')
    expect(await compile()).toBeNull()
    expect((await list()).total).toBe(0)
    const { key, publicKey } = await add('edge-1', 'coraza-caddy')
    // A gateway that waits gets the release of another process.
    const waiting = pull(key, '?wait=25')
    await compile(other.service.deps)
    const { status, etag, body } = await waiting
    expect([status, etag]).toEqual([200, `"${body?.releaseId}.${body?.digest}"`])
    expect(await triggers(1)).toEqual(['policy'])
    if (body === null) throw new Error('There is no bundle.')
    expect(isSigned(body, publicKey)).toBe(true)
    const [first, ...others] = body.files
    const forged = { ...body, files: [{ ...first, text: `${first?.text} ` }, ...others] } as Bundle
    expect(isSigned(forged, publicKey)).toBe(false)
    expect(isSigned({ ...body, enforcerId: 'another' }, publicKey)).toBe(false)
    expect(body.files.map(({ text }) => sha256Of(text))).toEqual(body.files.map(({ sha256 }) => sha256))
    expect(filesDigest(body.files)).toBe(body.digest)
    expect(Buffer.from(body.evidenceKey, 'base64')).toHaveLength(32)
    expect([body.engine, body.policyVersion, body.enforcerId]).toEqual(['coraza', 2, made['edge-1']?.id ?? ''])
  })

  test('who has it waits without a connection, and is woken by the next one alone', async () => {
    const { key } = made['edge-1'] ?? { key: '' }
    const { etag } = await pull(key)
    expect((await pull(key, '', etag)).status).toBe(304)
    const waiting = pull(key, '?wait=25', etag)
    const notifier = releaseNotifier(db)
    while (notifier.size === 0) await Bun.sleep(5)
    // A second request of the same gateway takes the place of the first.
    const second = pull(key, '?wait=25', etag)
    expect((await waiting).status).toBe(304)
    expect(notifier.size).toBe(1)
    await setTier('standard')
    await compile()
    const next = await second
    expect([next.status, next.body?.policyVersion]).toEqual([200, 3])
    expect(await triggers(2)).toEqual(['policy', 'policy'])
    expect(notifier.size).toBe(0)
  })

  test('what was confirmed is shown as such, and nothing before', async () => {
    const enforced = async () => (await policyOf(it)).enforces.filter(({ setting }) => setting === 'presets/tier')
    expect(await enforced()).toEqual([
      {
        setting: 'presets/tier',
        engine: 'coraza',
        state: 'unknown',
        reason: 'The gateway "edge-1" does not use the newest release yet.',
      },
    ])
    const { id = '', key = '' } = made['edge-1'] ?? {}
    const { body } = await pull(key)
    expect((await report(key, { releaseId: 'r9', state: 'active' })).status).toBe(404)
    expect((await report(key, { releaseId: body?.releaseId, state: 'active' })).status).toBe(200)
    expect(await enforced()).toEqual([{ setting: 'presets/tier', engine: 'coraza', state: 'enforced', reason: null }])
    const shown = await policyOf(it)
    expect(shown.releases).toEqual({
      latest: body?.releaseId ?? '',
      staged: null,
      active: { [id]: body?.releaseId ?? '' },
    })
    const { enforcers } = await it.as('eva')(environmentsApi.get, { params: it.params })
    expect(enforcers).toEqual({ total: 1, current: 1, behind: 0, silent: 0 })
    expect((await list()).releases.map(({ activeOn }) => activeOn)).toEqual([[id], []])
  })

  test('the same files make no other release; another policy is still confirmed by them', async () => {
    const before = await list()
    // The group blocks already: the policy says it by itself now.
    const params = { ...it.params, group_id: 'sqli' }
    await it.as('ann')(gatewayApi.setManagedGroup, { params, body: { mode: 'block' } })
    await compile()
    const policy = await policyOf(it)
    expect(policy.policyVersion).toBe(4)
    expect((await list()).releases).toEqual(before.releases)
    expect(policy.enforces.find(({ setting }) => setting === 'presets/tier')?.state).toBe('enforced')
  })

  test('each engine has its own files, and the key of one gateway reads no other', async () => {
    const spoa = await add('edge-2', 'coraza-spoa')
    await compile()
    expect((await list()).total).toBe(2)
    const nginx = await add('edge-3', 'modsecurity')
    expect(await triggers(3)).toEqual(['policy', 'policy', 'enforcer'])
    const bundles = await Promise.all([made['edge-1'], spoa, nginx].map((one) => pull(one?.key ?? '')))
    expect(bundles.map(({ body }) => [body?.enforcerId, body?.engine])).toEqual([
      [made['edge-1']?.id, 'coraza'],
      [spoa.id, 'coraza'],
      [nginx.id, 'modsecurity'],
    ])
    expect(new Set(bundles.map(({ body }) => body?.signature)).size).toBe(3)
    expect(await statesOf()).toEqual({ 'edge-1': 'behind', 'edge-2': 'behind', 'edge-3': 'behind' })
    const { key } = await it.as('ann')(enforcersApi.rotate, { params: { ...it.params, enforcer_id: nginx.id } })
    expect((await pull(nginx.key)).status).toBe(401)
    expect((await pull(key)).status).toBe(200)
  })

  test('the bound version, an exception that ends, and other base paths make a release each', async () => {
    const publish = async (version: string, path: string) => {
      const source = { kind: 'inline' as const, name: 'pets.yaml', content: pets(version, path) }
      const body = { source, project_slug: 'pets', publish: 'private' as const }
      const { job_id } = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
      await it.call(importsApi.get, { params: { job_id }, query: { wait: 30 } })
    }
    await publish('1.0.0', '/pets')
    await it.as('ann')(gatewayPositiveApi.setPositive, {
      params: it.params,
      body: { projectId: 'pets', version: 'latest', mode: 'block' },
    })
    expect((await triggers(4)).slice(3)).toEqual(['policy'])
    await publish('1.1.0', '/dogs')
    // The event of the publication asks for it.
    while ((await list()).total < 5) await Bun.sleep(50)
    expect((await triggers(5)).slice(4)).toEqual(['publish'])
    expect((await list()).releases[0]?.versionLabel).toBe('1.1.0')
    // From here on nothing is done by the schedule, whose clock is another one.
    await Promise.all([it.service.stop(), other.service.stop()])
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const scope = { path: '/search', field: 'query:q' }
    const body = { scope, target: { groups: ['sqli' as const] }, reason: 'Names', expiresAt }
    await it.as('ann')(gatewayApi.createException, { params: it.params, body })
    expect((await triggers(6)).slice(5)).toEqual(['policy'])
    // It is due again when the exception ends.
    expect(await compile()).toBe(Date.parse(expiresAt))
    const later = { ...it.service.deps, clock: clockOf(() => Date.parse(expiresAt) + 1) }
    expect(await compile(later)).toBeNull()
    expect(await compile(later)).toBeNull()
    await it.as('ann')(environmentsApi.update, { params: it.params, body: { base_paths: ['/v9'] } })
    await compile(later)
    const { key } = made['edge-1'] ?? { key: '' }
    expect((await pull(key)).body?.evidence).toBe('digest')
    expect((await list()).releases.map(({ trigger }) => trigger).slice(0, 2)).toEqual([
      'environment',
      'exception-expired',
    ])
  })

  test('a release has its files, its differences and its comparison', async () => {
    const { releases, total } = await list()
    const [newest, second] = releases
    expect([total, newest?.number, newest?.isLatest, second?.isLatest]).toEqual([8, 8, true, false])
    const release_id = newest?.id ?? ''
    const params = { ...it.params, release_id }
    const detail = await it.as('eva')(releasesApi.get, { params })
    expect([...new Set(detail.files.map(({ engine }) => engine))]).toEqual(['coraza', 'modsecurity'])
    expect(detail.differences.length).toBeGreaterThan(0)
    expect(detail.settings.filter(({ setting }) => setting === 'tier').map(({ engine }) => engine)).toEqual([
      'coraza',
      'modsecurity',
    ])
    const file = await it.as('eva')(releasesApi.file, { params: { ...params, file_path: 'svc.conf' } })
    expect([file.engine, file.sha256]).toEqual(['coraza', sha256Of(file.text)])
    expect(await codeOf(it.as('eva')(releasesApi.file, { params: { ...params, file_path: '../etc' } }))).toBe(
      'release-not-found',
    )
    const { comparison } = await it.as('eva')(releasesApi.list, {
      params: it.params,
      query: { from: second?.id ?? '', to: release_id },
    })
    expect(comparison?.files.map(({ hunks: _hunks, isCut: _isCut, ...rest }) => rest)).toEqual(detail.differences)
    expect(comparison?.files.flatMap(({ hunks }) => hunks.flatMap(({ added }) => added)).length).toBe(
      comparison?.added ?? -1,
    )
    expect(detail.diff).toEqual({ added: comparison?.added ?? -1, removed: comparison?.removed ?? -1 })
  })

  test('a rollback gives the older files to everyone, and holds until the policy changes', async () => {
    const { releases } = await list()
    const [newest, , , oldest] = releases
    const back = (release_id: string, body: object = {}) =>
      it.as('ann')(releasesApi.rollback, { params: { ...it.params, release_id }, body })
    expect(await codeOf(back(newest?.id ?? ''))).toBe('release-unusable')
    expect(await codeOf(back(releases.at(-1)?.id ?? ''))).toBe('release-unusable')
    expect(await codeOf(it.as('eva')(releasesApi.rollback, { params: { ...it.params, release_id: 'x' } }))).toBe(
      'permission-denied',
    )
    const { release, message } = await back(oldest?.id ?? '', { reason: 'Orders were refused' })
    expect(release).toMatchObject({
      number: 9,
      trigger: 'rollback',
      rolledBackTo: oldest?.id,
      isLatest: true,
      holds: true,
    })
    expect(message).toBe(`Release 9 has the files of release ${oldest?.number}. It holds until the policy changes.`)
    expect(release.targets.map(({ digest }) => digest)).toEqual(oldest?.targets.map(({ digest }) => digest) ?? [])
    const { key } = made['edge-1'] ?? { key: '' }
    expect((await pull(key)).body?.releaseId).toBe(release.id)
    // Who has the files of the older release already is current.
    await report(key, { releaseId: oldest?.id, state: 'active' })
    expect((await statesOf())['edge-1']).toBe('current')
    await it.as('ann')(environmentsApi.update, { params: it.params, body: { base_paths: ['/v10'] } })
    await compile()
    expect((await list()).total).toBe(9)
    expect((await policyOf(it)).enforces[0]?.state).toBe('unknown')
    await setTier('strict')
    expect((await triggers(10)).slice(8)).toEqual(['rollback', 'policy'])
    const [audited] = await db.read
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.action, 'release.rolled-back'), isNotNull(auditEvents.seq)))
    expect([audited?.detail['reason'], audited?.targetId]).toEqual(['Orders were refused', `release:${oldest?.id}`])
  })

  test('a gateway that fails or is silent is reported once to those who may see it', async () => {
    const { id, key } = made['edge-2'] ?? { id: '', key: '' }
    const { body } = await pull(key)
    const failed = { releaseId: body?.releaseId, state: 'failed', error: '30-rules.conf, line 3' }
    for (let n = 0; n < 2; n++) expect((await report(key, failed)).status).toBe(200)
    expect((await statesOf())['edge-2']).toBe('failed')
    const later = { ...it.service.deps, clock: clockOf(() => Date.now() + 121_000) }
    expect(await noticeSilent(later)).toBe(3)
    expect(await noticeSilent(later)).toBe(0)
    const events = await db.read.select().from(outboxEvents).orderBy(asc(outboxEvents.id))
    const ours = events.filter(({ type }) => type.startsWith('gateway.'))
    expect(ours.map(({ type }) => type)).toEqual([
      'gateway.release_failed',
      ...Array.from({ length: 3 }, () => 'gateway.silent'),
    ])
    expect(ours[0]?.payload).toMatchObject({ enforcer_id: id, reason: '30-rules.conf, line 3' })
    const reading = await startService(db)
    reading.service.deps.wakeReaders()
    const sent = async () =>
      db.read
        .select()
        .from(notifications)
        .where(eq(notifications.eventId, ours[0]?.id ?? ''))
    while ((await sent()).length < 4) await Bun.sleep(20)
    // Owner, admins and editors; a Viewer may not see security.
    const rows = await sent()
    await reading.service.stop()
    const people = new Set(rows.map(({ userId }) => userId))
    expect(rows[0]?.payload).toMatchObject({
      title: 'The gateway edge-2 of Production could not use its release',
      url: 'http://svc.test/app/t/local/-/gateway/production/gateways',
      excerpt: '30-rules.conf, line 3',
    })
    expect(people).toEqual(new Set([it.ownerId, it.ids.ann, it.ids.ben, it.ids.eva]))
    await pull(key)
    const [row] = await db.read.select().from(gatewayEnforcers).where(eq(gatewayEnforcers.id, id))
    expect(row?.silentAt).toBeNull()
  })

  test('a challenge is refused where no gateway can send one, and other organizations see nothing', async () => {
    const body = { bot: 'challenge' as const }
    expect(await codeOf(it.as('ann')(gatewayApi.setPresets, { params: it.params, body }))).toBe('mode-unsupported')
    const tenant = await addTenant(db, 'other')
    const eve = await addUser(db, 'eve')
    await addMember(db, tenant, eve, 'owner')
    const call = it.service.callAs(eve)
    expect(await codeOf(call(releasesApi.list, { params: it.params }))).toBe('environment-not-found')
    const lane = await call(environmentsApi.create, { body: { name: 'Lane' } })
    const [release] = (await list()).releases
    const params = { environment_id: lane.id, release_id: release?.id ?? '' }
    expect(await codeOf(call(releasesApi.get, { params }))).toBe('release-not-found')
    expect(await codeOf(call(releasesApi.rollback, { params }))).toBe('release-not-found')
  })

  // The hooks of the database run before those of the group: there it would be too late to look.
  test('nothing failed beside what was asked', () => {
    expect([...it.faults, ...other.faults]).toEqual([])
  })
})
