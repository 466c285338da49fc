import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { createBackup } from '../../../db/backup/create.ts'
import { auditEvents, memberships, notifications, secrets } from '../../../db/tables.gen.ts'
import { credentialOf } from '../../../server/linked-accounts/credential.ts'
import { verifyAccountKind } from '../../../server/linked-accounts/daily.ts'
import { authorizationWorld, past, providers, registerClients, secretOf } from '../../fixtures/authorization.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { foundIn } from '../../fixtures/planted.ts'

onBothEngines('tokens of authorized accounts', (makeDb) => {
  const world = authorizationWorld(makeDb, registerClients)
  const { send, connect, rowOf, set } = world

  test('a token is renewed before it expires, by one of two replicas, and rotated tokens are stored', async () => {
    const lab = world.fakes.gitlab
    const id = await connect('bob', 'gitlab', 'bob-lab')
    const stored = await world.db.read.$count(secrets)
    const before = await credentialOf(world.it.service.deps, world.tenantId, id)
    lab.oauth.renewals = 0
    let answer = () => {}
    lab.oauth.holding = new Promise((resolve) => {
      answer = resolve
    })
    await set(id, { tokenExpiresAt: new Date(Date.now() + 60_000).toISOString() })
    const both = [world.it, world.other, world.it, world.other].map(({ service }) =>
      credentialOf(service.deps, world.tenantId, id),
    )
    // The others wait while the first one asks.
    while (lab.oauth.renewals === 0) await Bun.sleep(10)
    answer()
    lab.oauth.holding = null
    const found = await Promise.all(both)
    expect(lab.oauth.renewals).toBe(1)
    expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(found[0]).not.toEqual(before)
    expect(await world.db.read.$count(secrets)).toBe(stored)
    const row = await rowOf(id)
    expect([row.status, row.renewingUntil, Date.parse(row.tokenExpiresAt ?? '') > Date.now() + 3_600_000]).toEqual([
      'active',
      null,
      true,
    ])
    // The next renewal is with the refresh token that the first one gave.
    await set(id, { tokenExpiresAt: past })
    expect(await credentialOf(world.other.service.deps, world.tenantId, id)).toMatchObject({ provider: 'gitlab' })
    expect(lab.oauth.renewals).toBe(2)
    // A process that ended while it renewed does not keep the others from it.
    await set(id, { tokenExpiresAt: past, renewingUntil: past })
    expect(await credentialOf(world.it.service.deps, world.tenantId, id)).toMatchObject({ provider: 'gitlab' })
  })

  test('a provider that keeps its refresh token is asked with it again', async () => {
    const bucket = world.fakes.bitbucket
    const id = await connect('bob', 'bitbucket', 'bob-bucket')
    bucket.oauth.rotates = false
    const { refreshSecretId } = await rowOf(id)
    await set(id, { tokenExpiresAt: past })
    expect(await credentialOf(world.it.service.deps, world.tenantId, id)).toMatchObject({ provider: 'bitbucket' })
    expect((await rowOf(id)).refreshSecretId).toBe(refreshSecretId)
    bucket.oauth.rotates = true
  })

  test('a provider that does not answer ends nothing; one that refuses ends the account, with a notice', async () => {
    const { deps } = world.it.service
    const lab = world.fakes.gitlab
    const id = await connect('bob', 'gitlab', 'bob-lab')
    lab.failing = 503
    await set(id, { tokenExpiresAt: new Date(Date.now() + 60_000).toISOString() })
    // The token lasts another minute.
    expect(await credentialOf(deps, world.tenantId, id)).toMatchObject({ provider: 'gitlab' })
    await set(id, { tokenExpiresAt: past })
    expect(await credentialOf(deps, world.tenantId, id).catch((error: { code: string }) => error.code)).toBe(
      'provider-failed',
    )
    expect((await rowOf(id)).renewingUntil).toBeNull()
    lab.failing = null
    await world.db.inTransaction((tx) => tx.delete(notifications))
    lab.oauth.refreshTokens.clear()
    const run = () =>
      verifyAccountKind.run({ subjectId: id, tenantId: world.tenantId, deps, signal: AbortSignal.timeout(20_000) })
    for (let n = 0; n < 2; n++) expect(await run()).toBeGreaterThan(Date.now())
    expect(await credentialOf(deps, world.tenantId, id)).toBe('account-revoked')
    const { value } = await send('bob', 'GET', `/linked-accounts/${id}`)
    expect([value['status'], value['last_error']]).toEqual([
      'revoked',
      `${lab.host} did not authorize the service: it gave no token (invalid_grant).`,
    ])
    const told = await world.db.read.select().from(notifications)
    expect(told.map((row) => [row.userId, row.payload.title.replace(lab.host, 'HOST')])).toEqual([
      [world.ids['bob'] ?? '', 'HOST does not accept the linked account bob-lab any more'],
    ])
    expect(told.map(({ payload }) => [payload.url, payload['event']])).toEqual([
      ['http://svc.test/app/t/local/-/repositories/accounts', 'account.revoked'],
    ])
    const { secretId, refreshSecretId } = await rowOf(id)
    expect([secretId, refreshSecretId]).toEqual([null, null])
    // Authorizing again renews the same account.
    expect(await connect('bob', 'gitlab', 'bob-lab')).toBe(id)
    expect((await send('bob', 'GET', `/linked-accounts/${id}`)).value['status']).toBe('active')
    const actions = await world.db.read.select().from(auditEvents).where(eq(auditEvents.targetId, id))
    expect([...new Set(actions.map((row) => row.action))]).toEqual(['linked-account.created', 'linked-account.renewed'])
  })

  test('an account without a refresh token expires with its token; a personal one ends with the membership', async () => {
    const { deps } = world.it.service
    world.fakes.gitlab.oauth.lifetime = null
    const id = await connect('eve', 'gitlab', 'eve-lab')
    expect((await rowOf(id)).expiresAt).toBeNull()
    world.fakes.gitlab.oauth.lifetime = 7200
    const status = (to: 'active' | 'suspended') =>
      world.db.inTransaction((tx) =>
        tx
          .update(memberships)
          .set({ status: to })
          .where(eq(memberships.userId, world.ids['eve'] ?? '')),
      )
    await status('suspended')
    expect(await credentialOf(deps, world.tenantId, id)).toBe('account-owner-left')
    await status('active')
    expect(await credentialOf(deps, world.tenantId, id)).toMatchObject({ provider: 'gitlab' })
    await set(id, { expiresAt: past })
    expect(await credentialOf(deps, world.tenantId, id)).toBe('account-expired')
  })

  test('a token given by hand takes the place of an authorization', async () => {
    const id = await connect('bob', 'gitlab', 'bob-lab')
    world.fakes.gitlab.tokens.set('by-hand', { login: 'bob-lab', scopes: ['read_repository', 'read_api'] })
    const next = await send('bob', 'PUT', `/linked-accounts/${id}/token`, { token: 'by-hand' })
    expect([next.status, next.value['kind']]).toEqual([200, 'token'])
    const row = await rowOf(id)
    expect([row.refreshSecretId, row.tokenExpiresAt]).toEqual([null, null])
  })

  test('removing a client leaves accounts with what they have; nothing that was given is anywhere in clear', async () => {
    const id = await connect('bob', 'bitbucket', 'bob-bucket')
    const path = `/_app/providers/bitbucket/oauth?host=${world.fakes.bitbucket.host}`
    expect((await send('bob', 'DELETE', path)).brief).toBe('403 operator-required')
    expect((await send('ada', 'DELETE', path)).status).toBe(204)
    expect((await send('ada', 'DELETE', path)).brief).toBe('409 provider-client-missing')
    expect(await credentialOf(world.it.service.deps, world.tenantId, id)).toMatchObject({ provider: 'bitbucket' })
    await set(id, { tokenExpiresAt: past })
    expect(
      await credentialOf(world.it.service.deps, world.tenantId, id).catch((error: { code: string }) => error.code),
    ).toBe('provider-oauth-missing')
    const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'))
    await createBackup(world.target, join(folder, 'all.db'), Date.now())
    const all = `${[...world.texts, ...world.log.lines].join('\n')}\n${readFileSync(join(folder, 'all.db')).toString('latin1')}`
    rmSync(folder, { recursive: true })
    expect(all).toContain('bob-bucket')
    const planted = Object.values(world.fakes).flatMap(({ oauth }) => oauth.given)
    expect(planted.length).toBeGreaterThan(15)
    // What this reads has the requests, so that finding nothing in it means something.
    expect(world.log.lines.filter((line) => line.includes('/oauth')).length).toBeGreaterThan(2)
    expect(foundIn(all, [...planted, ...providers.map(secretOf), 'planted-prose'])).toEqual([])
    expect([world.it.faults, world.other.faults]).toEqual([[], []])
  })
})
