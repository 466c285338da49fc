import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { environments, securityApprovals } from '../../db/tables.gen.ts'

/** A risky change of a policy that a person can move forward. */
export interface ChangeToDecide {
  readonly id: string
  readonly environment: { readonly slug: string; readonly name: string }
  readonly summary: readonly string[]
  readonly requestedBy: string
  readonly requestedAt: string
  readonly expiresAt: string
  /** approve: it waits for their approval. apply: theirs was approved and waits to be made. */
  readonly step: 'approve' | 'apply'
}

/**
 * The requests that a person may approve, and their own that were approved and are not made yet. What has ended is left out.
 * @param may what the person may do
 * @param now ISO 8601
 */
export async function changesToDecide(
  read: Reader,
  tenantId: string,
  person: string,
  may: { readonly approve: boolean; readonly edit: boolean },
  now: string,
): Promise<readonly ChangeToDecide[]> {
  if (!may.approve && !may.edit) return []
  const it = securityApprovals
  const rows = await read
    .select({
      id: it.id,
      environment: { slug: environments.slug, name: environments.name },
      summary: it.summary,
      requestedBy: it.requestedBy,
      requesters: it.requesters,
      requestedAt: it.requestedAt,
      expiresAt: it.expiresAt,
      approversMin: it.approversMin,
      consents: it.consents,
    })
    .from(it)
    .innerJoin(
      environments,
      and(
        eq(environments.id, it.environmentId),
        eq(environments.tenantId, tenantId),
        eq(environments.policyVersion, it.policyVersion),
      ),
    )
    .where(inTenant(it, tenantId, isNull(it.usedAt), isNull(it.withdrawnAt), gt(it.expiresAt, now)))
    .orderBy(asc(it.requestedAt), asc(it.id))
  return rows.flatMap(({ requesters, approversMin, consents, ...row }): ChangeToDecide[] => {
    const isOwn = requesters.includes(person)
    if (consents.length >= approversMin) return isOwn && may.edit ? [{ ...row, step: 'apply' }] : []
    const isMine = may.approve && !isOwn && consents.every(({ by }) => by !== person)
    return isMine ? [{ ...row, step: 'approve' }] : []
  })
}
