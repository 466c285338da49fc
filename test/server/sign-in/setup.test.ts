import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memberships, setupTokens, users } from '../../../db/tables.gen.ts'
import { issueSetupToken, removeSetupFile, setupLink, writeSetupFile } from '../../../server/sign-in/setup.ts'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import { createUser, isClaimed } from '../../../server/users/service.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { outcome, start } from '../../fixtures/accounts.ts'
import { brief, goodPassword, startIdentityService } from '../../fixtures/identity-service.ts'

const claim = (token: string, email = 'ann@example.com') => ({
  body: { token, email, name: 'Ann', password: goodPassword },
})

onBothEngines('setting up', (makeDb) => {
  test('the link creates the first user once, who owns the local tenant with what is in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-setup-'))
    const setupFile = join(folder, 'setup-link')
    const { db, ask, identity } = startIdentityService(await makeDb(), { setupFile })
    const local = await ensureLocalTenant(db, start)
    const token = (await issueSetupToken(identity)) ?? ''
    const link = setupLink('http://127.0.0.1:8080', token)
    expect(link).toBe(`http://127.0.0.1:8080/app/claim#token=${token}`)
    expect(new URL(link).search).toBe('')
    writeSetupFile(setupFile, link)
    expect(statSync(setupFile).mode & 0o777).toBe(0o600)
    expect(JSON.stringify(await db.read.select().from(setupTokens))).not.toContain(token)
    expect((await ask('GET /_app/session')).body.claimed).toBe(false)

    expect(brief(await ask('POST /_app/claim', claim('svs_wrong')))).toEqual([403, 'setup-token-invalid'])
    expect(brief(await ask('POST /_app/claim', claim(token, 'no address')))).toEqual([400, 'email-invalid'])
    const made = await ask('POST /_app/claim', claim(token))
    expect([made.status, made.body.user]).toEqual([201, { id: local.ownerId, email: 'ann@example.com', name: 'Ann' }])
    const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await ask('GET /_app/session', { headers: { cookie } })).body.user.id).toBe(local.ownerId)
    expect(existsSync(setupFile)).toBe(false)
    // Every replica removes the file.
    removeSetupFile(setupFile)
    expect((await ask('GET /_app/session')).body.claimed).toBe(true)

    expect(brief(await ask('POST /_app/claim', claim(token, 'eve@example.com')))).toEqual([409, 'setup-done'])
    expect(await issueSetupToken(identity)).toBeNull()
    expect(await ensureLocalTenant(db, start)).toEqual(local)
    expect(await db.read.select({ role: memberships.role }).from(memberships)).toEqual([{ role: 'owner' }])
    const signedIn = await ask('POST /v1/auth/login', { body: { email: 'ann@example.com', password: goodPassword } })
    expect(signedIn.status).toBe(200)
  })

  test('the token ends after 30 minutes', async () => {
    const { ask, identity, clock } = startIdentityService(await makeDb())
    const token = (await issueSetupToken(identity)) ?? ''
    clock.value = start + 30 * 60_000
    expect(brief(await ask('POST /_app/claim', claim(token)))).toEqual([403, 'setup-token-invalid'])
    const fresh = (await issueSetupToken(identity)) ?? ''
    expect((await ask('POST /_app/claim', claim(fresh))).status).toBe(201)
  })

  test('of many who claim at once, exactly one does', async () => {
    const { db, ask, identity } = startIdentityService(await makeDb())
    const tokens = [await issueSetupToken(identity), await issueSetupToken(identity)]
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => ask('POST /_app/claim', claim(tokens[n % 2] ?? '', `p${n}@example.com`))),
    )
    expect(answers.map((it) => it.status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
    expect(await db.read.select().from(users)).toHaveLength(1)
  })

  test('claiming is guarded by the budget and the origin', async () => {
    const { ask, identity } = startIdentityService(await makeDb())
    const token = (await issueSetupToken(identity)) ?? ''
    for (let n = 0; n < 10; n++)
      expect((await ask('POST /_app/claim', { ...claim('svs_guess'), address: '192.0.2.9' })).status).toBe(403)
    const refused = await ask('POST /_app/claim', { ...claim(token), address: '192.0.2.9' })
    expect(brief(refused)).toEqual([429, 'auth-rate-limited'])
    const foreign = await ask('POST /_app/claim', { ...claim(token), headers: { 'sec-fetch-site': 'cross-site' } })
    expect(brief(foreign)).toEqual([403, 'cross-site-request'])
  })

  test('a user from the shell claims too; later ones may join a tenant', async () => {
    const { db, identity } = startIdentityService(await makeDb())
    const facts = { name: '', password: goodPassword, membership: null }
    const first = await createUser(identity, { ...facts, email: 'ann@EXAMPLE.com' })
    expect([first.claimed, first.user.email, first.user.name]).toEqual([true, 'ann@example.com', 'ann'])
    expect(await isClaimed(db.read)).toBe(true)
    const second = await createUser(identity, {
      ...facts,
      email: 'bob@example.com',
      membership: { tenant: 'local', role: 'editor' },
    })
    expect(second.claimed).toBe(false)
    const roles = await db.read.select({ role: memberships.role }).from(memberships).orderBy(memberships.role)
    expect(roles).toEqual([{ role: 'editor' }, { role: 'owner' }])
    expect(await outcome(createUser(identity, { ...facts, email: 'BOB@example.com' }))).toEqual({
      code: 'email-taken',
      email: 'BOB@example.com',
    })
    const nowhere = { tenant: 'nowhere', role: 'viewer' } as const
    expect(await outcome(createUser(identity, { ...facts, email: 'c@example.com', membership: nowhere }))).toEqual({
      code: 'tenant-not-found',
      tenant: 'nowhere',
    })
    expect(await db.read.select().from(users)).toHaveLength(2)
  })
})
