import { Type, type Static } from '@sinclair/typebox'
import { UserRecord } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, titled } from '../kernel/shapes.ts'
import { inBrowser } from './kit.ts'

/** A place where a person is signed in: a browser, or a program with tokens such as the command line. */
export const SignInRecord = titled(
  'SignInRecord',
  Type.Object({
    id: Type.String(),
    kind: oneOf(['browser', 'program']),
    user_agent: Type.String({ description: 'User agent of the browser; empty for a program.' }),
    created_at: dateTime(),
    last_seen_at: dateTime('Last use, to the minute; of a program: when it last renewed its tokens.'),
    expires_at: dateTime(),
    current: Type.Boolean({ description: 'The session that asks.' }),
  }),
)
export type SignInRecord = Static<typeof SignInRecord>

/** A person's own account, in the application: their name, and where they are signed in. */
export const accountApi = {
  rename: endpoint({
    id: 'app.account.rename',
    origin: 'own',
    method: 'PATCH',
    path: '/_app/account',
    summary: 'Change your own name',
    access: inBrowser(null),
    body: bodyOf({ name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }) }),
    bodyLimit: 16_384,
    response: UserRecord,
    errors: ['csrf-token-invalid'],
  }),
  signIns: endpoint({
    id: 'app.sign-ins.list',
    origin: 'own',
    method: 'GET',
    path: '/_app/sign-ins',
    summary: 'List where you are signed in, the current session first',
    description: 'At most 100 browsers and 100 programs, the last used first.',
    access: inBrowser(null),
    response: Type.Object({ items: Type.Array(SignInRecord) }),
    errors: [],
  }),
  endSignIn: endpoint({
    id: 'app.sign-ins.end',
    origin: 'own',
    method: 'DELETE',
    path: '/_app/sign-ins/{sign_in_id}',
    summary: 'End one of your sign-ins',
    description: 'A program keeps its access token until it expires, for 15 minutes at most.',
    access: inBrowser(null),
    params: Type.Object({ sign_in_id: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: Type.Null(),
    status: 204,
    errors: ['csrf-token-invalid', 'sign-in-not-found'],
  }),
  endOthers: endpoint({
    id: 'app.sign-ins.end-others',
    origin: 'own',
    method: 'POST',
    path: '/_app/sign-ins/end-others',
    summary: 'End all of your sign-ins except the current session',
    access: inBrowser(null),
    response: Type.Object({ ended: Type.Integer() }),
    errors: ['csrf-token-invalid'],
  }),
} as const
