import { type Clock, isoOf } from '../../db/clock.ts'
import { eq, lt } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { signingKeys } from '../../db/tables.gen.ts'
import type { PublicKeys } from './tokens.ts'

/** The signing keys' public halves in the database, which all replicas share. Expired ones go when a new one comes. */
export function databaseKeys(db: Database, clock: Clock): PublicKeys {
  return {
    async find(kid) {
      const [row] = await db.read.select().from(signingKeys).where(eq(signingKeys.kid, kid))
      return row === undefined || row.expiresAt <= clock.iso() ? null : { ...row.publicKey }
    },
    async publish(kid, { kty, crv, x }, expiresAt) {
      await db.inTransaction(async (tx) => {
        await tx.delete(signingKeys).where(lt(signingKeys.expiresAt, clock.iso()))
        await tx.insert(signingKeys).values({
          kid,
          publicKey: { kty: kty ?? '', crv: crv ?? '', x: x ?? '' },
          createdAt: clock.iso(),
          expiresAt: isoOf(expiresAt),
        })
      })
    },
  }
}
