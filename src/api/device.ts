import { Type, type Static } from '@sinclair/typebox'
import type { Code } from '../errors.ts'
import { TokenPair } from './auth.ts'
import { endpoint, formType } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { inBrowser } from './kit.ts'

/** What the grant of a device is called in OAuth (RFC 8628, 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Codes that OAuth names (RFC 6749, 5.2; RFC 8628, 3.5): their answers also carry `error`, as its clients expect. */
export const oauthCodes: readonly Code[] = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'invalid_grant',
  'unsupported_grant_type',
]

/** RFC 8628, 3.2: what the program that wants to sign in gets. */
export const DeviceCode = titled(
  'DeviceCode',
  Type.Object({
    device_code: Type.String({ description: 'Secret that the device polls for tokens with.' }),
    user_code: Type.String({ description: 'Code that the user enters: "BCDF-GHJK".' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds until both codes expire.' }),
    interval: Type.Integer({ description: 'Minimum seconds between two polls.' }),
  }),
)
export type DeviceCode = Static<typeof DeviceCode>

/** The tokens of an approved sign-in, and the tenant the person chose for it. */
export const DeviceTokens = titled(
  'DeviceTokens',
  Type.Object({ ...TokenPair.properties, tenant: orNull(Type.String()) }),
)
export type DeviceTokens = Static<typeof DeviceTokens>

const clientId = Type.Optional(Type.String({ maxLength: 100 }))
const redeemed = { device_code: Type.String({ minLength: 1, maxLength: 200 }), client_id: clientId }
const forms = [formType] as const

/** Signing in on another device (RFC 8628): for the command line and for machines without a browser. */
export const deviceApi = {
  code: endpoint({
    id: 'auth.device.code',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/device/code',
    summary: 'Start a device sign-in (RFC 8628)',
    access: {
      anonymous: true,
      reason: 'It only starts a sign-in that a user must approve; the sign-in budget limits it.',
    },
    body: bodyOf({
      client_id: clientId,
      client_name: Type.Optional(
        Type.String({ maxLength: 100, description: 'Shown to the user; the `client_id` is where it is empty.' }),
      ),
      scope: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    bodyOptional: true,
    bodyLimit: 16_384,
    accepts: forms,
    response: DeviceCode,
    errors: ['auth-rate-limited'],
  }),
  token: endpoint({
    id: 'auth.device.token',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/device/token',
    summary: 'Poll for the tokens of a device sign-in (RFC 8628)',
    access: { anonymous: true, reason: 'The device code in the body is the credential.' },
    // Another grant is 400 with a code of OAuth, so the schema lets it through.
    body: bodyOf({ grant_type: Type.Optional(Type.String({ maxLength: 100 })), ...redeemed }),
    describedBody: bodyOf({ grant_type: Type.Optional(oneOf([deviceGrant])), ...redeemed }),
    bodyLimit: 16_384,
    accepts: forms,
    response: DeviceTokens,
    errors: [...oauthCodes, 'auth-rate-limited'],
  }),
} as const

/** A sign-in that waits for a decision, as the person who decides sees it. */
export const DeviceRequest = titled(
  'DeviceRequest',
  Type.Object({
    user_code: Type.String(),
    client_name: Type.String(),
    /** Where it was begun, for the person to compare; null where that is not known. */
    address: orNull(Type.String()),
    created_at: dateTime(),
    expires_at: dateTime(),
  }),
)
export type DeviceRequest = Static<typeof DeviceRequest>

const userCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Upper or lower case, with or without the hyphen.',
})

/** How the application approves or denies a sign-in: a browser session, with its CSRF token. */
export const deviceApprovalApi = {
  lookup: endpoint({
    id: 'app.device.lookup',
    origin: 'own',
    method: 'POST',
    path: '/_app/device',
    summary: 'Get the device sign-in of a user code',
    access: inBrowser(null),
    body: bodyOf({ user_code: userCode }),
    bodyLimit: 16_384,
    response: DeviceRequest,
    errors: ['csrf-token-invalid', 'device-code-unknown', 'auth-rate-limited'],
  }),
  decide: endpoint({
    id: 'app.device.decide',
    origin: 'own',
    method: 'POST',
    path: '/_app/device/decision',
    summary: 'Approve or deny a device sign-in',
    access: inBrowser(null),
    body: bodyOf({
      user_code: userCode,
      approve: Type.Boolean(),
      tenant: Type.Optional(
        orNull(Type.String({ maxLength: 100, description: 'Slug of the organization to work in.' })),
      ),
    }),
    bodyLimit: 16_384,
    response: Type.Object({ status: oneOf(['approved', 'denied']) }),
    errors: ['csrf-token-invalid', 'device-code-unknown', 'tenant-access-denied', 'auth-rate-limited'],
  }),
} as const
