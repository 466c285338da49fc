import { eq, inArray } from 'drizzle-orm'
import type { ProjectFacets, ProjectRecord } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { isStale, summarizeProjects, summaryOf } from '../../db/projects/summary.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import { actorOf, type Grant, type GrantedTenant, type Principal, recordAudit, tenantOf } from '../auth/door.ts'
import { putInBin } from '../bin/door.ts'
import { removeFirst, removeInParts } from '../deletion/door.ts'
import { afterPage, type Deps, type StablePage } from '../kit/door.ts'
import { assertProjectRoom, type Plans } from '../license/door.ts'
import { findProject, type ProjectRow, toVersionRecord } from '../records/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { grantToCreator } from '../teams/door.ts'
import { type CatalogueQuery, findInCatalogue } from './catalogue.ts'
import { uniqueSlug } from './slug.ts'

/** What is known of a project beside its name; what is left out stays as it is. */
export interface ProjectMetadata {
  readonly owner?: string | null
  readonly lifecycle?: ProjectRow['lifecycle']
  readonly tags?: readonly string[]
  readonly links?: readonly { readonly title?: string | null; readonly url: string }[]
}

const metadataColumns = ({ owner, lifecycle, tags, links }: ProjectMetadata) => ({
  ...(owner === undefined ? {} : { owner }),
  ...(lifecycle === undefined ? {} : { lifecycle }),
  ...(tags === undefined ? {} : { tags: tags.length === 0 ? null : tags.toSorted() }),
  ...(links === undefined
    ? {}
    : { links: links.length === 0 ? null : links.map(({ title = null, url }) => ({ title, url })) }),
})

/** Projects with their summaries: those whose summary is to be made again are summarized here, and not written. */
async function summarized(deps: Deps, tenant: GrantedTenant, rows: readonly ProjectRow[]): Promise<ProjectRow[]> {
  const stale = rows.filter(isStale).map(({ id }) => id)
  if (stale.length === 0) return [...rows]
  const found = await deps.db.read
    .select()
    .from(versions)
    .where(inTenant(versions, tenant.id, inArray(versions.projectId, stale)))
  const byProject = Map.groupBy(found, (version) => version.projectId)
  return rows.map((row) => (isStale(row) ? { ...row, ...summaryOf(row.name, byProject.get(row.id) ?? []) } : row))
}

/** Projects as the contract shows them. */
export async function toRecords(
  deps: Deps,
  tenant: GrantedTenant,
  rows: readonly ProjectRow[],
): Promise<ProjectRecord[]> {
  const all = await summarized(deps, tenant, rows)
  const ids = all.flatMap(({ latestVersionId }) => latestVersionId ?? [])
  const found =
    ids.length === 0
      ? []
      : await deps.db.read
          .select()
          .from(versions)
          .where(inTenant(versions, tenant.id, inArray(versions.id, ids)))
  const byId = new Map(found.map((version) => [version.id, version]))
  return all.map((row) => {
    const latest = byId.get(row.latestVersionId ?? '')
    return {
      id: row.id,
      slug: row.slug,
      name: row.name,
      description: row.description,
      owner: row.owner,
      lifecycle: row.lifecycle,
      tags: [...(row.tags ?? [])],
      links: (row.links ?? []).map(({ title, url }) => ({ title, url })),
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      versions_count: row.versionsCount,
      published_versions_count: row.versionsCount - row.draftsCount,
      latest_version: latest ? toVersionRecord(latest, row.slug, tenant.slug, deps.publicUrl()) : null,
    }
  })
}

interface ProjectPage extends ReturnType<typeof afterPage> {
  readonly items: ProjectRecord[]
  readonly facets?: ProjectFacets
}

/** A page of the tenant's projects: newest first, unless another order is asked for. */
export async function listProjects(
  deps: Deps,
  grant: Grant,
  asked: CatalogueQuery & { readonly page: StablePage },
): Promise<ProjectPage> {
  const tenant = tenantOf(grant)
  const now = deps.clock.iso()
  const { rows, ...counted } = await findInCatalogue(deps.db, tenant.id, asked)
  return {
    items: await toRecords(deps, tenant, rows),
    ...afterPage(asked.page, { shown: rows.length, total: counted.total, now }),
    ...(counted.facets === undefined ? {} : { facets: counted.facets }),
  }
}

/**
 * One project as the contract shows it.
 * @throws SvcError `project-not-found`
 */
export async function getProject(deps: Deps, grant: Grant, ref: string): Promise<ProjectRecord> {
  const tenant = tenantOf(grant)
  const [record] = await toRecords(deps, tenant, [await findProject(deps.db.read, tenant.id, ref)])
  if (!record) throw new SvcError('project-not-found', { project: ref })
  return record
}

/**
 * Inserts a project within a transaction, and makes the person who creates it its owner; without a slug one is made from the name.
 * @throws SvcError `project-slug-taken`, `quota-exceeded`
 */
export async function insertProject(
  tx: Transaction,
  plans: Plans,
  tenant: GrantedTenant,
  input: {
    readonly name: string
    readonly slug: string | null
    readonly description: string | null
    readonly createdBy: string | null
    readonly creator: Principal | null
    readonly at: string
    readonly metadata?: ProjectMetadata
  },
): Promise<ProjectRow> {
  await assertProjectRoom(tx, plans, tenant.id)
  const slug = input.slug ?? (await uniqueSlug(tx, tenant.id, input.name))
  const values = {
    id: newId(),
    tenantId: tenant.id,
    slug,
    name: input.name,
    description: input.description,
    owner: null,
    lifecycle: null,
    tags: null,
    links: null,
    ...metadataColumns(input.metadata ?? {}),
    eventSequence: 0,
    ...summaryOf(input.name, []),
    createdBy: input.createdBy,
    createdAt: input.at,
    updatedAt: input.at,
  }
  try {
    await tx.savepoint((inner) => inner.insert(projects).values(values))
  } catch (error) {
    if (isUniqueViolation(error)) throw new SvcError('project-slug-taken', { slug })
    throw error
  }
  await grantToCreator(tx, values, input.creator)
  return values
}

/**
 * Creates a project.
 * @throws SvcError `project-slug-taken`, `quota-exceeded`
 */
export async function createProject(
  deps: Deps,
  grant: Grant,
  input: { readonly name: string; readonly slug?: string; readonly description?: string | null } & ProjectMetadata,
): Promise<ProjectRecord> {
  const row = await deps.db.inTransaction((tx) =>
    insertProject(tx, deps.plans, tenantOf(grant), {
      name: input.name,
      slug: input.slug ?? null,
      description: input.description ?? null,
      createdBy: actorOf(grant),
      creator: grant.principal,
      at: deps.clock.iso(),
      metadata: input,
    }),
  )
  return getProject(deps, grant, row.id)
}

/** The columns of a project that differ from what it has, by the names of the contract. */
function changedFacts(row: ProjectRow, set: Partial<ProjectRow>): readonly string[] {
  const names = Object.keys(set) as (keyof ProjectRow)[]
  return names.filter((name) => JSON.stringify(set[name]) !== JSON.stringify(row[name]))
}

/**
 * Changes what is known of a project within a transaction and records which facts differ; what is omitted stays.
 * @returns the names of the facts that changed; none where the project had them already
 */
export async function changeFacts(
  deps: Deps,
  grant: Grant,
  tx: Transaction,
  row: ProjectRow,
  input: { readonly name?: string; readonly description?: string | null } & ProjectMetadata,
): Promise<readonly string[]> {
  const set: Partial<ProjectRow> = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...metadataColumns(input),
  }
  const changed = changedFacts(row, set)
  if (changed.length === 0) return changed
  const at = deps.clock.iso()
  await tx
    .update(projects)
    .set({ ...set, updatedAt: at })
    .where(inTenant(projects, row.tenantId, eq(projects.id, row.id)))
  if (changed.includes('name')) await summarizeProjects(tx, [row.id])
  await recordAudit(tx, {
    tenantId: row.tenantId,
    actor: grant.principal,
    action: 'project.updated',
    targetId: row.id,
    detail: { project: row.slug, changed },
    at,
  })
  return changed
}

/**
 * Changes what is known of a project; what is omitted stays.
 * @throws SvcError `project-not-found`
 */
export async function updateProject(
  deps: Deps,
  grant: Grant,
  ref: string,
  input: { readonly name?: string; readonly description?: string | null } & ProjectMetadata,
): Promise<ProjectRecord> {
  const tenant = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    await changeFacts(deps, grant, tx, await findProject(tx, tenant.id, ref), input)
  })
  return getProject(deps, grant, ref)
}

/**
 * Deletes a project and its versions; they can be restored from the bin. Nobody finds it from the first part on.
 * @throws SvcError `project-not-found`
 */
export async function removeProject(deps: Deps, grant: Grant, ref: string): Promise<void> {
  const tenant = tenantOf(grant)
  const id = await deps.db.inTransaction(async (tx) => {
    const row = await findProject(tx, tenant.id, ref)
    const count = await tx.$count(versions, inTenant(versions, tenant.id, eq(versions.projectId, row.id)))
    const { guide } = await effectiveGuide(tx, tenant.id, row.id)
    const detail = { guide: guide.digest }
    await putInBin(deps, grant, tx, { kind: 'project', id: row.id, name: row.name, ref: row.slug, detail })
    await removeFirst(deps, tx, { kind: 'project', tenantId: tenant.id, id: row.id })
    await recordAudit(tx, {
      tenantId: tenant.id,
      actor: grant.principal,
      action: 'project.deleted',
      targetId: row.id,
      detail: { name: row.name, slug: row.slug, versions: count },
      at: deps.clock.iso(),
    })
    tx.afterCommit(deps.changed)
    return row.id
  })
  await removeInParts(deps, id)
}
