import { at, isOk, isRefused, listAt, pageIn, scopesOf, textAt } from './answers.ts'
import type { ProviderCalls } from './calls.ts'

const authorization = (email: string | null, token: string): string =>
  email === null ? `Bearer ${token}` : `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`

// An API token of Atlassian names its scopes otherwise than an access token of a workspace or repository.
const readers = /^(?:repository(?::write|:admin)?|(?:read|write|admin):repository:bitbucket)$/

/** Bitbucket Cloud. */
export const bitbucketCloud: ProviderCalls = {
  base: () => 'https://api.bitbucket.org/2.0',
  headers: ({ email, token }) => ({ authorization: authorization(email, token) }),
  gitUser: ({ email }) => (email === null ? 'x-token-auth' : 'x-bitbucket-api-token-auth'),
  async identify(ask) {
    const user = await ask('/user')
    // A token that may read repositories and not the account is as good.
    const seen = isRefused(user) ? await ask('/repositories?role=member&pagelen=1') : user
    if (!isOk(seen)) return null
    const scopes = scopesOf(seen, 'x-oauth-scopes') ?? []
    const login = textAt(user.body, 'username') ?? textAt(user.body, 'nickname') ?? 'access-token'
    const canRead = scopes.length === 0 || scopes.some((one) => readers.test(one))
    return { login, scopes, missing: canRead ? [] : ['repository'], expiresAt: null }
  },
  async list(ask, query, cursor) {
    const page = pageIn(cursor, 1)
    const named = query.replaceAll(/["\\]/g, '')
    const search = named === '' ? '' : `&q=${encodeURIComponent(`full_name ~ "${named}"`)}`
    const answer = await ask(`/repositories?role=member&pagelen=100&sort=full_name&page=${page}${search}`)
    if (!isOk(answer)) return null
    const repositories = listAt(answer.body, 'values').flatMap((entry) => {
      const fullName = textAt(entry, 'full_name')
      if (fullName === null) return []
      return [
        {
          full_name: fullName.toLowerCase(),
          clone_url: `https://bitbucket.org/${fullName}.git`,
          web_url: textAt(entry, 'links', 'html', 'href'),
          default_branch: textAt(entry, 'mainbranch', 'name'),
          private: at(entry, 'is_private') === true,
        },
      ]
    })
    return { repositories, next: textAt(answer.body, 'next') === null ? null : String(page + 1) }
  },
  createHook: (ask, { fullName, url, secret }) =>
    ask(`/repositories/${fullName}/hooks`, {
      method: 'POST',
      body: { description: 'svc', url, active: true, events: ['repo:push'], secret },
    }),
  updateHook: (ask, { fullName, id, url, secret }) =>
    ask(`/repositories/${fullName}/hooks/${encodeURIComponent(id)}`, {
      method: 'PUT',
      body: { description: 'svc', url, active: true, events: ['repo:push'], secret },
    }),
  removeHook: (ask, { fullName, id }) =>
    ask(`/repositories/${fullName}/hooks/${encodeURIComponent(id)}`, { method: 'DELETE' }),
}

const projectOf = (fullName: string): string => {
  const [project = '', repository = ''] = fullName.split('/')
  return `/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(repository)}`
}

const serverHook = (url: string, secret: string) => ({
  name: 'svc',
  url,
  active: true,
  events: ['repo:refs_changed'],
  configuration: { secret },
})

/** Bitbucket Data Center. */
export const bitbucketServer: ProviderCalls = {
  base: (origin) => `${origin}/rest/api/1.0`,
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  gitUser: () => 'x-token-auth',
  async identify(ask) {
    const answer = await ask('/repos?limit=1')
    // It names who asks in a header of every answer; without one it took the request for an anonymous one.
    const login = answer.headers.get('x-ausername')
    if (!isOk(answer) || login === null) return null
    return { login, scopes: [], missing: [], expiresAt: null }
  },
  async list(ask, query, cursor) {
    const start = pageIn(cursor, 0)
    const search = query === '' ? '' : `&name=${encodeURIComponent(query)}`
    const answer = await ask(`/repos?limit=100&start=${start}${search}`)
    if (!isOk(answer)) return null
    const repositories = listAt(answer.body, 'values').flatMap((entry) => {
      const project = textAt(entry, 'project', 'key')
      const slug = textAt(entry, 'slug')
      const clone = listAt(entry, 'links', 'clone').find((link) => textAt(link, 'name') === 'http')
      const cloneUrl = textAt(clone, 'href')
      if (project === null || slug === null || cloneUrl === null) return []
      return [
        {
          full_name: `${project}/${slug}`.toLowerCase(),
          clone_url: cloneUrl.replace(/\/\/[^/@]*@/, '//'),
          web_url: textAt(listAt(entry, 'links', 'self')[0], 'href'),
          default_branch: null,
          private: at(entry, 'public') !== true,
        },
      ]
    })
    const next = at(answer.body, 'nextPageStart')
    return { repositories, next: typeof next === 'number' ? String(next) : null }
  },
  createHook: (ask, { fullName, url, secret }) =>
    ask(`${projectOf(fullName)}/webhooks`, { method: 'POST', body: serverHook(url, secret) }),
  updateHook: (ask, { fullName, id, url, secret }) =>
    ask(`${projectOf(fullName)}/webhooks/${id}`, { method: 'PUT', body: serverHook(url, secret) }),
  removeHook: (ask, { fullName, id }) => ask(`${projectOf(fullName)}/webhooks/${id}`, { method: 'DELETE' }),
}
