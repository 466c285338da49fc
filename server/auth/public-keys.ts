import { eq, lt } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { signingKeys } from '../../db/tables.gen.ts'
import type { PublicKeys } from './tokens.ts'

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The signing keys' public halves in the database, which all replicas share. Expired ones go when a new one comes. */
export function databaseKeys(db: Database, now: () => number): PublicKeys {
  return {
    async find(kid) {
      const [row] = await db.read.select().from(signingKeys).where(eq(signingKeys.kid, kid))
      return row === undefined || row.expiresAt <= iso(now()) ? null : { ...row.publicKey }
    },
    async publish(kid, { kty, crv, x }, expiresAt) {
      await db.inTransaction(async (tx) => {
        await tx.delete(signingKeys).where(lt(signingKeys.expiresAt, iso(now())))
        await tx.insert(signingKeys).values({
          kid,
          publicKey: { kty: kty ?? '', crv: crv ?? '', x: x ?? '' },
          createdAt: iso(now()),
          expiresAt: iso(expiresAt),
        })
      })
    },
  }
}
