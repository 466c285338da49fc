import { Type, type Static } from '@sinclair/typebox'
import { dialectNames, engineKinds, gatewayStates } from '../gateway/door.ts'
import { endpoint } from './endpoint.ts'
import { evidenceKinds } from './environments.ts'
import { approvalErrors, approvalQuery } from './gateway-shapes.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { pageQueryOptional } from './shapes.ts'
import {
  editSecurity,
  environmentErrors,
  environmentParams,
  idParam,
  inEnvironment,
  securityPath,
  tenantSlugQuery,
  viewSecurity,
} from './kit.ts'

const base = `${securityPath}/enforcers`
const one = Type.Object({ ...environmentParams, enforcer_id: idParam })
/** Where the key that releases are signed with cannot be stored or read. */
const keyErrors = ['secret-key-missing', 'secret-key-unusable'] as const
const short = (maxLength: number) => Type.String({ minLength: 1, maxLength })

export const Enforcer = titled(
  'SecurityEnforcer',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    engine: oneOf(engineKinds, 'What kind of gateway it is: it decides which configuration it gets.'),
    version: orNull(Type.String({ description: 'Of the engine, as it reports it.' })),
    crs: orNull(Type.String({ description: 'The version of the OWASP Core Rule Set, as it reports it.' })),
    capabilities: Type.Array(Type.String()),
    keyPrefix: Type.String({ description: 'The first characters of its key.' }),
    state: oneOf(
      gatewayStates,
      'current: it reports the newest release as active. behind: it uses an older one or none. failed: it could not use the newest. silent: it has not reported for two minutes.',
    ),
    activeReleaseId: orNull(Type.String({ description: 'The release that it reported as active last.' })),
    lastSeenAt: orNull(dateTime()),
    lastError: orNull(Type.String()),
    createdAt: dateTime(),
    rotatedAt: orNull(dateTime('When its key was replaced last.')),
  }),
)
export type Enforcer = Static<typeof Enforcer>

const withKey = titled(
  'SecurityEnforcerWithKey',
  Type.Object({
    enforcer: Enforcer,
    key: Type.String({ description: 'Only in this answer; it cannot be shown again.' }),
    publicKey: Type.String({
      description: 'The Ed25519 key that releases are signed with, 32 bytes in base64. The gateway keeps it.',
    }),
  }),
)

/** Gateways that follow the policy of an environment. */
export const enforcersApi = {
  list: endpoint({
    id: 'enforcers.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the gateways of an environment with their status, oldest first',
    access: viewSecurity,
    params: inEnvironment.params,
    query: Type.Object({ ...tenantSlugQuery, ...pageQueryOptional }),
    response: titled(
      'SecurityEnforcersResponse',
      Type.Object({
        enforcers: Type.Array(Enforcer),
        publicKey: orNull(Type.String({ description: 'The key that releases are signed with.' })),
        count: Type.Integer(),
        total: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
    ),
    errors: environmentErrors,
  }),
  create: endpoint({
    id: 'enforcers.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Add a gateway; its key is shown only once',
    access: editSecurity,
    ...inEnvironment,
    body: titled(
      'SecurityEnforcerCreate',
      bodyOf({ label: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }), engine: oneOf(engineKinds) }),
    ),
    status: 201,
    response: withKey,
    errors: [...environmentErrors, ...keyErrors, 'enforcer-label-taken', 'security-limit-reached'],
  }),
  remove: endpoint({
    id: 'enforcers.remove',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{enforcer_id}`,
    summary: 'Remove a gateway; its key stops working immediately',
    description: 'The gateway keeps the release that it has and gets no other. This is a risky change.',
    access: editSecurity,
    params: one,
    query: Type.Object({ ...tenantSlugQuery, ...approvalQuery }),
    response: Type.Null(),
    status: 204,
    errors: [...environmentErrors, 'enforcer-not-found', ...approvalErrors],
  }),
  rotate: endpoint({
    id: 'enforcers.rotate',
    origin: 'own',
    method: 'POST',
    path: `${base}/{enforcer_id}/rotate`,
    summary: 'Replace the key of a gateway; the old one stops working immediately',
    access: editSecurity,
    params: one,
    query: inEnvironment.query,
    response: withKey,
    errors: [...environmentErrors, ...keyErrors, 'enforcer-not-found'],
  }),
} as const

export const selfBase = '/v1/slate/enforcers/self'
/** The key of a gateway, and nothing else, reaches the operations of its own enforcer. */
export const asEnforcer = { credentials: ['gateway-key'], permission: null } as const

export const EnforcerStatus = titled(
  'SecurityEnforcerStatus',
  bodyOf({
    releaseId: orNull(Type.String({ maxLength: 100 })),
    state: oneOf(
      ['active', 'failed', 'starting'],
      'active: the engine uses the release. failed: it does not, and keeps an earlier one. starting: nothing is known of the engine yet.',
    ),
    error: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
    engine: Type.Object(
      {
        kind: short(100),
        version: Type.Optional(orNull(short(100))),
        crs: Type.Optional(orNull(short(100))),
      },
      { additionalProperties: false },
    ),
    capabilities: Type.Optional(Type.Array(short(100), { maxItems: 50 })),
  }),
)

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['0'.repeat(64)] })
/** What a gateway pulls. */
export const Bundle = titled(
  'SecurityBundle',
  Type.Object({
    format: Type.Literal(1),
    environment: Type.Object({ id: Type.String(), slug: Type.String() }),
    enforcerId: Type.String(),
    releaseId: Type.String(),
    policyVersion: Type.Integer(),
    engine: oneOf(dialectNames),
    createdAt: dateTime(),
    digest: { ...sha256, description: 'SHA-256 of the canonical JSON of `files` with `path` and `sha256` alone.' },
    files: Type.Array(Type.Object({ path: Type.String(), sha256, text: Type.String() })),
    routes: Type.Array(
      Type.Object({
        method: Type.String(),
        route: Type.String(),
        pattern: Type.String({ description: 'A regular expression of RE2 for the whole path.' }),
      }),
      { description: 'How paths are mapped to the operations of the document.' },
    ),
    evidence: oneOf(evidenceKinds, 'What is recorded of a value that a rule matched.'),
    evidenceKey: Type.String({ description: '32 bytes in base64: the key of digests of values.' }),
    keyId: Type.String(),
    signature: Type.String({ description: 'Ed25519, in base64.' }),
  }),
)
export type Bundle = Static<typeof Bundle>

/** What a gateway calls with its own key. */
export const enforcerSelfApi = {
  bundle: endpoint({
    id: 'enforcer-self.bundle',
    origin: 'own',
    method: 'GET',
    path: `${selfBase}/bundle`,
    summary: 'Get the newest release for the gateway, signed',
    description:
      'Where the gateway has it already (If-None-Match), or there is none yet, the answer waits up to `wait` seconds for another one. The signature is of the canonical JSON (RFC 8785) of the bundle without it.',
    access: asEnforcer,
    query: Type.Object({
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 60, default: 0, description: 'In seconds.' })),
    }),
    response: Bundle,
    answerHeaders: ['etag'],
    errors: ['enforcer-not-found', 'release-not-found', 'secret-unreadable', ...keyErrors],
  }),
  status: endpoint({
    id: 'enforcer-self.status',
    origin: 'own',
    method: 'POST',
    path: `${selfBase}/status`,
    summary: 'Report which release the gateway uses',
    access: asEnforcer,
    body: EnforcerStatus,
    response: Type.Object({}),
    errors: ['enforcer-not-found', 'release-not-found'],
  }),
} as const
