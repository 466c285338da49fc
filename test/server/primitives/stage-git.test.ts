import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { linkedAccounts } from '../../../db/tables.gen.ts'
import { linkedAccountsApi } from '../../../src/api/linked-accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startFakeProvider, type FakeProvider } from '../../fixtures/fake-provider.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'
import { makeRepositories, serveGitOverHttp } from '../sources/git-server.ts'

const token = 'planted-token-0123456789'
const authorization = `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`

onBothEngines('types of repositories', (makeDb) => {
  const git = makeRepositories()
  const served = serveGitOverHttp(git.root, (path, given) => !path.startsWith('/secret') || given === authorization)
  const host = new URL(served.url).host
  let it: PetsProject
  let lab: FakeProvider
  let commit = ''
  let account = ''
  let open = ''
  let secret = ''

  const stage = async (body: object) => {
    const { status, value } = await it.send('POST', '/v1/primitives/local/import/stage', { method: 'git', ...body })
    if (status !== 200) return `${status} ${String(value.detail?.code)}`
    const record = await it.send('GET', `/v1/primitives/local/imports/${String(value['import_id'])}`)
    const names = (value['candidates'] as { name: string }[]).map(({ name }) => name)
    return [names, record.value['method'], record.value['locator']]
  }
  const register = async (body: object) => {
    const { value } = await it.send('POST', '/v1/tenants/local/repositories', body)
    return (value['repository'] as { id: string }).id
  }

  beforeAll(async () => {
    const types = { 'schemas/money.json': '{ "$defs": { "Money": { "type": "object" } } }' }
    git.create('acme/types', types)
    commit = git.create('secret/types', types)
    lab = startFakeProvider('gitlab')
    lab.tokens.set(token, { login: 'ada', scopes: ['read_repository', 'read_api'] })
    it = await openPetsProject(await makeDb(), {
      egressAllow: '127.0.0.0/8',
      gitHosts: `${host}=gitlab,${lab.host}=gitlab`,
    })
    const params = { tenant_slug: 'local' }
    const body = { provider: 'gitlab' as const, host: lab.host, token, owner: 'tenant' as const }
    account = (await it.call(linkedAccountsApi.create, { params, body })).id
    // The fake answers REST where git does not: the account is made for the host of git.
    await it.service.deps.db.inTransaction((tx) =>
      tx.update(linkedAccounts).set({ host }).where(eq(linkedAccounts.id, account)),
    )
    open = await register({ source: 'public_url', cloneUrl: `${served.url}/acme/types/.git` })
    secret = await register({
      source: 'linked_account',
      cloneUrl: `${served.url}/secret/types/.git`,
      linkedAccountId: account,
      repositoryFullName: 'secret/types',
    })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await served.stop()
    await lab.stop()
    git.remove()
  })

  test('a registered repository and a linked account read a file; the commit is kept and the token nowhere', async () => {
    const path = 'schemas/money.json'
    const url = `${served.url}/secret/types/.git`
    const expected = [['Money'], 'git', `${url} ${path} ${commit}`]
    expect(await stage({ repository_id: secret, path })).toEqual(expected)
    expect(await stage({ repository_id: secret, repo_url: url, path, ref: 'main' })).toEqual(expected)
    expect(await stage({ repo_url: url, linked_account_id: account, path: `/${path}` })).toEqual(expected)
    const all = await it.send('GET', '/v1/primitives/local/imports')
    expect(all.text).not.toContain(token)
  })

  test('what cannot be read is refused, each for its reason', async () => {
    const path = 'schemas/money.json'
    const url = `${served.url}/secret/types/.git`
    expect(await stage({ repo_url: url, path })).toBe('502 fetch-failed')
    expect(await stage({ repository_id: 'none', path })).toBe('404 repository-not-found')
    expect(await stage({ repo_url: url, linked_account_id: 'none', path })).toBe('404 linked-account-not-found')
    expect(await stage({ repo_url: url, repository_id: open, path })).toBe('422 source-refused')
    expect(await stage({ repository_id: secret })).toBe('400 stage-locator-missing')
    expect(await stage({ path })).toBe('400 stage-locator-missing')
    expect(await stage({ repository_id: secret, path: 'none.json' })).toBe('502 fetch-failed')
    expect(await stage({ repository_id: secret, path, ref: 'gone' })).toBe('502 fetch-failed')
    const revoke = { status: 'revoked' as const }
    await it.service.deps.db.inTransaction((tx) =>
      tx.update(linkedAccounts).set(revoke).where(eq(linkedAccounts.id, account)),
    )
    expect(await stage({ repository_id: secret, path })).toBe('502 fetch-failed')
  })
})
