/** Keys that digests of evidence are made with. */
import { createHmac, randomBytes } from 'node:crypto'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { evidenceKeys } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'

/** The key of the organization for digests; made with its first gateway or its first events. */
export async function evidenceKey(deps: Deps, tx: Transaction, tenantId: string): Promise<string> {
  await tx.lock(`gateway-evidence:${tenantId}`)
  const [known] = await tx.select().from(evidenceKeys).where(inTenant(evidenceKeys, tenantId))
  if (known !== undefined) {
    const opened = await deps.vault.open(tx, tenantId, 'gateway-evidence', [known.secretId])
    const secret = opened.get(known.secretId)
    if (secret !== undefined) return secret
  }
  const secret = randomBytes(32).toString('base64')
  const sealed = await deps.vault.seal(tx, { tenantId, purpose: 'gateway-evidence', secret })
  await tx
    .insert(evidenceKeys)
    .values({ tenantId, secretId: sealed.id })
    .onConflictDoUpdate({ target: evidenceKeys.tenantId, set: { secretId: sealed.id } })
  return secret
}

/** The key that the gateways of one environment make digests with, in base64: it says nothing of the key of the organization. */
export const environmentKey = (organizationKey: string, environmentId: string): string =>
  createHmac('sha256', organizationKey).update(`environment:${environmentId}`).digest('base64')
