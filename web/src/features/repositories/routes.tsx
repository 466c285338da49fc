import { createRoute } from '@tanstack/react-router'
import { FolderGit2 } from 'lucide-react'
import { dialogWords, number, type Search, word } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { signedInRoute } from '../../routing/root-routes.ts'

// Fetched when one of them is opened first.
const pages = () => import('./lazy-pages.ts')
const RepositoriesPage = later('the repositories', async () => (await pages()).RepositoriesPage)
const RepositoriesView = later('the repositories', async () => (await pages()).RepositoriesView)
const CatalogueView = later('the specifications', async () => (await pages()).CatalogueView)
const AccountsView = later('the linked accounts', async () => (await pages()).AccountsView)
const PollingView = later('the polls', async () => (await pages()).PollingView)
const SourcesView = later('the webhook sources', async () => (await pages()).SourcesView)
const ProvidersView = later('the providers', async () => (await pages()).ProvidersView)
const RepositoryPage = later('the repository', async () => (await pages()).RepositoryPage)
const FilesView = later('the files', async () => (await pages()).FilesView)
const HistoryView = later('the history', async () => (await pages()).HistoryView)
const HookView = later('the webhook', async () => (await pages()).HookView)
const SettingsView = later('the settings', async () => (await pages()).SettingsView)
const ImportFilesPage = later('the import', async () => (await pages()).ImportFilesPage)
const FilePage = later('the file', async () => (await pages()).FilePage)

const repositoriesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/repositories',
  staticData: {
    section: { group: 'Catalogue', name: 'Repositories', icon: FolderGit2, permission: 'projects:view' },
    actions: [
      { name: 'Add a repository', dialog: 'new', permission: 'repositories:edit' },
      { name: 'Link an account of a git provider', dialog: 'link', permission: 'repositories:edit' },
    ],
  },
  validateSearch: dialogWords,
  component: () => <RepositoriesPage {...repositoriesRoute.useParams()} />,
})

const listRoute = createRoute({
  getParentRoute: () => repositoriesRoute,
  path: '/',
  staticData: { tab: { of: 'repositories', name: 'Repositories' } },
  validateSearch: (search: Search) => word(search, 'q'),
  component: () => <RepositoriesView {...repositoriesRoute.useParams()} q={listRoute.useSearch().q ?? ''} />,
})

const catalogueRoute = createRoute({
  getParentRoute: () => repositoriesRoute,
  path: '/specifications',
  staticData: { tab: { of: 'repositories', name: 'Specifications' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'q'),
    ...word(search, 'kind'),
    ...word(search, 'repository'),
    ...word(search, 'imported'),
    ...word(search, 'sort'),
    ...number(search, 'offset'),
  }),
  component: () => {
    const { offset = 0, ...given } = catalogueRoute.useSearch()
    const filter = { q: '', kind: '', repository: '', imported: '', sort: '', ...given }
    return <CatalogueView {...repositoriesRoute.useParams()} given={filter} offset={offset} />
  },
})

const accountsRoute = createRoute({
  getParentRoute: () => repositoriesRoute,
  path: '/accounts',
  staticData: { tab: { of: 'repositories', name: 'Accounts' } },
  validateSearch: (search: Search) => ({ ...word(search, 'linked_account'), ...word(search, 'error') }),
  component: () => {
    const { linked_account: linked = '', error = '' } = accountsRoute.useSearch()
    return <AccountsView {...repositoriesRoute.useParams()} linked={linked} error={error} />
  },
})

const providersRoute = createRoute({
  getParentRoute: () => repositoriesRoute,
  path: '/providers',
  staticData: { tab: { of: 'repositories', name: 'Providers' } },
  validateSearch: (search: Search) => ({ ...word(search, 'git_app'), ...word(search, 'error') }),
  component: () => {
    const { git_app: app = '', error = '' } = providersRoute.useSearch()
    return <ProvidersView {...repositoriesRoute.useParams()} app={app} error={error} />
  },
})

const pollingRoute = createRoute({
  getParentRoute: () => repositoriesRoute,
  path: '/polling',
  staticData: { tab: { of: 'repositories', name: 'Polling' } },
  component: () => <PollingView {...repositoriesRoute.useParams()} />,
})

const sourcesRoute = createRoute({
  getParentRoute: () => repositoriesRoute,
  path: '/sources',
  staticData: { tab: { of: 'repositories', name: 'Webhook sources' } },
  component: () => <SourcesView {...repositoriesRoute.useParams()} />,
})

const repositoryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/repositories/$repository',
  validateSearch: dialogWords,
  component: () => <RepositoryPage at={repositoryRoute.useParams()} />,
})

const filesRoute = createRoute({
  getParentRoute: () => repositoryRoute,
  path: '/',
  staticData: { tab: { of: 'repository', name: 'Files' } },
  validateSearch: (search: Search) => ({
    ...word(search, 'branch'),
    ...word(search, 'preset'),
    ...word(search, 'vendored'),
    ...word(search, 'hidden'),
    ...word(search, 'q'),
  }),
  component: () => {
    const { branch = '', preset = '', vendored, hidden, q = '' } = filesRoute.useSearch()
    const shown = { branch, preset, vendored: vendored !== undefined, hidden: hidden !== undefined }
    return <FilesView at={repositoryRoute.useParams()} shown={shown} q={q} />
  },
})

const historyRoute = createRoute({
  getParentRoute: () => repositoryRoute,
  path: '/history',
  staticData: { tab: { of: 'repository', name: 'History' } },
  validateSearch: (search: Search) => ({ ...word(search, 'path'), ...number(search, 'offset') }),
  component: () => {
    const { path = '', offset = 0 } = historyRoute.useSearch()
    return <HistoryView at={repositoryRoute.useParams()} path={path} offset={offset} />
  },
})

const hookRoute = createRoute({
  getParentRoute: () => repositoryRoute,
  path: '/webhook',
  staticData: { tab: { of: 'repository', name: 'Webhook' } },
  component: () => <HookView at={repositoryRoute.useParams()} />,
})

const settingsRoute = createRoute({
  getParentRoute: () => repositoryRoute,
  path: '/settings',
  staticData: { tab: { of: 'repository', name: 'Settings' } },
  component: () => <SettingsView at={repositoryRoute.useParams()} />,
})

const fileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/repositories/$repository/file',
  validateSearch: (search: Search) => ({ ...word(search, 'branch'), ...word(search, 'path'), ...dialogWords(search) }),
  component: () => {
    const { branch = '', path = '' } = fileRoute.useSearch()
    return <FilePage at={fileRoute.useParams()} branch={branch} path={path} />
  },
})

const importRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenant/-/repositories/import',
  validateSearch: (search: Search) => ({ ...word(search, 'plan'), ...word(search, 'run') }),
  component: () => {
    const { plan = '', run = '' } = importRoute.useSearch()
    return <ImportFilesPage {...importRoute.useParams()} plan={plan} run={run} />
  },
})

export const repositoryRoutes = [
  repositoriesRoute.addChildren([listRoute, catalogueRoute, accountsRoute, providersRoute, pollingRoute, sourcesRoute]),
  repositoryRoute.addChildren([filesRoute, historyRoute, hookRoute, settingsRoute]),
  fileRoute,
  importRoute,
] as const
