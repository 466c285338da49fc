import { badgeKinds, portalApi } from '../../src/api/portal.ts'
import type { Deps } from '../kit/door.ts'
import { findOperations } from '../search-index/door.ts'
import { pageHeaders, type Web } from '../web/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { drawBadge } from './badge.ts'
import { portalsOf } from './catalogue.ts'
import { keptText } from './kept-text.ts'
import { listProjects } from './list.ts'
import { portalPage } from './page.ts'
import {
  badgeOf,
  changePortal,
  portalFeed,
  portalSetting,
  portalSitemap,
  projectBadges,
  robotsText,
} from './service.ts'

/** So many operations are listed above the APIs that a search finds. */
const mostOperations = 20

/** The routes of the public portal and its setting. */
export function portalRoutes(deps: Deps, assets: () => Promise<Web>): Route[] {
  const portals = portalsOf(deps)
  return routesOf(portalApi, {
    page: async ({ params, query = {} }, { signal }) => {
      const catalogue = await portals.of(params.tenant_slug)
      const asked = {
        q: query.q ?? '',
        format: query.format ?? '',
        lifecycle: query.lifecycle ?? '',
        tag: query.tag ?? '',
        grade: query.grade ?? '',
        sort: query.sort ?? 'name',
        page: query.page ?? 1,
      }
      const { entries } = await assets()
      const parts = { entry: entries.portal, publicUrl: deps.publicUrl() }
      const [shown, operations] = await Promise.all([
        listProjects(catalogue.projects, asked, { showsGrades: catalogue.look.showsGrades, signal }),
        findOperations(deps.db, {
          tenantId: catalogue.tenantId,
          versionIds: catalogue.projects.map((it) => it.versionId),
          text: asked.q,
          limit: mostOperations,
        }),
      ])
      const body = portalPage(catalogue, asked, { ...shown, operations }, parts)
      return new Reply({ headers: { ...pageHeaders([]), 'cache-control': 'public, max-age=30' }, body })
    },
    feed: async ({ params }, { ifNoneMatch }) => {
      const text = await portalFeed(deps, await portals.of(params.tenant_slug))
      return keptText(text, 'application/atom+xml; charset=utf-8', { ifNoneMatch, seconds: 60 })
    },
    badge: async ({ params }, { ifNoneMatch }) => {
      const catalogue = await portals.of(params.tenant_slug)
      const kind = badgeKinds.find((it) => `${it}.svg` === params.badge_kind) ?? 'version'
      const badge = await badgeOf(deps, catalogue, params.project_slug, kind)
      return keptText(drawBadge(badge), 'image/svg+xml; charset=utf-8', { ifNoneMatch, seconds: 300 })
    },
    badges: ({ params }, { grant }) => projectBadges(deps, grant, params.project_ref),
    setting: (_, { grant }) => portalSetting(deps, grant),
    change: ({ body }, { grant }) => changePortal(deps, portals, grant, body),
    sitemap: async ({ params }, { ifNoneMatch }) => {
      const text = portalSitemap(deps, await portals.of(params.tenant_slug))
      return keptText(text, 'application/xml; charset=utf-8', { ifNoneMatch, seconds: 300 })
    },
    robots: async (_, { ifNoneMatch }) =>
      keptText(robotsText, 'text/plain; charset=utf-8', { ifNoneMatch, seconds: 300 }),
  })
}
