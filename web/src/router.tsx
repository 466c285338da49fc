// Longer than 400 lines: every address of the application, which one reads as one list.
import { createRootRoute, createRoute, createRouter, Link, Outlet, redirect } from '@tanstack/react-router'
import { dialogWords, listWords, number, type Search, word } from './parts/address.ts'
import { later } from './parts/later.tsx'
import { Page } from './parts/page.tsx'
import { Empty, Failure } from './parts/states.tsx'
import { AccountPage } from './pages/account.tsx'
import { AgentsPage } from './pages/agents.tsx'
import { AuditPage } from './pages/audit.tsx'
import { ChangesView } from './pages/changes.tsx'
import { ComparePage } from './pages/compare.tsx'
import type { Shown } from './pages/compare-result.tsx'
import { DevicePage } from './pages/device.tsx'
import { ClaimPage, SignInPage } from './pages/entrance.tsx'
import { HomePage } from './pages/home.tsx'
import { ImportPage } from './pages/import.tsx'
import { InvitationPage } from './pages/invitation.tsx'
import { KeysPage } from './pages/keys.tsx'
import { LintReportView } from './pages/lint-report.tsx'
import { McpPage } from './pages/mcp.tsx'
import { MembersPage } from './pages/members.tsx'
import { OperationsView } from './pages/operations.tsx'
import { PacksView } from './pages/policy-packs.tsx'
import { PolicyView } from './pages/policy.tsx'
import { ProjectPage } from './pages/project.tsx'
import { ProjectsPage } from './pages/projects.tsx'
import { ProvenanceView } from './pages/provenance.tsx'
import { PublishingView } from './pages/publishing.tsx'
import { SettingsPage } from './pages/settings.tsx'
import { SourceView } from './pages/source.tsx'
import { AssignmentsView } from './pages/style-guide-assignments.tsx'
import { CustomRulesView } from './pages/style-guide-custom.tsx'
import { ImpactView } from './pages/style-guide-impact.tsx'
import { GuideRulesView } from './pages/style-guide-rules.tsx'
import { StyleGuidePage } from './pages/style-guide.tsx'
import { StyleGuidesPage } from './pages/style-guides.tsx'
import { UsagePage } from './pages/usage.tsx'
import { VersionPage } from './pages/version.tsx'
import { WizardPage } from './pages/wizard.tsx'
import { queryClient } from './queries.ts'
import { sessionQuery } from './session.ts'
import { AppShell } from './shell/app-shell.tsx'

// What not everybody opens is fetched when it is opened.
const governed = () => import('./pages/governed.ts')
const ChangeReportView = later('the change report', async () => (await governed()).ChangeReportView)
const ConsumerPage = later('the consumer', async () => (await governed()).ConsumerPage)
const ContractView = later('the contract', async () => (await governed()).ContractView)
const DeclareView = later('what can be declared', async () => (await governed()).DeclareView)
const ConsumerImpactView = later('the impact', async () => (await governed()).ConsumerImpactView)
const RevisionsView = later('the revisions', async () => (await governed()).RevisionsView)
const ConsumersPage = later('the consumers', async () => (await governed()).ConsumersPage)
const MigrationPage = later('the migration rules', async () => (await governed()).MigrationPage)

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
  validateSearch: (search: Search) => ({ ...word(search, 'to'), ...word(search, 'error') }),
  component: () => {
    const { to = null, error = null } = signInRoute.useSearch()
    return <SignInPage to={to} error={error} />
  },
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

const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  validateSearch: (search: Search) => word(search, 'all'),
  component: () => <HomePage all={homeRoute.useSearch().all !== undefined} />,
})

const accountRoute = createRoute({ getParentRoute: () => insideRoute, path: '/account', component: AccountPage })

const deviceRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/device',
  // The program's own link names it as RFC 8628 does.
  validateSearch: (search: Search) => word(search, 'user_code'),
  component: () => <DevicePage code={deviceRoute.useSearch().user_code ?? null} />,
})

const projectsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant',
  validateSearch: listWords,
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

/** How a comparison is sifted. */
const siftWords = (search: Search) => ({
  ...word(search, 'severity'),
  ...word(search, 'consumer'),
  ...word(search, 'q'),
})
const sifted = ({ severity = null, consumer = null, q = '' }: Partial<Shown>): Shown => ({ severity, consumer, q })

const compareRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/compare',
  validateSearch: (search: Search) => ({ ...word(search, 'base'), ...word(search, 'head'), ...siftWords(search) }),
  component: () => {
    const { base, head, ...shown } = compareRoute.useSearch()
    return <ComparePage {...compareRoute.useParams()} base={base} head={head} shown={sifted(shown)} />
  },
})

const keysRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/keys',
  validateSearch: listWords,
  component: () => {
    const { q = '', offset = 0 } = keysRoute.useSearch()
    return <KeysPage tenant={keysRoute.useParams().tenant} q={q} offset={offset} />
  },
})

const styleGuidesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/style-guides',
  validateSearch: dialogWords,
  component: () => <StyleGuidesPage {...styleGuidesRoute.useParams()} />,
})

const styleGuideRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/style-guides/$guide',
  validateSearch: dialogWords,
  component: () => <StyleGuidePage {...styleGuideRoute.useParams()} />,
})

const guideRulesRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/',
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'severity'),
    ...word(search, 'format'),
    ...word(search, 'state'),
  }),
  component: () => {
    const { q = '', severity = '', format = '', state = '' } = guideRulesRoute.useSearch()
    return <GuideRulesView at={styleGuideRoute.useParams()} given={{ q, severity, format, state }} />
  },
})

const customRulesRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/custom-rules',
  validateSearch: (search: Search) => ({ ...word(search, 'project'), ...word(search, 'version') }),
  component: () => {
    const { project = '', version = '' } = customRulesRoute.useSearch()
    return <CustomRulesView at={styleGuideRoute.useParams()} project={project} version={version} />
  },
})

const assignmentsRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/assignments',
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...word(search, 'under'), ...number(search, 'offset') }),
  component: () => {
    const { q = '', under, offset = 0 } = assignmentsRoute.useSearch()
    return <AssignmentsView at={styleGuideRoute.useParams()} q={q} under={under !== undefined} offset={offset} />
  },
})

const impactRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/impact',
  validateSearch: (search: Search) => ({ ...word(search, 'all'), ...word(search, 'every'), ...word(search, 'job') }),
  component: () => {
    const { all, every, job = '' } = impactRoute.useSearch()
    const at = styleGuideRoute.useParams()
    return <ImpactView at={at} all={all !== undefined} every={every !== undefined} job={job} />
  },
})

const policyRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/policy',
  component: () => <PolicyView at={styleGuideRoute.useParams()} />,
})

const packsRoute = createRoute({
  getParentRoute: () => styleGuideRoute,
  path: '/packs',
  validateSearch: (search: Search) => ({
    ...number(search, 'from'),
    ...number(search, 'to'),
    ...number(search, 'show'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { from = 0, to = 0, show = 0, offset = 0 } = packsRoute.useSearch()
    return <PacksView at={styleGuideRoute.useParams()} from={from} to={to} shown={show} offset={offset} />
  },
})

const membersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/members',
  validateSearch: listWords,
  component: () => {
    const { q = '', offset = 0 } = membersRoute.useSearch()
    return <MembersPage tenant={membersRoute.useParams().tenant} q={q} offset={offset} />
  },
})

const agentsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/agents',
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <AgentsPage {...agentsRoute.useParams()} offset={agentsRoute.useSearch().offset ?? 0} />,
})

const mcpRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/mcp',
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <McpPage {...mcpRoute.useParams()} offset={mcpRoute.useSearch().offset ?? 0} />,
})

const usageRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/usage',
  component: () => <UsagePage {...usageRoute.useParams()} />,
})

const auditRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/audit',
  validateSearch: (search: Search) => ({
    ...number(search, 'offset'),
    ...word(search, 'action'),
    ...word(search, 'actor'),
    ...word(search, 'since'),
    ...word(search, 'until'),
  }),
  component: () => {
    const { action = '', actor = '', since = '', until = '', offset = 0 } = auditRoute.useSearch()
    return <AuditPage {...auditRoute.useParams()} given={{ action, actor, since, until }} offset={offset} />
  },
})

const settingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/-/settings',
  validateSearch: dialogWords,
  component: () => <SettingsPage {...settingsRoute.useParams()} />,
})

const projectRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/$project',
  validateSearch: (search: Search) => ({
    ...number(search, 'offset'),
    ...word(search, 'status'),
    ...dialogWords(search),
  }),
  component: () => {
    const { status = '', offset = 0 } = projectRoute.useSearch()
    return <ProjectPage {...projectRoute.useParams()} status={status} offset={offset} />
  },
})

const consumersRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/$project/-/consumers',
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <ConsumersPage {...consumersRoute.useParams()} offset={consumersRoute.useSearch().offset ?? 0} />,
})

const consumerRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/$project/-/consumers/$consumer',
  validateSearch: dialogWords,
  component: () => <ConsumerPage {...consumerRoute.useParams()} />,
})

const contractRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/',
  validateSearch: (search: Search) => number(search, 'revision'),
  component: () => (
    <ContractView at={consumerRoute.useParams()} revision={contractRoute.useSearch().revision ?? null} />
  ),
})

const declareRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/declare',
  validateSearch: (search: Search) => ({ ...word(search, 'version'), ...word(search, 'q') }),
  component: () => {
    const { version = 'latest', q = '' } = declareRoute.useSearch()
    return <DeclareView at={consumerRoute.useParams()} version={version} q={q} />
  },
})

const revisionsRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/revisions',
  component: () => <RevisionsView at={consumerRoute.useParams()} />,
})

const consumerImpactRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/impact',
  validateSearch: (search: Search) => ({
    ...word(search, 'base'),
    ...word(search, 'head'),
    ...word(search, 'deploy'),
  }),
  component: () => <ConsumerImpactView at={consumerRoute.useParams()} chosen={consumerImpactRoute.useSearch()} />,
})

const migrationRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant/$project/-/migration',
  validateSearch: (search: Search) => ({ ...word(search, 'from'), ...word(search, 'to'), ...word(search, 'class') }),
  component: () => <MigrationPage {...migrationRoute.useParams()} chosen={migrationRoute.useSearch()} />,
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
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'severity'),
    ...word(search, 'rule'),
    ...word(search, 'place'),
    ...word(search, 'by'),
    ...word(search, 'frames'),
  }),
  component: () => {
    const { q = '', severity = '', rule = '', place = '', by, frames } = findingsRoute.useSearch()
    const grouping = by === 'place' || by === 'text' ? by : 'rule'
    return (
      <LintReportView
        at={versionRoute.useParams()}
        view={{ q, severity, rule, place, by: grouping, frames: frames !== 'no' }}
      />
    )
  },
})

const changesRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/changes',
  validateSearch: (search: Search) => ({ ...word(search, 'base'), ...siftWords(search) }),
  component: () => {
    const { base = null, ...shown } = changesRoute.useSearch()
    return <ChangesView at={versionRoute.useParams()} base={base} shown={sifted(shown)} />
  },
})

const reportRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/report',
  validateSearch: (search: Search) => ({ ...word(search, 'edit'), ...dialogWords(search) }),
  component: () => (
    <ChangeReportView at={versionRoute.useParams()} editing={reportRoute.useSearch().edit !== undefined} />
  ),
})

const sourceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/source',
  validateSearch: (search: Search) => ({ ...number(search, 'line'), ...word(search, 'edit') }),
  component: () => {
    const { line = null, edit } = sourceRoute.useSearch()
    return <SourceView at={versionRoute.useParams()} line={line} editing={edit !== undefined} />
  },
})

const provenanceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/provenance',
  component: () => <ProvenanceView at={versionRoute.useParams()} />,
})

const publishingRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/publishing',
  validateSearch: dialogWords,
  component: () => <PublishingView at={versionRoute.useParams()} />,
})

const routeTree = rootRoute.addChildren([
  claimRoute,
  invitationRoute,
  signInRoute,
  insideRoute.addChildren([
    homeRoute,
    wizardRoute,
    accountRoute,
    deviceRoute,
    projectsRoute,
    importRoute,
    styleGuidesRoute,
    styleGuideRoute.addChildren([
      guideRulesRoute,
      customRulesRoute,
      assignmentsRoute,
      impactRoute,
      policyRoute,
      packsRoute,
    ]),
    compareRoute,
    keysRoute,
    membersRoute,
    agentsRoute,
    mcpRoute,
    usageRoute,
    auditRoute,
    settingsRoute,
    projectRoute,
    consumersRoute,
    migrationRoute,
    consumerRoute.addChildren([contractRoute, declareRoute, revisionsRoute, consumerImpactRoute]),
    versionRoute.addChildren([
      operationsRoute,
      findingsRoute,
      changesRoute,
      reportRoute,
      sourceRoute,
      provenanceRoute,
      publishingRoute,
    ]),
  ]),
])

/** Every state of the application is an address below `/app`. */
export const router = createRouter({ routeTree, basepath: '/app', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
