/** Test messages: whether what a person set up works. */
import { eq } from 'drizzle-orm'
import { users } from '../../db/tables.gen.ts'
import { newId } from '../../db/id.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { postToChat, sendTestMail, type SendOutcome } from './send.ts'
import { findTarget, isConfirmed, lockTargets, saveTarget, type TargetRow } from './target-rows.ts'
import { ownerOf } from './targets.ts'

/** A link to confirm an address is sent once in this time: the address may be somebody else's. */
const betweenLinksMs = 60_000

interface Tried {
  readonly sent: boolean
  readonly message: string
}

/** Writes the result where the page shows it. */
async function keepResult(deps: Deps, row: TargetRow, outcome: SendOutcome): Promise<void> {
  const now = deps.clock.iso()
  const set: Partial<TargetRow> = { lastAt: now, lastError: outcome.kind === 'sent' ? null : outcome.reason }
  if (outcome.kind === 'sent') Object.assign(set, { failures: 0 })
  await deps.db.inTransaction((tx) => saveTarget(tx, row, set))
}

/**
 * Sends a test message now; to an address that is not confirmed, the link to confirm it.
 * @throws SvcError `notification-target-not-found`, `notification-target-unfit`, `permission-denied`, `mail-unavailable`
 */
export async function tryTarget(deps: Deps, grant: Grant, ref: string, signal: AbortSignal): Promise<Tried> {
  const owner = ownerOf(grant)
  const { slug, name } = tenantOf(grant)
  const organization = { slug, name }
  const row = await findTarget(deps.db.read, owner, ref, deps.clock.iso())
  const permission = 'webhooks:edit'
  if (row.userId === null && !grant.permissions.has(permission)) throw new SvcError('permission-denied', { permission })
  if (row.kind === 'bell')
    throw new SvcError('notification-target-unfit', { target: 'bell', reason: 'the bell needs no test' })
  if (row.kind === 'chat') {
    const url = `${deps.publicUrl()}/app/t/${encodeURIComponent(slug)}/-/notifications/settings`
    const line = {
      title: `News of ${name} reach this channel`,
      url,
      excerpt: 'This is a test message of svc.',
      by: null,
    }
    const outcome = await postToChat(deps, row, { lines: [line], more: 0 }, signal)
    await keepResult(deps, row, outcome)
    return tell(outcome, `A test message was sent to ${row.name ?? ''}.`)
  }
  if (deps.mail === null) throw new SvcError('mail-unavailable')
  const [person] = await deps.db.read
    .select({ name: users.name, email: users.email, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, owner.userId))
  if (person === undefined) throw new SvcError('notification-target-not-found', { target: ref })
  const confirms = !isConfirmed(row, person)
  const isSent = row.lastAt !== null && row.lastError === null
  if (confirms && isSent && deps.clock.now() - Date.parse(row.lastAt ?? '') < betweenLinksMs)
    return {
      sent: false,
      message: `A link was sent to ${person.email} a moment ago. Wait a minute before you ask for another.`,
    }
  // Its links name the row: it is written before they are sent.
  const saved = await deps.db.inTransaction(async (tx) => {
    await lockTargets(tx, owner.tenantId, owner.userId)
    return saveTarget(tx, await findTarget(tx, owner, ref, deps.clock.iso()), { updatedAt: deps.clock.iso() })
  })
  const outcome = await sendTestMail(deps, { target: saved, organization, id: newId(), person, confirms }, signal)
  await keepResult(deps, saved, outcome)
  const what = confirms ? 'A link to confirm the address' : 'A test message'
  return tell(outcome, `${what} was sent to ${person.email}.`)
}

const tell = (outcome: SendOutcome, success: string): Tried =>
  outcome.kind === 'sent'
    ? { sent: true, message: success }
    : { sent: false, message: `It was not sent: ${outcome.reason}.` }
