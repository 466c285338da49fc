/** Tickets: what continues the request of a person within minutes. Each is accepted once. */
import { and, desc, eq, gt, lt, notInArray } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { factorTickets } from '../../db/tables.gen.ts'
import { hashSecret, randomBase62 } from '../auth/door.ts'

export type Ticket = typeof factorTickets.$inferSelect
export type TicketPurpose = Ticket['purpose']

export const ticketSeconds = 5 * 60
/** As many tickets are kept of a person; the oldest go first. */
const mostOfPerson = 20

/** What a ticket is for. */
export interface TicketFacts {
  readonly userId: string | null
  readonly purpose: TicketPurpose
  readonly challenge?: string
  readonly sessionHash?: string | null
  readonly invitationId?: string | null
}

/** Adds a ticket. @returns its text, which is stored only as SHA-256 */
export async function issueTicket(tx: Transaction, facts: TicketFacts, now: number): Promise<string> {
  const token = `svf_${randomBase62(43)}`
  const { userId, purpose, challenge = null, sessionHash = null, invitationId = null } = facts
  await tx.insert(factorTickets).values({
    tokenHash: hashSecret(token),
    userId,
    purpose,
    challenge,
    sessionHash,
    invitationId,
    createdAt: isoOf(now),
    expiresAt: isoOf(now + ticketSeconds * 1000),
  })
  if (userId !== null) await trimTickets(tx, userId)
  return token
}

async function trimTickets(tx: Transaction, userId: string): Promise<void> {
  const own = eq(factorTickets.userId, userId)
  const kept = tx
    .select({ hash: factorTickets.tokenHash })
    .from(factorTickets)
    .where(own)
    .orderBy(desc(factorTickets.createdAt), desc(factorTickets.tokenHash))
    .limit(mostOfPerson)
  await tx.delete(factorTickets).where(and(own, notInArray(factorTickets.tokenHash, kept)))
}

const isOpen = (token: string, purpose: TicketPurpose, now: number) =>
  and(
    eq(factorTickets.tokenHash, hashSecret(token)),
    eq(factorTickets.purpose, purpose),
    gt(factorTickets.expiresAt, isoOf(now)),
  )

/** The open ticket of a text and a purpose; null for any other text. */
export async function findTicket(
  reader: Reader,
  token: string,
  purpose: TicketPurpose,
  now: number,
): Promise<Ticket | null> {
  const [row] = await reader
    .select()
    .from(factorTickets)
    .where(isOpen(token, purpose, now))
  return row ?? null
}

/** Uses a ticket up. @returns whether it was still there: of two at once one gets it */
export async function takeTicket(
  tx: Transaction,
  token: string,
  purpose: TicketPurpose,
  now: number,
): Promise<boolean> {
  const taken = await tx
    .delete(factorTickets)
    .where(isOpen(token, purpose, now))
    .returning({ hash: factorTickets.tokenHash })
  return taken.length > 0
}

/** Removes the tickets of a person: what they continue is not to be finished. */
export const dropTickets = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.delete(factorTickets).where(eq(factorTickets.userId, userId))

/** Removes tickets that have expired. */
export const sweepTickets = (tx: Transaction, now: number): Promise<unknown> =>
  tx.delete(factorTickets).where(lt(factorTickets.expiresAt, isoOf(now)))
