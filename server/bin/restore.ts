/** How each kind comes back: what is checked before, what differs from the rows that were deleted, what follows. */
import { and, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { bringBack, type Adjust } from '../../db/bin/bring-back.ts'
import type { BinEntryRow, Row } from '../../db/bin/keep.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { numberTypes } from '../../db/primitives/search-ids.ts'
import { nextEntryId } from '../../db/search/search.ts'
import {
  consumers,
  draftBindings,
  linkedAccounts,
  mcpEndpoints,
  primitives,
  projects,
  searchEntries,
  styleGuideAssignments,
  styleGuideDefaults,
  styleGuides,
  versions,
  webhookSubscriptions,
} from '../../db/tables.gen.ts'
import { binKindNames, type BinKind } from '../../src/api/bin-kinds.ts'
import { SvcError } from '../../src/errors.ts'
import { slugifyVersion } from '../../src/import/slug.ts'
import type { Grant } from '../auth/grant.ts'
import type { Deps } from '../deps.ts'
import { followTypes } from '../embeddings/index-types.ts'
import { assertProjectRoom } from '../license/quota.ts'
import { observeKind } from '../mcp-servers/due.ts'
import { lockRegistry } from '../primitives/write.ts'
import type { ProjectRow } from '../projects/service.ts'
import { schedule } from '../schedule/rows.ts'
import { lockGuides } from '../style-guides/audit.ts'
import { effectiveGuide } from '../style-guides/effective.ts'
import { followGuide } from '../style-guides/relint.ts'
import { findGuide } from '../style-guides/store.ts'
import { assertLabel } from '../versions/drafts.ts'
import { assertWebhookRoom } from '../webhooks/service.ts'

/** What a restorer works with. */
interface Restoring {
  readonly deps: Deps
  readonly grant: Grant
  readonly tx: Transaction
  readonly entry: BinEntryRow
  /** What it is called from now on: a slug, label, handle or name. */
  readonly ref: string
  /** The error where that is taken. */
  readonly taken: SvcError
  /** Takes what does not come back. */
  readonly notes: string[]
}

/** Entries of the search index get new numbers: the old ones may be taken. */
function numbered(tx: Transaction): (rows: readonly Row[]) => Promise<readonly Row[]> {
  let next: number | undefined
  return async (rows) => {
    let id = next ?? (await nextEntryId(tx))
    next = id + rows.length
    return rows.map((row) => ({ ...row, id: id++ }))
  }
}

/** Adjusts the rows of some tables; the others are inserted as they were. */
function adjusting(tx: Transaction, own: readonly (readonly [PgTable, Adjust])[]): Adjust {
  const renumber = numbered(tx)
  const byTable = new Map<PgTable, Adjust>([[searchEntries, (_, rows) => renumber(rows)], ...own])
  return (table, rows) => byTable.get(table)?.(table, rows) ?? Promise.resolve(rows)
}

/** The project that something belonged to. @throws SvcError `bin-project-missing` */
async function projectOf({ tx, entry }: Restoring): Promise<ProjectRow> {
  const { tenantId, projectId, projectSlug, kind, name } = entry
  const [row] = await tx
    .select()
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.id, projectId ?? '')))
  if (!row)
    throw new SvcError('bin-project-missing', {
      kind: binKindNames[kind],
      name,
      project: projectSlug ?? projectId ?? '',
    })
  return row
}

/** Stored grades follow the style guide: it may have changed since. */
async function followProject({ deps, tx, entry }: Restoring, projectId: string): Promise<void> {
  const { guide } = await effectiveGuide(tx, entry.tenantId, projectId)
  if (guide.digest !== entry.detail['guide']) await followGuide(deps, tx, entry.tenantId, { guideId: null, projectId })
}

/** Rows name style guides and linked accounts without a foreign key: those that were deleted meanwhile are named no more. */
function withoutMissing({ tx, entry, notes }: Restoring): readonly (readonly [PgTable, Adjust])[] {
  const { tenantId } = entry
  const guides: Adjust = async (_, rows) => {
    const left: Row[] = []
    for (const row of rows) {
      const found = await findGuide(tx, tenantId, row['guideId'] as string).catch(() => null)
      if (found !== null) left.push(row)
    }
    if (left.length < rows.length) notes.push('Its style guide was deleted: the default one applies.')
    return left
  }
  const bindings: Adjust = async (_, rows) => {
    const own = await tx
      .select({ id: linkedAccounts.id })
      .from(linkedAccounts)
      .where(inTenant(linkedAccounts, tenantId))
    const known = new Set<unknown>(own.map(({ id }) => id))
    return rows.map((row) => (known.has(row['linkedAccountId']) ? row : { ...row, linkedAccountId: null }))
  }
  return [
    [styleGuideAssignments, guides],
    [draftBindings, bindings],
  ]
}

async function restoreProject(it: Restoring): Promise<void> {
  const { deps, tx, entry, ref } = it
  const { tenantId, id } = entry
  await assertProjectRoom(tx, deps.plans, tenantId)
  const [other] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(inTenant(projects, tenantId, eq(projects.slug, ref)))
  if (other) throw it.taken
  const renamed: Adjust = async (_, rows) => rows.map((row) => ({ ...row, slug: ref }))
  await bringBack(tx, entry, adjusting(tx, [[projects, renamed], ...withoutMissing(it)]))
  await followProject(it, id)
}

async function restoreVersion(it: Restoring): Promise<void> {
  const { tx, entry, ref } = it
  const project = await projectOf(it)
  const isRenamed = ref !== entry.ref
  const slug = isRenamed ? slugifyVersion(ref) : ((entry.detail['slug'] as string | undefined) ?? slugifyVersion(ref))
  assertLabel(ref)
  assertLabel(slug)
  const names = [ref, slug]
  const [other] = await tx
    .select({ id: versions.id })
    .from(versions)
    .where(
      inTenant(
        versions,
        entry.tenantId,
        eq(versions.projectId, project.id),
        or(inArray(versions.label, names), inArray(versions.slug, names)),
      ),
    )
  if (other) throw it.taken
  const renamed: Adjust = async (_, rows) => rows.map((row) => (isRenamed ? { ...row, label: ref, slug } : row))
  await bringBack(tx, entry, adjusting(tx, [[versions, renamed], ...withoutMissing(it)]))
  await followProject(it, project.id)
}

async function restoreConsumer(it: Restoring): Promise<void> {
  const { tx, entry, ref } = it
  const project = await projectOf(it)
  await tx.lock(`consumer ${entry.id}`)
  const ofTenant = (...where: Parameters<typeof and>) => inTenant(consumers, entry.tenantId, and(...where))
  const [other] = await tx
    .select({ id: consumers.id })
    .from(consumers)
    .where(ofTenant(eq(consumers.projectId, project.id), eq(consumers.liveHandle, ref)))
  if (other) throw it.taken
  const [row] = await tx
    .update(consumers)
    .set({
      handle: ref,
      liveHandle: ref,
      retiredAt: null,
      updatedAt: entry.detail['updatedAt'] as string,
    })
    .where(ofTenant(eq(consumers.id, entry.id), isNotNull(consumers.retiredAt)))
    .returning({ id: consumers.id })
  if (!row) throw new SvcError('bin-entry-not-found', { entry: entry.id })
}

async function restoreGuide(it: Restoring): Promise<void> {
  const { deps, tx, entry, ref, notes } = it
  const { tenantId, id } = entry
  await lockGuides(tx, tenantId)
  const [other] = await tx
    .select({ id: styleGuides.id })
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId, eq(styleGuides.name, ref)))
  if (other) throw it.taken
  let applies = 0
  const withoutOthers: Adjust = async (_, rows) => {
    const wanted = rows.map((row) => row['projectId'] as string)
    const assigned = new Set<unknown>()
    for (let at = 0; at < wanted.length; at += 200)
      for (const row of await tx
        .select({ id: styleGuideAssignments.projectId })
        .from(styleGuideAssignments)
        .where(
          inTenant(
            styleGuideAssignments,
            tenantId,
            inArray(styleGuideAssignments.projectId, wanted.slice(at, at + 200)),
          ),
        ))
        assigned.add(row.id)
    const left = rows.filter((row) => !assigned.has(row['projectId']))
    applies += left.length
    if (left.length < rows.length) notes.push('Projects that were assigned another style guide since then keep it.')
    return left
  }
  const unlessChosen: Adjust = async (_, rows) => {
    const [chosen] = await tx.select().from(styleGuideDefaults).where(inTenant(styleGuideDefaults, tenantId))
    if (chosen && rows.length > 0) notes.push('It was the default style guide; another one is the default now.')
    const left = chosen ? [] : rows
    applies += left.length
    return left
  }
  const renamed: Adjust = async (_, rows) => rows.map((row) => ({ ...row, name: ref }))
  await bringBack(
    tx,
    entry,
    adjusting(tx, [
      [styleGuides, renamed],
      [styleGuideAssignments, withoutOthers],
      [styleGuideDefaults, unlessChosen],
    ]),
  )
  if (applies > 0) await followGuide(deps, tx, tenantId, { guideId: id })
}

async function restoreType(it: Restoring): Promise<void> {
  const { deps, tx, entry } = it
  const { tenantId } = entry
  await lockRegistry(tx, tenantId)
  const found: Row[] = await tx
    .select({ id: primitives.id })
    .from(primitives)
    .where(inTenant(primitives, tenantId, eq(primitives.ref, entry.ref)))
    .limit(1)
  if (found.length > 0) throw it.taken
  const renumber: Adjust = async (_, rows) => {
    const [row] = rows as readonly (typeof primitives.$inferSelect)[]
    if (row === undefined) return []
    return [{ ...row, searchId: await numberTypes(tx, tenantId, { scope: row.scope, types: 1 }) }]
  }
  await bringBack(tx, entry, adjusting(tx, [[primitives, renumber]]))
  await followTypes(deps, tx, tenantId)
}

async function restoreWebhook(it: Restoring): Promise<void> {
  const { deps, tx, entry } = it
  const { tenantId } = entry
  await assertWebhookRoom(deps, tx, tenantId)
  const [other] = await tx
    .select({ id: webhookSubscriptions.id })
    .from(webhookSubscriptions)
    .where(inTenant(webhookSubscriptions, tenantId, eq(webhookSubscriptions.urlKey, entry.detail['urlKey'] as string)))
  if (other) throw it.taken
  await bringBack(tx, entry, adjusting(tx, []))
  it.notes.push('Its deliveries and dead letters are not restored.')
}

async function restoreMcpServer(it: Restoring): Promise<void> {
  const { deps, tx, entry, notes } = it
  const { id, tenantId } = entry
  const now = deps.clock.now()
  let isObserved = false
  const withoutSecret: Adjust = async (_, rows) =>
    rows.map((row) => {
      isObserved = row['dueAt'] !== null
      if (row['headerSecretId'] !== null)
        notes.push(`The value of its header "${String(row['headerName'])}" is not restored: set it again.`)
      return { ...row, headerName: null, headerSecretId: null }
    })
  await bringBack(tx, entry, adjusting(tx, [[mcpEndpoints, withoutSecret]]))
  if (isObserved) await schedule(tx, observeKind, { subjectId: id, tenantId, at: now })
}

/** How each kind comes back. */
export const restorers: Readonly<Record<BinKind, (it: Restoring) => Promise<void>>> = {
  project: restoreProject,
  version: restoreVersion,
  consumer: restoreConsumer,
  'style-guide': restoreGuide,
  type: restoreType,
  webhook: restoreWebhook,
  'mcp-server': restoreMcpServer,
}
