/** Changes and exports of many projects: each project by itself, in batches that the caller continues. */
import { asc, inArray, or } from 'drizzle-orm'
import { stringify } from 'yaml'
import { after, inTenant } from '../../db/conditions.ts'
import type { Database, Reader } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { type BulkResult, mostAtOnce, type projectBulkApi } from '../../src/api/project-bulk.ts'
import { mostTags } from '../../src/api/projects.ts'
import type { Input } from '../../src/api/endpoint.ts'
import { writeCatalogEntity } from '../../src/backstage/catalog-entity.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assign, assignedIdOf, findGuide, idOf, unassign } from '../style-guides/door.ts'
import { inCatalogue } from './catalogue.ts'
import { changeFacts, type ProjectMetadata, removeProject, toRecords } from './service.ts'
import { findProject, type ProjectRow } from '../records/door.ts'

type ChangeInput = Input<typeof projectBulkApi.change>['body']
type Selection = Input<typeof projectBulkApi.export>['body']
type Change = ChangeInput['change']

/** The projects of one batch: what was found of them, and what was asked for and is not there. */
interface Batch {
  readonly rows: readonly ProjectRow[]
  readonly missing: readonly string[]
  /** How many there are from `after` on. */
  readonly total: number
  readonly next: string | null
}

async function namedBatch(read: Reader, tenantId: string, refs: readonly string[]): Promise<Batch> {
  const wanted = [...refs]
  const rows = await read
    .select()
    .from(projects)
    .where(inTenant(projects, tenantId, or(inArray(projects.id, wanted), inArray(projects.slug, wanted))))
    .orderBy(asc(projects.id))
  const known = new Set(rows.flatMap(({ id, slug }) => [id, slug]))
  const missing = refs.filter((ref) => !known.has(ref))
  return { rows, missing, total: rows.length + missing.length, next: null }
}

/** The next projects in the order of their ids, which no change of theirs moves. */
async function matchingBatch(
  db: Database,
  tenantId: string,
  filter: NonNullable<Selection['matching']>,
  from: string | null,
): Promise<Batch> {
  const fitting = await inCatalogue(db, tenantId, { ...filter, q: filter.q ?? null })
  const where = inTenant(projects, tenantId, fitting, from === null ? undefined : after([projects.id, from]))
  const rows = await db.read.select().from(projects).where(where).orderBy(asc(projects.id)).limit(mostAtOnce)
  const total = await db.read.$count(projects, where)
  return { rows, missing: [], total, next: total > rows.length ? (rows.at(-1)?.id ?? null) : null }
}

function batchOf(db: Database, tenantId: string, selection: Selection): Promise<Batch> {
  const { projects: refs, matching, after: from } = selection
  if (refs !== undefined && matching !== undefined)
    throw new SvcError('bulk-selection-unclear', { reason: 'both "projects" and "matching" are given' })
  if (refs !== undefined) {
    if (from !== undefined)
      throw new SvcError('bulk-selection-unclear', { reason: '"after" belongs to "matching" only' })
    return namedBatch(db.read, tenantId, refs)
  }
  if (matching === undefined)
    throw new SvcError('bulk-selection-unclear', { reason: 'neither "projects" nor "matching" is given' })
  return matchingBatch(db, tenantId, matching, from ?? null)
}

function assertMay(grant: Grant, permission: Permission): void {
  if (!grant.permissions.has(permission)) throw new SvcError('permission-denied', { permission })
}

/** @throws SvcError where the caller lacks a permission, or the change contradicts itself: then nothing is done */
async function assertChange(deps: Deps, grant: Grant, input: ChangeInput): Promise<void> {
  const { change } = input
  const { add_tags: more = [], remove_tags: fewer = [] } = change
  const both = more.find((tag) => fewer.includes(tag))
  if (both !== undefined)
    throw new SvcError('bulk-change-unclear', { reason: `the tag "${both}" is added and removed` })
  if (change.style_guide !== undefined) assertMay(grant, 'style_guides:edit')
  if (typeof change.style_guide === 'string') await findGuide(deps.db.read, tenantOf(grant).id, change.style_guide)
  if (change.delete !== true) return
  assertMay(grant, 'projects:delete')
  if (Object.keys(change).length > 1)
    throw new SvcError('bulk-change-unclear', { reason: 'a project cannot be deleted and changed in one request' })
  const isFirst = input.matching !== undefined && input.after === undefined
  if (isFirst && input.expected === undefined && input.dry_run !== true)
    throw new SvcError('bulk-change-unclear', {
      reason: 'deleting all that match needs "expected", the number of projects',
    })
}

/**
 * The facts of a project after the change.
 * @throws SvcError `too-many-tags`
 */
function factsAfter(row: ProjectRow, change: Change): ProjectMetadata {
  const { owner, lifecycle, add_tags: more = [], remove_tags: fewer = [] } = change
  const before = row.tags ?? []
  const tags = [...new Set([...before, ...more])].filter((tag) => !fewer.includes(tag))
  if (tags.length > mostTags && tags.length > before.length)
    throw new SvcError('too-many-tags', { found: tags.length, max: mostTags })
  return {
    ...(owner === undefined ? {} : { owner }),
    ...(lifecycle === undefined ? {} : { lifecycle }),
    ...(more.length + fewer.length === 0 ? {} : { tags }),
  }
}

const hasFacts = (row: ProjectRow, facts: ProjectMetadata): boolean =>
  (facts.owner === undefined || facts.owner === row.owner) &&
  (facts.lifecycle === undefined || facts.lifecycle === row.lifecycle) &&
  (facts.tags === undefined || facts.tags.toSorted().join(' ') === (row.tags ?? []).toSorted().join(' '))

/** Assigns the style guide where the project does not have it; says whether it did. */
async function changeGuide(deps: Deps, grant: Grant, row: ProjectRow, change: Change, dryRun: boolean) {
  const { style_guide: ref } = change
  if (ref === undefined) return false
  const { read } = deps.db
  const before = await assignedIdOf(read, row.tenantId, row.id)
  const wanted = ref === null ? null : idOf(await findGuide(read, row.tenantId, ref))
  if (before === wanted) return false
  if (!dryRun) await (wanted === null ? unassign(deps, grant, row.id) : assign(deps, grant, wanted, row.id))
  return true
}

/** Does to one project what was asked for, or only says what it would be. */
async function applyTo(
  deps: Deps,
  grant: Grant,
  row: ProjectRow,
  change: Change,
  dryRun: boolean,
): Promise<BulkResult['outcome']> {
  if (change.delete === true) {
    if (!dryRun) await removeProject(deps, grant, row.id)
    return 'deleted'
  }
  const differs = dryRun
    ? !hasFacts(row, factsAfter(row, change))
    : await deps.db.inTransaction(async (tx) => {
        const current = await findProject(tx, row.tenantId, row.id)
        return (await changeFacts(deps, grant, tx, current, factsAfter(current, change))).length > 0
      })
  const guided = await changeGuide(deps, grant, row, change, dryRun)
  return differs || guided ? 'changed' : 'unchanged'
}

/** What became of a project: a refusal of one does not stop the others. */
async function resultOf(row: ProjectRow, work: () => Promise<BulkResult['outcome']>): Promise<BulkResult> {
  const of = { project_id: row.id, slug: row.slug, name: row.name }
  try {
    return { ...of, outcome: await work(), reason: null }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return { ...of, outcome: 'refused', reason: { code: error.code, message: error.message } }
  }
}

const missingResult = (ref: string): BulkResult => {
  const { code, message } = new SvcError('project-not-found', { project: ref })
  return { project_id: null, slug: ref, name: null, outcome: 'refused', reason: { code, message } }
}

/**
 * Changes or deletes up to 200 projects, each in a transaction of its own with its audit event.
 * @throws SvcError `bulk-selection-unclear`, `bulk-change-unclear`, `bulk-count-differs`, `permission-denied`, `style-guide-not-found`: then nothing was changed
 */
export async function changeMany(
  deps: Deps,
  grant: Grant,
  input: ChangeInput,
): Promise<{ dry_run: boolean; total: number; results: BulkResult[]; next: string | null }> {
  const { change, dry_run: dryRun = false, expected } = input
  await assertChange(deps, grant, input)
  const batch = await batchOf(deps.db, tenantOf(grant).id, input)
  if (expected !== undefined && input.after === undefined && batch.total !== expected)
    throw new SvcError('bulk-count-differs', { found: batch.total, expected })
  const results = batch.missing.map(missingResult)
  for (const row of batch.rows) results.push(await resultOf(row, () => applyTo(deps, grant, row, change, dryRun)))
  return { dry_run: dryRun, total: batch.total, results, next: batch.next }
}

/**
 * Up to 200 projects as API entities of Backstage, a YAML document for each.
 * @throws SvcError `bulk-selection-unclear`, `project-not-found`
 */
export async function exportMany(
  deps: Deps,
  grant: Grant,
  input: Selection,
): Promise<{ count: number; content: string; next: string | null }> {
  const tenant = tenantOf(grant)
  const { rows, missing, next } = await batchOf(deps.db, tenant.id, input)
  const [lost] = missing
  if (lost !== undefined) throw new SvcError('project-not-found', { project: lost })
  const records = await toRecords(deps, tenant, rows)
  const entities = records.map((project) => {
    const { latest_version: latest } = project
    return stringify(
      writeCatalogEntity({
        ...project,
        format: latest?.format.kind ?? null,
        document: latest?.urls.document ?? null,
      }),
    )
  })
  return { count: entities.length, content: entities.join('---\n'), next }
}
