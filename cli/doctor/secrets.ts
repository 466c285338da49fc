/** What "svc doctor" says of stored secrets: whether the configured keys open them. */
import { clockOf } from '../../db/clock.ts'
import { inspectDatabase } from '../../db/inspect.ts'
import { openDatabase, type DatabaseTarget } from '../../db/open.ts'
import { KeyRing, type KeySource } from '../../server/vault/keys.ts'
import { Vault } from '../../server/vault/vault.ts'
import { plural } from '../../src/plural.ts'
import { SvcError } from '../../src/errors.ts'
import type { Check } from './checks.ts'

/** Opens one secret of each purpose. Says nothing where the database is new, or cannot be opened without changing it. */
export async function checkSecrets(target: DatabaseTarget, source: KeySource): Promise<Check[]> {
  const check = (status: Check['status'], message: string, advice: string | null = null): Check[] => [
    { name: 'secrets', status, message, advice },
  ]
  try {
    const { isNew, pending, unknown, damage } = await inspectDatabase(target)
    // The check of the database reports the others; opening would migrate.
    if (isNew || pending.length > 0 || unknown.length > 0 || damage.length > 0) return []
  } catch {
    return []
  }
  const db = await openDatabase(target)
  try {
    const { failure, count, old } = await new Vault(new KeyRing(source), clockOf()).check(db.read)
    if (failure !== null) return check('fail', failure.message, failure.hint)
    if (count === 0) return check('pass', 'no secrets are stored')
    const message = `${plural(count, 'stored secret')} can be read`
    return old === 0
      ? check('pass', message)
      : check('warn', `${message}, ${old} of them with an earlier key`, 'Run "svc secrets rotate".')
  } catch (error) {
    if (error instanceof SvcError) return check('fail', error.message, error.hint)
    throw error
  } finally {
    await db.close()
  }
}
