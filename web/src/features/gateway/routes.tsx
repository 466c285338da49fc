import { createRoute, redirect } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { dialogWords, listWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const EnvironmentsPage = later('the environments', async () => (await pages()).EnvironmentsPage)
const EnvironmentPage = later('the environment', async () => (await pages()).EnvironmentPage)
const OverviewView = later('the overview', async () => (await pages()).OverviewView)
const PolicyView = later('the policy', async () => (await pages()).PolicyView)
const PolicyParts = later('the policy', async () => (await pages()).PolicyParts)
const TrafficParts = later('the traffic', async () => (await pages()).TrafficParts)
const DeliveryParts = later('the delivery', async () => (await pages()).DeliveryParts)
const HistoryParts = later('the history', async () => (await pages()).HistoryParts)
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

const policyRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/policy',
  staticData: { tab: { of: 'environment', name: 'Policy' } },
  component: () => <PolicyParts at={environmentRoute.useParams()} />,
})

const settingsRoute = createRoute({
  getParentRoute: () => policyRoute,
  path: '/',
  component: () => <PolicyView at={environmentRoute.useParams()} />,
})

const rulesRoute = createRoute({
  getParentRoute: () => policyRoute,
  path: '/rules',
  staticData: { actions: [{ name: 'Add a rule', permission: 'security:edit' }] },
  validateSearch: (search: Search) => word(search, 'edit'),
  component: () => <RulesView at={environmentRoute.useParams()} edit={rulesRoute.useSearch().edit ?? ''} />,
})

const exceptionsRoute = createRoute({
  getParentRoute: () => policyRoute,
  path: '/exceptions',
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

const compared = (search: Search) => ({
  ...number(search, 'from'),
  ...number(search, 'to'),
  ...number(search, 'offset'),
})

const versionsRoute = createRoute({
  getParentRoute: () => policyRoute,
  path: '/versions',
  validateSearch: compared,
  component: () => {
    const { from = 0, to = 0, offset = 0 } = versionsRoute.useSearch()
    return <VersionsView at={environmentRoute.useParams()} from={from} to={to} offset={offset} />
  },
})

const trafficRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/traffic',
  staticData: { tab: { of: 'environment', name: 'Traffic' } },
  component: () => <TrafficParts at={environmentRoute.useParams()} />,
})

const eventsRoute = createRoute({
  getParentRoute: () => trafficRoute,
  path: '/',
  validateSearch: (search: Search) => ({
    ...word(search, 'ruleRef'),
    ...word(search, 'action'),
    ...word(search, 'route'),
    ...word(search, 'releaseId'),
    ...word(search, 'region'),
    ...word(search, 'source'),
    ...word(search, 'event'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { offset = 0, event = null, ...given } = eventsRoute.useSearch()
    const filter = { ruleRef: '', action: '', route: '', releaseId: '', region: '', source: '', ...given }
    return <EventsView at={environmentRoute.useParams()} given={filter} offset={offset} chosen={event} />
  },
})

const coverageRoute = createRoute({
  getParentRoute: () => trafficRoute,
  path: '/coverage',
  validateSearch: (search: Search) => number(search, 'days'),
  component: () => (
    <CoverageView at={environmentRoute.useParams()} days={Math.min(90, coverageRoute.useSearch().days ?? 30)} />
  ),
})

const deliveryRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/delivery',
  staticData: { tab: { of: 'environment', name: 'Delivery' } },
  component: () => <DeliveryParts at={environmentRoute.useParams()} />,
})

const enforcersRoute = createRoute({
  getParentRoute: () => deliveryRoute,
  path: '/',
  staticData: { actions: [{ name: 'Add a gateway', dialog: 'add', permission: 'security:edit' }] },
  component: () => <EnforcersView at={environmentRoute.useParams()} />,
})

const releasesRoute = createRoute({
  getParentRoute: () => deliveryRoute,
  path: '/releases',
  validateSearch: compared,
  component: () => {
    const { from = 0, to = 0, offset = 0 } = releasesRoute.useSearch()
    return <ReleasesView at={environmentRoute.useParams()} from={from} to={to} offset={offset} />
  },
})

const releaseRoute = createRoute({
  getParentRoute: () => deliveryRoute,
  path: '/releases/$release',
  component: () => {
    const { release } = releaseRoute.useParams()
    return <ReleaseView at={environmentRoute.useParams()} release={release} />
  },
})

const historyRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/history',
  staticData: { tab: { of: 'environment', name: 'History' } },
  component: () => <HistoryParts at={environmentRoute.useParams()} />,
})

const auditRoute = createRoute({
  getParentRoute: () => historyRoute,
  path: '/',
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => <AuditView at={environmentRoute.useParams()} offset={auditRoute.useSearch().offset ?? 0} />,
})

const approvalsRoute = createRoute({
  getParentRoute: () => historyRoute,
  path: '/approvals',
  validateSearch: (search: Search) => number(search, 'offset'),
  component: () => <ApprovalsView at={environmentRoute.useParams()} offset={approvalsRoute.useSearch().offset ?? 0} />,
})

/** Where a page was before: notifications and bookmarks lead there. */
const moved = <P extends string>(path: P, to: string) =>
  createRoute({
    getParentRoute: () => environmentRoute,
    path,
    beforeLoad: ({ params, location: { search } }) => {
      throw redirect({ to: `/t/$tenant/-/gateway/$environment${to}`, params, search, replace: true } as never)
    },
  })

export const gatewayRoutes = [
  environmentsRoute,
  environmentRoute.addChildren([
    overviewRoute,
    policyRoute.addChildren([settingsRoute, rulesRoute, exceptionsRoute, versionsRoute]),
    trafficRoute.addChildren([eventsRoute, coverageRoute]),
    deliveryRoute.addChildren([enforcersRoute, releasesRoute, releaseRoute]),
    historyRoute.addChildren([auditRoute, approvalsRoute]),
    moved('/rules', '/policy/rules'),
    moved('/exceptions', '/policy/exceptions'),
    moved('/events', '/traffic'),
    moved('/coverage', '/traffic/coverage'),
    moved('/gateways', '/delivery'),
    moved('/releases', '/delivery/releases'),
    moved('/releases/$release', '/delivery/releases/$release'),
    moved('/versions', '/policy/versions'),
    moved('/delivery/versions', '/policy/versions'),
    moved('/approvals', '/history/approvals'),
    moved('/audit', '/history'),
  ]),
] as const
