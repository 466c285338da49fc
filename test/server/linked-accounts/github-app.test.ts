import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { createBackup } from '../../../db/backup/create.ts'
import { newId } from '../../../db/id.ts'
import {
  gitAppDeliveries,
  gitApps,
  linkedAccounts,
  providerRanges,
  repositories,
  secrets,
} from '../../../db/tables.gen.ts'
import { providerVerdict } from '../../../server/hooks/allowlist.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { fullNameIn, installationIn, receiveFromApp, sweepAppDeliveries } from '../../../server/hooks/receive-app.ts'
import { gitAuthorization } from '../../../server/hosting/provider.ts'
import { credentialOf } from '../../../server/linked-accounts/credential.ts'
import { authorizationWorld } from '../../fixtures/authorization.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import type { FakeInstallation } from '../../fixtures/fake-github-app.ts'
import { foundIn } from '../../fixtures/planted.ts'

test('the repository and the installation of a body are read from its beginning', () => {
  const push =
    '{"ref":"refs/heads/a\\"full_name\\":\\"evil/x","repository":{"id":1,"full_name":"Acme/Specs","owner":{}}}'
  expect([fullNameIn(push), fullNameIn('{"full_name":"a/b/c"}'), fullNameIn('{}')]).toEqual(['acme/specs', null, null])
  expect([
    installationIn('{"action":"deleted","installation":{"id":12,"account":{}}}'),
    installationIn('{"installation":{"id":"12"}}'),
  ]).toEqual(['12', null])
})

onBothEngines('the GitHub App', (makeDb) => {
  const world = authorizationWorld(makeDb)
  const { send, comeBack, rowOf } = world
  const pages: string[] = []

  const installation = (login: string, ...names: string[]): FakeInstallation => ({
    login,
    repositories: names,
    seenBy: new Map(),
    permissions: { contents: 'read', metadata: 'read' },
    suspendedAt: null,
  })
  const page = async (who: string, path: string) => {
    const headers = { cookie: world.people[who]?.['cookie'] ?? '' }
    const answer = await world.it.service.handle(new Request(`http://localhost${path}`, { headers }))
    const text = await answer.text()
    pages.push(text)
    return { status: answer.status, text, policy: answer.headers.get('content-security-policy') ?? '' }
  }
  const beginManifest = (who: string, more: object = {}) =>
    send(who, 'POST', '/_app/providers/github/manifest', {
      host: world.fakes.github.host,
      return_to: '/app/providers',
      ...more,
    })
  const begin = (who: string, more: object = {}) =>
    send(who, 'POST', '/linked-accounts/github/authorize', {
      host: world.fakes.github.host,
      return_to: '/app/accounts',
      kind: 'app',
      ...more,
    })
  /** Says who the person is at the address of the fake, and comes back. */
  const asLogin = async (who: string, url: string, login: string | null) =>
    comeBack(who, world.fakes.github.oauth.visit(url, login))

  test('the operator makes an App by a manifest: its key and secrets go into the vault', async () => {
    const { github } = world.fakes
    expect((await beginManifest('bob')).brief).toBe('403 operator-required')
    expect((await begin('ada')).brief).toBe('409 git-app-missing')
    expect((await beginManifest('ada', { return_to: '//evil' })).brief).toBe('422 return-to-invalid')
    expect((await beginManifest('ada', { organization: 'a/b' })).status).toBe(422)
    const begun = await beginManifest('ada', { organization: 'acme', name: '<b>"svc"', reports: true })
    const path = String(begun.value['url'])
    expect((await page('bob', path)).status).toBe(410)
    expect((await page('ada', '/_app/providers/github/manifest?state=x')).status).toBe(410)
    const shown = await page('ada', path)
    expect([shown.status, shown.policy]).toEqual([200, expect.stringContaining(`form-action http://${github.host};`)])
    expect(shown.text).not.toContain('<b>')
    const back = github.app.postManifest(shown.text)
    expect(github.app.manifest).toEqual({
      name: '<b>"svc"',
      url: 'http://svc.test',
      redirect_url: 'http://svc.test/v1/auth/linked-accounts/callback',
      callback_urls: ['http://svc.test/v1/auth/linked-accounts/callback'],
      setup_url: 'http://svc.test/v1/auth/linked-accounts/callback',
      setup_on_update: true,
      public: false,
      default_permissions: { contents: 'read', metadata: 'read', statuses: 'write', pull_requests: 'write' },
      hook_attributes: {
        url: expect.stringMatching(/^http:\/\/svc\.test\/v1\/hooks\/github\/[\w-]{22}$/),
        active: true,
      },
      default_events: ['push'],
      postedTo: '/organizations/acme/settings/apps/new',
    })
    expect(await comeBack('bob', back)).toBe('/app/?error=account-authorization-expired')
    expect(await comeBack('ada', back)).toBe('/app/providers?git_app=-b-svc-')
    expect(await comeBack('ada', back)).toBe('/app/?error=account-authorization-expired')
    expect((await beginManifest('ada')).brief).toBe('409 git-app-exists')
    const { value } = await send('ada', 'GET', '/_app/providers')
    const [own] = (value['providers'] as { host: string; app: Record<string, unknown> | null }[]).filter(
      (one) => one.app !== null,
    )
    expect(own?.app).toEqual({
      app_id: '4711',
      slug: '-b-svc-',
      name: '<b>"svc"',
      html_url: `http://${github.host}/github-apps/-b-svc-`,
      owner: 'acme',
      webhook: true,
      key_fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
      last_delivery_at: null,
      created_at: expect.any(String),
    })
    const methods = (await send('bob', 'GET', '/linked-account-providers')).value['providers'] as {
      methods: string[]
    }[]
    expect(methods.map((one) => one.methods.join(' '))).toContain('token app')
  })

  test('a code of a manifest works once, and a forged one makes nothing', async () => {
    const { github } = world.fakes
    await world.db.inTransaction((tx) => tx.delete(gitApps))
    const begun = await beginManifest('ada')
    const back = github.app.postManifest((await page('ada', String(begun.value['url']))).text)
    back.searchParams.set('code', 'forged')
    expect(await comeBack('ada', back)).toBe('/app/providers?error=account-authorization-refused')
    expect(await world.db.read.$count(gitApps)).toBe(0)
    const again = await beginManifest('ada')
    const right = github.app.postManifest((await page('ada', String(again.value['url']))).text)
    expect(await comeBack('ada', right)).toBe('/app/providers?git_app=svc-svc-test')
  })

  test('an administrator installs it and proves who they are; the installation is linked for the organization', async () => {
    const { github } = world.fakes
    expect((await begin('bob')).brief).toBe('403 permission-denied')
    expect(
      (await send('ada', 'POST', '/linked-accounts/gitlab/authorize', { return_to: '/app/', kind: 'app' })).brief,
    ).toBe('422 provider-unsupported')
    // Nothing is installed yet: the person is led there, and back.
    const { value } = await begin('ada')
    const install = await asLogin('ada', String(value['url']), 'acme-owner')
    expect(install).toStartWith(`http://${github.host}/github-apps/svc-svc-test/installations/new?state=`)
    github.app.installations.set(12, installation('acme', 'Acme/Specs', 'Acme/Web'))
    github.app.installations.get(12)?.seenBy.set('acme-owner', 2)
    const person = await comeBack('ada', github.app.install(install, 12))
    expect(person).toStartWith(`http://${github.host}/login/oauth/authorize?`)
    expect(new URL(person).searchParams.get('scope')).toBeNull()
    const location = await asLogin('ada', person, 'acme-owner')
    const [own] = await world.db.read.select().from(linkedAccounts)
    expect(location).toBe(`/app/accounts?linked_account=${own?.id}`)
    expect((await send('ada', 'GET', `/linked-accounts/${own?.id}`)).value).toMatchObject({
      kind: 'app',
      login: 'acme',
      owner: { type: 'tenant', id: world.tenantId },
      scopes: ['contents:read', 'metadata:read'],
      status: 'active',
    })
    expect([own?.secretId, own?.installationId]).toEqual([null, '12'])
    // The next time there is something to link, so that nothing is installed.
    expect(await asLogin('ada', String((await begin('ada')).value['url']), 'acme-owner')).toBe(location)
    const other = await begin('ada', { install: true })
    expect(String(other.value['url'])).toContain('/installations/new?state=')
    expect((await send('ada', 'PUT', `/linked-accounts/${own?.id}/token`, { token: 'x' })).brief).toBe(
      '409 account-without-token',
    )
  })

  test('an installation that the browser names is only a hint: who cannot read all of it links nothing', async () => {
    const { github } = world.fakes
    github.app.installations.set(66, installation('victim', 'Victim/Secret', 'Victim/Other'))
    const refused = '/app/accounts?error=git-app-installation-refused'
    const through = async (login: string | null) => {
      const { value } = await begin('ada', { install: true })
      const person = await comeBack('ada', github.app.install(String(value['url']), 66))
      return asLogin('ada', person, login)
    }
    expect(await through('acme-owner')).toBe(refused)
    github.app.installations.get(66)?.seenBy.set('acme-owner', 1)
    expect(await through('acme-owner')).toBe(refused)
    expect(await through(null)).toBe('/app/accounts?error=account-authorization-refused')
    expect(await world.db.read.$count(linkedAccounts)).toBe(1)
    // Of all that the person sees, what they can read in full is linked.
    expect(await asLogin('ada', String((await begin('ada')).value['url']), 'acme-owner')).toMatch(
      /^\/app\/accounts\?linked_account=[\w-]+$/,
    )
    github.app.installations.delete(66)
  })

  test('tokens of an installation are made with the key of the App, kept in memory for an hour, and never stored', async () => {
    const { app } = world.fakes.github
    const [own] = await world.db.read.select().from(linkedAccounts)
    const id = own?.id ?? ''
    const { deps } = world.it.service
    const before = await world.db.read.$count(secrets)
    const minted = app.minted
    const tokens = await Promise.all([1, 2, 3].map(() => credentialOf(world.other.service.deps, world.tenantId, id)))
    expect([app.minted - minted, new Set(tokens.map((one) => JSON.stringify(one))).size]).toEqual([1, 1])
    const credential = await credentialOf(deps, world.tenantId, id)
    if (typeof credential === 'string') throw new Error(credential)
    expect(Buffer.from(gitAuthorization(credential).slice(6), 'base64').toString()).toBe(
      `x-access-token:${credential.token}`,
    )
    expect(await world.db.read.$count(secrets)).toBe(before)
    const { value } = await send('bob', 'GET', `/linked-accounts/${id}/repositories?q=SPECS`)
    expect((value['repositories'] as { full_name: string }[]).map((one) => one.full_name)).toEqual(['acme/specs'])
    const verify = async () => {
      const answer = await send('ada', 'POST', `/linked-accounts/${id}/verify`)
      return [answer.value['status'], answer.value['last_error']]
    }
    const host = world.fakes.github.host
    const one = app.installations.get(12)
    if (one === undefined) throw new Error('no installation')
    one.suspendedAt = '2026-01-01T00:00:00Z'
    expect(await verify()).toEqual(['revoked', `the installation of the App is suspended at ${host}`])
    expect(await credentialOf(deps, world.tenantId, id)).toBe('account-revoked')
    one.suspendedAt = null
    one.permissions = { contents: 'write' }
    expect(await verify()).toEqual(['active', null])
    expect((await rowOf(id)).scopes).toEqual(['contents:write'])
    app.installations.delete(12)
    expect(await verify()).toEqual(['revoked', `the App was uninstalled at ${host}`])
    app.installations.set(12, one)
    expect(await verify()).toEqual(['active', null])
  })

  test('its deliveries pass the checks of webhooks, and lead to the repositories of the installation', async () => {
    const [own] = await world.db.read.select().from(linkedAccounts)
    const [row] = await world.db.read.select().from(gitApps)
    const at = new Date().toISOString()
    const { tenantId } = world
    const repository = (fullName: string, linkedAccountId: string | null) => ({
      id: newId(),
      tenantId,
      provider: 'github' as const,
      host: world.fakes.github.host,
      source: 'linked_account' as const,
      fullName,
      cloneUrl: `http://${world.fakes.github.host}/${fullName}.git`,
      webUrl: null,
      defaultBranch: 'main',
      isPrivate: true,
      linkedAccountId,
      autoRefreshEnabled: false,
      conflictPolicy: 'hold-for-review' as const,
      healthReasons: [],
      branchesIndexed: 0,
      filesIndexed: 0,
      lastScannedAt: null,
      lastCommitSha: null,
      nextPollAt: null,
      failures: 0,
      createdBy: null,
      createdAt: at,
      updatedAt: at,
    })
    const read = repository('acme/specs', own?.id ?? '')
    await world.db.inTransaction((tx) => tx.insert(repositories).values([read, repository('acme/by-hand', null)]))
    const body = (name: string) =>
      JSON.stringify({ ref: 'refs/heads/main', repository: { id: 1, full_name: name }, installation: { id: 12 } })
    const deliver = async (
      text: string,
      more: { secret?: string; id?: string; event?: string; token?: string } = {},
    ) => {
      const secret = more.secret ?? world.fakes.github.app.hookSecret
      const headers = {
        'x-github-event': more.event ?? 'push',
        'x-github-delivery': more.id ?? newId(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      }
      const url = `http://localhost/v1/hooks/github/${more.token ?? row?.hookToken ?? ''}`
      const request = new Request(url, { method: 'POST', headers, body: text })
      const answer = await world.it.service.handle(noteAddress(request, '203.0.113.5'))
      const value = (await answer.json()) as { outcome?: string; detail?: { code: string } }
      return `${answer.status} ${value.outcome ?? value.detail?.code ?? ''}`
    }
    expect(await deliver(body('Acme/Specs'), { token: 'another' })).toBe('404 hook-unknown')
    expect(await deliver(body('Acme/Specs'), { secret: 'wrong' })).toBe('401 hook-signature')
    expect(await world.db.read.$count(gitAppDeliveries)).toBe(0)
    expect(await deliver(body('Acme/Specs'), { id: 'd1' })).toBe('202 accepted')
    expect(await deliver(body('Acme/Specs'), { id: 'd1' })).toBe('202 duplicate')
    expect(await deliver(body('Acme/By-Hand'))).toBe('202 ignored')
    expect(await deliver(body('Acme/Specs'), { event: 'ping' })).toBe('202 ignored')
    expect(await deliver(body('Acme/Specs'), { event: 'star' })).toBe('202 ignored')
    // A worker looks at the account again.
    world.fakes.github.app.installations.delete(12)
    const changed = JSON.stringify({ action: 'deleted', installation: { id: 12, account: { login: 'acme' } } })
    expect(await deliver(changed, { event: 'installation' })).toBe('202 accepted')
    while ((await rowOf(own?.id ?? '')).status !== 'revoked') await Bun.sleep(20)
    world.fakes.github.app.installations.set(12, installation('acme', 'Acme/Specs', 'Acme/Web'))
    await send('ada', 'POST', `/linked-accounts/${own?.id}/verify`)
    // An organization that takes webhooks from its own networks only.
    const entry = { cidr: '198.51.100.0/24' }
    expect((await send('ada by token', 'POST', '/repository-webhook-ip-allowlist/entries', entry)).status).toBe(201)
    const { deps } = world.it.service
    const strict = { ...deps, hosting: { ...deps.hosting, hooks: { isEnforced: true, isStrict: true, proxyHops: 0 } } }
    const fromNetwork = async (from: string) => {
      const text = body('Acme/Specs')
      const hex = createHmac('sha256', world.fakes.github.app.hookSecret).update(text).digest('hex')
      const headers = { 'x-github-event': 'push', 'x-github-delivery': newId(), 'x-hub-signature-256': `sha256=${hex}` }
      const request = noteAddress(new Request('http://localhost/', { method: 'POST', headers, body: text }), from)
      const [app] = await world.db.read.select().from(gitApps)
      if (app === undefined) throw new Error('no App')
      return (await receiveFromApp(strict, app, request, { bytes: 1000, waitMs: 5000 })).outcome
    }
    expect(await fromNetwork('203.0.113.5')).toBe('ignored')
    expect(await fromNetwork('198.51.100.7')).toBe('accepted')
    // The networks of a cloud hold for its App whatever an organization allows.
    const known = { provider: 'github', ranges: ['192.0.2.0/24'], fetchedAt: at, lastError: null }
    await world.db.inTransaction((tx) => tx.insert(providerRanges).values(known))
    const verdicts = ['192.0.2.9', '198.51.100.7'].map((from) => providerVerdict(deps, 'github.com', from, null))
    expect(await Promise.all(verdicts)).toEqual(['allowed', 'blocked'])
    await sweepAppDeliveries(world.db, Date.now() + 4 * 86_400_000)
    expect(await world.db.read.$count(gitAppDeliveries)).toBe(0)
    await world.db.inTransaction((tx) => tx.delete(repositories))
    expect(world.it.faults).toEqual([])
  })

  test('it is removed once nothing uses it; what was given is nowhere in clear', async () => {
    const [own] = await world.db.read.select().from(linkedAccounts)
    const path = `/_app/providers/github/app?host=${world.fakes.github.host}`
    expect((await send('bob', 'DELETE', path)).brief).toBe('403 operator-required')
    expect((await send('ada', 'DELETE', path)).brief).toBe('409 git-app-in-use')
    const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'))
    await createBackup(world.target, join(folder, 'all.db'), Date.now())
    const all = `${[...world.texts, ...world.log.lines, ...pages].join('\n')}\n${readFileSync(join(folder, 'all.db')).toString('latin1')}`
    rmSync(folder, { recursive: true })
    const { app, oauth } = world.fakes.github
    const planted = [...app.given, ...oauth.given]
    expect(planted.length).toBeGreaterThan(10)
    expect(world.log.lines.filter((line) => line.includes('/_app/providers/github')).length).toBeGreaterThan(2)
    expect(foundIn(all, [...planted, app.privateKey])).toEqual([])
    expect((await send('ada', 'DELETE', `/linked-accounts/${own?.id}`)).status).toBe(204)
    expect((await send('ada', 'DELETE', path)).status).toBe(204)
    expect((await send('ada', 'DELETE', path)).brief).toBe('409 git-app-missing')
    expect([world.it.faults, world.other.faults]).toEqual([[], []])
  })
})
