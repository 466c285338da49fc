import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { SvcError } from '../../src/errors.ts'
import { copyTable } from '../backup/copy-rows.ts'
import { copyFile, seal } from '../backup/create.ts'
import type { CheckedBackup, MovedOrganization } from '../backup/manifest.ts'
import { inTenantToTheEnd, type TenantTable } from '../conditions.ts'
import type { Database, Transaction } from '../database.ts'
import { describeFileFailure } from '../failures.ts'
import { newId } from '../id.ts'
import { migrateSqlite } from '../migrate-sqlite.ts'
import { readObject } from '../objects/objects.ts'
import { type DatabaseTarget, openDatabase } from '../open.ts'
import { firstPart, writeParts } from '../parts.ts'
import { executeSql } from '../portable.ts'
import { openSqlite } from '../sqlite.ts'
import { contentParts, contents, outboxEvents, outboxTasks, tenants, users } from '../tables.gen.ts'
import { accountColumns, movedTables } from './tables.ts'

/** What an export tells while it runs: the table that is written, and how many there are. */
export type Progress = (done: { readonly table: number; readonly tables: number }) => void

/** The rows of a table that belong to an organization. */
function rowsOf(read: Transaction, table: PgTable, { id }: MovedOrganization): SQL {
  if (table === tenants) return eq(tenants.id, id)
  if (table === outboxTasks) {
    const events = read.select({ id: outboxEvents.id }).from(outboxEvents).where(inTenantToTheEnd(outboxEvents, id))
    return inArray(outboxTasks.eventId, events)
  }
  return inTenantToTheEnd(table as TenantTable, id)
}

/** Copies the accounts that rows of the organization name, without their passwords. */
async function copyAccounts(from: Transaction, to: Transaction, organization: MovedOrganization): Promise<void> {
  const ids = new Set<string>()
  for (const table of movedTables())
    for (const { column } of accountColumns(table)) {
      const rows = await from
        .selectDistinct({ id: column })
        .from(table)
        .where(rowsOf(from, table, organization))
      for (const { id } of rows) if (typeof id === 'string') ids.add(id)
    }
  const accountsAtOnce = 500
  const all = [...ids]
  for (let at = 0; at < all.length; at += accountsAtOnce) {
    const rows = await from
      .select()
      .from(users)
      .where(inArray(users.id, all.slice(at, at + accountsAtOnce)))
    if (rows.length > 0) await to.insert(users).values(rows.map((row) => ({ ...row, passwordHash: null })))
  }
}

/** Puts documents that are objects into the rows of the file: another installation has another bucket. */
async function takeObjects(db: Database, to: Transaction, tenantId: string): Promise<void> {
  for (;;) {
    const rows = await to
      .select({ digest: contents.digest, object: contents.object })
      .from(contents)
      .where(sql`${contents.object} is not null`)
      .limit(100)
    if (rows.length === 0) return
    for (const { digest, object } of rows) {
      const frame = await readObject(db, { kind: 'contents', tenantId, sha256: object ?? '' }, digest)
      await to
        .update(contents)
        .set({ compressed: firstPart(frame), object: null })
        .where(eq(contents.digest, digest))
      await writeParts(frame, (part, ordinal) => to.insert(contentParts).values({ tenantId, digest, ordinal, part }))
    }
  }
}

async function fill(db: Database, path: string, slug: string, progress: Progress): Promise<MovedOrganization> {
  await migrateSqlite(path)
  const copy = openSqlite(path)
  try {
    return await db.inTransaction(
      async (snapshot) => {
        const [row] = await snapshot
          .select({ id: tenants.id, slug: tenants.slug, name: tenants.name })
          .from(tenants)
          .where(eq(tenants.slug, slug))
        if (row === undefined) throw new SvcError('tenant-not-found', { tenant: slug })
        await copy.inTransaction(async (tx) => {
          await executeSql(tx, sql`pragma defer_foreign_keys = on`)
          const moved = movedTables()
          for (const [at, table] of moved.entries()) {
            progress({ table: at + 1, tables: moved.length })
            if (table === users) await copyAccounts(snapshot, tx, row)
            else await copyTable(snapshot, tx, table, { which: rowsOf(snapshot, table, row) })
          }
          await takeObjects(db, tx, row.id)
        })
        return row
      },
      db.dialect === 'postgres' ? { isolation: 'repeatable read' } : {},
    )
  } finally {
    await copy.close()
  }
}

/**
 * Writes an organization as of one instant into a new file: a backup that holds it alone, which `svc backup verify` reads too. People
 * work on meanwhile. Accounts are in it without passwords and second factors; secrets stay encrypted by the key of this installation.
 * @param slug of the organization
 * @param now milliseconds since the epoch
 * @throws SvcError `tenant-not-found`, `backup-unusable` where the file exists or cannot be written, `document-damaged`,
 *   `storage-unavailable`, and what opening the database raises
 */
export async function exportOrganization(
  target: DatabaseTarget,
  path: string,
  { slug, now, progress = () => {} }: { readonly slug: string; readonly now: number; readonly progress?: Progress },
): Promise<CheckedBackup> {
  const refuse = (reason: string) => new SvcError('backup-unusable', { path, reason })
  if (existsSync(path)) throw refuse('the file already exists')
  const draft = `${path}.${newId()}.partial`
  const snapshot = `${draft}.snapshot`
  let db: Database | undefined
  try {
    // Made first, so that no moment exists in which others may read it.
    closeSync(openSync(draft, 'wx', 0o600))
    // A transaction on SQLite keeps others from writing: what is read is a copy.
    if (target.kind === 'sqlite') copyFile(target.path, snapshot)
    db = await openDatabase(target.kind === 'sqlite' ? { ...target, path: snapshot } : target)
    const organization = await fill(db, draft, slug, progress)
    const manifest = seal(draft, target.kind, now, { onProgress: () => {}, organization })
    renameSync(draft, path)
    return manifest
  } catch (error) {
    const reason = describeFileFailure(error)
    throw reason ? refuse(reason) : error
  } finally {
    await db?.close()
    for (const file of [draft, snapshot])
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
  }
}
