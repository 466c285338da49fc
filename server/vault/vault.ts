import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { and, asc, eq, gt, inArray, isNull, ne } from 'drizzle-orm'
import type { Clock } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Database, Reader, Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { secrets } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { KeyRing, VaultKey } from './keys.ts'

/** What secrets are kept for. A feature adds its own. */
export type SecretPurpose =
  | 'webhook-signing'
  | 'chat-webhook'
  | 'linked-account'
  | 'repository-hook'
  | 'provider-oauth'
  | 'git-app'
  | 'mcp-observation'
  | 'gateway-evidence'
  | 'gateway-signing'
  | 'authenticator-app'

/** A stored secret, without the secret. */
export interface SealedSecret {
  readonly id: string
  /** Eight hexadecimal digits: equal for equal secrets under one key, and no way back. */
  readonly fingerprint: string
}

/** Secrets that a check reads together. */
const checkedTogether = 500
type Row = typeof secrets.$inferSelect
type Place = Pick<Row, 'tenantId' | 'purpose' | 'id'>

const algorithm = 'aes-256-gcm'
const tagBytes = 16

/** Binds the ciphertext to its row: what is moved to another tenant, purpose or id does not open. */
const boundTo = ({ tenantId, purpose, id }: Place): Buffer => Buffer.from(`${tenantId ?? ''}|${purpose}|${id}`)

function encrypt(key: VaultKey, place: Place, text: string): Pick<Row, 'keyId' | 'nonce' | 'ciphertext'> {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, key.cipher, nonce).setAAD(boundTo(place))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { keyId: key.id, nonce, ciphertext }
}

const inScope = (tenantId: string | null) =>
  tenantId === null ? isNull(secrets.tenantId) : inTenant(secrets, tenantId)

/** Keeps secrets that must be read back: AES-256-GCM, with a key outside of the database. */
export class Vault {
  readonly #ring: KeyRing
  readonly #clock: Clock

  constructor(ring: KeyRing, clock: Clock) {
    this.#ring = ring
    this.#clock = clock
  }

  /**
   * Stores a secret in the transaction of the row that refers to it.
   * @throws SvcError `secret-key-missing`, `secret-key-unusable`
   */
  async seal(
    tx: Transaction,
    entry: { readonly tenantId: string | null; readonly purpose: SecretPurpose; readonly secret: string },
  ): Promise<SealedSecret> {
    const key = this.#ring.encrypting()
    const place = { id: newId(), tenantId: entry.tenantId, purpose: entry.purpose }
    const fingerprint = createHmac('sha256', key.fingerprint).update(entry.secret).digest('hex').slice(0, 8)
    await tx.insert(secrets).values({
      ...place,
      ...encrypt(key, place, entry.secret),
      fingerprint,
      createdAt: this.#clock.iso(),
      rotatedAt: null,
    })
    return { id: place.id, fingerprint }
  }

  /**
   * Reads secrets of one tenant, or of the service with null.
   * @returns by id; ids that there are not are left out
   * @throws SvcError `secret-unreadable`, `secret-key-unusable`
   */
  async open(
    reader: Reader,
    tenantId: string | null,
    purpose: SecretPurpose,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await reader
      .select()
      .from(secrets)
      .where(and(inScope(tenantId), eq(secrets.purpose, purpose), inArray(secrets.id, [...ids])))
    return new Map(rows.map((row) => [row.id, this.#decrypt(row)]))
  }

  /** Forgets a secret. */
  async remove(tx: Transaction, tenantId: string | null, id: string): Promise<void> {
    await tx.delete(secrets).where(and(inScope(tenantId), eq(secrets.id, id)))
  }

  /**
   * Opens every secret, of any tenant.
   * @returns the first one that cannot be read, or null; how many cannot, how many there are, and how many an earlier key encrypted
   */
  async check(reader: Reader): Promise<{
    readonly failure: SvcError | null
    readonly unreadable: number
    readonly count: number
    readonly old: number
  }> {
    const current = this.#ring.all()[0]?.id
    let failure: SvcError | null = null
    const found = { unreadable: 0, count: 0, old: 0 }
    for (let last = ''; ;) {
      const rows = await reader
        .select()
        .from(secrets)
        .where(gt(secrets.id, last))
        .orderBy(asc(secrets.id))
        .limit(checkedTogether)
      for (const row of rows) {
        found.count += 1
        if (row.keyId !== current) found.old += 1
        const problem = this.#problemOf(row)
        if (problem === null) continue
        found.unreadable += 1
        failure ??= problem
      }
      if (rows.length < checkedTogether) return { failure, ...found }
      last = rows.at(-1)?.id ?? last
    }
  }

  /** Why a secret cannot be read; null where it can. */
  #problemOf(row: Row): SvcError | null {
    try {
      this.#decrypt(row)
      return null
    } catch (error) {
      if (error instanceof SvcError) return error
      throw error
    }
  }

  /**
   * Encrypts every secret that is encrypted with another key with the first one. It may run beside the service and again.
   * @returns how many secrets it encrypted again
   * @throws SvcError `secret-unreadable`, `secret-key-missing`, `secret-key-unusable`
   */
  async rotate(db: Database): Promise<number> {
    const key = this.#ring.encrypting()
    for (let total = 0; ;) {
      const done = await db.inTransaction(async (tx) => {
        const rows = await tx
          .select()
          .from(secrets)
          .where(ne(secrets.keyId, key.id))
          .orderBy(asc(secrets.id))
          .limit(100)
          .for('update')
        const rotatedAt = this.#clock.iso()
        for (const row of rows)
          await tx
            .update(secrets)
            .set({ ...encrypt(key, row, this.#decrypt(row)), rotatedAt })
            .where(eq(secrets.id, row.id))
        return rows.length
      })
      total += done
      if (done === 0) return total
    }
  }

  #decrypt(row: Row): string {
    const { purpose, keyId } = row
    const key = this.#ring.find(keyId)
    if (key === undefined)
      throw new SvcError('secret-unreadable', {
        purpose,
        reason: `the key ${keyId} that encrypted it is not configured`,
      })
    try {
      const bytes = Buffer.from(row.ciphertext)
      const decipher = createDecipheriv(algorithm, key.cipher, row.nonce).setAAD(boundTo(row))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      throw new SvcError('secret-unreadable', { purpose, reason: 'it was altered in the database, or moved there' })
    }
  }
}

/**
 * Called before a service on Postgres starts.
 * @throws SvcError `secret-key-missing` where secrets are stored and no key is configured
 */
export async function assertKeyForSecrets(db: Database, ring: KeyRing): Promise<void> {
  const [any] = await db.read.select({ id: secrets.id }).from(secrets).limit(1)
  if (any !== undefined && ring.all().length === 0) throw new SvcError('secret-key-missing')
}
