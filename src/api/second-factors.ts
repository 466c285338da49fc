import { Type, type Static } from '@sinclair/typebox'
import { SessionRecord } from './application.ts'
import { TokenPair } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { inBrowser, person } from './kit.ts'
import { bodyOf, dateTime, orNull, titled } from '../kernel/shapes.ts'

/** What a person can prove besides their password. */
export const factorMethods = ['totp', 'passkey', 'recovery-code'] as const
export type FactorMethod = (typeof factorMethods)[number]

const password = Type.String({ minLength: 1, maxLength: 1024, description: 'The password of the account.' })
const code = Type.String({ minLength: 1, maxLength: 20, description: 'Six digits of the authenticator app.' })
const nextCode = Type.String({
  minLength: 1,
  maxLength: 20,
  description:
    'The six digits that the app shows after `code`. The refusal `next-code-required` asks for them; they are accepted at any time.',
})
const recoveryCode = Type.String({ minLength: 1, maxLength: 40, description: 'A recovery code; it is accepted once.' })
const ticket = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The ticket of the refusal `second-factor-required`.',
})

/** The ten codes of a person, which are shown once. */
const codes = Type.Array(Type.String(), {
  description: 'Ten codes, each accepted once. They cannot be shown again.',
})

/** A passkey as lists show it. */
export const PasskeyRecord = titled(
  'PasskeyRecord',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    synced: Type.Boolean({ description: 'Whether its password manager copies it to other devices.' }),
    added_at: dateTime(),
    last_used_at: orNull(dateTime()),
  }),
)
export type PasskeyRecord = Static<typeof PasskeyRecord>

const bytes = (maxLength: number) => Type.String({ maxLength, description: 'Bytes in base64url.' })
const credential = {
  id: bytes(2000),
  rawId: bytes(2000),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Type.Unknown()),
  authenticatorAttachment: Type.Optional(Type.Unknown()),
}

/** What a browser answers that was asked to make a passkey (WebAuthn Level 3, RegistrationResponseJSON). */
export const PasskeyRegistration = titled(
  'PasskeyRegistration',
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(4000),
      attestationObject: bytes(20_000),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
    }),
  }),
)
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

/** What a browser answers that was asked to sign with a passkey (WebAuthn Level 3, AuthenticationResponseJSON). */
export const PasskeyAnswer = titled(
  'PasskeyAnswer',
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(4000),
      authenticatorData: bytes(4000),
      signature: bytes(4000),
      userHandle: Type.Optional(orNull(bytes(200))),
    }),
  }),
)
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

const passkeyOptions = (of: string) => Type.Unknown({ description: `What \`${of}\` of the browser takes, as JSON.` })

/** The second factors of the person who asks. */
export const SecondFactors = titled(
  'SecondFactors',
  Type.Object({
    has_password: Type.Boolean({
      description: 'False for people who sign in at an identity provider only: it asks for a second factor itself.',
    }),
    enabled: Type.Boolean({ description: 'Whether signing in with the password requires a second factor.' }),
    authenticator_app: orNull(Type.Object({ added_at: dateTime(), last_used_at: orNull(dateTime()) })),
    passkeys: Type.Array(PasskeyRecord),
    recovery_codes: Type.Object({
      left: Type.Integer({ description: 'Codes that were not used yet.' }),
      created_at: orNull(dateTime()),
    }),
  }),
)
export type SecondFactors = Static<typeof SecondFactors>

export const AuthenticatorSecret = titled(
  'AuthenticatorSecret',
  Type.Object({
    secret: Type.String({ description: 'Base32, for typing it into the app.' }),
    uri: Type.String({ description: 'otpauth:// address, for a QR code.' }),
  }),
)
export type AuthenticatorSecret = Static<typeof AuthenticatorSecret>

/** What adding a factor gives: recovery codes with the first one. */
export const AddedFactor = titled(
  'AddedFactor',
  Type.Object({
    recovery_codes: orNull(
      Type.Array(Type.String(), {
        description: 'With the first second factor: ten codes, each accepted once. They cannot be shown again.',
      }),
    ),
  }),
)
export type AddedFactor = Static<typeof AddedFactor>

const base = '/v1/auth/second-factors'
const bodyLimit = 16_384
const proofErrors = ['credentials-invalid', 'password-missing', 'auth-rate-limited'] as const

/** Second factors of people with passwords: authenticator apps (RFC 6238) and recovery codes. */
export const secondFactorsApi = {
  show: endpoint({
    id: 'second-factors.show',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'Get your own second factors',
    access: person(null),
    response: SecondFactors,
    errors: [],
  }),
  beginApp: endpoint({
    id: 'second-factors.app.begin',
    origin: 'own',
    method: 'POST',
    path: `${base}/app`,
    summary: 'Create the secret of an authenticator app',
    description:
      'The app is in use once its first code is confirmed. An app that is in use stays so until then. Without a confirmation the secret ends after 24 hours.',
    access: person(null),
    body: bodyOf({ current_password: password }),
    bodyLimit,
    response: AuthenticatorSecret,
    status: 201,
    errors: [...proofErrors, 'secret-key-missing', 'secret-key-unusable'],
  }),
  confirmApp: endpoint({
    id: 'second-factors.app.confirm',
    origin: 'own',
    method: 'POST',
    path: `${base}/app/confirm`,
    summary: 'Confirm an authenticator app with its first code',
    description: 'It replaces the app that was in use before.',
    access: person(null),
    body: bodyOf({ code }),
    bodyLimit,
    response: AddedFactor,
    errors: ['second-factor-not-found', 'second-factor-wrong', 'auth-rate-limited'],
  }),
  removeApp: endpoint({
    id: 'second-factors.app.remove',
    origin: 'own',
    method: 'POST',
    path: `${base}/app/remove`,
    summary: 'Remove the authenticator app',
    description: 'Recovery codes are removed with the last second factor.',
    access: person(null),
    body: bodyOf({ current_password: password }),
    bodyLimit,
    response: Type.Null(),
    status: 204,
    errors: [...proofErrors, 'second-factor-not-found', 'second-factor-enforced'],
  }),
  renewCodes: endpoint({
    id: 'second-factors.recovery-codes.renew',
    origin: 'own',
    method: 'POST',
    path: `${base}/recovery-codes`,
    summary: 'Replace the recovery codes; the new ones are shown once',
    access: person(null),
    body: bodyOf({ current_password: password }),
    bodyLimit,
    response: Type.Object({ recovery_codes: codes }),
    status: 201,
    errors: [...proofErrors, 'second-factor-not-found'],
  }),
} as const

const passkeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const passkeyParams = Type.Object({ passkey_id: Type.String({ minLength: 1, maxLength: 100 }) })

/** A person's own passkeys, which only a browser makes. */
export const passkeysApi = {
  begin: endpoint({
    id: 'app.passkeys.begin',
    origin: 'own',
    method: 'POST',
    path: '/_app/passkeys/options',
    summary: 'Get what a browser needs to make a passkey',
    description: 'The answer works once, for five minutes, in this session. A person has ten passkeys at most.',
    access: inBrowser(null),
    body: bodyOf({ current_password: password }),
    bodyLimit,
    response: Type.Object({ ticket: Type.String(), options: passkeyOptions('navigator.credentials.create') }),
    errors: ['csrf-token-invalid', ...proofErrors, 'passkeys-unavailable', 'passkeys-exceeded'],
  }),
  add: endpoint({
    id: 'app.passkeys.add',
    origin: 'own',
    method: 'POST',
    path: '/_app/passkeys',
    summary: 'Add the passkey that the browser made',
    access: inBrowser(null),
    body: bodyOf({ ticket, name: passkeyName, passkey: PasskeyRegistration }),
    bodyLimit: 65_536,
    response: AddedFactor,
    status: 201,
    errors: [
      'csrf-token-invalid',
      'passkeys-unavailable',
      'passkeys-exceeded',
      'passkey-refused',
      'sign-in-ticket-invalid',
    ],
  }),
  rename: endpoint({
    id: 'app.passkeys.rename',
    origin: 'own',
    method: 'PATCH',
    path: '/_app/passkeys/{passkey_id}',
    summary: 'Rename a passkey',
    access: inBrowser(null),
    params: passkeyParams,
    body: bodyOf({ name: passkeyName }),
    bodyLimit,
    response: PasskeyRecord,
    errors: ['csrf-token-invalid', 'second-factor-not-found'],
  }),
  remove: endpoint({
    id: 'app.passkeys.remove',
    origin: 'own',
    method: 'POST',
    path: '/_app/passkeys/{passkey_id}/remove',
    summary: 'Remove a passkey',
    access: inBrowser(null),
    params: passkeyParams,
    body: bodyOf({ current_password: password }),
    bodyLimit,
    response: Type.Null(),
    status: 204,
    errors: ['csrf-token-invalid', ...proofErrors, 'second-factor-not-found', 'second-factor-enforced'],
  }),
} as const

const secondStep = {
  ticket,
  code: Type.Optional(code),
  next_code: Type.Optional(nextCode),
  recovery_code: Type.Optional(recoveryCode),
}
const secondStepErrors = [
  'sign-in-ticket-invalid',
  'second-factor-wrong',
  'next-code-required',
  'auth-rate-limited',
] as const

/** The second step of signing in, for programs and for the application. */
export const secondStepApi = {
  passkey: endpoint({
    id: 'app.login.passkey',
    origin: 'own',
    method: 'POST',
    path: '/_app/login/passkey',
    summary: 'Get what a browser needs to sign with a passkey',
    description:
      'With the ticket of a refused sign-in: one of the passkeys of that account, as the second factor. Without: any passkey whose authenticator verifies the person, in place of the password too.',
    access: { anonymous: true, reason: 'It is how signing in with a passkey begins; the sign-in budget limits it.' },
    body: bodyOf({ ticket: Type.Optional(ticket) }),
    bodyLimit,
    response: Type.Object({ ticket: Type.String(), options: passkeyOptions('navigator.credentials.get') }),
    errors: [
      'sign-in-ticket-invalid',
      'second-factor-not-found',
      'passkeys-unavailable',
      'auth-rate-limited',
      'cross-site-request',
    ],
  }),
  program: endpoint({
    id: 'auth.login.second-factor',
    origin: 'own',
    method: 'POST',
    path: '/v1/auth/login/second-factor',
    summary: 'Finish a sign-in with a second factor',
    description:
      'Takes the ticket of the refused sign-in, which works once and for five minutes, and one second factor. After too many wrong codes from places where the person has not signed in, `next-code-required` asks such places for two consecutive codes of the app.',
    access: { anonymous: true, reason: 'The ticket in the body is issued for the right password.' },
    body: bodyOf(secondStep),
    bodyLimit,
    response: TokenPair,
    errors: secondStepErrors,
  }),
  browser: endpoint({
    id: 'app.login.second-factor',
    origin: 'own',
    method: 'POST',
    path: '/_app/login/second-factor',
    summary: 'Finish signing in to the application with a second factor',
    description: 'Also finishes a sign-in with a passkey alone, which begins without a password.',
    access: { anonymous: true, reason: 'The ticket in the body is issued for the right password, or a passkey signs.' },
    body: bodyOf({ ...secondStep, passkey: Type.Optional(PasskeyAnswer) }),
    bodyLimit,
    response: SessionRecord,
    errors: [
      ...secondStepErrors,
      'credentials-invalid',
      'passkeys-unavailable',
      'passkey-refused',
      'invitation-invalid',
      'quota-exceeded',
      'member-exists',
      'membership-suspended',
      'cross-site-request',
    ],
  }),
} as const
