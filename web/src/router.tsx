import { createRouter, Outlet, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { accountRoutes } from './features/account/routes.tsx'
import { binRoutes } from './features/bin/routes.tsx'
import { keyRoutes } from './features/keys/routes.tsx'
import { auditRoutes } from './features/audit/routes.tsx'
import { versionRoute } from './features/catalog/version-route.ts'
import { changeReportRoutes } from './features/change-reports/routes.tsx'
import { changesRoutes, comparisonRoutes } from './features/comparison/routes.tsx'
import { consumerRoutes } from './features/consumers/routes.tsx'
import { dependencyRoutes } from './features/dependencies/routes.tsx'
import { deviceRoutes } from './features/device/routes.tsx'
import { gatewayRoutes } from './features/gateway/routes.tsx'
import { homeRoutes } from './features/home/routes.tsx'
import { importRoutes } from './features/import/routes.tsx'
import { lintRoutes } from './features/lint/routes.tsx'
import { mcpServerRoutes } from './features/mcp-servers/routes.tsx'
import { memberRoutes } from './features/members/routes.tsx'
import { groupRoutes } from './features/groups/routes.tsx'
import { teamRoutes } from './features/teams/routes.tsx'
import { migrationRoutes } from './features/migration/routes.tsx'
import { notificationRoutes } from './features/notifications/routes.tsx'
import { organizationRoutes } from './features/organizations/routes.tsx'
import { projectRoutes } from './features/projects/routes.tsx'
import { bindingsRoutes, versionBindingRoutes } from './features/bindings/routes.tsx'
import { repositoryRoutes } from './features/repositories/routes.tsx'
import { reviewRoutes, waitingRoutes } from './features/reviews/routes.tsx'
import { settingsRoutes } from './features/settings/routes.tsx'
import { signInRoutes } from './features/sign-in/routes.tsx'
import { styleGuideRoutes } from './features/style-guides/routes.tsx'
import { typeRoutes, versionTypeRoutes } from './features/types/routes.tsx'
import { operatorRoutes } from './features/operator/routes.tsx'
import { usageRoutes } from './features/usage/routes.tsx'
import { editRoutes, overviewRoutes, versionRoutes } from './features/versions/routes.tsx'
import { VersionPage } from './features/versions/version-page.tsx'
import { webhookRoutes } from './features/webhooks/routes.tsx'
import { readWord } from './parts/address.ts'
import { rootRoute, signedInRoute } from './routing/root-routes.ts'
import { AppShell } from './shell/app-shell.tsx'
import { Broken, NotFound } from './shell/not-found.tsx'

// The frames know every feature, so they are above them: the routes get them here.
rootRoute.update({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken })
signedInRoute.update({ component: () => <AppShell /> })
versionRoute.update({ component: () => <VersionPage {...versionRoute.useParams()} /> })

// The order of the routes is the order of the sidebar and of the tabs.
const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  signedInRoute.addChildren([
    ...organizationRoutes,
    ...accountRoutes,
    ...deviceRoutes,
    ...notificationRoutes,
    ...homeRoutes,
    ...projectRoutes,
    ...waitingRoutes,
    ...importRoutes,
    ...comparisonRoutes,
    ...consumerRoutes,
    ...bindingsRoutes,
    ...migrationRoutes,
    ...dependencyRoutes,
    ...typeRoutes,
    ...repositoryRoutes,
    ...editRoutes,
    versionRoute.addChildren([
      ...overviewRoutes,
      ...lintRoutes,
      ...changesRoutes,
      ...changeReportRoutes,
      ...versionRoutes,
      ...reviewRoutes,
      ...versionTypeRoutes,
      ...versionBindingRoutes,
    ]),
    ...styleGuideRoutes,
    ...mcpServerRoutes,
    ...gatewayRoutes,
    ...memberRoutes,
    ...teamRoutes,
    ...groupRoutes,
    ...keyRoutes,
    ...webhookRoutes,
    ...operatorRoutes,
    ...usageRoutes,
    ...binRoutes,
    ...auditRoutes,
    ...settingsRoutes,
  ]),
])

/** Every state of the application is an address below `/app`, whose query says texts as they are: `?base=2022`. */
export const router = createRouter({
  routeTree,
  basepath: '/app',
  scrollRestoration: true,
  parseSearch: parseSearchWith(readWord),
  stringifySearch: stringifySearchWith(String),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
