/** The authenticator app of a person: its secret is sealed, and each of its codes is accepted once. */
import { and, eq, gt } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { authenticatorApps } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { findPair, findStep, newSecret } from './totp.ts'

export type AppDeps = Pick<Deps, 'db' | 'clock' | 'vault'>
type AppRow = typeof authenticatorApps.$inferSelect

const purpose = 'authenticator-app'
/** How long a secret waits for its first code. */
const waitingMs = 3_600_000

const isOf = (userId: string, state: AppRow['state']) =>
  and(eq(authenticatorApps.userId, userId), eq(authenticatorApps.state, state))

/** The app that a person uses; null without one. */
export async function findApp(reader: Reader, userId: string): Promise<AppRow | null> {
  const [row] = await reader.select().from(authenticatorApps).where(isOf(userId, 'active'))
  return row ?? null
}

async function dropApp(deps: AppDeps, tx: Transaction, userId: string, state: AppRow['state']): Promise<boolean> {
  const [row] = await tx
    .delete(authenticatorApps)
    .where(isOf(userId, state))
    .returning({ secretId: authenticatorApps.secretId })
  if (row === undefined) return false
  await deps.vault.remove(tx, null, row.secretId)
  return true
}

/**
 * Adds an app that waits for its first code; the one that waited before ends.
 * @returns its secret in base32
 * @throws SvcError `secret-key-missing`, `secret-key-unusable`
 */
export async function addWaitingApp(deps: AppDeps, tx: Transaction, userId: string): Promise<string> {
  await dropApp(deps, tx, userId, 'waiting')
  const secret = newSecret()
  const { id: secretId } = await deps.vault.seal(tx, { tenantId: null, purpose, secret })
  const createdAt = deps.clock.iso()
  await tx
    .insert(authenticatorApps)
    .values({ userId, state: 'waiting', secretId, lastStep: null, createdAt, lastUsedAt: null })
  return secret
}

/** A code of an app, or two consecutive ones. */
export type AppProof = string | readonly [string, string]

/** The step that the last code of a proof is of; null for a wrong code, and for one that was accepted before. */
async function stepOfProof(deps: AppDeps, tx: Transaction, row: AppRow, proof: AppProof): Promise<number | null> {
  const secret = (await deps.vault.open(tx, null, purpose, [row.secretId])).get(row.secretId)
  if (secret === undefined) throw new Error(`the secret of the authenticator app of ${row.userId} does not exist`)
  const now = deps.clock.now()
  return typeof proof === 'string'
    ? findStep(secret, proof, now, row.lastStep)
    : findPair(secret, proof, now, row.lastStep)
}

/** What the first code of an app comes to. */
export type Confirmed = 'confirmed' | 'wrong' | 'missing'

/** Puts the app that waits into the place of the one in use, if the code is its. The person is locked. */
export async function confirmWaitingApp(
  deps: AppDeps,
  tx: Transaction,
  userId: string,
  code: string,
): Promise<Confirmed> {
  const now = deps.clock.now()
  const [row] = await tx
    .select()
    .from(authenticatorApps)
    .where(and(isOf(userId, 'waiting'), gt(authenticatorApps.createdAt, isoOf(now - waitingMs))))
  if (row === undefined) return 'missing'
  const step = await stepOfProof(deps, tx, row, code)
  if (step === null) return 'wrong'
  await dropApp(deps, tx, userId, 'active')
  await tx
    .update(authenticatorApps)
    .set({ state: 'active', lastStep: step, createdAt: isoOf(now), lastUsedAt: null })
    .where(isOf(userId, 'waiting'))
  return 'confirmed'
}

/** Accepts a code of the app in use, or two consecutive ones, once. The person is locked. */
export async function useAppCode(deps: AppDeps, tx: Transaction, userId: string, proof: AppProof): Promise<boolean> {
  const row = await findApp(tx, userId)
  const step = row === null ? null : await stepOfProof(deps, tx, row, proof)
  if (step === null) return false
  await tx.update(authenticatorApps).set({ lastStep: step, lastUsedAt: deps.clock.iso() }).where(isOf(userId, 'active'))
  return true
}

/** Removes the app in use, and the one that waits. @returns whether one was in use */
export async function removeApps(deps: AppDeps, tx: Transaction, userId: string): Promise<boolean> {
  await dropApp(deps, tx, userId, 'waiting')
  return dropApp(deps, tx, userId, 'active')
}
