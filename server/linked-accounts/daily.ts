import { defineDue } from '../schedule/door.ts'
import { nextVerification } from './expiry.ts'

/** Verifies a linked account each day, so that a token that a provider does not accept any more is known before it is needed. */
export const verifyAccountKind = defineDue({
  kind: 'account.verify',
  longestMs: 60_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const [{ eq }, { inTenant }, { linkedAccounts }, { verifyAccount }] = await Promise.all([
      import('drizzle-orm'),
      import('../../db/conditions.ts'),
      import('../../db/tables.gen.ts'),
      import('./verify.ts'),
    ])
    const own = inTenant(linkedAccounts, tenantId ?? '', eq(linkedAccounts.id, subjectId))
    const [row] = await deps.db.read.select().from(linkedAccounts).where(own)
    if (!row) return null
    const next = await verifyAccount(deps, row, signal)
    // Null: its token was replaced meanwhile.
    return nextVerification(deps.clock.now(), next === null ? null : next.expiresAt)
  },
})
