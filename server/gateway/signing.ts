/** The key that releases are signed with: Ed25519, one for the service, its private half in the vault. */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { gatewaySigningKeys } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'

type SigningKeyRow = typeof gatewaySigningKeys.$inferSelect

const purpose = 'gateway-signing'
const rawBytes = 32

async function newest(read: Reader): Promise<SigningKeyRow | null> {
  const [row] = await read.select().from(gatewaySigningKeys).orderBy(desc(gatewaySigningKeys.id)).limit(1)
  return row ?? null
}

/** The public half in base64; null before the first gateway was added. */
export const publicKeyOf = async (read: Reader): Promise<string | null> => (await newest(read))?.publicKey ?? null

type Keeper = Pick<Deps, 'vault' | 'clock'>

async function makeSigningKey({ vault, clock }: Keeper, tx: Transaction): Promise<SigningKeyRow> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const sealed = await vault.seal(tx, { tenantId: null, purpose, secret })
  // The last 32 bytes of the encoded form are the key itself (RFC 8410, section 4).
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-rawBytes)
  const row: SigningKeyRow = {
    id: newId(),
    secretId: sealed.id,
    publicKey: raw.toString('base64'),
    createdAt: clock.iso(),
  }
  await tx.insert(gatewaySigningKeys).values(row)
  return row
}

/**
 * The key of the service; made with the first gateway.
 * @throws SvcError `secret-key-missing`, `secret-key-unusable`
 */
export async function ensureSigningKey(deps: Keeper, tx: Transaction): Promise<SigningKeyRow> {
  await tx.lock('gateway-signing')
  return (await newest(tx)) ?? makeSigningKey(deps, tx)
}

/**
 * Replaces the key of the service, whether or not the present one can be read. Gateways that keep the old public key refuse the next
 * release until they are given the new one.
 * @throws SvcError `secret-key-missing`, `secret-key-unusable`
 */
export async function renewSigningKey(deps: Keeper, tx: Transaction): Promise<SigningKeyRow> {
  await tx.lock('gateway-signing')
  for (const { id, secretId } of await tx.select().from(gatewaySigningKeys)) {
    await tx.delete(gatewaySigningKeys).where(eq(gatewaySigningKeys.id, id))
    await deps.vault.remove(tx, null, secretId)
  }
  return makeSigningKey(deps, tx)
}

/** Signs texts with the key of the service. */
export interface Signer {
  readonly keyId: string
  /** The signature of the UTF-8 bytes, in base64. */
  readonly sign: (text: string) => string
}

/**
 * Opens the key of the service.
 * @throws SvcError `secret-unreadable`, `secret-key-unusable`; `release-not-found` before there is a key
 */
export async function openSigner(deps: Deps): Promise<Signer> {
  const row = await newest(deps.db.read)
  if (row === null) throw new SvcError('release-not-found', { what: 'signed release' })
  const opened = await deps.vault.open(deps.db.read, null, purpose, [row.secretId])
  const secret = opened.get(row.secretId)
  if (secret === undefined)
    throw new SvcError('secret-unreadable', { purpose, reason: 'it is not in the database any more' })
  const key = createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' })
  return { keyId: row.id, sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('base64') }
}
