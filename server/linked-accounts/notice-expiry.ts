import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { linkedAccounts, tenants } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { sendNotifications } from '../notifications/door.ts'
import { administratorsOf } from '../auth/door.ts'
import { noticeDays } from './expiry.ts'
import { ofTenant, type AccountRow } from './record.ts'

const dayMs = 24 * 3_600_000

/** Notifies the owner of an account, or the administrators for one of the organization, 14, 3 and 0 days before its token expires. */
export async function noticeExpiry(deps: Deps, tx: Transaction, row: AccountRow): Promise<void> {
  if (row.expiresAt === null) return
  const left = Date.parse(row.expiresAt) - deps.clock.now()
  const step = noticeDays.find((days) => left <= days * dayMs)
  if (step === undefined || (row.noticedDays !== null && row.noticedDays <= step)) return
  const own = inTenant(linkedAccounts, row.tenantId, eq(linkedAccounts.id, row.id))
  await tx.update(linkedAccounts).set({ noticedDays: step }).where(own)
  const when = left <= 0 ? 'has expired' : `expires on ${row.expiresAt.slice(0, 10)}`
  await tell(deps, tx, row, `The token of ${row.login} on ${row.host} ${when}`, 'account.expiring')
}

/** Notifies of an account that its provider does not accept any more. */
export const noticeEnded = (deps: Deps, tx: Transaction, row: AccountRow): Promise<void> =>
  tell(deps, tx, row, `${row.host} does not accept the linked account ${row.login} any more`, 'account.revoked')

async function tell(deps: Deps, tx: Transaction, row: AccountRow, title: string, name: string): Promise<void> {
  const people = row.owner === ofTenant ? await administratorsOf(tx, row.tenantId) : [row.owner]
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, row.tenantId))
  const url = `${deps.publicUrl()}/app/t/${encodeURIComponent(tenant?.slug ?? '')}/-/repositories/accounts`
  const payload = { title, url, event: name }
  const event = { id: newId(), tenantId: row.tenantId, createdAt: deps.clock.iso() }
  const about = { actor: null, projectId: null, versionId: null }
  await sendNotifications(tx, event, about, [{ type: 'repository', people, payload }])
}
