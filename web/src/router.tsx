import { createRootRoute, createRoute, createRouter, Link, Outlet, redirect } from '@tanstack/react-router'
import { Page } from './parts/page.tsx'
import { Empty, Failure } from './parts/states.tsx'
import { AgentsPage } from './pages/agents.tsx'
import { ChangesView } from './pages/changes.tsx'
import { ClaimPage, SignInPage } from './pages/entrance.tsx'
import { FindingsView } from './pages/findings.tsx'
import { HomePage } from './pages/home.tsx'
import { ImportPage } from './pages/import.tsx'
import { InvitationPage } from './pages/invitation.tsx'
import { KeysPage } from './pages/keys.tsx'
import { MembersPage } from './pages/members.tsx'
import { OperationsView } from './pages/operations.tsx'
import { ProjectPage } from './pages/project.tsx'
import { ProjectsPage } from './pages/projects.tsx'
import { PublishingView } from './pages/publishing.tsx'
import { SettingsPage } from './pages/settings.tsx'
import { SourceView } from './pages/source.tsx'
import { VersionPage } from './pages/version.tsx'
import { WizardPage } from './pages/wizard.tsx'
import { queryClient } from './queries.ts'
import { sessionQuery } from './session.ts'
import { AppShell } from './shell/app-shell.tsx'

type Search = Record<string, unknown>

/** A word of the query, where it is one: what does not fit is passed over, as after a mistyped address. */
const word = <K extends string>(search: Search, key: K): { [P in K]?: string } => {
  const value = search[key]
  const text = typeof value === 'number' ? String(value) : value
  return (typeof text === 'string' && text !== '' ? { [key]: text } : {}) as { [P in K]?: string }
}
const number = <K extends string>(search: Search, key: K): { [P in K]?: number } => {
  const value = Number(search[key])
  return (Number.isInteger(value) && value > 0 ? { [key]: value } : {}) as { [P in K]?: number }
}

const NotFound = () => (
  <main>
    <Page title="Nothing here">
      <Empty title="There is no such page">
        <p>The address may be mistyped, or what it named is gone.</p>
        <Link to="/" className="link">
          To your projects
        </Link>
      </Empty>
    </Page>
  </main>
)

const Broken = ({ error }: { error: unknown }) => (
  <main>
    <Page title="Fault">
      <Failure error={error} onRetry={() => location.reload()} />
    </Page>
  </main>
)

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken })

const claimRoute = createRoute({ getParentRoute: () => rootRoute, path: '/claim', component: ClaimPage })

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: InvitationPage,
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Search) => word(search, 'to'),
  component: () => <SignInPage to={signInRoute.useSearch().to ?? null} />,
})

const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session.user === null)
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { to: location.href } })
  },
  component: AppShell,
})

const wizardRoute = createRoute({ getParentRoute: () => insideRoute, path: '/new-tenant', component: WizardPage })

const homeRoute = createRoute({ getParentRoute: () => insideRoute, path: '/', component: HomePage })

const projectsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant',
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...number(search, 'offset') }),
  component: () => {
    const { q = '', offset = 0 } = projectsRoute.useSearch()
    return <ProjectsPage tenant={projectsRoute.useParams().tenant} q={q} offset={offset} />
  },
})

const importRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/import',
  validateSearch: (search: Search) => word(search, 'project'),
  component: () => (
    <ImportPage tenant={importRoute.useParams().tenant} project={importRoute.useSearch().project ?? null} />
  ),
})

const keysRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/keys',
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...number(search, 'offset') }),
  component: () => {
    const { q = '', offset = 0 } = keysRoute.useSearch()
    return <KeysPage tenant={keysRoute.useParams().tenant} q={q} offset={offset} />
  },
})

const membersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/members',
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...number(search, 'offset') }),
  component: () => {
    const { q = '', offset = 0 } = membersRoute.useSearch()
    return <MembersPage tenant={membersRoute.useParams().tenant} q={q} offset={offset} />
  },
})

const agentsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/agents',
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => {
    const navigate = agentsRoute.useNavigate()
    return (
      <AgentsPage
        tenant={agentsRoute.useParams().tenant}
        offset={agentsRoute.useSearch().offset ?? 0}
        onMove={(offset) => void navigate({ search: offset === 0 ? {} : { offset } })}
      />
    )
  },
})

const settingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/settings',
  component: () => <SettingsPage tenant={settingsRoute.useParams().tenant} />,
})

const projectRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/$project',
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => <ProjectPage {...projectRoute.useParams()} offset={projectRoute.useSearch().offset ?? 0} />,
})

const versionRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/$project/$version',
  component: () => <VersionPage {...versionRoute.useParams()} />,
})

const operationsRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/',
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...word(search, 'operation') }),
  component: () => {
    const { q = '', operation = null } = operationsRoute.useSearch()
    return <OperationsView at={versionRoute.useParams()} q={q} chosen={operation} />
  },
})

const findingsRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/findings',
  validateSearch: (search: Search) => word(search, 'severity'),
  component: () => <FindingsView at={versionRoute.useParams()} severity={findingsRoute.useSearch().severity ?? null} />,
})

const changesRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/changes',
  validateSearch: (search: Search) => ({ ...word(search, 'base'), ...word(search, 'severity') }),
  component: () => {
    const { base = null, severity = null } = changesRoute.useSearch()
    return <ChangesView at={versionRoute.useParams()} base={base} severity={severity} />
  },
})

const sourceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/source',
  validateSearch: (search: Search) => number(search, 'line'),
  component: () => <SourceView at={versionRoute.useParams()} line={sourceRoute.useSearch().line ?? null} />,
})

const publishingRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/publishing',
  component: () => <PublishingView at={versionRoute.useParams()} />,
})

const routeTree = rootRoute.addChildren([
  claimRoute,
  invitationRoute,
  signInRoute,
  insideRoute.addChildren([
    homeRoute,
    wizardRoute,
    projectsRoute,
    importRoute,
    keysRoute,
    membersRoute,
    agentsRoute,
    settingsRoute,
    projectRoute,
    versionRoute.addChildren([operationsRoute, findingsRoute, changesRoute, sourceRoute, publishingRoute]),
  ]),
])

/** Every state of the application is an address below `/app`. */
export const router = createRouter({ routeTree, basepath: '/app', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
