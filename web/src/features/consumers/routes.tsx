import { createRoute } from '@tanstack/react-router'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const ConsumersPage = later('the consumers', async () => (await pages()).ConsumersPage)
const ConsumerPage = later('the consumer', async () => (await pages()).ConsumerPage)
const ContractView = later('the contract', async () => (await pages()).ContractView)
const DeclareView = later('the operations', async () => (await pages()).DeclareView)
const RevisionsView = later('the revisions', async () => (await pages()).RevisionsView)
const ImpactView = later('the impact', async () => (await pages()).ImpactView)

const consumersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/-/consumers',
  staticData: {
    tab: { of: 'project', name: 'Consumers' },
    actions: [{ name: 'Register a consumer', dialog: 'new', permission: 'consumer_contracts:create' }],
  },
  validateSearch: (search: Search) => ({ ...number(search, 'offset'), ...dialogWords(search) }),
  component: () => <ConsumersPage {...consumersRoute.useParams()} offset={consumersRoute.useSearch().offset ?? 0} />,
})

const consumerRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/-/consumers/$consumer',
  validateSearch: dialogWords,
  component: () => <ConsumerPage {...consumerRoute.useParams()} />,
})

const contractRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/',
  staticData: { tab: { of: 'consumer', name: 'Contract' } },
  validateSearch: (search: Search) => number(search, 'revision'),
  component: () => (
    <ContractView at={consumerRoute.useParams()} revision={contractRoute.useSearch().revision ?? null} />
  ),
})

const declareRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/declare',
  staticData: { tab: { of: 'consumer', name: 'Declare' } },
  validateSearch: (search: Search) => ({ ...word(search, 'version'), ...word(search, 'q') }),
  component: () => {
    const { version = 'latest', q = '' } = declareRoute.useSearch()
    return <DeclareView at={consumerRoute.useParams()} version={version} q={q} />
  },
})

const revisionsRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/revisions',
  staticData: { tab: { of: 'consumer', name: 'Revisions' } },
  component: () => <RevisionsView at={consumerRoute.useParams()} />,
})

const impactRoute = createRoute({
  getParentRoute: () => consumerRoute,
  path: '/impact',
  staticData: { tab: { of: 'consumer', name: 'Impact' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'base'),
    ...word(search, 'head'),
    ...word(search, 'deploy'),
  }),
  component: () => <ImpactView at={consumerRoute.useParams()} chosen={impactRoute.useSearch()} />,
})

export const consumerRoutes = [
  consumersRoute,
  consumerRoute.addChildren([contractRoute, declareRoute, revisionsRoute, impactRoute]),
] as const
