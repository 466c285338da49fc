import { Type } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { gitProviders } from './linked-accounts.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { may, person, tenantParams, tenantPath } from './kit.ts'

/** The ways to link an account. */
export const linkMethods = ['token', 'oauth', 'app'] as const

export const hostField = Type.Optional(
  orNull(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'HOST or HOST:PORT; the cloud of the provider when omitted.',
    }),
  ),
)

export const returnField = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Path below /app/ that the browser returns to.',
})

/** Linking an account by visiting its provider (RFC 6749 with RFC 7636): no token is copied by a person. */
export const accountAuthorizationApi = {
  methods: endpoint({
    id: 'linked-accounts.methods',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/linked-account-providers`,
    summary: 'List the hosts where accounts can be linked, and the ways to link them',
    description:
      'token: with POST …/linked-accounts. oauth and app: with POST …/authorize, where the operator registered an OAuth client or a GitHub App.',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    response: Type.Object({
      providers: Type.Array(
        titled(
          'AuthorizingProvider',
          Type.Object({ provider: oneOf(gitProviders), host: Type.String(), methods: Type.Array(oneOf(linkMethods)) }),
        ),
      ),
    }),
    errors: [],
  }),
  authorize: endpoint({
    id: 'linked-accounts.authorize',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/linked-accounts/{provider}/authorize`,
    summary: 'Start linking an account: authorize the service at the git provider',
    description:
      'Open the address in a browser within 10 minutes. The browser returns to `return_to` with `linked_account` (its id; of an App the ids of its installations with commas between them) or with `error` (a code) in the query. An account that is linked already is renewed in place.',
    access: person('repositories:edit'),
    params: Type.Object({ ...tenantParams, provider: oneOf(gitProviders) }),
    body: titled(
      'LinkedAccountAuthorize',
      bodyOf({
        host: hostField,
        return_to: returnField,
        owner: Type.Optional(oneOf(['user', 'tenant'])),
        kind: Type.Optional(
          oneOf(
            ['oauth', 'app'],
            'app: link the installations of the GitHub App of the service that you can read in full, for the organization; without one the App is installed first.',
          ),
        ),
        install: Type.Optional(
          Type.Boolean({ description: 'With app: begin by installing the App for another account of GitHub.' }),
        ),
      }),
    ),
    response: titled(
      'LinkedAccountAuthorization',
      Type.Object({ url: Type.String({ description: 'Address at the provider.' }), expires_at: dateTime() }),
    ),
    errors: [
      'provider-unsupported',
      'provider-oauth-missing',
      'git-app-missing',
      'return-to-invalid',
      'public-address-missing',
      'permission-denied',
    ],
  }),
  callback: endpoint({
    id: 'linked-accounts.callback',
    origin: 'own',
    method: 'GET',
    path: '/v1/auth/linked-accounts/callback',
    summary: 'Finish linking an account after the git provider redirects the browser back',
    description:
      'Answers 302 to the application. The state works once, for 10 minutes, for the person who began, and in the browser session that began.',
    access: { anonymous: true, reason: 'The code, the state and the browser session are the credential.' },
    // Whatever a provider appends must not end in a refusal of the schema.
    query: Type.Object(
      {
        code: Type.Optional(Type.String()),
        state: Type.Optional(Type.String()),
        iss: Type.Optional(Type.String()),
        error: Type.Optional(Type.String()),
        installation_id: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
    response: Type.Null(),
    status: 302,
    errors: [],
  }),
} as const
