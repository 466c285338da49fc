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
import type { CheckedBackup } from './manifest.ts'
import { verifyBackup } from './verify.ts'

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

async function fillFrom(source: Reader, target: DatabaseTarget): Promise<void> {
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
  } finally {
    await db.close()
  }
}

/**
 * Verifies a backup and puts all its rows into an empty database of either engine, in one transaction. A backup of an
 * older svc is brought to the present tables on the way; the file itself is not changed.
 * @throws SvcError `backup-unusable`, `database-newer`, `database-not-empty`, and what opening the database raises
 */
export async function restoreBackup(path: string, target: DatabaseTarget): Promise<CheckedBackup> {
  const manifest = verifyBackup(path)
  const folder = mkdtempSync(join(tmpdir(), 'svc-restore-'))
  try {
    const copy = join(folder, 'backup.db')
    copyFileSync(path, copy)
    const source = await openDatabase({ kind: 'sqlite', path: copy })
    try {
      await fillFrom(source.read, target)
    } finally {
      await source.close()
    }
    return manifest
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
