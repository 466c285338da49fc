import { createRoute } from '@tanstack/react-router'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { signedInRoute } from '../../shell/root-routes.tsx'
import { OperationsView } from './operations-view.tsx'
import { PublishingView } from './publishing-view.tsx'
import { SourceView } from './source-view.tsx'
import { later } from '../../parts/later.tsx'
import { VersionPage } from './version-page.tsx'

const ProvenanceView = later('the provenance', async () => (await import('./provenance-view.tsx')).ProvenanceView)

/** The parent of every tab of a version; features put theirs under it. */
export const versionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/$project/$version',
  component: () => <VersionPage {...versionRoute.useParams()} />,
})

const operationsRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/',
  staticData: { tab: { of: 'version', name: 'Operations' } },
  validateSearch: (search: Search) => ({ ...word(search, 'q'), ...word(search, 'operation') }),
  component: () => {
    const { q = '', operation = null } = operationsRoute.useSearch()
    return <OperationsView at={versionRoute.useParams()} q={q} chosen={operation} />
  },
})

const sourceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/source',
  staticData: { tab: { of: 'version', name: 'Source' } },
  validateSearch: (search: Search) => ({ ...number(search, 'line'), ...word(search, 'edit') }),
  component: () => {
    const { line = null, edit } = sourceRoute.useSearch()
    return <SourceView at={versionRoute.useParams()} line={line} editing={edit !== undefined} />
  },
})

const provenanceRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/provenance',
  staticData: { tab: { of: 'version', name: 'Provenance' } },
  component: () => <ProvenanceView at={versionRoute.useParams()} />,
})

const publishingRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/publishing',
  staticData: {
    tab: { of: 'version', name: 'Publishing' },
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
      { name: 'Retire', dialog: 'retire', permission: 'versions:publish', statuses: ['published', 'deprecated'] },
    ],
  },
  validateSearch: dialogWords,
  component: () => <PublishingView at={versionRoute.useParams()} />,
})

/** What a version holds. */
export const operationRoutes = [operationsRoute] as const
/** Where it comes from and where it goes: the last of its tabs. */
export const versionRoutes = [sourceRoute, provenanceRoute, publishingRoute] as const
