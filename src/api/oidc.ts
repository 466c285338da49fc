import { Type, type Static } from '@sinclair/typebox'
import { endpoint, formType } from './endpoint.ts'
import { bodyOf, orNull, titled } from '../kernel/shapes.ts'

/** How people can sign in here. */
export const SignInMethods = titled(
  'SignInMethods',
  Type.Object({
    password: Type.Boolean(),
    /** Whether browsers use passkeys at the public address of the service. */
    passkeys: Type.Boolean(),
    /** The issuer the operator configured: `start_url` is a link of this origin, to which `?return_to=/app/…` may be added. */
    oidc: orNull(Type.Object({ name: Type.String(), start_url: Type.String() })),
  }),
)
export type SignInMethods = Static<typeof SignInMethods>

/** Signing in at an OpenID Connect issuer (authorization code with PKCE): the browser visits these two itself. */
export const oidcApi = {
  methods: endpoint({
    id: 'app.sign-in-methods',
    origin: 'own',
    method: 'GET',
    path: '/_app/sign-in-methods',
    summary: 'List the ways to sign in',
    access: { anonymous: true, reason: 'The sign-in page asks before the caller is known.' },
    response: SignInMethods,
    errors: [],
  }),
  start: endpoint({
    id: 'app.oidc.start',
    origin: 'own',
    method: 'GET',
    path: '/_app/oidc/start',
    summary: 'Redirect the browser to the OpenID Connect issuer',
    description: 'Answers 302 to the issuer, or to /app/sign-in?error=CODE.',
    access: { anonymous: true, reason: 'It is how a sign-in starts; the sign-in budget limits it.' },
    query: Type.Object({
      return_to: Type.Optional(
        Type.String({
          maxLength: 2000,
          description: 'Path under /app/ to return to; other values are ignored.',
        }),
      ),
    }),
    response: Type.Null(),
    status: 302,
    errors: [],
  }),
  callback: endpoint({
    id: 'app.oidc.callback',
    origin: 'own',
    method: 'GET',
    path: '/_app/oidc/callback',
    summary: 'Finish a sign-in after the OpenID Connect issuer redirects the browser back',
    description: 'Starts a browser session and answers 302 to the application, or to /app/sign-in?error=CODE.',
    access: { anonymous: true, reason: 'The code and the state of this browser are the credential.' },
    // Whatever an issuer appends must not end in a refusal of the schema.
    query: Type.Object(
      {
        code: Type.Optional(Type.String()),
        state: Type.Optional(Type.String()),
        iss: Type.Optional(Type.String()),
        error: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
    response: Type.Null(),
    status: 302,
    errors: [],
  }),
  signedOut: endpoint({
    id: 'app.oidc.signed-out',
    origin: 'own',
    method: 'GET',
    path: '/_app/oidc/signed-out',
    summary: 'Lead a browser that signed out at the OpenID Connect issuer to the sign-in page',
    access: { anonymous: true, reason: 'Whoever comes back has signed out.' },
    query: Type.Object({}, { additionalProperties: true }),
    response: Type.Null(),
    status: 302,
    errors: [],
  }),
  backchannel: endpoint({
    id: 'app.oidc.backchannel-logout',
    origin: 'own',
    method: 'POST',
    path: '/_app/oidc/backchannel-logout',
    summary: 'End the sessions that the OpenID Connect issuer says have ended (Back-Channel Logout 1.0)',
    access: {
      anonymous: true,
      reason: 'The signed token in the body is the credential; refused ones count as attempts to sign in.',
    },
    body: bodyOf({ logout_token: Type.Optional(Type.String({ maxLength: 16_384 })) }),
    bodyOptional: true,
    bodyLimit: 65_536,
    accepts: [formType],
    response: Type.Null(),
    errors: ['oidc-not-configured', 'logout-token-invalid', 'issuer-unavailable', 'auth-rate-limited'],
  }),
} as const
