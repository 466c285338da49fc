import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, getTableName, isNotNull, max, min, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { SvcError } from '../../src/errors.ts'
import { readRows } from '../backup/copy-rows.ts'
import type { MovedOrganization } from '../backup/manifest.ts'
import { verifyBackup } from '../backup/verify.ts'
import { inTenantToTheEnd, type TenantTable } from '../conditions.ts'
import type { Database, Reader, Transaction } from '../database.ts'
import { type DatabaseTarget, openDatabase } from '../open.ts'
import { searchIdIn } from '../primitives/search-ids.ts'
import { summarizeStale } from '../projects/summary.ts'
import { nextEntryId } from '../search/search.ts'
import {
  memberships,
  outboxEvents,
  outboxTasks,
  primitiveRegistries,
  primitives,
  projects,
  searchEntries,
  tenants,
  users,
} from '../tables.gen.ts'
import type { Progress } from './export.ts'
import { RowSum } from './row-sum.ts'
import { accountColumns, movedTables } from './tables.ts'

type Row = Record<string, unknown>

/** What an import brought. */
export interface ImportedOrganization {
  readonly organization: MovedOrganization
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The addresses of accounts that were there already, and of those that were made. */
  readonly accounts: { readonly found: readonly string[]; readonly made: readonly string[] }
}

export interface ImportOptions {
  /** What the organization is called from now on; its own slug when omitted. */
  readonly slug?: string
  /** The address of the account that takes the place of the owner of a laptop, who has no account. */
  readonly owner?: string
  readonly progress?: Progress
}

/** The owner of a workspace that nobody claimed: it cannot sign in anywhere. */
const unclaimedEmail = 'owner@localhost'

type User = typeof users.$inferSelect

const sameAddress = (email: string) => sql`lower(${users.email}) = ${email.toLowerCase()}`

/** The account whose address was confirmed; there is at most one. */
async function confirmedAccount(tx: Transaction, email: string): Promise<User | undefined> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(sameAddress(email), isNotNull(users.emailVerifiedAt)))
  return row
}

/**
 * Finds or creates the account of everybody in the file. Only a confirmed address is the same person here and there: whoever typed the
 * address of somebody else must not become a member.
 * @returns the ids here by the ids in the file; null: nobody
 */
async function bringAccounts(
  tx: Transaction,
  all: readonly User[],
  tenantId: string,
  owner: string | undefined,
): Promise<{ readonly ids: ReadonlyMap<string, string | null>; readonly found: string[]; readonly made: string[] }> {
  const ids = new Map<string, string | null>()
  const [found, made]: [string[], string[]] = [[], []]
  for (const user of all) {
    const email = user.email === unclaimedEmail ? owner : user.email
    if (email === undefined) {
      ids.set(user.id, null)
      continue
    }
    const confirmed = await confirmedAccount(tx, email)
    if (user.email === unclaimedEmail && confirmed === undefined) throw new SvcError('user-not-found', { user: email })
    const isConfirmed = user.emailVerifiedAt !== null || user.email === unclaimedEmail
    if (isConfirmed && confirmed !== undefined) {
      ids.set(user.id, confirmed.id)
      found.push(confirmed.email)
      continue
    }
    const boundTo = isConfirmed ? null : tenantId
    await tx.insert(users).values({ ...user, passwordHash: null, boundTo })
    ids.set(user.id, user.id)
    made.push(user.email)
  }
  return { ids, found, made }
}

/** A value with the ids of accounts replaced, wherever they are in it. */
function withAccounts(value: unknown, ids: ReadonlyMap<string, string | null>): unknown {
  if (typeof value === 'string') {
    const [prefix, id] = value.startsWith('user:') ? ['user:', value.slice('user:'.length)] : ['', value]
    const known = ids.get(id)
    return typeof known === 'string' && known !== id ? prefix + known : value
  }
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => withAccounts(item, ids))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withAccounts(item, ids)]))
}

/** What differs here from the file. */
interface Here {
  /** The ids of accounts here by those in the file; null: nobody. */
  readonly ids: ReadonlyMap<string, string | null>
  readonly slug: string
  /** By how much the numbers of entries in the search are greater here. */
  readonly entries: number
  /** The blocks of numbers that the types of the organization have in the file and here. */
  readonly blocks: readonly [number, number]
}

/** A row as it is written here; null where it is of nobody who is here. */
function rowHere(table: PgTable, row: Row, { ids, slug, entries, blocks }: Here): Row | null {
  const own: Row = {}
  for (const [key, value] of Object.entries(row)) own[key] = withAccounts(value, ids)
  for (const { property, isOptional } of accountColumns(table)) {
    const id = row[property]
    if (typeof id !== 'string' || ids.get(id) !== null) continue
    if (!isOptional) return null
    own[property] = null
  }
  if (table === tenants) own['slug'] = slug
  // The triggers of its versions note the same.
  if (table === projects) own['summaryGeneration'] = 0
  if (table === searchEntries) own['id'] = Number(row['id']) + entries
  if (table === primitiveRegistries) own['block'] = blocks[1]
  if (table === primitives) own['searchId'] = searchIdIn(Number(row['searchId']), ...blocks)
  return own
}

const ofTenant = (read: Reader, table: PgTable, tenantId: string) => {
  if (table === tenants) return eq(tenants.id, tenantId)
  if (table !== outboxTasks) return inTenantToTheEnd(table as TenantTable, tenantId)
  const events = read.select({ id: outboxEvents.id }).from(outboxEvents).where(inTenantToTheEnd(outboxEvents, tenantId))
  return sql`${outboxTasks.eventId} in ${events}`
}

async function differences(
  source: Reader,
  tx: Transaction,
  slug: string,
  ids: ReadonlyMap<string, string | null>,
): Promise<Here> {
  const [least] = await source.select({ id: min(searchEntries.id) }).from(searchEntries)
  const [registry] = await source.select({ block: primitiveRegistries.block }).from(primitiveRegistries)
  await tx.lock('primitive-search')
  const [greatest] = await tx.select({ block: max(primitiveRegistries.block) }).from(primitiveRegistries)
  const entries = (await nextEntryId(tx)) - (least?.id ?? 1)
  return { ids, slug, entries, blocks: [registry?.block ?? 0, (greatest?.block ?? 0) + 1] }
}

/** Writes the rows of a table, reads them back, and compares them with what was to be written. */
async function bringTable(
  source: Reader,
  tx: Transaction,
  table: PgTable,
  { tenantId, here }: { readonly tenantId: string; readonly here: Here },
): Promise<number> {
  const wanted = new RowSum()
  for await (const rows of readRows(source, table)) {
    const own = rows.map((row) => rowHere(table, row, here)).filter((row) => row !== null)
    if (own.length > 0) await tx.insert(table).values(own)
    for (const row of own) wanted.add(row)
  }
  const written = new RowSum()
  for await (const rows of readRows(tx, table, ofTenant(tx, table, tenantId))) for (const row of rows) written.add(row)
  if (!written.equals(wanted))
    throw new Error(`the rows of ${getTableName(table)} are not those that were to be written`)
  return wanted.count
}

async function assertFree(tx: Transaction, { id }: MovedOrganization, slug: string): Promise<void> {
  const [sameId] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, id))
  if (sameId !== undefined) throw new SvcError('organization-there', { tenant: sameId.slug })
  const [sameSlug] = await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug))
  if (sameSlug !== undefined) throw new SvcError('tenant-slug-taken', { slug })
}

async function assertOwned(tx: Transaction, tenantId: string, slug: string): Promise<void> {
  const owners = await tx.$count(
    memberships,
    inTenantToTheEnd(memberships, tenantId, eq(memberships.role, 'owner'), eq(memberships.status, 'active')),
  )
  if (owners === 0) throw new SvcError('organization-without-owner', { tenant: slug })
}

async function bringAll(
  source: Reader,
  db: Database,
  organization: MovedOrganization,
  options: ImportOptions,
): Promise<ImportedOrganization> {
  const { slug = organization.slug, owner, progress = () => {} } = options
  const { id: tenantId } = organization
  const imported = await db.inTransaction(async (tx) => {
    await tx.lock(`organization:${slug}`)
    await assertFree(tx, organization, slug)
    const all = await source.select().from(users)
    const { ids, found, made } = await bringAccounts(tx, all, tenantId, owner)
    const here = await differences(source, tx, slug, ids)
    const rows: Record<string, number> = {}
    const moved = movedTables()
    for (const [at, table] of moved.entries()) {
      progress({ table: at + 1, tables: moved.length })
      if (table === users) continue
      const count = await bringTable(source, tx, table, { tenantId, here })
      if (count > 0) rows[getTableName(table)] = count
    }
    await assertOwned(tx, tenantId, slug)
    return { organization: { ...organization, slug }, rows, accounts: { found, made } }
  })
  await summarizeStale(db, tenantId)
  return imported
}

/**
 * Verifies a file of `exportOrganization` and writes the organization beside those that are there, of either engine, in one transaction;
 * what was written is read back and compared. Ids stay; accounts are found by their confirmed addresses, or made without a password.
 * @throws SvcError `backup-unusable`, `organization-there`, `tenant-slug-taken`, `organization-without-owner`, `user-not-found` for the
 *   owner that was named, `database-newer`, and what opening the database raises
 */
export async function importOrganization(
  path: string,
  target: DatabaseTarget,
  options: ImportOptions = {},
): Promise<ImportedOrganization> {
  const { organization } = verifyBackup(path)
  if (organization === undefined)
    throw new SvcError('backup-unusable', { path, reason: 'it is a backup of a whole service: use svc backup restore' })
  const folder = mkdtempSync(join(tmpdir(), 'svc-organization-'))
  try {
    const copy = join(folder, 'organization.db')
    copyFileSync(path, copy)
    const source = await openDatabase({ kind: 'sqlite', path: copy })
    const db = await openDatabase(target)
    try {
      return await bringAll(source.read, db, organization, options)
    } finally {
      await db.close()
      await source.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
