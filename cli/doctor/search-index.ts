/** What "svc doctor" says of the index of the search: whether all that is stored can be found. */
import type { DatabaseTarget } from '../../db/open.ts'
import { indexState } from '../../server/specs/reindex.ts'
import { plural } from '../../src/plural.ts'
import type { Check } from './checks.ts'
import { openReadable } from './readable.ts'

/** Counts versions that are not indexed. Says nothing where nothing is stored, or the database cannot be opened without changing it. */
export async function checkSearchIndex(target: DatabaseTarget): Promise<Check[]> {
  const check = (status: Check['status'], message: string, advice: string | null = null): Check[] => [
    { name: 'search index', status, message, advice },
  ]
  const db = await openReadable(target)
  if (db === null) return []
  try {
    const { total, missing, failed } = await indexState(db.read)
    if (total === 0) return []
    if (missing > 0)
      return check(
        'warn',
        `${missing} of ${plural(total, 'version')} cannot be searched yet`,
        'svc serve indexes them in the background. Searches find everything else meanwhile.',
      )
    if (failed > 0)
      return check(
        'warn',
        `${plural(failed, 'version')} of ${total} cannot be searched: their documents cannot be read`,
      )
    return check('pass', `${plural(total, 'version')} can be searched`)
  } finally {
    await db.close()
  }
}
