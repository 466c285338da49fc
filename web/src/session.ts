import { queryOptions } from '@tanstack/react-query'
import { applicationApi, type SessionRecord } from '../../src/api/application.ts'
import { authApi, type Identity } from '../../src/api/auth.ts'
import type { Permission } from '../../src/api/permissions.ts'
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

/** Whether the person may do something in an organization: it decides what is offered; the service decides what is done. */
export const holds = (identity: Identity | undefined, tenant: string, permission: Permission): boolean =>
  identity?.memberships.some((it) => it.slug === tenant && it.permissions.includes(permission)) ?? false
