import { isoOf } from '../../db/clock.ts'
import { rmSync } from 'node:fs'
import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import { newId } from '../../db/id.ts'
import { setupTokens } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { claimService, isClaimed, type NewUser, type UserRow } from '../users/door.ts'
import { hashSecret, randomBase62, spendAddress } from '../auth/door.ts'
import { replaceFile } from '../disk/door.ts'
import type { Store } from '../kit/door.ts'
import type { Identity } from './identity.ts'

export const setupMinutes = 30

/**
 * A token that creates the first user: good once, for 30 minutes, stored as SHA-256. Null when there is a user.
 * Replicas that start together each issue one; the first that is used ends them all.
 */
export async function issueSetupToken(deps: Store): Promise<string | null> {
  if (await isClaimed(deps.db.read)) return null
  const now = deps.clock.now()
  const token = `svs_${randomBase62(43)}`
  await deps.db.inTransaction(async (tx) => {
    await tx.delete(setupTokens).where(lt(setupTokens.expiresAt, isoOf(now)))
    await tx.insert(setupTokens).values({
      id: newId(),
      tokenHash: hashSecret(token),
      createdAt: isoOf(now),
      expiresAt: isoOf(now + setupMinutes * 60_000),
    })
  })
  return token
}

/** The link of a set-up token. The token is in the fragment, which browsers send to no one and servers never log. */
export const setupLink = (baseUrl: string, token: string): string => `${baseUrl}/app/claim#token=${token}`

/** Writes the link for those who cannot see the terminal, readable by the owner of the file alone. */
export function writeSetupFile(path: string, link: string): void {
  // A service on Postgres may never have had a workspace folder.
  replaceFile(path, `${link}\n`, { mode: 0o600, folderMode: 0o700 })
}

/** Removes the file of a link that has done its work or has become too old. */
export const removeSetupFile = (path: string): void => rmSync(path, { force: true })

/**
 * Creates the first user with a set-up token.
 * @throws SvcError `setup-token-invalid`, `setup-done`, `email-invalid`, `password-weak`, `auth-rate-limited`
 */
export async function claimWithToken(
  deps: Identity,
  given: NewUser & { readonly token: string; readonly address: string | null },
): Promise<UserRow> {
  await spendAddress(deps.db, given.address, deps.clock.now())
  const user = await claimService(deps, given, async (tx, now) => {
    const spent = await tx
      .update(setupTokens)
      .set({ usedAt: isoOf(now) })
      .where(
        and(
          eq(setupTokens.tokenHash, hashSecret(given.token)),
          isNull(setupTokens.usedAt),
          gt(setupTokens.expiresAt, isoOf(now)),
        ),
      )
      .returning({ id: setupTokens.id })
    if (spent.length === 0) throw new SvcError('setup-token-invalid')
  })
  if (deps.setupFile !== null) removeSetupFile(deps.setupFile)
  return user
}
