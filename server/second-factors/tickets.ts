/** Tickets: what continues the request of a person within minutes. Each is accepted once. */
import { and, desc, eq, gt, inArray, lt, notInArray } from 'drizzle-orm'
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
  // Those without a person are limited by what a network may begin in a minute, and end after five.
  await (userId === null ? sweepTickets(tx, now) : trimTickets(tx, userId))
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

const isOpen = (token: string, purposes: readonly TicketPurpose[], now: number) =>
  and(
    eq(factorTickets.tokenHash, hashSecret(token)),
    inArray(factorTickets.purpose, [...purposes]),
    gt(factorTickets.expiresAt, isoOf(now)),
  )

/** The open ticket of a text, for one of these purposes; null for any other text. */
export async function findTicket(
  reader: Reader,
  token: string,
  purposes: readonly TicketPurpose[],
  now: number,
): Promise<Ticket | null> {
  const [row] = await reader
    .select()
    .from(factorTickets)
    .where(isOpen(token, purposes, now))
  return row ?? null
}

/** Uses a ticket up. @returns whether it was still there: of two at once one gets it */
export async function takeTicket(tx: Transaction, ticket: Ticket): Promise<boolean> {
  const taken = await tx
    .delete(factorTickets)
    .where(eq(factorTickets.tokenHash, ticket.tokenHash))
    .returning({ hash: factorTickets.tokenHash })
  return taken.length > 0
}

/** Gives a ticket what a passkey has to sign. */
export const setChallenge = (tx: Transaction, ticket: Ticket, challenge: string): Promise<unknown> =>
  tx.update(factorTickets).set({ challenge }).where(eq(factorTickets.tokenHash, ticket.tokenHash))

/**
 * Uses the challenge of a ticket up, whatever the answer to it is.
 * @returns null where it was used, or none was asked for
 */
export async function takeChallenge(tx: Transaction, ticket: Ticket): Promise<string | null> {
  const { challenge, tokenHash } = ticket
  if (challenge === null) return null
  const taken = await tx
    .update(factorTickets)
    .set({ challenge: null })
    .where(and(eq(factorTickets.tokenHash, tokenHash), eq(factorTickets.challenge, challenge)))
    .returning({ hash: factorTickets.tokenHash })
  return taken.length > 0 ? challenge : null
}

/** Removes the tickets of a person: what they continue is not to be finished. */
export const dropTickets = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.delete(factorTickets).where(eq(factorTickets.userId, userId))

/** Removes tickets that have expired. */
export const sweepTickets = (tx: Transaction, now: number): Promise<unknown> =>
  tx.delete(factorTickets).where(lt(factorTickets.expiresAt, isoOf(now)))
