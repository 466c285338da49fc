import { createRoute } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { dialogWords, listWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const EnvironmentsPage = later('the environments', async () => (await pages()).EnvironmentsPage)
const EnvironmentPage = later('the environment', async () => (await pages()).EnvironmentPage)
const OverviewView = later('the policy', async () => (await pages()).OverviewView)
const EnforcersView = later('the gateways', async () => (await pages()).EnforcersView)
const ReleasesView = later('the releases', async () => (await pages()).ReleasesView)
const ReleaseView = later('the release', async () => (await pages()).ReleaseView)
const RulesView = later('the rules', async () => (await pages()).RulesView)
const ExceptionsView = later('the exceptions', async () => (await pages()).ExceptionsView)
const EventsView = later('the events', async () => (await pages()).EventsView)
const CoverageView = later('the coverage', async () => (await pages()).CoverageView)
const VersionsView = later('the versions', async () => (await pages()).VersionsView)
const ApprovalsView = later('the approvals', async () => (await pages()).ApprovalsView)
const AuditView = later('the audit trail', async () => (await pages()).AuditView)

const environmentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/gateway',
  staticData: {
    section: { group: 'Governance', name: 'Gateways', icon: ShieldCheck, permission: 'security:view' },
    actions: [{ name: 'Create an environment', dialog: 'new', permission: 'security:edit' }],
  },
  validateSearch: listWords,
  component: () => (
    <EnvironmentsPage {...environmentsRoute.useParams()} offset={environmentsRoute.useSearch().offset ?? 0} />
  ),
})

const environmentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/gateway/$environment',
  validateSearch: dialogWords,
  component: () => <EnvironmentPage at={environmentRoute.useParams()} />,
})

const overviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  staticData: { tab: { of: 'environment', name: 'Overview' } },
  component: () => <OverviewView at={environmentRoute.useParams()} />,
})

const rulesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/rules',
  staticData: {
    tab: { of: 'environment', name: 'Rules' },
    actions: [{ name: 'Add a rule', permission: 'security:edit' }],
  },
  validateSearch: (search: Search) => word(search, 'edit'),
  component: () => <RulesView at={environmentRoute.useParams()} edit={rulesRoute.useSearch().edit ?? ''} />,
})

const exceptionsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/exceptions',
  staticData: { tab: { of: 'environment', name: 'Exceptions' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'state'),
    ...word(search, 'edit'),
    ...word(search, 'event'),
  }),
  component: () => {
    const { state = '', edit = '', event = '' } = exceptionsRoute.useSearch()
    return <ExceptionsView at={environmentRoute.useParams()} state={state} edit={edit} event={event} />
  },
})

const eventsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/events',
  staticData: { tab: { of: 'environment', name: 'Events' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'ruleRef'),
    ...word(search, 'action'),
    ...word(search, 'route'),
    ...word(search, 'releaseId'),
    ...word(search, 'region'),
    ...word(search, 'source'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { offset = 0, ...given } = eventsRoute.useSearch()
    const filter = { ruleRef: '', action: '', route: '', releaseId: '', region: '', source: '', ...given }
    return <EventsView at={environmentRoute.useParams()} given={filter} offset={offset} />
  },
})

const coverageRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/coverage',
  staticData: { tab: { of: 'environment', name: 'Coverage' } },
  validateSearch: (search: Search) => number(search, 'days'),
  component: () => (
    <CoverageView at={environmentRoute.useParams()} days={Math.min(90, coverageRoute.useSearch().days ?? 30)} />
  ),
})

const enforcersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/gateways',
  staticData: {
    tab: { of: 'environment', name: 'Gateways' },
    actions: [{ name: 'Add a gateway', dialog: 'add', permission: 'security:edit' }],
  },
  component: () => <EnforcersView at={environmentRoute.useParams()} />,
})

const releasesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/releases',
  staticData: { tab: { of: 'environment', name: 'Releases' } },
  validateSearch: (search: Search) => ({
    ...number(search, 'from'),
    ...number(search, 'to'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { from = 0, to = 0, offset = 0 } = releasesRoute.useSearch()
    return <ReleasesView at={environmentRoute.useParams()} from={from} to={to} offset={offset} />
  },
})

const releaseRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/releases/$release',
  component: () => {
    const { release } = releaseRoute.useParams()
    return <ReleaseView at={environmentRoute.useParams()} release={release} />
  },
})

const versionsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/versions',
  staticData: { tab: { of: 'environment', name: 'Versions' } },
  validateSearch: (search: Search) => ({
    ...number(search, 'from'),
    ...number(search, 'to'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { from = 0, to = 0, offset = 0 } = versionsRoute.useSearch()
    return <VersionsView at={environmentRoute.useParams()} from={from} to={to} offset={offset} />
  },
})

const approvalsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/approvals',
  staticData: { tab: { of: 'environment', name: 'Approvals' } },
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => <ApprovalsView at={environmentRoute.useParams()} offset={approvalsRoute.useSearch().offset ?? 0} />,
})

const auditRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/audit',
  staticData: { tab: { of: 'environment', name: 'Audit' } },
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => <AuditView at={environmentRoute.useParams()} offset={auditRoute.useSearch().offset ?? 0} />,
})

export const gatewayRoutes = [
  environmentsRoute,
  environmentRoute.addChildren([
    overviewRoute,
    rulesRoute,
    exceptionsRoute,
    eventsRoute,
    coverageRoute,
    enforcersRoute,
    releasesRoute,
    releaseRoute,
    versionsRoute,
    approvalsRoute,
    auditRoute,
  ]),
] as const
