import { queryOptions } from '@tanstack/react-query'
import { applicationApi, type SessionRecord } from '../../src/api/application.ts'
import { authApi, type Identity } from '../../src/api/auth.ts'
import { type Permission, projectPermissions } from '../../src/api/permissions.ts'
import { call, rememberCsrfToken } from './call.ts'
import { forgetKept } from './parts/kept.ts'
import { queryClient } from './query-client.ts'

export type Membership = Identity['memberships'][number]

/** Takes over what the service says about the browser session, its CSRF token included. */
const adopt = (session: SessionRecord): SessionRecord => {
  rememberCsrfToken(session.csrf_token)
  return session
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => adopt(await call(applicationApi.session, {})),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Who is signed in, where they belong and what they may do there. */
export const identityQuery = queryOptions({
  queryKey: ['identity'],
  queryFn: () => call(authApi.me, {}),
  staleTime: 60_000,
})

/** Reads the person and their memberships again. */
export const refreshIdentity = (): Promise<void> => queryClient.invalidateQueries({ queryKey: identityQuery.queryKey })

/** A new session starts without the cached data of the previous one. */
export const begin = (session: SessionRecord): void => {
  queryClient.clear()
  forgetKept()
  queryClient.setQueryData(sessionQuery.queryKey, adopt(session))
}

/** Signs in; `tenant` says which one is meant where an address has accounts of several organizations. */
export const signIn = async (email: string, password: string, tenant: string | null): Promise<void> => {
  const body = { email, password, ...(tenant === null ? {} : { tenant_slug: tenant }) }
  begin(await call(applicationApi.login, { body }))
}

export const claim = async (token: string, email: string, name: string, password: string): Promise<void> =>
  begin(await call(applicationApi.claim, { body: { token, email, name, password } }))

/** Accepts an invitation and signs in: with the password of the account, or as a new person with a name. */
export const acceptInvitation = async (token: string, name: string | null, password: string): Promise<void> =>
  begin(await call(applicationApi.acceptInvitation, { body: { token, password, ...(name === null ? {} : { name }) } }))

/** Sets the password of the account that a link is for, and signs in. */
export const resetPassword = async (token: string, password: string): Promise<void> =>
  begin(await call(applicationApi.resetPassword, { body: { token, password } }))

export const signOut = async (): Promise<void> => {
  const ended = (await call(applicationApi.logout, {})) as { readonly location: string } | null
  // Where the operator wants it, the session at the identity provider ends too.
  if (ended !== null) return location.assign(ended.location)
  begin({ claimed: true, user: null, csrf_token: null })
}

/** The project that the address of the page names, an id or a slug; null: none. */
const projectOfPage = (): string | null => {
  const [, project = '-'] = /\/t\/[^/]+\/([^/?#]+)/.exec(globalThis.location?.pathname ?? '') ?? []
  return project === '-' ? null : decodeURIComponent(project)
}

/**
 * Whether the person may do something in an organization, or on the project of the page: it decides what is offered; the service decides
 * what is done.
 */
export const holds = (identity: Identity | undefined, tenant: string, permission: Permission): boolean => {
  const own = identity?.memberships.find((it) => it.slug === tenant)
  if (own === undefined) return false
  if (own.permissions.includes(permission)) return true
  const project = projectOfPage()
  const role = own.projects?.find((it) => it.slug === project || it.id === project)?.role
  return role !== undefined && projectPermissions[role].has(permission)
}

/** Whether a page of an organization is offered to the person: guests get those that show their projects. */
export const opens = (
  identity: Identity | undefined,
  tenant: string,
  page: { readonly permission: Permission; readonly forGuests?: true },
): boolean => {
  const own = identity?.memberships.find((it) => it.slug === tenant)
  return (own?.role !== 'guest' || page.forGuests === true) && holds(identity, tenant, page.permission)
}
