import type { Database } from '../../db/database.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { Vault } from '../vault/door.ts'
import type { SubscriptionRow } from './claim.ts'
import { readSecret, type SigningSecret } from './secret.ts'

/** How long an opened secret stays in memory. */
const keptMs = 60_000
const mostKept = 1000

/**
 * The secrets that sign. An opened one is kept for a minute: a stored secret never changes, a rotation makes a new one, and
 * each claim reads which secrets sign together with the deliveries, so that every replica signs with the present ones.
 */
export class SigningSecrets {
  readonly #vault: Vault
  readonly #db: Database
  readonly #opened = new SizedCache<{ readonly secret: SigningSecret; readonly until: number }>(mostKept)

  constructor(vault: Vault, db: Database) {
    this.#vault = vault
    this.#db = db
  }

  /**
   * The secrets of a subscription that sign now: the present one first. Empty where they were deleted.
   * @throws SvcError `secret-unreadable`, `secret-key-unusable`
   */
  async of(row: SubscriptionRow, now: string): Promise<readonly SigningSecret[]> {
    const { tenantId, secretId, previousSecretId, previousUntil } = row
    const overlaps = previousSecretId !== null && previousUntil !== null && previousUntil > now
    const ids = overlaps ? [secretId, previousSecretId] : [secretId]
    const at = performance.now()
    const known = (id: string) => {
      const entry = this.#opened.get(id)
      return entry !== undefined && entry.until > at ? entry.secret : undefined
    }
    const missing = ids.filter((id) => known(id) === undefined)
    if (missing.length > 0) {
      const texts = await this.#vault.open(this.#db.read, tenantId, 'webhook-signing', missing)
      for (const [id, text] of texts) this.#opened.set(id, { secret: readSecret(text), until: at + keptMs }, 1)
    }
    return ids.flatMap((id) => known(id) ?? [])
  }
}
