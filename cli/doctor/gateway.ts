/** What "svc doctor" says of the audit trails of gateway security: whether each chain is as it was written. */
import type { DatabaseTarget } from '../../db/open.ts'
import { checkAuditChains } from '../../server/gateway/audit.ts'
import { plural } from '../../src/plural.ts'
import { SvcError } from '../../src/errors.ts'
import type { Check } from './checks.ts'
import { openReadable } from './readable.ts'

/** Follows every chain. Says nothing where there is none, or where the database cannot be opened without changing it. */
export async function checkGatewayAudit(target: DatabaseTarget): Promise<Check[]> {
  const check = (status: Check['status'], message: string, advice: string | null = null): Check[] => [
    { name: 'gateway audit', status, message, advice },
  ]
  const db = await openReadable(target)
  if (db === null) return []
  try {
    const chains = await checkAuditChains(db.read)
    if (chains.length === 0) return []
    const broken = chains.filter(({ problem }) => problem !== null)
    const rows = chains.reduce((sum, it) => sum + it.rows, 0)
    if (broken.length === 0)
      return check(
        'pass',
        `audit trails are as they were written: ${plural(rows, 'row')} in ${plural(chains.length, 'trail')}`,
      )
    const named = broken.map(({ slug, environmentId, problem }) => `${slug ?? environmentId}: ${problem ?? ''}`)
    return check(
      'fail',
      `the audit trail was changed outside of svc (${named.join('; ')})`,
      'Compare it with a backup or an earlier export, and find out who can write to the database.',
    )
  } catch (error) {
    if (error instanceof SvcError) return check('fail', error.message, error.hint)
    throw error
  } finally {
    await db.close()
  }
}
