/** The key that releases are signed with: Ed25519, one for the service, its private half in the vault. */
import { generateKeyPairSync } from 'node:crypto'
import { desc } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { gatewaySigningKeys } from '../../db/tables.gen.ts'
import type { Deps } from '../deps.ts'

type SigningKeyRow = typeof gatewaySigningKeys.$inferSelect

const purpose = 'gateway-signing'
const rawBytes = 32

async function newest(read: Reader): Promise<SigningKeyRow | null> {
  const [row] = await read.select().from(gatewaySigningKeys).orderBy(desc(gatewaySigningKeys.id)).limit(1)
  return row ?? null
}

/** The public half in base64; null before the first gateway was added. */
export const publicKeyOf = async (read: Reader): Promise<string | null> => (await newest(read))?.publicKey ?? null

/**
 * The key of the service; made with the first gateway.
 * @throws SvcError `secret-key-missing`, `secret-key-unusable`
 */
export async function ensureSigningKey(deps: Deps, tx: Transaction): Promise<SigningKeyRow> {
  await tx.lock('gateway-signing')
  const known = await newest(tx)
  if (known !== null) return known
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const sealed = await deps.vault.seal(tx, { tenantId: null, purpose, secret })
  // The last 32 bytes of the encoded form are the key itself (RFC 8410, section 4).
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-rawBytes)
  const row: SigningKeyRow = {
    id: newId(),
    secretId: sealed.id,
    publicKey: raw.toString('base64'),
    createdAt: deps.clock.iso(),
  }
  await tx.insert(gatewaySigningKeys).values(row)
  return row
}
