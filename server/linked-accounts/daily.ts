import { defineDue } from '../schedule/define.ts'

const dayMs = 24 * 3_600_000

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
    if (!row || (await verifyAccount(deps, row, signal)) === null) return null
    return deps.clock.now() + dayMs
  },
})

/** When an account that was verified now is verified again. */
export const nextVerification = (now: number): number => now + dayMs
