import { countDistinct, eq } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { inTenant } from '../../db/conditions.ts'
import { changeReports, tenants, versions } from '../../db/tables.gen.ts'
import { type Grant, type GrantedTenant, recordAudit, tenantOf } from '../auth/door.ts'
import type { BadgeKind, PortalSetting, ProjectBadges } from '../../src/api/portal.ts'
import { writeFeed } from '../../src/change-report/feed.ts'
import { SvcError } from '../../src/errors.ts'
import { visibleReports } from '../change-reports/door.ts'
import type { Deps } from '../kit/door.ts'
import { findProject, latestPublished, urlsOf } from '../records/door.ts'
import { type Badge, toneOfGrade } from './badge.ts'
import { type Catalogue, isEnabled, isListed, type Portals } from './catalogue.ts'
import { badgeSnippets, portalPath } from './snippets.ts'

const mostEntries = 50

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

async function settingOf(deps: Deps, { id, slug }: GrantedTenant, enabled: boolean): Promise<PortalSetting> {
  const [listed] = await deps.db.read
    .select({ n: countDistinct(versions.projectId) })
    .from(versions)
    .where(inTenant(versions, id, isListed))
  return { enabled, url: `${deps.publicUrl()}${portalPath(slug)}`, projects: listed?.n ?? 0 }
}

async function enabledFor(deps: Deps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.read.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, tenantId))
  return isEnabled(row?.settings ?? {})
}

/** Path of the portal that lists a version for everybody; null where none does. */
export async function portalOf(
  deps: Deps,
  tenant: { readonly id: string; readonly slug: string },
  { visibility, status }: { readonly visibility: string; readonly status: string },
): Promise<string | null> {
  if (visibility !== 'public' || (status !== 'published' && status !== 'deprecated')) return null
  const [row] = await deps.db.read.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, tenant.id))
  return isEnabled(row?.settings ?? {}) ? `/p/${encodeURIComponent(tenant.slug)}` : null
}

/** Whether the portal of an organization is served, and where it is. */
export async function portalSetting(deps: Deps, grant: Grant): Promise<PortalSetting> {
  const tenant = tenantOf(grant)
  return settingOf(deps, tenant, await enabledFor(deps, tenant.id))
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
    enabled: await enabledFor(deps, id),
    version_label: latestPublished(open)?.label ?? null,
    badges: badgeSnippets(deps.publicUrl(), slug, project.slug),
  }
}

/** Switches the portal of an organization on or off. */
export async function changePortal(
  deps: Deps,
  portals: Portals,
  grant: Grant,
  enabled: boolean,
): Promise<PortalSetting> {
  const tenant = tenantOf(grant)
  const { id, slug } = tenant
  const at = isoOf(deps.clock.now())
  await deps.db.inTransaction(async (tx) => {
    await tx.lock(`tenant-settings:${id}`)
    const [row] = await tx.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, id))
    const { portal: before, ...settings } = row?.settings ?? {}
    if ((before !== 'off') === enabled) return
    await tx
      .update(tenants)
      .set({ settings: enabled ? settings : { ...settings, portal: 'off' }, updatedAt: at })
      .where(eq(tenants.id, id))
    const { principal: actor } = grant
    const action = 'tenant.portal-changed'
    await recordAudit(tx, { tenantId: id, actor, action, targetId: id, detail: { enabled }, at })
  })
  portals.forget(slug)
  return settingOf(deps, tenant, enabled)
}
