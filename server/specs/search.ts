import { and, count, eq, inArray, type SQL } from 'drizzle-orm'
import { inTenant, isTenant } from '../../db/conditions.ts'
import type { SpecHit } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import type { Reader } from '../../db/database.ts'
import { searchFor } from '../../db/search/search.ts'
import { nearest } from '../../db/search/vectors.ts'
import { embeddingEntries, operations, projects, searchEntries, tenants, versions } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { awaitIndexed, Questions, unindexed } from '../embeddings/door.ts'
import { findSpec } from './catalogue.ts'
import { compareLabels } from '../../src/kernel/version-label.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { operationOf } from './service.ts'
import { type Viewer, visibleTo } from './viewer.ts'

interface SearchQuery {
  readonly q: string
  readonly mode?: 'words' | 'semantic'
  readonly spec?: string
  readonly cursor?: string
  readonly limit?: number
}

interface Found {
  readonly items: SpecHit[]
  readonly total: number
  readonly next_cursor: string | null
  readonly not_indexed?: number
}

/**
 * The versions that a search looks into: those the caller sees, within what is named.
 * @throws SvcError `spec-not-found` for a latest that is not there
 */
async function scopeOf(read: Reader, viewer: Viewer, spec: string | undefined): Promise<SQL | undefined> {
  const [tenant, project, ...label] = (spec ?? '').split('/')
  if (tenant && project && label[0] === 'latest') {
    const place = { tenant_slug: tenant, project_slug: project, version_slug: 'latest' }
    return eq(versions.id, (await findSpec(read, viewer, place)).version.id)
  }
  return and(
    visibleTo(viewer),
    tenant ? eq(tenants.slug, tenant) : undefined,
    project ? eq(projects.slug, project) : undefined,
    label.length > 0 ? eq(versions.label, label.join('/')) : undefined,
  )
}

const versionsIn = (read: Reader, scope: SQL | undefined) =>
  read
    .select({ id: versions.id })
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .innerJoin(tenants, isTenant(versions.tenantId))
    .where(scope)

/** Searches operations over all specifications that the caller sees, best first. */
export class SpecSearch {
  readonly #deps: Deps
  readonly #questions: Questions

  constructor(deps: Deps, questions: Questions) {
    this.#deps = deps
    this.#questions = questions
  }

  /**
   * @throws SvcError `cursor-invalid`; by embeddings also `semantic-search-unavailable`, `embedding-failed`,
   *   `egress-denied`
   */
  async find(viewer: Viewer, query: SearchQuery): Promise<Found> {
    const { cursor, limit = 50, mode = 'words' } = query
    const offset = cursor === undefined ? 0 : readCursor(mode, cursor, ['number'])[0]
    const scope = await scopeOf(this.#deps.db.read, viewer, query.spec)
    const page = { q: query.q, offset, limit }
    return mode === 'semantic' ? this.#byMeaning(scope, page) : this.#byWords(scope, page)
  }

  async #byWords(scope: SQL | undefined, page: Page): Promise<Found> {
    const { db } = this.#deps
    const { hits } = await searchFor(db, {
      tenantId: null,
      // Entries of schemas are for the search of the application.
      kind: 'operation',
      among: 'all',
      scope: inArray(searchEntries.versionId, versionsIn(db.read, scope)),
      text: page.q,
      limit: Infinity,
    })
    return pageOf(db.read, hits, page, 'words')
  }

  async #byMeaning(scope: SQL | undefined, page: Page): Promise<Found> {
    const { embedder, db } = this.#deps
    if (embedder === null) throw new SvcError('semantic-search-unavailable')
    const { model } = embedder
    const missing = await this.#awaitIndex(scope, model)
    const ranked = await nearest(db.read, {
      scope: inArray(embeddingEntries.versionId, versionsIn(db.read, scope)),
      model,
      vector: await this.#questions.vectorOf(embedder, page.q),
      texts: rankedTexts,
      operations: rankedOperations,
    })
    return { ...(await pageOf(db.read, ranked, page, 'semantic')), not_indexed: missing }
  }

  /** Waits a moment for what was published just now; gives how many specifications are still not indexed. */
  async #awaitIndex(scope: SQL | undefined, model: string): Promise<number> {
    const { db, wake } = this.#deps
    return awaitIndexed(async () => {
      const [missing] = await db.read
        .select({ n: count() })
        .from(versions)
        .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
        .innerJoin(tenants, isTenant(versions.tenantId))
        .where(and(scope, unindexed(db.read, model)))
      return missing?.n ?? 0
    }, wake)
  }
}

interface Page {
  readonly q: string
  readonly offset: number
  readonly limit: number
}

/** How far a search with embeddings looks: what comes after these is near to nothing. */
const rankedTexts = 200
const rankedOperations = 1000

interface Hit {
  readonly versionId: string
  readonly ref: string
  readonly score: number
}

/** A page of what was found. An operation that several versions of a project have is shown once, from the greatest version. */
async function pageOf(
  read: Reader,
  ranked: readonly Hit[],
  { offset, limit }: Page,
  mode: 'words' | 'semantic',
): Promise<Found> {
  const hits = await newestOf(read, ranked)
  const shown = hits.slice(offset, offset + limit)
  const end = offset + shown.length
  return {
    items: await hitsOf(read, shown, mode === 'semantic'),
    total: hits.length,
    next_cursor: end < hits.length && shown.length > 0 ? writeCursor(mode, [end]) : null,
  }
}

async function newestOf(read: Reader, ranked: readonly Hit[]): Promise<Hit[]> {
  const ids = [...new Set(ranked.map(({ versionId }) => versionId))]
  if (ids.length < 2) return [...ranked]
  const rows = await read
    .select({ id: versions.id, projectId: versions.projectId, label: versions.label })
    .from(versions)
    .where(inArray(versions.id, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const newest = new Map<string, Hit>()
  for (const hit of ranked) {
    const row = byId.get(hit.versionId)
    if (!row) continue
    const key = `${row.projectId} ${hit.ref}`
    const other = newest.get(key)
    if (!other || compareLabels(row.label, byId.get(other.versionId)?.label ?? '') > 0) newest.set(key, hit)
  }
  const kept = new Set(newest.values())
  return ranked.filter((hit) => kept.has(hit))
}

async function hitsOf(read: Reader, hits: readonly Hit[], withSimilarity: boolean): Promise<SpecHit[]> {
  if (hits.length === 0) return []
  const rows = await read
    .select({
      operation: operations,
      label: versions.label,
      title: versions.title,
      slug: projects.slug,
      tenant: tenants.slug,
    })
    .from(versions)
    .innerJoin(operations, and(eq(operations.versionId, versions.id), eq(operations.tenantId, versions.tenantId)))
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .innerJoin(tenants, isTenant(versions.tenantId))
    .where(
      and(
        inArray(operations.versionId, [...new Set(hits.map(({ versionId }) => versionId))]),
        inArray(operations.ref, [...new Set(hits.map(({ ref }) => ref))]),
      ),
    )
  const byKey = new Map(rows.map((row) => [`${row.operation.versionId} ${row.operation.ref}`, row]))
  return hits.flatMap(({ versionId, ref, score }) => {
    const row = byKey.get(`${versionId} ${ref}`)
    if (!row) return []
    const near = withSimilarity ? { similarity: Math.round(score * 1000) / 1000 } : {}
    const spec = `${row.tenant}/${row.slug}/${row.label}`
    return [{ spec, title: row.title, ...operationOf(row.operation), ...near }]
  })
}
