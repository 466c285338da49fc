import { createRoute } from '@tanstack/react-router'
import { Shapes } from 'lucide-react'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'
import { versionRoute } from '../catalog/version-route.ts'

// Fetched when one of them is opened first; the editor of schemas, which reads YAML, by itself.
const pages = () => import('./lazy-pages.ts')
const TypesPage = later('the types', async () => (await pages()).TypesPage)
const RegistryView = later('the types', async () => (await pages()).RegistryView)
const UnresolvedView = later('the references', async () => (await pages()).UnresolvedView)
const ImportsView = later('the imports', async () => (await pages()).ImportsView)
const NewImportPage = later('the import', async () => (await pages()).NewImportPage)
const ImportPage = later('the import', async () => (await pages()).ImportPage)
const FindPage = later('the type', async () => (await pages()).FindPage)
const TypePage = later('the type', async () => (await pages()).TypePage)
const SchemaTab = later('the schema', async () => (await pages()).SchemaTab)
const SourceTab = later('the schema', async () => (await pages()).SourceTab)
const RevisionsView = later('the revisions', async () => (await pages()).RevisionsView)
const UsageView = later('the usage', async () => (await pages()).UsageView)
const VersionTypesView = later('the suggestions', async () => (await pages()).VersionTypesView)
const NewTypePage = later('the editor', async () => (await import('./new-type-page.tsx')).NewTypePage)
const EditTypePage = later('the editor', async () => (await import('./edit-type-page.tsx')).EditTypePage)

const at = '/t/$tenant/-/types'

const typesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: at,
  staticData: { section: { group: 'Catalogue', name: 'Types', icon: Shapes, permission: 'primitives:view' } },
  component: () => <TypesPage {...typesRoute.useParams()} />,
})

const registryRoute = createRoute({
  getParentRoute: () => typesRoute,
  path: '/',
  staticData: { tab: { of: 'types', name: 'Registry' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'scope'),
    ...word(search, 'namespace'),
    ...word(search, 'category'),
    ...word(search, 'cursor'),
  }),
  component: () => <RegistryView {...typesRoute.useParams()} {...registryRoute.useSearch()} />,
})

const unresolvedRoute = createRoute({
  getParentRoute: () => typesRoute,
  path: '/unresolved',
  staticData: { tab: { of: 'types', name: 'Unresolved references' } },
  component: () => <UnresolvedView {...typesRoute.useParams()} />,
})

const importsRoute = createRoute({
  getParentRoute: () => typesRoute,
  path: '/imports',
  staticData: { tab: { of: 'types', name: 'Imports' } },
  component: () => <ImportsView {...typesRoute.useParams()} />,
})

const newImportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${at}/imports/new`,
  staticData: { actions: [{ name: 'Import types', permission: 'primitives:edit' }] },
  validateSearch: (search: Search) => ({ ...word(search, 'from'), ...word(search, 'kind') }),
  component: () => <NewImportPage {...newImportRoute.useParams()} {...newImportRoute.useSearch()} />,
})

const importRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${at}/imports/$import`,
  validateSearch: (search: Search) => ({ ...word(search, 'show'), ...word(search, 'q') }),
  component: () => <ImportPage {...importRoute.useParams()} {...importRoute.useSearch()} />,
})

const newTypeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${at}/new`,
  staticData: { actions: [{ name: 'Create a type', permission: 'primitives:edit' }] },
  validateSearch: (search: Search) => ({
    ...word(search, 'namespace'),
    ...word(search, 'name'),
    ...word(search, 'from'),
  }),
  component: () => <NewTypePage {...newTypeRoute.useParams()} {...newTypeRoute.useSearch()} />,
})

const findRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${at}/find`,
  validateSearch: (search: Search) => word(search, 'ref'),
  component: () => <FindPage {...findRoute.useParams()} reference={findRoute.useSearch().ref ?? ''} />,
})

const typeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${at}/$type`,
  validateSearch: dialogWords,
  component: () => <TypePage {...typeRoute.useParams()} />,
})

const schemaRoute = createRoute({
  getParentRoute: () => typeRoute,
  path: '/',
  staticData: { tab: { of: 'type', name: 'Schema' } },
  component: () => <SchemaTab {...typeRoute.useParams()} />,
})

const sourceRoute = createRoute({
  getParentRoute: () => typeRoute,
  path: '/source',
  staticData: { tab: { of: 'type', name: 'Source' } },
  validateSearch: (search: Search) => number(search, 'revision'),
  component: () => <SourceTab {...typeRoute.useParams()} revision={sourceRoute.useSearch().revision ?? null} />,
})

const revisionsRoute = createRoute({
  getParentRoute: () => typeRoute,
  path: '/revisions',
  staticData: { tab: { of: 'type', name: 'Revisions' } },
  validateSearch: (search: Search) => ({ ...number(search, 'base'), ...number(search, 'head') }),
  component: () => {
    const { base = null, head = null } = revisionsRoute.useSearch()
    return <RevisionsView {...typeRoute.useParams()} base={base} head={head} />
  },
})

const usageRoute = createRoute({
  getParentRoute: () => typeRoute,
  path: '/usage',
  staticData: { tab: { of: 'type', name: 'Usage' } },
  validateSearch: (search: Search) => number(search, 'depth'),
  component: () => <UsageView {...typeRoute.useParams()} depth={usageRoute.useSearch().depth ?? 1} />,
})

const editRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: `${at}/$type/edit`,
  validateSearch: dialogWords,
  component: () => <EditTypePage {...editRoute.useParams()} />,
})

const versionTypesRoute = createRoute({
  getParentRoute: () => versionRoute,
  path: '/types',
  staticData: { tab: { of: 'version', name: 'Types' } },
  validateSearch: dialogWords,
  component: () => <VersionTypesView at={versionRoute.useParams()} />,
})

export const versionTypeRoutes = [versionTypesRoute] as const
export const typeRoutes = [
  typesRoute.addChildren([registryRoute, unresolvedRoute, importsRoute]),
  newImportRoute,
  importRoute,
  newTypeRoute,
  findRoute,
  typeRoute.addChildren([schemaRoute, sourceRoute, revisionsRoute, usageRoute]),
  editRoute,
] as const
