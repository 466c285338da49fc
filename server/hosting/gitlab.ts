import { at, instantOf, isOk, listAt, pageIn, textAt } from './answers.ts'
import type { ProviderCalls } from './calls.ts'

/** GitLab, on gitlab.com and self-managed. */
export const gitlab: ProviderCalls = {
  base: (origin) => `${origin}/api/v4`,
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  gitUser: () => 'oauth2',
  async identify(ask) {
    const user = await ask('/user')
    if (!isOk(user)) return null
    const login = textAt(user.body, 'username')
    // OAuth tokens have no such entry: what they may do shows when they are used.
    const own = await ask('/personal_access_tokens/self')
    if (!isOk(own)) return { login, scopes: [], missing: [], expiresAt: null }
    const scopes = listAt(own.body, 'scopes').filter((one) => typeof one === 'string')
    const has = (...names: readonly string[]) => names.some((name) => scopes.includes(name))
    return {
      login,
      scopes,
      missing: [
        ...(has('read_repository', 'write_repository', 'api') ? [] : ['read_repository']),
        ...(has('read_api', 'api') ? [] : ['read_api']),
      ],
      expiresAt: instantOf(textAt(own.body, 'expires_at')),
    }
  },
  async list(ask, query, cursor) {
    const page = pageIn(cursor, 1)
    const search = query === '' ? '' : `&search=${encodeURIComponent(query)}&search_namespaces=true`
    const answer = await ask(
      `/projects?membership=true&simple=true&order_by=path&sort=asc&per_page=100&page=${page}${search}`,
    )
    if (!isOk(answer)) return null
    const repositories = listAt(answer.body).flatMap((entry) => {
      const fullName = textAt(entry, 'path_with_namespace')
      const cloneUrl = textAt(entry, 'http_url_to_repo')
      if (fullName === null || cloneUrl === null) return []
      return [
        {
          full_name: fullName.toLowerCase(),
          clone_url: cloneUrl,
          web_url: textAt(entry, 'web_url'),
          default_branch: textAt(entry, 'default_branch'),
          private: at(entry, 'visibility') !== 'public',
        },
      ]
    })
    const next = answer.headers.get('x-next-page') ?? ''
    return { repositories, next: /^\d{1,9}$/.test(next) ? next : null }
  },
  createHook: (ask, { fullName, url, secret: token }) =>
    ask(`/projects/${encodeURIComponent(fullName)}/hooks`, {
      method: 'POST',
      body: { url, token, push_events: true, tag_push_events: true },
    }),
  updateHook: (ask, { fullName, id, url, secret: token }) =>
    ask(`/projects/${encodeURIComponent(fullName)}/hooks/${id}`, { method: 'PUT', body: { url, token } }),
  removeHook: (ask, { fullName, id }) =>
    ask(`/projects/${encodeURIComponent(fullName)}/hooks/${id}`, { method: 'DELETE' }),
}
