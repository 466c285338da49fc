import { Type } from '@sinclair/typebox'
import type { Code } from '../errors.ts'
import { endpoint } from './endpoint.ts'
import { environmentsApi } from './environments.ts'
import { enforcersApi } from './gateway-enforcers.ts'
import { gatewayPositiveApi } from './gateway-positive.ts'
import { releasesApi } from './gateway-releases.ts'
import { gatewayApi } from './gateway.ts'
import { SecurityApproval, SecurityAuditRow, SecurityEvent } from './gateway-record-shapes.ts'
import { ExceptionDraft } from './gateway-shapes.ts'
import { bodyOf, dateTime, oneOf, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import {
  countedStablePage,
  editSecurity,
  environmentErrors,
  environmentParams,
  idParam,
  inEnvironment,
  person,
  securityPath,
  tenantSlugQuery,
  viewSecurity,
} from './kit.ts'

const eventParams = Type.Object({ ...environmentParams, event_id: idParam })
const limitQuery = Type.Object({ ...tenantSlugQuery, ...stableQuery })

/** The media types of recorded events. */
const eventTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'] as const

export const exportCap = 10_000

/** What each change that may need an approval can be refused with. */
const applyErrors = [
  ...new Set(
    [
      environmentsApi.update,
      gatewayApi.setPresets,
      gatewayApi.setManagedGroup,
      gatewayApi.createRule,
      gatewayApi.updateRule,
      gatewayApi.removeRule,
      gatewayApi.restoreRule,
      gatewayApi.createException,
      gatewayApi.removeException,
      gatewayApi.restorePolicyVersion,
      gatewayPositiveApi.setPositive,
      enforcersApi.remove,
      releasesApi.rollback,
    ].flatMap(({ errors }): readonly Code[] => errors),
  ),
]

/** What is recorded about the security of an environment: approvals, audit, events. */
export const gatewayRecordsApi = {
  approvals: endpoint({
    id: 'gateway.approvals',
    origin: 'spec',
    method: 'GET',
    path: `${securityPath}/approvals`,
    summary: 'List requests for approval with the effect of each change, newest first',
    access: viewSecurity,
    params: inEnvironment.params,
    query: limitQuery,
    response: titled(
      'SlateSecurityApprovalsResponse',
      Type.Object({ approvals: Type.Array(SecurityApproval), ...countedStablePage }),
    ),
    errors: environmentErrors,
  }),
  approve: endpoint({
    id: 'gateway.approve',
    origin: 'spec',
    method: 'POST',
    path: `${securityPath}/approvals`,
    summary: 'Approve a change that another person requested, or decline it',
    access: { ...person('security:approve'), tenancy: 'credential' },
    ...inEnvironment,
    body: titled(
      'SlateSecurityApprovalRequest',
      bodyOf({
        changeDigest: Type.String({ minLength: 1, maxLength: 100 }),
        decision: Type.Optional(
          oneOf(['approve', 'withdraw'], 'withdraw: take the request back, or decline that of another person.'),
        ),
        note: Type.Optional(Type.String({ maxLength: 1000 })),
      }),
    ),
    status: 201,
    response: SecurityApproval,
    errors: [
      ...environmentErrors,
      'approval-not-found',
      'approval-self',
      'approval-stale',
      'approval-used',
      'approval-expired',
      'approval-withdrawn',
    ],
  }),
  applyApproval: endpoint({
    id: 'gateway.apply-approval',
    origin: 'own',
    method: 'POST',
    path: `${securityPath}/approvals/{approval_id}/apply`,
    summary: 'Make the change of an approved request, as who requested it',
    description:
      'The change is made exactly as it was requested, once, and on the version of the policy that it was requested for. Sending the change again with `approvalId` does the same.',
    access: editSecurity,
    params: Type.Object({ ...environmentParams, approval_id: idParam }),
    query: inEnvironment.query,
    body: titled(
      'SecurityApprovalApply',
      bodyOf({
        changeDigest: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'The change that is meant: another one is refused.',
          }),
        ),
      }),
    ),
    bodyOptional: true,
    response: titled(
      'SecurityApprovalApplyResponse',
      Type.Object({ approval: SecurityApproval, policyVersion: Type.Integer() }),
    ),
    errors: applyErrors,
  }),
  audit: endpoint({
    id: 'gateway.audit',
    origin: 'spec',
    method: 'GET',
    path: `${securityPath}/audit`,
    summary: 'List the audit trail, most recent first',
    access: viewSecurity,
    params: inEnvironment.params,
    query: limitQuery,
    response: titled(
      'SlateSecurityAuditResponse',
      Type.Object({ rows: Type.Array(SecurityAuditRow), ...countedStablePage }),
    ),
    errors: environmentErrors,
  }),
  exportAudit: endpoint({
    id: 'gateway.export-audit',
    origin: 'spec',
    method: 'GET',
    path: `${securityPath}/audit/export`,
    summary: 'Export the audit trail as CSV, most recent first; the export is recorded too',
    access: { ...viewSecurity, permission: 'security:export' },
    params: inEnvironment.params,
    query: Type.Object({
      ...tenantSlugQuery,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: exportCap, default: exportCap })),
    }),
    response: Type.String(),
    produces: ['text/csv'],
    verbatim: true,
    errors: environmentErrors,
  }),
  events: endpoint({
    id: 'gateway.events',
    origin: 'spec',
    method: 'GET',
    path: `${securityPath}/events`,
    summary: 'List what gateways recorded, most recent first',
    access: viewSecurity,
    params: inEnvironment.params,
    query: Type.Object({
      ...tenantSlugQuery,
      ...stableQuery,
      ruleRef: Type.Optional(Type.String({ description: 'Any rule that matched, as "crs:942100".' })),
      action: Type.Optional(Type.String()),
      route: Type.Optional(Type.String()),
      releaseId: Type.Optional(Type.String()),
      region: Type.Optional(Type.String()),
      source: Type.Optional(Type.String()),
      since: Type.Optional(dateTime('Those with a request at or after it.')),
    }),
    response: titled(
      'SecurityEventsResponse',
      Type.Object({ events: Type.Array(SecurityEvent), ...countedStablePage }),
    ),
    errors: environmentErrors,
  }),
  importEvents: endpoint({
    id: 'gateway.import-events',
    origin: 'own',
    method: 'POST',
    path: `${securityPath}/events`,
    summary: 'Import recorded events: one JSON object per line',
    description:
      'At most 5,000 lines and 5 MB. All lines are stored or none; events whose id is known are skipped. Values are replaced by their length and a keyed digest before anything is stored.',
    access: editSecurity,
    ...inEnvironment,
    body: Type.Unknown({ description: 'Lines of JSON; the guide on gateway policies lists the properties.' }),
    bodyLimit: 5_000_000,
    accepts: eventTypes,
    status: 201,
    response: titled(
      'SecurityEventsImportResponse',
      Type.Object({
        stored: Type.Integer(),
        known: Type.Integer({ description: 'Events that were skipped because they were stored before.' }),
      }),
    ),
    errors: [...environmentErrors, 'event-batch-invalid', 'secret-key-missing'],
  }),
  event: endpoint({
    id: 'gateway.event',
    origin: 'spec',
    method: 'GET',
    path: `${securityPath}/events/{event_id}`,
    summary: 'Show an event with its redacted evidence',
    access: viewSecurity,
    params: eventParams,
    query: inEnvironment.query,
    response: SecurityEvent,
    errors: [...environmentErrors, 'security-event-not-found'],
  }),
  draftException: endpoint({
    id: 'gateway.draft-exception',
    origin: 'own',
    method: 'POST',
    path: `${securityPath}/events/{event_id}/exception-draft`,
    summary: 'Draft the narrowest exception that would have allowed a recorded request',
    access: viewSecurity,
    params: eventParams,
    query: inEnvironment.query,
    response: ExceptionDraft,
    errors: [...environmentErrors, 'security-event-not-found', 'exception-draft-impossible'],
  }),
} as const
