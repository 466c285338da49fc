import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { asEnforcer, selfBase } from './gateway-enforcers.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { VersionRecord } from './versions.ts'
import {
  environmentErrors,
  inEnvironment,
  may,
  securityPath,
  tenantSlugQuery,
  versionErrors,
  viewSecurity,
} from './kit.ts'

/** The media types of lines of events. */
const eventTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'] as const

/** What a gateway sends with its own key. */
export const enforcerEventsApi = {
  events: endpoint({
    id: 'enforcer-self.events',
    origin: 'own',
    method: 'POST',
    path: `${selfBase}/events`,
    summary: 'Send recorded events: one JSON object per line',
    description:
      'At most 500 lines and 1 MB, also after gzip was undone. All lines are stored or none; those whose id was sent before are skipped. Where a gateway begins more than 50 rows in a second, further ones are counted and no event of them is kept. Unknown properties are left out; nothing that a client wrote is stored.',
    access: asEnforcer,
    headers: Type.Object({
      'content-encoding': Type.Optional(oneOf(['gzip', 'identity'])),
    }),
    body: Type.Unknown({ description: 'Lines of JSON; the guide on gateway policies lists the properties.' }),
    bodyLimit: 1_000_000,
    accepts: eventTypes,
    response: titled(
      'EnforcerEventsResponse',
      Type.Object({
        accepted: Type.Integer({ description: 'Lines that were stored as an event or counted.' }),
        duplicates: Type.Integer({ description: 'Lines that were skipped because they were sent before.' }),
        throttled: Type.Integer({
          description: 'Lines that were counted but not stored, because there were too many.',
        }),
      }),
    ),
    errors: [
      'enforcer-not-found',
      'environment-not-found',
      'event-batch-invalid',
      'events-throttled',
      'body-too-large',
      'request-malformed',
    ],
  }),
} as const

const calls = {
  count: Type.Integer(),
  firstAt: orNull(dateTime()),
  lastAt: orNull(dateTime()),
}
export const SecurityCoverage = titled(
  'SecurityCoverageResponse',
  Type.Object({
    since: dateTime(),
    days: Type.Integer(),
    documents: Type.Array(
      Type.Object({
        projectId: Type.String(),
        project: Type.String(),
        versionId: Type.String(),
        version: Type.String(),
      }),
      {
        description:
          'The version that the policy is bound to; without a binding those in production of the projects of the environment.',
      },
    ),
    prefixes: Type.Array(Type.String(), {
      description:
        'What paths at the gateway begin with: those of the servers of the documents as far as calls have them, the prefix of the binding, and the base paths of the environment. A "*" is any text.',
    }),
    operations: Type.Array(
      Type.Object({
        project: Type.String(),
        method: Type.String(),
        path: Type.String(),
        operationId: orNull(Type.String()),
        deprecated: Type.Boolean(),
        ...calls,
      }),
      { description: 'What the documents declare, in their order, with how often it was called.' },
    ),
    neverSeen: Type.Integer({ description: 'How many of them were never called.' }),
    undeclared: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String({ description: 'With "{id}" for what may be a value.' }),
        kind: oneOf(
          ['path', 'method', 'outside'],
          'path: no document has it. method: a document has the path without this method. outside: it is not below the prefix.',
        ),
        ...calls,
      }),
      { description: 'Calls that no document declares, most frequent first; at most 500.' },
    ),
    undeclaredTotal: Type.Integer(),
    otherCalls: Type.Integer({ description: 'Calls of further paths, which are counted together.' }),
  }),
)
export type SecurityCoverage = Static<typeof SecurityCoverage>

export const additionsLimit = 100
const days = Type.Integer({ minimum: 1, maximum: 90, default: 30 })
export const CoverageDraft = titled(
  'SecurityCoverageDraft',
  bodyOf({
    operations: Type.Array(
      Type.Object(
        { method: Type.String({ maxLength: 16 }), path: Type.String({ maxLength: 500, pattern: '^/' }) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: additionsLimit, description: 'Operations as the coverage lists them.' },
    ),
    project: Type.Optional(Type.String({ description: 'Where several documents are behind the gateway: which.' })),
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Of the draft; otherwise the next minor version.' }),
    ),
    days: Type.Optional(days),
  }),
)
export type CoverageDraft = Static<typeof CoverageDraft>

/** What gateways saw over time. */
export const gatewayEventsApi = {
  eventCounts: endpoint({
    id: 'gateway.event-counts',
    origin: 'own',
    method: 'GET',
    path: `${securityPath}/event-counts`,
    summary: 'Count recorded requests over time, by result',
    access: viewSecurity,
    params: inEnvironment.params,
    query: Type.Object({
      ...tenantSlugQuery,
      span: Type.Optional(oneOf(['minute', 'hour'], 'Minutes are kept for two days, hours for thirty.')),
      from: Type.Optional(dateTime('24 hours ago, or two hours for minutes, where it is left out.')),
      to: Type.Optional(dateTime('Now where it is left out.')),
    }),
    response: titled(
      'SecurityEventCountsResponse',
      Type.Object({
        span: oneOf(['minute', 'hour']),
        from: dateTime(),
        to: dateTime(),
        buckets: Type.Array(Type.Object({ at: dateTime(), counts: Type.Record(Type.String(), Type.Integer()) }), {
          description: 'In the order of time; those without any request are left out.',
        }),
        total: Type.Integer(),
        withoutEvent: Type.Integer({
          description: 'Requests that were counted but not stored, because there were too many.',
        }),
      }),
    ),
    errors: [...environmentErrors, 'request-malformed'],
  }),
} as const

/** Which operations of the documents behind gateways were called. */
export const gatewayCoverageApi = {
  coverage: endpoint({
    id: 'gateway.coverage',
    origin: 'own',
    method: 'GET',
    path: `${securityPath}/coverage`,
    summary: 'Show operations that were never called, and calls to operations that no document declares',
    access: viewSecurity,
    params: inEnvironment.params,
    query: Type.Object({ ...tenantSlugQuery, days: Type.Optional(days) }),
    response: SecurityCoverage,
    errors: environmentErrors,
  }),
  draftCoverage: endpoint({
    id: 'gateway.draft-coverage',
    origin: 'own',
    method: 'POST',
    path: `${securityPath}/coverage/drafts`,
    summary: 'Create a draft that adds the operations that were called but are not in the document',
    description:
      'The draft says where each was seen and that nothing else is known of it. The path has a name for each parameter.',
    access: { ...may('versions:edit'), tenancy: 'credential' },
    ...inEnvironment,
    body: CoverageDraft,
    status: 201,
    response: titled(
      'SecurityCoverageDraftResponse',
      Type.Object({
        version: VersionRecord,
        from: Type.String({ description: 'The version that the draft began with.' }),
        added: Type.Array(Type.String()),
      }),
    ),
    errors: [
      ...environmentErrors,
      'permission-denied',
      'coverage-unbound',
      'coverage-operation-invalid',
      'analysis-stopped',
      ...versionErrors,
      'version-exists',
      'version-label-invalid',
      'document-invalid',
      'format-unknown',
      'quota-exceeded',
    ],
  }),
} as const
