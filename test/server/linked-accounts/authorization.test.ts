import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { accountAuthorizations, linkedAccounts, memberships, providerClients, secrets } from '../../../db/tables.gen.ts'
import { credentialOf } from '../../../server/linked-accounts/credential.ts'
import { sweepVisits } from '../../../server/providers/visits.ts'
import type { GitProvider } from '../../../src/api/linked-accounts.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { authorizationWorld, past, secretOf } from '../../fixtures/authorization.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

onBothEngines('authorizing at a provider', (makeDb) => {
  const world = authorizationWorld(makeDb)
  const { send, begin, comeBack, connect, rowOf } = world

  test('the operator stores OAuth clients, whose secrets are never answered', async () => {
    const put = (who: string, provider: GitProvider, host = world.fakes[provider].host) =>
      send(who, 'PUT', `/_app/providers/${provider}/oauth`, {
        host,
        client_id: `client-${provider}`,
        client_secret: secretOf(provider),
      })
    expect((await put('bob', 'gitlab')).brief).toBe('403 operator-required')
    expect((await put('bob by token', 'gitlab')).brief).toBe('403 browser-session-required')
    expect((await put('nobody', 'gitlab')).brief).toBe('401 credentials-missing')
    expect((await put('ada', 'gitlab', world.fakes.github.host)).brief).toBe('422 provider-unsupported')
    // Who owns another organization does not operate the service.
    const elsewhere = await addTenant(world.db, 'elsewhere')
    await addMember(world.db, elsewhere, world.ids['bob'] ?? '', 'owner')
    expect((await send('bob', 'GET', '/_app/providers')).brief).toBe('403 operator-required')
    expect((await begin('bob')).brief).toBe('409 provider-oauth-missing')
    for (const provider of ['github', 'gitlab', 'bitbucket'] as const) {
      world.fakes[provider].oauth.clients.set(`client-${provider}`, secretOf(provider))
      expect((await put('ada', provider)).value).toMatchObject({
        provider,
        host: world.fakes[provider].host,
        oauth: { client_id: `client-${provider}`, scopes: null },
      })
    }
    const before = await world.db.read.$count(secrets)
    await put('ada', 'gitlab')
    expect([await world.db.read.$count(secrets), await world.db.read.$count(providerClients)]).toEqual([before, 3])
    const { value } = await send('ada', 'GET', '/_app/providers')
    expect(value['callback_url']).toBe('http://svc.test/v1/auth/linked-accounts/callback')
    const seen = (value['providers'] as { host: string; oauth: unknown }[]).map(({ host, oauth }) => [
      host,
      oauth !== null,
    ])
    expect(seen).toEqual([
      ['github.com', false],
      ['gitlab.com', false],
      ['bitbucket.org', false],
      [world.fakes.github.host, true],
      [world.fakes.gitlab.host, true],
      [world.fakes.bitbucket.host, true],
    ])
    const methods = await send('vic', 'GET', '/linked-account-providers')
    expect((methods.value['providers'] as unknown[])[4]).toEqual({
      provider: 'gitlab',
      host: world.fakes.gitlab.host,
      methods: ['token', 'oauth'],
    })
  })

  test('a person authorizes at each provider, and the account is linked with tokens that are renewed', async () => {
    expect((await begin('vic')).brief).toBe('403 permission-denied')
    expect((await begin('bob', 'gitlab', { owner: 'tenant' })).brief).toBe('403 permission-denied')
    expect((await begin('bob', 'gitlab', { host: 'a b' })).brief).toBe('422 provider-unsupported')
    const begun = await begin('bob')
    const url = new URL(String(begun.value['url']))
    expect([url.origin, url.pathname]).toEqual([`http://${world.fakes.gitlab.host}`, '/oauth/authorize'])
    expect(
      Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'state' && name !== 'code_challenge')),
    ).toEqual({
      response_type: 'code',
      client_id: 'client-gitlab',
      redirect_uri: 'http://svc.test/v1/auth/linked-accounts/callback',
      scope: 'read_repository read_api',
      code_challenge_method: 'S256',
    })
    const location = await comeBack('bob', world.fakes.gitlab.oauth.visit(url.href, 'bob-lab'))
    const [own] = await world.db.read.select().from(linkedAccounts)
    expect(location).toBe(`/app/settings?tab=accounts&linked_account=${own?.id}`)
    const shown = await send('bob', 'GET', `/linked-accounts/${own?.id}`)
    expect(shown.value).toMatchObject({
      kind: 'oauth',
      login: 'bob-lab',
      owner: { type: 'user', id: world.ids['bob'] },
      status: 'active',
      expires_at: null,
      scopes: ['read_repository', 'read_api'],
    })
    const hub = await rowOf(await connect('ada', 'github', 'acme-bot', { owner: 'tenant' }))
    expect([hub.owner, hub.refreshSecretId, hub.tokenExpiresAt, hub.scopes]).toEqual([
      'tenant',
      null,
      null,
      ['repo', 'user'],
    ])
    expect(await credentialOf(world.it.service.deps, world.tenantId, hub.id)).toMatchObject({
      provider: 'github',
      email: null,
    })
  })

  test('what was begun with an access token ends in any session of that person, and in no one else’s', async () => {
    const { value } = await begin('bob by token', 'bitbucket')
    const back = world.fakes.bitbucket.oauth.visit(String(value['url']), 'bob-bucket')
    expect(await comeBack('eve', back)).toBe('/app/?error=account-authorization-expired')
    expect(await comeBack('nobody', back)).toBe('/app/sign-in?error=account-authorization-expired')
    const id = new URL(await comeBack('bob elsewhere', back), 'http://x').searchParams.get('linked_account') ?? ''
    expect((await rowOf(id)).login).toBe('bob-bucket')
  })

  test('a state works once, in its session, for ten minutes, and only for an answer of its own provider', async () => {
    const before = await world.db.read.$count(linkedAccounts)
    const started = async () => world.fakes.gitlab.oauth.visit(String((await begin('bob')).value['url']), 'bob-lab')
    const expired = '/app/?error=account-authorization-expired'
    const refused = '/app/settings?tab=accounts&error=account-authorization-refused'
    const first = await started()
    expect(await comeBack('bob elsewhere', first)).toBe(expired)
    expect(await comeBack('eve', first)).toBe(expired)
    expect(await comeBack('bob', first, world.other)).toContain('linked_account=')
    expect(await comeBack('bob', first)).toBe(expired)
    const late = await started()
    await world.db.inTransaction((tx) => tx.update(accountAuthorizations).set({ expiresAt: past }))
    expect(await comeBack('bob', late)).toBe(expired)
    await sweepVisits(world.db, Date.now())
    expect(await world.db.read.$count(accountAuthorizations)).toBe(0)

    const forged = await started()
    forged.searchParams.set('state', 'x'.repeat(43))
    expect(await comeBack('bob', forged)).toBe(expired)
    const short = await started()
    short.searchParams.set('state', '%00')
    expect(await comeBack('bob', short)).toBe(expired)
    const wrongIssuer = await started()
    wrongIssuer.searchParams.set('iss', 'https://evil.example')
    expect(await comeBack('bob', wrongIssuer)).toBe(refused)
    const rightIssuer = await started()
    rightIssuer.searchParams.set('iss', `http://${world.fakes.gitlab.host}`)
    expect(await comeBack('bob', rightIssuer)).toContain('linked_account=')
    // The code of another provider, with a state of this one.
    const mixed = await started()
    const foreign = world.fakes.bitbucket.oauth.visit(
      String((await begin('bob', 'bitbucket')).value['url']),
      'bob-bucket',
    )
    mixed.searchParams.set('code', foreign.searchParams.get('code') ?? '')
    expect(await comeBack('bob', mixed)).toBe(refused)
    const denied = world.fakes.gitlab.oauth.visit(String((await begin('bob')).value['url']), null)
    expect(await comeBack('bob', denied)).toBe(refused)
    // GitHub refuses a code with a status of 200.
    const hub = world.fakes.github.oauth.visit(String((await begin('bob', 'github')).value['url']), 'bob-hub')
    hub.searchParams.set('code', 'another')
    expect(await comeBack('bob', hub)).toBe(refused)
    world.fakes.gitlab.failing = 503
    expect(await comeBack('bob', await started())).toBe('/app/settings?tab=accounts&error=provider-failed')
    world.fakes.gitlab.failing = null
    expect(await world.db.read.$count(linkedAccounts)).toBe(before)
  })

  test('the browser never leaves the application', async () => {
    for (const path of [
      'https://evil.example/app/',
      '//evil.example/app/',
      '/\\evil.example',
      '/app',
      '/app/../../evil',
      'javascript:alert(1)',
      '/app/\nx',
      '/docs/',
    ])
      expect([path, (await begin('bob', 'gitlab', { return_to: path })).brief]).toEqual([path, '422 return-to-invalid'])
    expect((await begin('bob', 'gitlab', { return_to: '/app/' })).status).toBe(200)
    expect((await begin('bob', 'gitlab', { return_to: '' })).status).toBe(422)
  })

  test('who was removed or lost the role meanwhile links nothing', async () => {
    const { value } = await begin('eve')
    const back = world.fakes.gitlab.oauth.visit(String(value['url']), 'eve-lab')
    const role = (to: 'viewer' | 'editor', status: 'active' | 'suspended' = 'active') =>
      world.db.inTransaction((tx) =>
        tx
          .update(memberships)
          .set({ role: to, status })
          .where(eq(memberships.userId, world.ids['eve'] ?? '')),
      )
    await role('viewer')
    expect(await comeBack('eve', back)).toBe('/app/settings?tab=accounts&error=permission-denied')
    await role('editor', 'suspended')
    const begun = await begin('eve')
    expect(begun.brief).toBe('403 membership-suspended')
    await role('editor')
    expect(await world.db.read.$count(linkedAccounts, eq(linkedAccounts.owner, world.ids['eve'] ?? ''))).toBe(0)
  })
})
