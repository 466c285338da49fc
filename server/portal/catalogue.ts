import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { summarizeStale } from '../../db/projects/summary.ts'
import { projects, tenants, versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { urlsOf } from '../records/door.ts'

/** A project as the portal shows it: of its versions only those that are published for everybody count. */
export interface Listed {
  readonly slug: string
  readonly name: string
  /** What the document of the latest version says of itself. */
  readonly description: string
  readonly lifecycle: string | null
  /** Who is responsible; null: nobody is named, or owners are not shown. */
  readonly owner: string | null
  readonly tags: readonly string[]
  readonly versionId: string
  readonly label: string
  readonly status: 'published' | 'deprecated'
  readonly format: string
  readonly grade: string | null
  readonly operations: number
  readonly publishedAt: string
  readonly versions: number
  /** Path of the documentation of the latest version. */
  readonly page: string
  /** Path of the document itself. */
  readonly document: string
}

/** What an organization decided about its portal. */
export interface PortalLook {
  readonly title: string | null
  /** Markdown. */
  readonly introduction: string | null
  /** A `data:` URL. */
  readonly logo: string | null
  readonly showsGrades: boolean
  readonly showsOwners: boolean
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What the settings of an organization say of its portal. Grades and owners are shown only where somebody chose so. */
export const lookOf = (settings: Readonly<Record<string, unknown>>): PortalLook => ({
  title: textOrNull(settings['portal_title']),
  introduction: textOrNull(settings['portal_introduction']),
  logo: textOrNull(settings['portal_logo']),
  showsGrades: settings['portal_grades'] === 'on',
  showsOwners: settings['portal_owners'] === 'on',
})

/** What everybody may see of an organization. */
export interface Catalogue {
  readonly tenantId: string
  readonly slug: string
  readonly name: string
  readonly since: string
  readonly look: PortalLook
  readonly projects: readonly Listed[]
}

/** So many projects are shown; the list of an organization with more of them is cut. */
const mostProjects = 50_000
const freshMs = 5000
const longestDescription = 300

/** Whether an organization has its portal switched on: it has, until someone switches it off. */
export const isEnabled = (settings: Readonly<Record<string, unknown>>): boolean => settings['portal'] !== 'off'

/** Of versions: what everybody may see. */
export const isListed = and(eq(versions.visibility, 'public'), inArray(versions.status, ['published', 'deprecated']))

async function readCatalogue(deps: Deps, tenantSlug: string): Promise<Catalogue | null> {
  const { read } = deps.db
  const [tenant] = await read.select().from(tenants).where(eq(tenants.slug, tenantSlug))
  if (tenant === undefined || !isEnabled(tenant.settings)) return null
  // Which version of a project is shown is a part of its summary.
  await summarizeStale(deps.db, tenant.id)
  const rows = await read
    .select({
      project: {
        slug: projects.slug,
        name: projects.name,
        lifecycle: projects.lifecycle,
        owner: projects.owner,
        tags: projects.tags,
        versions: projects.publicCount,
      },
      latest: {
        id: versions.id,
        slug: versions.slug,
        label: versions.label,
        status: versions.status,
        description: sql<string>`substr(coalesce(${versions.description}, ''), 1, ${longestDescription})`,
        format: versions.format,
        grade: versions.grade,
        operations: versions.operationsCount,
        createdAt: versions.createdAt,
        publishedAt: versions.publishedAt,
      },
    })
    .from(projects)
    .innerJoin(versions, inTenant(versions, tenant.id, eq(versions.id, projects.publicVersionId), isListed))
    .where(inTenant(projects, tenant.id))
    .orderBy(asc(projects.foldedName), asc(projects.id))
    .limit(mostProjects)
  const look = lookOf(tenant.settings)
  const listed = rows.map(({ project, latest }): Listed => ({
    ...project,
    owner: look.showsOwners ? project.owner : null,
    tags: project.tags ?? [],
    description: latest.description,
    versionId: latest.id,
    label: latest.label,
    status: latest.status === 'deprecated' ? 'deprecated' : 'published',
    format: latest.format.kind,
    grade: latest.grade,
    operations: latest.operations,
    publishedAt: latest.publishedAt ?? latest.createdAt,
    ...urlsOf('', tenantSlug, project.slug, latest.slug, latest.format.kind),
  }))
  if (listed.length === 0) return null
  const { id: tenantId, name, createdAt: since } = tenant
  return { tenantId, slug: tenant.slug, name, since, look, projects: listed }
}

/** What organizations show to everybody, read again every five seconds at most. */
export class Portals {
  readonly #deps: Deps
  readonly #cache = new SizedCache<{ readonly found: Catalogue | null; readonly until: number }>(20_000, 'portals')

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * What everybody may see of an organization.
   * @throws SvcError `portal-not-found`, the same for one that does not exist, shows nothing, or has switched it off
   */
  async of(tenantSlug: string): Promise<Catalogue> {
    const now = this.#deps.clock.now()
    const known = this.#cache.get(tenantSlug)
    const found = known !== undefined && known.until > now ? known.found : await readCatalogue(this.#deps, tenantSlug)
    if (known?.found !== found || known === undefined)
      this.#cache.set(tenantSlug, { found, until: now + freshMs }, (found?.projects.length ?? 0) + 1)
    if (found === null) throw new SvcError('portal-not-found')
    return found
  }

  /** Forgets what is known of an organization: its setting changed. */
  forget(tenantSlug: string): void {
    this.#cache.set(tenantSlug, { found: null, until: 0 }, 1)
  }
}

const known = new WeakMap<Deps, Portals>()

/** The portals of a service: all that show them forget the same when one is switched. */
export function portalsOf(deps: Deps): Portals {
  let portals = known.get(deps)
  if (portals === undefined) known.set(deps, (portals = new Portals(deps)))
  return portals
}
