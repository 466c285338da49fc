import { environmentsApi } from '../../../../src/api/environments.ts'
import { enforcersApi } from '../../../../src/api/gateway-enforcers.ts'
import { releasesApi } from '../../../../src/api/gateway-releases.ts'
import type { SecurityApproval } from '../../../../src/api/gateway-record-shapes.ts'
import type {
  ExceptionCreate,
  GroupUpdate,
  PresetsUpdate,
  RuleCreate,
  RuleUpdate,
} from '../../../../src/api/gateway-shapes.ts'
import { gatewayApi } from '../../../../src/api/gateway.ts'
import { call } from '../../call.ts'
import { type EnvironmentAt, environmentInput } from './queries.ts'

type Repeat = (at: EnvironmentAt, approval: SecurityApproval) => Promise<unknown>

/** A change without a body takes its controls in the query. */
const inQuery = (at: EnvironmentAt, { id, policyVersion }: SecurityApproval) => ({
  tenantSlug: at.tenant,
  approvalId: id,
  expectedPolicyVersion: policyVersion,
})
const params = (at: EnvironmentAt, { target }: SecurityApproval) => ({
  environment_id: at.environment,
  rule_id: target ?? '',
  group_id: target ?? '',
  exception_id: target ?? '',
})

/** How each operation is sent again with its approval: exactly what was requested, nothing else. */
const repeats: Readonly<Record<string, Repeat>> = {
  'PATCH /environments': (at, { id, body }) =>
    call(environmentsApi.update, { ...environmentInput(at), body: { ...body, approvalId: id } }),
  'PUT /security/presets': (at, { id, body }) =>
    call(gatewayApi.setPresets, { ...environmentInput(at), body: { ...(body as PresetsUpdate), approvalId: id } }),
  'PUT /security/managed-groups': (at, it) =>
    call(gatewayApi.setManagedGroup, {
      ...environmentInput(at),
      params: params(at, it),
      body: { ...(it.body as GroupUpdate), approvalId: it.id },
    }),
  'POST /security/rules': (at, { id, body }) =>
    call(gatewayApi.createRule, { ...environmentInput(at), body: { ...(body as RuleCreate), approvalId: id } }),
  'PUT /security/rules': (at, it) =>
    call(gatewayApi.updateRule, {
      ...environmentInput(at),
      params: params(at, it),
      body: { ...(it.body as RuleUpdate), approvalId: it.id },
    }),
  'DELETE /security/rules': (at, it) => call(gatewayApi.removeRule, { params: params(at, it), query: inQuery(at, it) }),
  'POST /security/rules/restore': (at, it) =>
    call(gatewayApi.restoreRule, { ...environmentInput(at), params: params(at, it), body: { approvalId: it.id } }),
  'POST /security/exceptions': (at, { id, body }) =>
    call(gatewayApi.createException, {
      ...environmentInput(at),
      body: { ...(body as ExceptionCreate), approvalId: id },
    }),
  'DELETE /security/exceptions': (at, it) =>
    call(gatewayApi.removeException, { params: params(at, it), query: inQuery(at, it) }),
  'DELETE /security/enforcers': (at, { id, target }) =>
    call(enforcersApi.remove, {
      params: { environment_id: at.environment, enforcer_id: target ?? '' },
      query: { tenantSlug: at.tenant, approvalId: id },
    }),
  'POST /security/releases/rollback': (at, it) =>
    call(releasesApi.rollback, {
      params: { environment_id: at.environment, release_id: it.target ?? '' },
      query: { tenantSlug: at.tenant },
      body: { ...(it.body as { reason?: string }), approvalId: it.id },
    }),
  'POST /security/policy-versions/restore': (at, it) =>
    call(gatewayApi.restorePolicyVersion, {
      ...environmentInput(at),
      params: { environment_id: at.environment, version: Number(it.target) },
      body: { approvalId: it.id },
    }),
}

/** Makes the change that was approved, as who requested it; null where this page does not know its operation. */
export const repeatOf = (at: EnvironmentAt, approval: SecurityApproval): (() => Promise<unknown>) | null => {
  const repeat = repeats[approval.operation]
  return repeat === undefined ? null : () => repeat(at, approval)
}
