/** One search over everything of an organization that has a name. */
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { contains, inTenant } from '../../db/conditions.ts'
import { summarizeStale } from '../../db/projects/summary.ts'
import type { Reader } from '../../db/database.ts'
import { consumers, memberships, projects, styleGuides, users, versions } from '../../db/tables.gen.ts'
import type { CatalogSearch } from '../../src/api/search.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { isMember } from '../members/door.ts'
import { Questions } from '../embeddings/door.ts'
import { unindexed } from '../specs/door.ts'
import { searchProjects } from './projects.ts'
import { searchRules } from './rules.ts'
import { searchBySense } from './semantic.ts'
import { searchVersions } from './versions.ts'

const searchConsumers = (read: Reader, tenantId: string, text: string, limit: number) =>
  read
    .select({
      id: consumers.id,
      name: consumers.name,
      handle: consumers.handle,
      project_slug: projects.slug,
      project_name: projects.name,
    })
    .from(consumers)
    .innerJoin(projects, inTenant(projects, consumers.tenantId, eq(projects.id, consumers.projectId)))
    .where(
      inTenant(
        consumers,
        tenantId,
        isNull(consumers.retiredAt),
        or(contains(consumers.name, text), contains(consumers.handle, text)),
      ),
    )
    .orderBy(asc(consumers.name), asc(consumers.id))
    .limit(limit)

const searchGuides = (read: Reader, tenantId: string, text: string, limit: number) =>
  read
    .select({ id: styleGuides.id, name: styleGuides.name })
    .from(styleGuides)
    .where(inTenant(styleGuides, tenantId, contains(styleGuides.name, text)))
    .orderBy(asc(styleGuides.name), asc(styleGuides.id))
    .limit(limit)

const searchMembers = (read: Reader, tenantId: string, text: string, limit: number) =>
  read
    .select({ user_id: users.id, name: users.name, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(inTenant(memberships, tenantId, isMember), or(contains(users.name, text), contains(users.email, text))))
    .orderBy(asc(users.name), asc(users.id))
    .limit(limit)

async function countUnindexed(read: Reader, tenantId: string): Promise<number> {
  return read.$count(versions, inTenant(versions, tenantId, unindexed))
}

interface Asked {
  readonly q: string
  readonly mode?: 'words' | 'semantic'
  readonly limit?: number
}

const usualLimit = 8

/** Searches organizations. */
export class CatalogSearcher {
  readonly #deps: Deps
  readonly #questions = new Questions()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Searches an organization. A list that the caller has no permission for is empty.
   * @throws SvcError where semantic search is asked for `semantic-search-unavailable`, `embedding-failed`, `egress-denied`
   */
  async find(grant: Grant, { q, mode = 'words', limit = usualLimit }: Asked): Promise<CatalogSearch> {
    const { id } = tenantOf(grant)
    const { db, embedder } = this.#deps
    const { read } = db
    const text = q.trim()
    // Which versions are current is a part of the summaries.
    await summarizeStale(db, id)
    const nothing: CatalogSearch = {
      projects: [],
      operations: [],
      schemas: [],
      types: [],
      consumers: [],
      style_guides: [],
      rules: [],
      findings: [],
      members: [],
      semantic_available: embedder !== null,
      not_indexed: await countUnindexed(read, id),
    }
    if (text === '') return nothing
    // Guides and members are of the whole organization.
    const isLimited = grant.projects !== undefined
    const may = (permission: Parameters<typeof grant.permissions.has>[0]) => grant.permissions.has(permission)
    if (mode === 'semantic') {
      const asked = { text, limit, mayTypes: may('primitives:view') }
      return { ...nothing, ...(await searchBySense(this.#deps, this.#questions, id, asked)) }
    }
    const [found, named, rules, consumersFound, guides, members] = await Promise.all([
      searchVersions(db, id, { text, limit }),
      may('projects:view') ? searchProjects(read, id, text, limit) : [],
      searchRules(read, id, { text, limit }),
      may('consumer_contracts:view') ? searchConsumers(read, id, text, limit) : [],
      may('style_guides:view') && !isLimited ? searchGuides(read, id, text, limit) : [],
      grant.principal?.kind === 'user' && !isLimited ? searchMembers(read, id, text, limit) : [],
    ])
    return { ...nothing, projects: named, ...found, ...rules, consumers: consumersFound, style_guides: guides, members }
  }
}
