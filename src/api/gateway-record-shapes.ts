/** The shapes of what is recorded about security policies: events, approvals, audit. */
import { Type, type Static } from '@sinclair/typebox'
import { approvalStates, eventActions, groupIds, severities } from '../gateway-policy/door.ts'
import { SecurityPreview } from './gateway-shapes.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

const score = Type.Object({ inbound: Type.Integer(), threshold: Type.Integer(), detection: Type.Integer() })
const match = Type.Object({
  ruleRef: Type.String(),
  groupId: orNull(oneOf(groupIds)),
  paranoia: orNull(Type.Integer()),
  severity: orNull(oneOf(severities)),
  field: orNull(Type.String({ description: 'The name of the field, as "query:q"; never its value.' })),
  length: orNull(Type.Integer({ description: 'How long the value was.' })),
  digest: orNull(
    Type.String({ description: 'A keyed digest of the value: equal for equal values in one environment.' }),
  ),
  shape: orNull(
    Type.String({
      description: 'What the value looked like: letters as "a" or "A", digits as "0", runs as one; null: not kept.',
    }),
  ),
})
export const SecurityEvent = titled(
  'SecurityEventBody',
  Type.Object({
    id: Type.String(),
    at: dateTime(),
    environmentId: Type.String(),
    enforcerId: orNull(Type.String()),
    releaseId: orNull(Type.String()),
    source: Type.String(),
    region: orNull(Type.String()),
    ruleRef: Type.String({ description: 'crs:942100, rule:ID, positive:CHECK or rate:KEY.' }),
    groupId: orNull(oneOf(groupIds)),
    action: oneOf(eventActions),
    route: orNull(Type.String()),
    pathShape: orNull(
      Type.String({ description: 'Where the operation is not known: the path, with "{id}" for what may be a value.' }),
    ),
    method: orNull(Type.String()),
    status: orNull(Type.Integer()),
    count: Type.Integer({ description: 'Number of similar requests that the event counts.' }),
    firstAt: dateTime(),
    lastAt: dateTime(),
    client: Type.Object({
      network: orNull(Type.String({ description: 'The network of the address: /24 or /48.' })),
      digest: orNull(Type.String()),
      country: orNull(Type.String()),
    }),
    score: orNull(score),
    matches: Type.Array(match),
    exceptionIds: Type.Array(Type.String()),
    policyVersion: orNull(Type.Integer()),
    evidence: Type.Array(
      Type.Object({ field: orNull(Type.String()), length: orNull(Type.Integer()), hash: orNull(Type.String()) }),
      { description: 'The request in short, without any value.' },
    ),
  }),
)
export type SecurityEvent = Static<typeof SecurityEvent>

const person = Type.Object({ id: Type.String(), name: Type.String() })
export const SecurityApproval = titled(
  'SlateSecurityApprovalBody',
  Type.Object({
    id: Type.String(),
    environmentId: Type.String(),
    changeDigest: Type.String(),
    operation: Type.String(),
    target: orNull(Type.String()),
    body: Type.Record(Type.String(), Type.Unknown(), { description: 'The body to send again with the approval.' }),
    summary: Type.Array(Type.String(), { description: 'What the change does, in sentences.' }),
    risks: Type.Array(Type.String()),
    preview: orNull(SecurityPreview),
    policyVersion: Type.Integer(),
    requestedBy: person,
    requestedAt: dateTime(),
    expiresAt: dateTime(),
    state: oneOf(approvalStates),
    approversMin: Type.Integer(),
    approvals: Type.Array(Type.Object({ by: person, at: dateTime(), note: Type.String() })),
    approvedBy: orNull(Type.String({ description: 'Who approved it last.' })),
    note: orNull(Type.String()),
    usedAt: orNull(dateTime()),
    applyWhenApproved: Type.Boolean({
      description: 'Whether the last approval that it needs makes the change.',
    }),
    notApplied: orNull(
      Type.Object(
        { code: Type.String(), message: Type.String(), at: dateTime() },
        { description: 'Why the approval did not make the change although it should have; null: nothing failed.' },
      ),
    ),
  }),
)
export type SecurityApproval = Static<typeof SecurityApproval>

export const SecurityAuditRow = titled(
  'SlateSecurityAuditRow',
  Type.Object({
    id: Type.String(),
    seq: Type.Integer({ description: 'Counts the rows of the environment.' }),
    at: dateTime(),
    actor: Type.String({ description: '"user:ID", or the kind and id of a key.' }),
    actorName: Type.String(),
    action: Type.String(),
    target: orNull(Type.String()),
    before: Type.Unknown(),
    after: Type.Unknown(),
    reason: orNull(Type.String()),
    policyVersion: Type.Integer(),
    prevHash: Type.String(),
    hash: Type.String({ description: 'Digest of this row and of `prevHash`.' }),
  }),
)
export type SecurityAuditRow = Static<typeof SecurityAuditRow>
