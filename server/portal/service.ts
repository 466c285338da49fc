import { countDistinct, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { changeReports, tenants, versions } from '../../db/tables.gen.ts'
import { type Grant, type GrantedTenant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Input } from '../../src/api/endpoint.ts'
import type { BadgeKind, portalApi, PortalSetting, ProjectBadges } from '../../src/api/portal.ts'
import { writeFeed } from '../../src/change-report/feed.ts'
import { SvcError } from '../../src/errors.ts'
import { visibleReports } from '../change-reports/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject, latestPublished, urlsOf } from '../records/door.ts'
import { type Badge, toneOfGrade } from './badge.ts'
import { type Catalogue, isEnabled, isListed, lookOf, type Portals } from './catalogue.ts'
import { escapeHtml } from '../web/door.ts'
import { badgeSnippets, portalPath } from './snippets.ts'

const mostEntries = 50
/** So many addresses may be in one sitemap. */
const mostAddresses = 50_000

/** What everybody may see of what an organization published, as an Atom feed. */
export async function portalFeed(deps: Deps, catalogue: Catalogue): Promise<string> {
  const { tenantId, slug, name, since } = catalogue
  const rows = await visibleReports(deps.db.read, tenantId, { projectId: null, isMember: false, limit: mostEntries })
  const publicUrl = deps.publicUrl()
  return writeFeed({
    id: tenantId,
    title: `APIs of ${name}`,
    self: `${publicUrl}${portalPath(slug)}/feed.atom`,
    author: name,
    since,
    entries: rows.map(({ report, text, version }) => ({
      id: report.id,
      title: `${report.model.project.name} ${version.label}: ${report.model.headline}`,
      text,
      link: urlsOf(publicUrl, slug, report.model.project.slug, version.slug).page,
      publishedAt: version.publishedAt ?? report.createdAt,
      updatedAt: report.updatedAt,
    })),
  })
}

async function compatibility(deps: Deps, tenantId: string, versionId: string): Promise<Badge> {
  const [row] = await deps.db.read
    .select({ model: changeReports.model })
    .from(changeReports)
    .where(inTenant(changeReports, tenantId, eq(changeReports.versionId, versionId)))
  const badge = (state: string, tone: Badge['tone']): Badge => ({ subject: 'compatible', state, tone })
  if (row === undefined) return badge('unknown', 'plain')
  const { initialPublication, maxSeverity } = row.model
  if (initialPublication) return badge('first release', 'plain')
  // What could not be decided counts as breaking: a badge shows "yes" only where it was proven.
  return maxSeverity === 'breaking' ? badge('no', 'bad') : badge('yes', 'good')
}

/**
 * What a badge of a project says.
 * @throws SvcError `portal-not-found` where the project shows nothing to everybody
 */
export async function badgeOf(deps: Deps, catalogue: Catalogue, slug: string, kind: BadgeKind): Promise<Badge> {
  const project = catalogue.projects.find((it) => it.slug === slug)
  if (project === undefined) throw new SvcError('portal-not-found')
  if (kind === 'compatible') return compatibility(deps, catalogue.tenantId, project.versionId)
  if (kind === 'grade')
    return { subject: 'API grade', state: project.grade ?? 'none', tone: toneOfGrade(project.grade) }
  return { subject: 'version', state: project.label, tone: project.status === 'deprecated' ? 'fair' : 'good' }
}

type Settings = Readonly<Record<string, unknown>>

async function settingOf(deps: Deps, { id, slug }: GrantedTenant, settings: Settings): Promise<PortalSetting> {
  const { showsGrades, showsOwners, ...look } = lookOf(settings)
  const [listed] = await deps.db.read
    .select({ n: countDistinct(versions.projectId) })
    .from(versions)
    .where(inTenant(versions, id, isListed))
  return {
    enabled: isEnabled(settings),
    url: `${deps.publicUrl()}${portalPath(slug)}`,
    projects: listed?.n ?? 0,
    ...look,
    show_grades: showsGrades,
    show_owners: showsOwners,
  }
}

async function settingsFor(deps: Deps, tenantId: string): Promise<Settings> {
  const [row] = await deps.db.read.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, tenantId))
  return row?.settings ?? {}
}

/** Path of the portal that lists a version for everybody; null where none does. */
export async function portalOf(
  deps: Deps,
  tenant: { readonly id: string; readonly slug: string },
  { visibility, status }: { readonly visibility: string; readonly status: string },
): Promise<string | null> {
  if (visibility !== 'public' || (status !== 'published' && status !== 'deprecated')) return null
  return isEnabled(await settingsFor(deps, tenant.id)) ? `/p/${encodeURIComponent(tenant.slug)}` : null
}

/** Whether the portal of an organization is served, where it is, and what it shows. */
export async function portalSetting(deps: Deps, grant: Grant): Promise<PortalSetting> {
  const tenant = tenantOf(grant)
  return settingOf(deps, tenant, await settingsFor(deps, tenant.id))
}

/**
 * The badges of a project for its members, as they are now: nothing of it is kept.
 * @throws SvcError `project-not-found`
 */
export async function projectBadges(deps: Deps, grant: Grant, projectRef: string): Promise<ProjectBadges> {
  const { read } = deps.db
  const { id, slug } = tenantOf(grant)
  const project = await findProject(read, id, projectRef)
  const open = await read
    .select({ label: versions.label, status: versions.status, createdAt: versions.createdAt })
    .from(versions)
    .where(inTenant(versions, id, eq(versions.projectId, project.id), isListed))
  return {
    enabled: isEnabled(await settingsFor(deps, id)),
    version_label: latestPublished(open)?.label ?? null,
    badges: badgeSnippets(deps.publicUrl(), slug, project.slug),
  }
}

/** Where each choice about a portal is kept in the settings of its organization; what is not kept has its default. */
function kept(body: Input<typeof portalApi.change>['body']) {
  /** The text that is kept for the answer that is not the default. */
  const unless = (isDefault: boolean | undefined, text: string) => {
    if (isDefault === undefined) return undefined
    return isDefault ? null : text
  }
  const optIn = (on: boolean | undefined) => unless(on === undefined ? undefined : !on, 'on')
  return Object.entries({
    portal: unless(body.enabled, 'off'),
    portal_title: body.title,
    portal_introduction: body.introduction,
    portal_logo: body.logo,
    portal_grades: optIn(body.show_grades),
    portal_owners: optIn(body.show_owners),
  }).filter(([, value]) => value !== undefined)
}

/** Switches the portal of an organization on or off, and changes what it shows. */
export async function changePortal(
  deps: Deps,
  portals: Portals,
  grant: Grant,
  body: Input<typeof portalApi.change>['body'],
): Promise<PortalSetting> {
  const tenant = tenantOf(grant)
  const { id, slug } = tenant
  const at = isoOf(deps.clock.now())
  const settings = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`tenant-settings:${id}`)
    const [row] = await tx.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, id))
    const before = row?.settings ?? {}
    const wanted = { ...before, ...Object.fromEntries(kept(body)) }
    const after = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null))
    // A picture is too much for a line of the trail: it says what was changed, and whether the portal is on.
    const changed = kept(body)
      .map(([name]) => name)
      .filter((name) => before[name] !== after[name])
    if (changed.length === 0) return before
    await tx.update(tenants).set({ settings: after, updatedAt: at }).where(eq(tenants.id, id))
    const { principal: actor } = grant
    const action = 'tenant.portal-changed'
    const detail = {
      enabled: isEnabled(after),
      changed: changed.map((name) => name.replace(/^portal_?/, '') || 'enabled'),
    }
    await recordAudit(tx, { tenantId: id, actor, action, targetId: id, detail, at })
    return after
  })
  portals.forget(slug)
  return settingOf(deps, tenant, settings)
}

/** The addresses of a portal and of the documentation that it lists, as the sitemap protocol has them (sitemaps.org). */
export function portalSitemap(deps: Deps, catalogue: Catalogue): string {
  const base = deps.publicUrl()
  const newest = catalogue.projects.map((it) => it.publishedAt).reduce((a, b) => (a > b ? a : b), catalogue.since)
  const pages = [
    [portalPath(catalogue.slug), newest],
    ...catalogue.projects.slice(0, mostAddresses - 1).map((it) => [it.page, it.publishedAt]),
  ]
  const urls = pages.map(
    ([path = '', at = '']) => `<url><loc>${escapeHtml(base + path)}</loc><lastmod>${escapeHtml(at)}</lastmod></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

/** What search engines may read: what is published for everybody. */
export const robotsText =
  'User-agent: *\nAllow: /p/\nAllow: /v1/swagger/\nAllow: /docs/\nDisallow: /app/\nDisallow: /v1/\n'
