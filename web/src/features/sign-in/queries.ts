import { queryOptions } from '@tanstack/react-query'
import { applicationApi } from '../../../../src/api/application.ts'
import { oidcApi } from '../../../../src/api/oidc.ts'
import { call } from '../../call.ts'

/** The ways to sign in that this service offers. */
export const methodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => call(oidcApi.methods, {}),
  staleTime: Number.POSITIVE_INFINITY,
})

export const passwordResetQuery = (token: string) =>
  queryOptions({
    queryKey: ['password-reset'],
    queryFn: () => call(applicationApi.passwordReset, { body: { token } }),
  })

export const invitationQuery = (token: string) =>
  queryOptions({
    // The token is not part of the key: developer tools show keys.
    queryKey: ['invitation'],
    queryFn: () => call(applicationApi.invitation, { body: { token } }),
  })
