/** The operations that may need an approval. A request for approval names one and holds what it takes. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { securityApprovals } from '../../db/tables.gen.ts'
import type { Grant } from '../auth/door.ts'
import { checkPart } from '../http/door.ts'
import type { Deps } from '../kit/door.ts'

/** Changes of a policy or an environment that may need an approval, as requests for approval name them. */
export const policyOperations = [
  'PATCH /environments',
  'DELETE /environments',
  'PUT /security/presets',
  'PUT /security/managed-groups',
  'PUT /security/positive',
  'POST /security/rules',
  'PUT /security/rules',
  'DELETE /security/rules',
  'POST /security/rules/restore',
  'POST /security/exceptions',
  'DELETE /security/exceptions',
  'POST /security/policy-versions/restore',
] as const
export type PolicyOperation = (typeof policyOperations)[number]
/** The same of gateways. */
export const gatewayOperations = ['DELETE /security/enforcers', 'POST /security/releases/rollback'] as const
export type GatewayOperation = (typeof gatewayOperations)[number]

/** A request for approval as it is stored. */
export type ApprovalRow = typeof securityApprovals.$inferSelect

/** Makes the change that a request for approval names, with its approval. */
export type ApplyChange<D extends Deps = Deps> = (
  deps: D,
  grant: Grant,
  environmentId: string,
  approval: ApprovalRow,
) => Promise<unknown>

/**
 * The body that was requested, with its approval, as an operation takes it.
 * @throws ValidationError where the operation takes it no more
 */
export const checkedBody = <S extends TSchema>(schema: S, { id, body }: ApprovalRow): Static<S> =>
  checkPart('body', schema, { ...body, approvalId: id })
