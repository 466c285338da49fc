import { createRoute, redirect } from '@tanstack/react-router'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'
import { versionRoute } from '../catalog/version-route.ts'

const OperationsView = later('the operations', async () => (await import('./operations-view.tsx')).OperationsView)
const OverviewView = later('the overview', async () => (await import('./overview-view.tsx')).OverviewView)
const PublishedView = later('what was published', async () => (await import('./published-view.tsx')).PublishedView)
const SourceView = later('the source', async () => (await import('./source/source-view.tsx')).SourceView)
const DraftPage = later('the editor', async () => (await import('./source/draft-page.tsx')).DraftPage)

const operationWords = (search: Search) => ({
  ...word(search, 'q'),
  ...word(search, 'tag'),
  ...word(search, 'operation'),
})

const overviewRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/',
  staticData: {
    tab: { of: 'version', name: 'Overview' },
    actions: [
      { name: 'Publish', dialog: 'publish', permission: 'versions:publish', statuses: ['draft'] },
      { name: 'Force publish', dialog: 'force', permission: 'versions:publish_force', statuses: ['draft'] },
      { name: 'Delete the draft', dialog: 'delete', permission: 'versions:edit', statuses: ['draft'] },
      {
        name: 'Change visibility',
        dialog: 'visibility',
        permission: 'versions:publish',
        statuses: ['published', 'deprecated', 'retired'],
      },
      { name: 'Deprecate', dialog: 'deprecate', permission: 'versions:publish', statuses: ['published'] },
      { name: 'Change the deprecation', dialog: 'deprecate', permission: 'versions:publish', statuses: ['deprecated'] },
      {
        name: 'Withdraw the deprecation',
        dialog: 'undeprecate',
        permission: 'versions:publish',
        statuses: ['deprecated'],
      },
      { name: 'Badges', dialog: 'badges', permission: 'projects:view' },
      { name: 'Retire', dialog: 'retire', permission: 'versions:publish', statuses: ['published', 'deprecated'] },
    ],
  },
  validateSearch: (search: Search) => ({ ...dialogWords(search), ...operationWords(search) }),
  // Operations were the first view once: links to one of them still lead there.
  beforeLoad: ({ search, params }) => {
    if (search.operation !== undefined || search.q !== undefined)
      throw redirect({
        to: '/t/$tenant/$project/$version/operations',
        params,
        search: operationWords(search),
        replace: true,
      })
  },
  component: () => <OverviewView at={versionRoute.useParams()} />,
})

const operationsRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/operations',
  staticData: { tab: { of: 'version', name: 'Operations' } },
  validateSearch: operationWords,
  component: () => {
    const { q = '', tag = '', operation = null } = operationsRoute.useSearch()
    return <OperationsView at={versionRoute.useParams()} q={q} tag={tag} chosen={operation} />
  },
})

const sourceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/source',
  staticData: { tab: { of: 'version', name: 'Source' } },
  validateSearch: (search: Search) => ({ ...number(search, 'line'), ...word(search, 'edit') }),
  beforeLoad: ({ params, search: { edit, line } }) => {
    // Where the editor was before it had a page of its own.
    if (edit !== undefined)
      throw redirect({
        to: '/t/$tenant/$project/$version/edit',
        params,
        search: line === undefined ? {} : { line },
        replace: true,
      })
  },
  component: () => {
    const { line = null } = sourceRoute.useSearch()
    return <SourceView at={versionRoute.useParams()} line={line} />
  },
})

/** The editor of a draft fills the page: the tabs of the version are not around it. */
const editRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/$version/edit',
  validateSearch: (search: Search) => ({ ...number(search, 'line') }),
  component: () => {
    const { line = null } = editRoute.useSearch()
    return <DraftPage at={editRoute.useParams()} line={line} />
  },
})

const publishedRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/published',
  component: () => <PublishedView at={versionRoute.useParams()} />,
})

// Views that are parts of the overview now.
const publishingRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/publishing',
  validateSearch: dialogWords,
  beforeLoad: ({ search, params }) => {
    throw redirect({ to: '/t/$tenant/$project/$version', params, search, replace: true })
  },
})
const provenanceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/provenance',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/t/$tenant/$project/$version', params, hash: 'origin', replace: true })
  },
})

/** What is beside the tabs of a version. */
export const editRoutes = [editRoute] as const
/** What a version is and holds: the first of its tabs. */
export const overviewRoutes = [overviewRoute, operationsRoute] as const
/** The text that it was made from, and the addresses of views that are parts of the overview now. */
export const versionRoutes = [sourceRoute, publishedRoute, publishingRoute, provenanceRoute] as const
