import { defineDue } from '../schedule/define.ts'

const dayMs = 24 * 3_600_000

/** Days before the end of a token on which its owner is notified, the last one first. */
export const noticeDays = [0, 3, 14] as const

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

/** When an account that was verified now is verified again: in a day, or where its owner is to be notified of the end of its token. */
export function nextVerification(now: number, expiresAt: string | null): number {
  const end = expiresAt === null ? Number.NaN : Date.parse(expiresAt)
  const steps = noticeDays.map((days) => end - days * dayMs).filter((at) => at > now)
  return Math.min(now + dayMs, ...steps)
}
