/** Longer than 400 lines: one webhook, from its creation to its removal. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import {
  dueWork,
  hookEvents,
  linkedAccounts,
  notifications,
  providerRanges,
  repositories,
  repositoryHooks,
  secrets,
} from '../../../db/tables.gen.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { readCidr, senderOf } from '../../../server/hooks/allowlist.ts'
import { pushKind } from '../../../server/repository-sync/due.ts'
import { sweepHooks } from '../../../server/hooks/service.ts'
import { linkedAccountsApi } from '../../../src/api/linked-accounts.ts'
import { repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startFakeProvider, type FakeProvider } from '../../fixtures/fake-provider.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const base = '/v1/tenants/local'
const first = 'a first secret of the hook'
const second = 'a second secret of the hook'
const body = JSON.stringify({ ref: 'refs/heads/main', after: '0'.repeat(40), repository: { name: 'x' } })

test('networks are read in one form; senders behind proxies are counted from the right', () => {
  const read = (text: string): string => {
    try {
      return readCidr(text)
    } catch (error) {
      return String((error as { code?: string }).code)
    }
  }
  expect(
    [
      '192.0.2.0/24',
      ' 192.0.2.7 ',
      '2001:DB8::/32',
      '2001:db8::1',
      '192.0.2.1/24',
      '2001:db8::1/32',
      '192.0.2.0/33',
      'x',
      '1.2.3',
      '1.2.3.4/24/8',
      '010.0.0.1',
    ].map(read),
  ).toEqual([
    '192.0.2.0/24',
    '192.0.2.7/32',
    '2001:db8::/32',
    '2001:db8::1/128',
    'cidr-host-bits',
    'cidr-host-bits',
    'cidr-invalid',
    'cidr-invalid',
    'cidr-invalid',
    'cidr-invalid',
    'cidr-invalid',
  ])
  const path = '198.51.100.1, 203.0.113.1, 10.0.0.1'
  expect([0, 1, 2, 3, 4].map((hops) => senderOf('10.9.9.9', path, hops))).toEqual([
    '10.9.9.9',
    '10.0.0.1',
    '203.0.113.1',
    '198.51.100.1',
    null,
  ])
})

onBothEngines('hooks', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root)
  const host = new URL(served.url).host
  let it: PetsProject
  let hub: FakeProvider
  let id = ''
  let hook = ''
  let token = ''
  const texts: string[] = []

  const send = async (method: string, path: string, sent?: unknown) => {
    const answer = await it.send(method, `${base}${path}`, sent)
    texts.push(answer.text)
    return answer
  }
  const asOwner = async (method: string, path: string, sent?: unknown) => {
    const init = sent === undefined ? {} : { body: JSON.stringify(sent) }
    const answer = await it.ask(`${base}${path}`, { method, headers: { 'content-type': 'application/json' }, ...init })
    const text = await answer.text()
    texts.push(text)
    return {
      status: answer.status,
      value: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & { detail?: { code?: string } },
    }
  }
  const deliver = async (
    headers: Record<string, string>,
    more: { to?: string; body?: string | ReadableStream; from?: string } = {},
  ) => {
    const target = `http://localhost/v1/hooks/${more.to ?? `github/${token}`}`
    const request = new Request(target, {
      method: 'POST',
      headers,
      body: more.body ?? body,
      duplex: 'half',
    } as RequestInit)
    const answer = await it.service.handle(noteAddress(request, more.from ?? '203.0.113.5'))
    const value = (await answer.json()) as { outcome?: string; detail?: { code: string } }
    return `${answer.status} ${value.outcome ?? value.detail?.code ?? ''}`
  }
  const signed = (secret: string, delivery: string, text = body) => ({
    'x-github-event': 'push',
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
  })
  const status = async () =>
    (await send('GET', `/repositories/${id}/webhook`)).value as {
      subscription: Record<string, unknown> | null
      events: { outcome: string; event: string; ref: string | null; delivery_id: string | null }[]
    }

  beforeAll(async () => {
    git.create('acme/shop', { 'openapi.yaml': petsYaml('1.0.0') })
    hub = startFakeProvider('github')
    it = await openPetsProject(await makeDb(), { egressAllow: '127.0.0.0/8', gitHosts: `${host}=github` })
    const made = await send('POST', '/repositories', { source: 'public_url', cloneUrl: `${served.url}/acme/shop/.git` })
    id = (made.value['repository'] as { id: string }).id
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    await hub.stop()
    git.remove()
  })

  test('a webhook is made by hand with a secret of the caller, which is never answered', async () => {
    const path = `/repositories/${id}/webhook`
    expect(await status()).toEqual({ success: true, subscription: null, events: [] } as never)
    expect((await send('POST', path, { create: 'manual' })).value.detail?.code).toBe('hook-secret-required')
    expect((await send('POST', path, { create: 'provider' })).value.detail?.code).toBe('hook-provider-failed')
    const made = await send('POST', path, { create: 'manual', secret: first })
    const subscription = made.value['subscription'] as Record<string, unknown>
    const url = String(subscription['url'])
    token = url.split('/').at(-1) ?? ''
    hook = String(subscription['id'])
    expect([made.status, subscription]).toEqual([
      201,
      {
        id: hook,
        provider: 'github',
        url: `http://svc.test/v1/hooks/github/${token}`,
        events: ['push'],
        fingerprint: subscription['fingerprint'],
        previousFingerprint: null,
        graceUntil: null,
        state: 'pending',
        providerHookId: null,
        lastDeliveryAt: null,
      },
    ])
    expect(subscription['fingerprint']).toMatch(/^[0-9a-f]{8}$/)
    expect((await send('POST', path, { create: 'manual', secret: first })).value.detail?.code).toBe('hook-exists')
    expect(
      (await send('POST', '/repositories/none/webhook', { create: 'manual', secret: first })).value.detail?.code,
    ).toBe('repository-not-found')
  })

  test('a delivery is taken once; what proves nothing changes no state', async () => {
    const { db } = it.service.deps
    const due = () => db.read.$count(dueWork, and(eq(dueWork.kind, 'repository.push'), eq(dueWork.subjectId, id)))
    expect(await deliver(signed(second, 'd0'))).toBe('401 hook-signature')
    expect(await deliver({})).toBe('401 hook-signature')
    expect(await deliver(signed(first, 'd0', 'other body'))).toBe('401 hook-signature')
    const state = async () => {
      const { value } = await send('GET', `/repositories/${id}`)
      return (value['repository'] as { webhook: { state: string } }).webhook.state
    }
    expect([await due(), (await status()).subscription?.['state'], await state()]).toEqual([0, 'pending', 'pending'])
    expect(await deliver(signed(first, 'd1'), { to: `github/${'x'.repeat(22)}` })).toBe('404 hook-unknown')
    expect(await deliver(signed(first, 'd1'), { to: `gitlab/${token}` })).toBe('404 hook-unknown')
    expect(await deliver({ ...signed(first, 'p1'), 'x-github-event': 'ping' })).toBe('202 ignored')
    expect(await deliver(signed(first, 'd1'))).toBe('202 accepted')
    expect(await deliver(signed(first, 'd1'))).toBe('202 duplicate')
    const { subscription, events } = await status()
    expect([subscription?.['state'], await state()]).toEqual(['active', 'active'])
    expect(
      events.map((one) => `${one.event} ${one.delivery_id ?? '-'} ${one.outcome} ${one.ref ?? '-'}`).toSorted(),
    ).toEqual([
      'ping p1 ignored refs/heads/main',
      'push d0 bad-signature -',
      'push d0 bad-signature -',
      'push d1 duplicate refs/heads/main',
      'push d1 ip-warned refs/heads/main',
      'unknown - bad-signature -',
    ])
    await sweepHooks(db, Date.now() + 4 * 86_400_000)
    expect(await deliver(signed(first, 'd1'))).toBe('202 accepted')
  })

  test('a large body passes by, a larger one is refused; a network that is refused often is answered 429, and little of it is written', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    const stream = (count: number) => {
      let left = count
      return new ReadableStream<Uint8Array>({
        pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
      })
    }
    const hmac = createHmac('sha256', first)
    for (let n = 0; n < 25; n++) hmac.update(chunk)
    const headers = {
      'x-github-event': 'push',
      'x-github-delivery': 'large',
      'x-hub-signature-256': `sha256=${hmac.digest('hex')}`,
    }
    expect(await deliver(headers, { body: stream(25) })).toBe('202 accepted')
    expect(await deliver(headers, { body: stream(27) })).toBe('413 body-too-large')
    const { db } = it.service.deps
    const before = await db.read.$count(hookEvents)
    const codes = new Map<string, number>()
    for (let n = 0; n < 120; n++) {
      const code = await deliver({ 'x-github-delivery': `forged ${n}` }, { from: '203.0.113.99' })
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    expect([...codes]).toEqual([
      ['401 hook-signature', 60],
      ['429 refusals-exceeded', 60],
    ])
    // Three forged ones and one that was too large were written before: one more is, the others are counted in memory.
    expect((await db.read.$count(hookEvents)) - before).toBe(1)
    // The right ones are taken, also from where the wrong ones come.
    expect(await deliver(signed(first, 'beside'), { from: '203.0.113.99' })).toBe('202 accepted')
    const told = (await db.read.select().from(notifications)).map(({ payload }) => payload.title)
    expect(told).toEqual(['acme/shop: a delivery of its webhook was refused: its signature does not prove the secret'])
    const { value } = await send('GET', `/repositories/${id}/notification-preferences`)
    const { preferences } = value as { preferences: { eventType: string; throttle: { heldBack: number } }[] }
    expect(preferences.find((one) => one.eventType === 'webhook.rejected')?.throttle.heldBack).toBe(4)
  })

  test('a rotated secret verifies together with the one before, within the grace window', async () => {
    const rotate = (more: object) => send('POST', `/repositories/${id}/webhook/rotate-secret`, more)
    const before = (await status()).subscription
    const { value } = await rotate({ secret: second, graceSeconds: 1 })
    const after = value['subscription'] as Record<string, unknown>
    expect([value['graceSeconds'], value['providerSecretSynced'], after['previousFingerprint']]).toEqual([
      300,
      false,
      before?.['fingerprint'],
    ])
    expect(String(value['providerError'])).toContain('by hand')
    expect(after['fingerprint']).not.toBe(before?.['fingerprint'])
    expect([await deliver(signed(second, 'r1')), await deliver(signed(first, 'r2'))]).toEqual([
      '202 accepted',
      '202 accepted',
    ])
    const { db } = it.service.deps
    await db.inTransaction((tx) => tx.update(repositoryHooks).set({ graceUntil: '2026-01-01T00:00:00.000Z' }))
    expect([await deliver(signed(second, 'r3')), await deliver(signed(first, 'r4'))]).toEqual([
      '202 accepted',
      '401 hook-signature',
    ])
    expect((await status()).subscription).toMatchObject({ previousFingerprint: null, graceUntil: null })
    expect((await rotate({ secret: first, graceSeconds: 9_999_999 })).value['graceSeconds']).toBe(604_800)
    expect((await rotate({ secret: second, graceSeconds: null })).value['graceSeconds']).toBe(86_400)
    expect(await db.read.$count(secrets)).toBe(2)
  })

  test('the body of the contract rotates a webhook made by hand; the generated secret is read once', async () => {
    const rotate = (more?: object) => send('POST', `/repositories/${id}/webhook/rotate-secret`, more)
    const params = { tenant_slug: 'local', repository_id: id }
    const read = () => outcome(it.call(repositoryHooksApi.readSecret, { params }))
    const unavailable = { code: 'hook-secret-unavailable', repository: 'acme/shop' }
    expect((await send('POST', `/repositories/${id}/webhook/secret`)).value.detail?.code).toBe('person-required')
    expect(await read()).toEqual(unavailable)
    const before = (await status()).subscription
    for (const body of [undefined, {}, { graceSeconds: null }]) {
      const { value } = await rotate(body)
      expect([value['success'], value['graceSeconds'], value['providerSecretSynced']]).toEqual([true, 86_400, false])
      expect(value['providerError']).toBe(
        'the webhook was made by hand: read its new secret once (POST …/webhook/secret) and set it at the provider before the grace period ends',
      )
      expect(JSON.stringify(value)).not.toContain('whsec_')
    }
    const { value: rotated } = await rotate({ graceSeconds: 3600 })
    const { fingerprint } = rotated['subscription'] as { fingerprint: string }
    expect(fingerprint).not.toBe(before?.['fingerprint'])
    expect(rotated['graceSeconds']).toBe(3600)
    const shown = await it.call(repositoryHooksApi.readSecret, { params })
    expect([shown.success, shown.fingerprint]).toEqual([true, fingerprint])
    expect(shown.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await deliver(signed(shown.secret, 'generated'))).toBe('202 accepted')
    expect(await read()).toEqual(unavailable)
    await rotate({ secret: second })
    expect(await read()).toEqual(unavailable)
  })

  test('addresses are checked; administrators change the list, and stop checking with a reason only', async () => {
    const list = '/repository-webhook-ip-allowlist'
    expect((await send('GET', list)).value).toEqual({
      success: true,
      enforcementEnabled: true,
      strict: false,
      refreshIntervalSeconds: 21_600,
      trustedProxyHops: 0,
      tenantEnforcementEnabled: true,
      bypassReason: null,
      policyUpdatedAt: null,
      providers: ['github', 'gitlab', 'bitbucket'].map((provider) => ({
        provider,
        ranges: [],
        fetchedAt: null,
        lastError: null,
      })),
      entries: [],
    })
    const off = { enforcementEnabled: false, bypassReason: 'moving the proxy' }
    expect((await send('PUT', `${list}/policy`, off)).status).toBe(403)
    const added = await asOwner('POST', `${list}/entries`, { cidr: '198.51.100.0/24', description: 'runner' })
    const entries = added.value['entries'] as { id: string; cidr: string; enabled: boolean }[]
    expect([added.status, entries.map(({ cidr, enabled }) => [cidr, enabled])]).toEqual([
      201,
      [['198.51.100.0/24', true]],
    ])
    expect((await asOwner('POST', `${list}/entries`, { cidr: '198.51.100.0/24' })).value.detail?.code).toBe(
      'allowlist-entry-exists',
    )
    expect((await asOwner('POST', `${list}/entries`, { cidr: '198.51.100.1/24' })).value.detail?.code).toBe(
      'cidr-host-bits',
    )
    // A host of its own publishes no networks: others are reported, and blocked only by the setting.
    expect(await deliver(signed(second, 'i0'))).toBe('202 accepted')
    expect((await status()).events[0]?.outcome).toBe('ip-warned')
    const { db } = it.service.deps
    const at = new Date().toISOString()
    const ranges = { provider: 'github', ranges: ['192.0.2.0/24'], fetchedAt: at, lastError: null }
    await db.inTransaction((tx) => tx.insert(providerRanges).values(ranges))
    await db.inTransaction((tx) => tx.update(repositories).set({ host: 'github.com' }))
    expect(await deliver(signed(second, 'i1'))).toBe('403 hook-ip')
    expect(await deliver(signed(second, 'i2'), { from: '198.51.100.9' })).toBe('202 accepted')
    expect(await deliver(signed(second, 'i5'), { from: '192.0.2.9' })).toBe('202 accepted')
    expect((await asOwner('PUT', `${list}/policy`, { enforcementEnabled: false })).value.detail?.code).toBe(
      'bypass-reason-required',
    )
    expect((await asOwner('PUT', `${list}/policy`, off)).value).toMatchObject({
      tenantEnforcementEnabled: false,
      bypassReason: off.bypassReason,
    })
    expect(await deliver(signed(second, 'i3'))).toBe('202 accepted')
    expect((await asOwner('PUT', `${list}/policy`, { enforcementEnabled: true })).value).toMatchObject({
      bypassReason: null,
    })
    expect(
      (await asOwner('PATCH', `${list}/entries/${entries[0]?.id ?? ''}`, { enabled: false })).value['entries'],
    ).toMatchObject([{ enabled: false }])
    expect(await deliver(signed(second, 'i4'), { from: '198.51.100.9' })).toBe('403 hook-ip')
    await db.inTransaction((tx) => tx.delete(providerRanges))
    await db.inTransaction((tx) => tx.update(repositories).set({ host }))
    expect(await deliver(signed(second, 'i6'), { from: '198.51.100.9' })).toBe('202 accepted')
    expect((await asOwner('DELETE', `${list}/entries/${entries[0]?.id ?? ''}`)).value['entries']).toEqual([])
    expect((await asOwner('DELETE', `${list}/entries/none`)).value.detail?.code).toBe('allowlist-entry-not-found')
  })

  test('a push does what a check does', async () => {
    const bound = await it.send('POST', '/v1/tenants/local/projects/pets/versions/1.0.0/binding', {
      repository_id: id,
      path: 'openapi.yaml',
    })
    expect(bound.status).toBe(201)
    writeFileSync(join(git.root, 'acme/shop/openapi.yaml'), `${petsYaml('1.0.0')}tags: []\n`)
    git.git('acme/shop', 'commit', '-qam', 'two')
    expect(await deliver(signed(second, 'push'))).toBe('202 accepted')
    const { deps } = it.service
    await pushKind.run({ subjectId: id, tenantId: it.tenantId, deps, signal: AbortSignal.timeout(60_000) })
    const { value } = await it.send('GET', '/v1/tenants/local/projects/pets/versions/1.0.0/binding')
    expect(value['pending']).toMatchObject([
      { detected_by: 'webhook', to_commit: git.git('acme/shop', 'rev-parse', 'HEAD') },
    ])
  })

  test('the linked account makes, rotates and removes the webhook at the provider', async () => {
    const { db } = it.service.deps
    await send('DELETE', `/repositories/${id}/webhook`)
    expect(await deliver(signed(second, 'gone'))).toBe('404 hook-unknown')
    hub.tokens.set('hub-token', { login: 'ada', scopes: ['repo'] })
    const params = { tenant_slug: 'local' }
    const account = await it.call(linkedAccountsApi.create, {
      params,
      body: { provider: 'github', host: hub.host, token: 'hub-token', owner: 'tenant' },
    })
    await db.inTransaction((tx) => tx.update(repositories).set({ linkedAccountId: account.id }))
    const made = await send('POST', `/repositories/${id}/webhook`, { create: 'provider' })
    const subscription = made.value['subscription'] as Record<string, unknown>
    token = String(subscription['url']).split('/').at(-1) ?? ''
    const config = () =>
      (hub.hooks.get('1')?.['config'] ?? hub.hooks.get('1')) as { url: string; secret: string; content_type: string }
    expect([subscription['providerHookId'], config().url, config().content_type]).toEqual([
      '1',
      subscription['url'],
      'json',
    ] as never)
    const old = config().secret
    expect(await deliver(signed(old, 'made'))).toBe('202 accepted')
    const rotated = await send('POST', `/repositories/${id}/webhook/rotate-secret`)
    expect([rotated.value['providerSecretSynced'], rotated.value['providerError']]).toEqual([true, null])
    expect(config().secret).not.toBe(old)
    expect(await deliver(signed(config().secret, 'rotated'))).toBe('202 accepted')
    hub.failing = 500
    const current = config().secret
    expect((await send('POST', `/repositories/${id}/webhook/rotate-secret`)).value).toMatchObject({
      providerSecretSynced: false,
      subscription: { state: 'failing' },
    })
    expect(await deliver(signed(current, 'previous'))).toBe('202 accepted')
    expect((await status()).subscription?.['state']).toBe('failing')
    hub.failing = null
    expect((await send('POST', `/repositories/${id}/webhook/rotate-secret`)).value).toMatchObject({
      providerSecretSynced: true,
    })
    expect(await deliver(signed(config().secret, 'healed'))).toBe('202 accepted')
    expect((await status()).subscription?.['state']).toBe('active')
    expect(texts.join('\n')).not.toContain(old)
    expect((await send('DELETE', `/repositories/${id}/webhook`)).value).toEqual({
      success: true,
      deleted: true,
      removedAtProvider: true,
    })
    expect([hub.hooks.size, await db.read.$count(secrets)]).toEqual([0, 1])
    await db.inTransaction((tx) => tx.update(linkedAccounts).set({ status: 'revoked' }))
    expect((await send('POST', `/repositories/${id}/webhook`, { create: 'provider' })).value.detail?.code).toBe(
      'hook-provider-failed',
    )
  })

  test('GitLab and Bitbucket prove themselves in their ways', async () => {
    const { db } = it.service.deps
    const key = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const made = await send('POST', `/repositories/${id}/webhook`, { create: 'manual', secret: key })
    token = (made.value['subscription'] as { url: string }).url.split('/').at(-1) ?? ''
    const as = (provider: 'gitlab' | 'bitbucket') =>
      db.inTransaction((tx) => tx.update(repositoryHooks).set({ provider }))
    await as('gitlab')
    const to = `gitlab/${token}`
    const now = new Date()
    const standard = {
      'webhook-id': 'w1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign('w1', now, body),
    }
    expect(await deliver({ 'x-gitlab-event': 'Push Hook', ...standard }, { to })).toBe('202 accepted')
    expect(await deliver({ ...standard, 'webhook-id': 'w2' }, { to })).toBe('401 hook-signature')
    expect(
      await deliver({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': key, 'x-gitlab-event-uuid': 'e1' }, { to }),
    ).toBe('202 accepted')
    expect(await deliver({ 'x-gitlab-token': `${key}x` }, { to })).toBe('401 hook-signature')
    await as('bitbucket')
    const hex = createHmac('sha256', key).update(body).digest('hex')
    const headers = { 'x-event-key': 'repo:push', 'x-request-uuid': 'b1', 'x-hub-signature': `sha256=${hex}` }
    expect(await deliver(headers, { to: `bitbucket/${token}` })).toBe('202 accepted')
    for (const planted of [first, second, key]) expect(texts.join('\n')).not.toContain(planted)
    expect(it.faults).toEqual([])
  })
})
