import type { AccountRepository } from '../../src/api/linked-accounts.ts'
import { instantOf, isOk, listAt, pageIn, scopesOf, textAt, at } from './answers.ts'
import type { ProviderCalls, RepositoryPage } from './calls.ts'

const perPage = 100
/** Pages of the provider that one page of ours looks through for names. */
const mostPages = 5

function repositoryOf(value: unknown): AccountRepository | null {
  const fullName = textAt(value, 'full_name')
  const cloneUrl = textAt(value, 'clone_url')
  if (fullName === null || cloneUrl === null) return null
  return {
    full_name: fullName.toLowerCase(),
    clone_url: cloneUrl,
    web_url: textAt(value, 'html_url'),
    default_branch: textAt(value, 'default_branch'),
    private: at(value, 'private') === true,
  }
}

/** Lists what is behind an address, filtered by names: GitHub itself cannot. */
const listOf =
  (path: string, listIn: (body: unknown) => readonly unknown[]): ProviderCalls['list'] =>
  async (ask, query, cursor) => {
    const found: AccountRepository[] = []
    let page = pageIn(cursor, 1)
    for (let n = 0; n < mostPages; n++, page++) {
      const answer = await ask(`${path}${path.includes('?') ? '&' : '?'}per_page=${perPage}&page=${page}`)
      if (!isOk(answer)) return null
      const all = listIn(answer.body)
      const named = all.map(repositoryOf).filter((it) => it !== null)
      found.push(...named.filter((it) => it.full_name.includes(query.toLowerCase())))
      if (all.length < perPage) return { repositories: found, next: null } satisfies RepositoryPage
      if (found.length >= perPage) break
    }
    return { repositories: found, next: String(page + (found.length >= perPage ? 1 : 0)) }
  }

/** GitHub and GitHub Enterprise Server. */
export const github: ProviderCalls = {
  base: (origin) => (origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`),
  headers: ({ token }) => ({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  gitUser: () => 'x-access-token',
  async identify(ask) {
    const answer = await ask('/user')
    if (!isOk(answer)) return null
    const login = textAt(answer.body, 'login')
    // Only classic tokens list scopes; of a fine-grained one the repositories themselves decide.
    const scopes = scopesOf(answer, 'x-oauth-scopes')
    const canRead =
      scopes === null || scopes.length === 0 || scopes.some((one) => one === 'repo' || one === 'public_repo')
    return {
      login,
      scopes: scopes ?? [],
      missing: canRead ? [] : ['repo'],
      expiresAt: instantOf(answer.headers.get('github-authentication-token-expiration')),
    }
  },
  list: listOf('/user/repos?sort=full_name', (body) => listAt(body)),
  createHook: (ask, { fullName, url, secret }) =>
    ask(`/repos/${fullName}/hooks`, {
      method: 'POST',
      body: { name: 'web', active: true, events: ['push'], config: { url, content_type: 'json', secret } },
    }),
  updateHook: (ask, { fullName, id, url, secret }) =>
    ask(`/repos/${fullName}/hooks/${id}/config`, { method: 'PATCH', body: { url, content_type: 'json', secret } }),
  removeHook: (ask, { fullName, id }) => ask(`/repos/${fullName}/hooks/${id}`, { method: 'DELETE' }),
}

/** The same with a token of an installation of an App: it reads the repositories that the installation was given. */
export const githubInstallation: ProviderCalls = {
  ...github,
  list: listOf('/installation/repositories', (body) => listAt(body, 'repositories')),
}
