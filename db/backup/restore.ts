import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import type { Database, Reader, Transaction } from '../database.ts'
import { describeServer } from '../failures.ts'
import { type DatabaseTarget, openDatabase } from '../open.ts'
import { executeSql } from '../portable.ts'
import { summarizeStale } from '../projects/summary.ts'
import { copyRows, isEmpty } from './copy-rows.ts'
import { needing } from '../objects/check.ts'
import { noteBackup } from '../objects/collect.ts'
import type { CheckedBackup } from './manifest.ts'
import { checkBackupObjects } from './objects.ts'
import { verifyBackup } from './verify.ts'

/** A backup that was restored. */
export interface RestoredBackup extends CheckedBackup {
  /** The versions whose objects are not in the storage; keys of other objects. */
  readonly missing: readonly string[]
}

/** Runs work while no foreign key is checked, then checks them all. */
async function withoutForeignKeys(db: Database, tx: Transaction, work: () => Promise<void>): Promise<void> {
  if (db.dialect === 'sqlite') {
    await executeSql(tx, sql`pragma defer_foreign_keys = on`)
    return work()
  }
  // Postgres checks each statement; rows of one table may point to each other, so the constraints leave for a while.
  const keys = await executeSql(
    tx,
    sql`select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`,
  )
  for (const { table, name } of keys) await executeSql(tx, sql.raw(`alter table ${table} drop constraint ${name}`))
  await work()
  for (const { table, name, definition } of keys)
    await executeSql(tx, sql.raw(`alter table ${table} add constraint ${name} ${definition}`))
}

async function fillFrom(
  source: Reader,
  target: DatabaseTarget,
  finish: (db: Database) => Promise<void>,
): Promise<void> {
  const db = await openDatabase(target)
  try {
    await db.inTransaction(async (tx) => {
      await tx.lock('restore')
      if (!(await isEmpty(tx)))
        throw new SvcError('database-not-empty', {
          database: target.kind === 'sqlite' ? target.path : describeServer(target.url),
        })
      await withoutForeignKeys(db, tx, () => copyRows(source, tx))
    })
    await summarizeStale(db, null)
    await finish(db)
  } finally {
    await db.close()
  }
}

/**
 * Verifies a backup and puts all its rows into an empty database of either engine, in one transaction. A backup of an
 * older svc is brought to the present tables on the way; the file itself is not changed.
 * Objects that its rows refer to stay in the storage: what of them is missing there is named, and all else is restored.
 * @throws SvcError `backup-unusable`, `database-newer`, `database-not-empty`, `storage-unavailable` also where objects are needed and no storage
 *   is configured, and what opening the database raises
 */
export async function restoreBackup(path: string, target: DatabaseTarget): Promise<RestoredBackup> {
  const manifest = verifyBackup(path)
  if (manifest.organization !== undefined)
    throw new SvcError('backup-unusable', {
      path,
      reason: `it holds the organization ${manifest.organization.slug} alone: import it with svc tenant import`,
    })
  const { missing } = await checkBackupObjects(path, manifest, target.objects ?? null, {
    sample: 0,
    onProgress: () => {},
  })
  let named: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'svc-restore-'))
  try {
    const copy = join(folder, 'backup.db')
    copyFileSync(path, copy)
    const source = await openDatabase({ kind: 'sqlite', path: copy })
    try {
      await fillFrom(source.read, target, async (db) => {
        named = await needing(db.read, missing)
        // Nothing that it refers to is collected before another backup is verified.
        if (manifest.objects !== undefined)
          await noteBackup(db, manifest, missing.length === 0 ? manifest.madeAt : null)
      })
    } finally {
      await source.close()
    }
    return { ...manifest, missing: named }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
