import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, dueWork, linkedAccounts, memberships, notifications, secrets } from '../../../db/tables.gen.ts'
import { verifyAccountKind } from '../../../server/linked-accounts/daily.ts'
import { credentialOf } from '../../../server/linked-accounts/credential.ts'
import { addApiKey, addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startFakeProvider, type FakeProvider } from '../../fixtures/fake-provider.ts'
import { capturedLog, foundIn } from '../../fixtures/planted.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const base = '/v1/tenants/local/linked-accounts'
const planted = 'planted-token-0123456789abcdef'

onBothEngines('linked accounts', (makeDb) => {
  let it: TestService
  let db: Awaited<ReturnType<typeof makeDb>>
  let hub: FakeProvider
  let lab: FakeProvider
  let bucket: FakeProvider
  let tenantId = ''
  let headers: Record<string, Record<string, string>> = {}
  const texts: string[] = []
  const log = capturedLog()

  const send = async (who: string, method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const all = { ...headers[who], 'content-type': 'application/json' }
    const response = await it.service.handle(
      new Request(`http://localhost${base}${path}`, { method, headers: all, ...sent }),
    )
    const text = await response.text()
    texts.push(text)
    const value = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & {
      detail?: Record<string, unknown>
    }
    return {
      status: response.status,
      value,
      brief: [response.status, value.detail?.['code']].filter(Boolean).join(' '),
    }
  }
  const link = (who: string, more: object) =>
    send(who, 'POST', '', { provider: 'github', host: hub.host, token: planted, ...more })

  beforeAll(async () => {
    db = await makeDb()
    hub = startFakeProvider('github')
    lab = startFakeProvider('gitlab')
    bucket = startFakeProvider('bitbucket')
    const gitHosts = `${lab.host}=gitlab,${bucket.host}=bitbucket`
    it = await startService(db, { egressAllow: '127.0.0.0/8', gitHosts, log })
    tenantId = (await db.read.select().from(memberships))[0]?.tenantId ?? ''
    const person = async (name: string, role: 'admin' | 'editor' | 'viewer') => {
      const id = await addUser(db, name)
      await addMember(db, tenantId, id, role)
      return { authorization: `Bearer ${(await it.service.identity.tokens.issue(id)).token}` }
    }
    headers = {
      ada: await person('ada', 'admin'),
      bob: await person('bob', 'editor'),
      eve: await person('eve', 'viewer'),
      key: { 'x-api-key': await addApiKey(db, tenantId) },
    }
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await Promise.all([hub, lab, bucket].map((one) => one.stop()))
  })

  test('a token is verified before it is kept, kept encrypted, and never answered', async () => {
    hub.tokens.set(planted, { login: 'Bob', scopes: ['repo', 'read:org'], expires: '2099-01-01 00:00:00 UTC' })
    const made = await link('bob', {})
    const { id, created_at: at, last_verified_at: verified, owner, ...rest } = made.value
    expect([made.status, rest, at === verified]).toEqual([
      201,
      {
        provider: 'github',
        host: hub.host,
        kind: 'token',
        login: 'Bob',
        scopes: ['repo', 'read:org'],
        status: 'active',
        expires_at: '2099-01-01T00:00:00.000Z',
        last_error: null,
        used_by: { repositories: 0, bindings: 0 },
      },
      true,
    ])
    expect((owner as { type: string }).type).toBe('user')
    expect(hub.seen).toEqual([{ path: '/api/v3/user', authorization: `Bearer ${planted}` }])
    expect((await send('bob', 'GET', `/${String(id)}`)).value).toEqual(made.value)
    expect((await link('bob', {})).brief).toBe('409 linked-account-exists')
    expect(await db.read.$count(linkedAccounts)).toBe(1)
    expect(await db.read.$count(secrets)).toBe(1)
    const stored = JSON.stringify([
      await db.read.select().from(linkedAccounts),
      await db.read.select().from(auditEvents),
      (await db.read.select().from(secrets)).map((row) => Buffer.from(row.ciphertext).toString('latin1')),
    ])
    expect(stored).not.toContain(planted)
    expect(
      await db.read
        .select({ kind: dueWork.kind, subject: dueWork.subjectId })
        .from(dueWork)
        .where(eq(dueWork.kind, 'account.verify')),
    ).toEqual([{ kind: 'account.verify', subject: String(id) }])
  })

  test('what the provider refuses is not kept, and the answer says why', async () => {
    hub.tokens.set('narrow', { login: 'narrow', scopes: ['gist'] })
    lab.tokens.set('narrow', { login: 'narrow', scopes: ['read_user'] })
    const narrow = await link('bob', { token: 'narrow' })
    expect([narrow.brief, narrow.value.detail?.['missing_scopes']]).toEqual(['422 account-token-refused', ['repo']])
    const other = await link('bob', { provider: 'gitlab', host: lab.host, token: 'narrow' })
    expect(other.value.detail?.['missing_scopes']).toEqual(['read_repository', 'read_api'])
    expect((await link('bob', { token: 'unknown' })).brief).toBe('422 account-token-refused')
    expect((await link('bob', { host: lab.host })).brief).toBe('422 provider-unsupported')
    expect((await link('bob', { host: '192.168.0.1' })).brief).toBe('422 egress-denied')
    hub.failing = 503
    expect((await link('bob', {})).brief).toBe('502 provider-failed')
    hub.failing = null
    expect((await send('bob', 'POST', '', { provider: 'gitea', token: 'x' })).status).toBe(422)
    expect(await db.read.$count(linkedAccounts)).toBe(1)
  })

  test('people link accounts; those of the organization need an administrator; personal ones are seen by their owner alone', async () => {
    expect((await link('key', {})).brief).toBe('403 person-required')
    expect((await link('eve', {})).brief).toBe('403 permission-denied')
    hub.tokens.set('shared', { login: 'acme-bot' })
    expect((await link('bob', { token: 'shared', owner: 'tenant' })).brief).toBe('403 permission-denied')
    const shared = await link('ada', { token: 'shared', owner: 'tenant' })
    expect([shared.status, shared.value['owner']]).toEqual([201, { type: 'tenant', id: tenantId }])
    const seen = async (who: string) => {
      const { value } = await send(who, 'GET', '')
      return [(value['linked_accounts'] as { login: string }[]).map(({ login }) => login), value['total']]
    }
    expect(await seen('bob')).toEqual([['acme-bot', 'Bob'], 2])
    expect(await seen('ada')).toEqual([['acme-bot'], 1])
    expect(await seen('key')).toEqual([['acme-bot'], 1])
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/repositories'],
      ['POST', '/verify'],
      ['DELETE', ''],
    ] as const)
      expect((await send('ada', method, `/${own?.id}${path}`)).brief).toBe('404 linked-account-not-found')
    expect((await send('bob', 'DELETE', `/${String(shared.value['id'])}`)).brief).toBe('403 permission-denied')
  })

  test('a token is replaced in place by one of the same account', async () => {
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    hub.tokens.set('second', { login: 'Bob', expires: new Date(Date.now() + 5 * 86_400_000).toISOString() })
    const other = await send('bob', 'PUT', `/${own?.id}/token`, { token: 'shared' })
    expect([other.brief, other.value.detail?.['found']]).toEqual(['422 account-other-login', 'acme-bot'])
    const next = await send('bob', 'PUT', `/${own?.id}/token`, { token: 'second' })
    expect([next.status, next.value['id'], next.value['status']]).toEqual([200, own?.id, 'expiring'])
    expect(await db.read.$count(secrets)).toBe(2)
    expect(await credentialOf(it.service.deps, tenantId, own?.id ?? '')).toEqual({
      provider: 'github',
      host: hub.host,
      email: null,
      token: 'second',
    })
  })

  test('verification is the status of the account, also the daily one', async () => {
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    const id = own?.id ?? ''
    const { deps } = it.service
    const daily = () => verifyAccountKind.run({ subjectId: id, tenantId, deps, signal: AbortSignal.timeout(20_000) })
    const verify = async () => {
      const { value } = await send('bob', 'POST', `/${id}/verify`)
      return [value['status'], value['last_error']]
    }
    hub.failing = 500
    expect(await verify()).toEqual(['error', `${hub.host} did not answer the request: it answered 500.`])
    expect(await credentialOf(deps, tenantId, id)).toMatchObject({ token: 'second' })
    hub.failing = null
    hub.tokens.delete('second')
    expect(await daily()).toBeGreaterThan(Date.now())
    expect((await send('bob', 'GET', `/${id}`)).value['status']).toBe('revoked')
    expect(await credentialOf(deps, tenantId, id)).toBe('account-revoked')
    hub.tokens.set('second', { login: 'Renamed' })
    expect(await verify()).toEqual(['error', 'the token belongs to Renamed now'])
    hub.tokens.set('second', { login: 'Bob' })
    expect(await verify()).toEqual(['active', null])
    await db.inTransaction((tx) =>
      tx.update(linkedAccounts).set({ expiresAt: '2026-01-01T00:00:00.000Z' }).where(eq(linkedAccounts.id, id)),
    )
    expect(await credentialOf(deps, tenantId, id)).toBe('account-expired')
    await verify()
  })

  test('its owner is notified 14, 3 and 0 days before the token expires, once each', async () => {
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    const id = own?.id ?? ''
    const { deps } = it.service
    const titles = async () => {
      const rows = await db.read.select().from(notifications).where(eq(notifications.type, 'repository'))
      expect(rows.map((row) => row.userId)).toEqual(rows.map(() => own?.owner ?? ''))
      expect(rows.map((row) => [row.payload.url, row.payload['event']])).toEqual(
        rows.map(() => ['http://svc.test/app/t/local/-/repositories/accounts', 'account.expiring']),
      )
      return rows.map((row) => row.payload.title.replace(hub.host, 'HOST').replace(/ on \d{4}-.*/, ''))
    }
    await db.inTransaction((tx) => tx.delete(notifications))
    await db.inTransaction((tx) => tx.update(linkedAccounts).set({ noticedDays: null }))
    const inDays = async (days: number) => {
      hub.tokens.set('second', { login: 'Bob', expires: new Date(Date.now() + days * 86_400_000).toISOString() })
      for (let n = 0; n < 2; n++)
        await verifyAccountKind.run({ subjectId: id, tenantId, deps, signal: AbortSignal.timeout(20_000) })
      return (await titles()).length
    }
    expect([await inDays(20), await inDays(10), await inDays(2), await inDays(-1)]).toEqual([0, 1, 2, 3])
    const soon = 'The token of Bob on HOST expires'
    expect((await titles()).toSorted()).toEqual([soon, soon, 'The token of Bob on HOST has expired'].toSorted())
    hub.tokens.set('second', { login: 'Bob' })
    await send('bob', 'POST', `/${id}/verify`)
  })

  test('a personal account serves only while its owner is an active member', async () => {
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    const set = (status: 'active' | 'suspended') =>
      db.inTransaction((tx) =>
        tx
          .update(memberships)
          .set({ status })
          .where(eq(memberships.userId, own?.owner ?? '')),
      )
    await set('suspended')
    expect(await credentialOf(it.service.deps, tenantId, own?.id ?? '')).toBe('account-owner-left')
    await set('active')
    expect(await credentialOf(it.service.deps, tenantId, own?.id ?? '')).toMatchObject({ token: 'second' })
  })

  test('the repositories of each provider are listed in one shape', async () => {
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    hub.repositories.push(...Array.from({ length: 130 }, (_, n) => `Acme/Specs-${n}`))
    const first = await send('bob', 'GET', `/${own?.id}/repositories`)
    const names = (value: Record<string, unknown>) =>
      (value['repositories'] as { full_name: string }[]).map((one) => one.full_name)
    expect([names(first.value).length, first.value['next_cursor']]).toEqual([100, '2'])
    const second = await send('bob', 'GET', `/${own?.id}/repositories?cursor=2`)
    expect([names(second.value).length, second.value['next_cursor']]).toEqual([30, null])
    expect(names((await send('bob', 'GET', `/${own?.id}/repositories?q=SPECS-129`)).value)).toEqual(['acme/specs-129'])

    lab.tokens.set('lab', { login: 'lab', scopes: ['read_repository', 'read_api'], expires: '2099-05-05' })
    lab.repositories.push('Group/Sub/Specs', 'Group/Other')
    const made = await link('bob', { provider: 'gitlab', host: lab.host, token: 'lab' })
    expect(made.value['expires_at']).toBe('2099-05-05T00:00:00.000Z')
    expect((await send('bob', 'GET', `/${String(made.value['id'])}/repositories?q=specs`)).value).toEqual({
      repositories: [
        {
          full_name: 'group/sub/specs',
          clone_url: `http://${lab.host}/Group/Sub/Specs.git`,
          web_url: `http://${lab.host}/Group/Sub/Specs`,
          default_branch: 'main',
          private: false,
        },
      ],
      next_cursor: null,
    })

    bucket.tokens.set('bucket', { login: 'bucket' })
    bucket.repositories.push('KEY/one', 'KEY/two', 'KEY/three')
    const third = await link('bob', { provider: 'bitbucket', host: bucket.host, token: 'bucket' })
    const page = await send('bob', 'GET', `/${String(third.value['id'])}/repositories`)
    expect([names(page.value), page.value['next_cursor']]).toEqual([['key/one', 'key/two'], '2'])
    expect((await send('bob', 'GET', `/${String(third.value['id'])}/repositories?cursor=x`)).status).toBe(422)
  })

  test('an account is deleted with its token and its schedule', async () => {
    const [own] = await db.read.select().from(linkedAccounts).where(eq(linkedAccounts.login, 'Bob'))
    const before = await db.read.$count(secrets)
    expect((await send('bob', 'DELETE', `/${own?.id}`)).status).toBe(204)
    expect((await send('bob', 'GET', `/${own?.id}`)).brief).toBe('404 linked-account-not-found')
    expect(await db.read.$count(secrets)).toBe(before - 1)
    expect(await db.read.$count(dueWork, eq(dueWork.subjectId, own?.id ?? ''))).toBe(0)
    const actions = (
      await db.read
        .select()
        .from(auditEvents)
        .where(eq(auditEvents.targetId, own?.id ?? ''))
    ).map((row) => row.action)
    expect(actions).toEqual(['linked-account.created', 'linked-account.token-replaced', 'linked-account.deleted'])
    expect([log.lines.length > 20, foundIn([...texts, ...log.lines].join('\n'), [planted])]).toEqual([true, []])
    expect(it.faults).toEqual([])
  })
})
