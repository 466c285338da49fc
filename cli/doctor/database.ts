/** What "svc doctor" says of the content of the database: documents, search index, audit trails of gateways, and secrets. */
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Check } from './checks.ts'
import { openReadable } from './readable.ts'
import { clockOf } from '../../db/clock.ts'
import { checkContents, versionsOf } from '../../db/content.ts'
import { tryStorage } from '../../db/objects/probe.ts'
import { inspectDatabase } from '../../db/inspect.ts'
import { type DatabaseTarget, openDatabase } from '../../db/open.ts'
import { checkAuditChains } from '../../server/gateway-policy/audit.ts'
import { indexState } from '../../server/specs/reindex.ts'
import { KeyRing, type KeySource } from '../../server/vault/keys.ts'
import { Vault } from '../../server/vault/vault.ts'

/** What a check comes to, as the only one of its name. */
const checkNamed =
  (name: string) =>
  (status: Check['status'], message: string, advice: string | null = null): Check[] => [
    { name, status, message, advice },
  ]

const maxNamed = 5

/**
 * Unpacks every stored document and compares it with its digest. Says nothing where none is stored, or where the database cannot
 * be opened without changing it.
 */
export async function checkDocuments(target: DatabaseTarget): Promise<Check[]> {
  const check = checkNamed('documents')
  const db = await openReadable(target)
  if (db === null) return []
  try {
    const { count, damaged } = await checkContents(db.read)
    if (count === 0) return []
    if (damaged.length === 0) return check('pass', `${plural(count, 'stored document')} can be read`)
    const names: string[] = []
    for (const content of damaged.slice(0, maxNamed)) {
      const versions = await versionsOf(db.read, content, maxNamed)
      names.push(...(versions.length === 0 ? [content.digest] : versions))
    }
    const rest = damaged.length > maxNamed ? ', …' : ''
    return check(
      'fail',
      `${damaged.length} of ${plural(count, 'stored document')} changed since they were stored: ${names.join(', ')}${rest}`,
      'Import the same bytes again under the same labels, or restore a backup: "svc backup restore". Then look for what wrote to the database: the disk, or a program other than svc.',
    )
  } finally {
    await db.close()
  }
}

/** Puts, reads and removes an object. Says nothing where there is no object storage. */
export async function checkStorage({ objects = null }: DatabaseTarget): Promise<Check[]> {
  if (objects === null) return []
  const check = checkNamed('storage')
  const advice = 'Check SVC_STORAGE_URL, the keys, and whether they may put, get, list and delete objects there.'
  try {
    const problem = await tryStorage(objects)
    return problem === null
      ? check('pass', `${objects.place} keeps and removes objects`)
      : check('fail', `${objects.place}: ${problem}`, advice)
  } catch (error) {
    if (error instanceof SvcError) return check('fail', `${objects.place}: ${error.message}`, advice)
    throw error
  }
}

/** Counts versions that are not indexed. Says nothing where nothing is stored, or the database cannot be opened without changing it. */
export async function checkSearchIndex(target: DatabaseTarget): Promise<Check[]> {
  const check = checkNamed('search index')
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

/** Follows every chain. Says nothing where there is none, or where the database cannot be opened without changing it. */
export async function checkGatewayAudit(target: DatabaseTarget): Promise<Check[]> {
  const check = checkNamed('gateway audit')
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

/** Opens every stored secret. Says nothing where the database is new, or cannot be opened without changing it. */
export async function checkSecrets(target: DatabaseTarget, source: KeySource): Promise<Check[]> {
  const check = checkNamed('secrets')
  try {
    const { isNew, pending, unknown, damage } = await inspectDatabase(target)
    // The check of the database reports the others; opening would migrate.
    if (isNew || pending.length > 0 || unknown.length > 0 || damage.length > 0) return []
  } catch {
    return []
  }
  const db = await openDatabase(target)
  try {
    const { failure, unreadable, count, old } = await new Vault(new KeyRing(source), clockOf()).check(db.read)
    if (failure !== null)
      return check('fail', `${failure.message} (${unreadable} of ${plural(count, 'stored secret')})`, failure.hint)
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
