import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { projectsQuery } from '../features/catalog/projects.ts'
import { versionQuery, versionsQuery } from '../features/catalog/versions.ts'
import { identityQuery, signOut } from '../session.ts'
import { documentation } from '../parts/documentation.ts'
import { setTheme, themes } from '../theme.ts'
import { useDebounced } from '../parts/use-debounced.ts'
import { rank, wantedOf } from './ranking.ts'
import {
  askedKey,
  type Choice,
  useCatalogChoices,
  usePartsOfVersions,
  useFoundProjects,
  useMay,
  useSemanticChoices,
} from './catalog-choices.ts'
import { hasPage, useNavigation } from '../routing/navigation.ts'

/** The dialog that a page opens with. */
const searchOf = (dialog: string | undefined) => (dialog === undefined ? {} : { search: { dialog } })

/** The version of the page: its tabs, and what can be done with it. */
const useVersionChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { tabsOf, actionsOf } = useNavigation()
  const { tenant = '', project = '', version = '' } = useParams({ strict: false })
  const may = useMay()
  const inside = version !== ''
  const record = useQuery({ ...versionQuery({ tenant, project, version }), enabled: inside })
  if (!inside) return []
  const status = record.data?.status
  const params = { tenant, project, version }
  const group = `${project} ${version}`
  const tabs = tabsOf('version').map(({ to, name }) => ({
    id: to,
    group,
    name,
    go: () => void navigate({ to, params }),
  }))
  const actions = actionsOf('version')
    .filter((it) => status !== undefined && (it.statuses ?? [status]).includes(status) && may(it))
    .map(({ to, name, dialog }) => ({
      id: `version ${name}`,
      group,
      kind: 'action' as const,
      isHere: true as const,
      name,
      go: () => void navigate({ to, params, ...searchOf(dialog) }),
    }))
  const edit = {
    id: 'version edit',
    group,
    kind: 'action' as const,
    isHere: true as const,
    name: 'Edit the draft',
    go: () => void navigate({ to: '/t/$tenant/$project/$version/edit', params }),
  }
  const editable = status === 'draft' && may({ permission: 'versions:edit' })
  return [...tabs, ...(editable ? [edit] : []), ...actions]
}

/** The project of the page: its versions and tabs, and what can be done with it. */
const useProjectChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { tabsOf, actionsOf } = useNavigation()
  const { tenant = '', project = '' } = useParams({ strict: false })
  const may = useMay()
  const inside = project !== ''
  const versions = useQuery({ ...versionsQuery(tenant, project), enabled: inside })
  if (!inside) return []
  const params = { tenant, project }
  const tabs = tabsOf('project').map(({ to, name }) => ({
    id: to,
    group: project,
    name,
    go: () => void navigate({ to, params }),
  }))
  const listed = (versions.data?.items ?? []).map((version) => ({
    id: version.id,
    group: `Versions of ${version.project_slug}`,
    name: version.label,
    detail: version.status,
    go: () =>
      void navigate({
        to: '/t/$tenant/$project/$version',
        params: { tenant, project: version.project_slug, version: version.slug },
      }),
  }))
  const actions = actionsOf('project')
    .filter(may)
    .map(({ to, name, dialog }) => ({
      id: `project ${name}`,
      group: project,
      kind: 'action' as const,
      isHere: true as const,
      name,
      go: () => void navigate({ to, params, ...searchOf(dialog) }),
    }))
  const importing = {
    id: 'project import',
    group: project,
    kind: 'action' as const,
    isHere: true as const,
    name: 'Import a version',
    go: () => void navigate({ to: '/t/$tenant/-/import', params: { tenant }, search: { project } }),
  }
  return [...listed, ...tabs, ...(may({ permission: 'versions:edit' }) ? [importing] : []), ...actions]
}

/** What else the page is about, an environment of gateways or a repository for example: its tabs, and what can be done there. */
const usePartChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { partsOf } = useNavigation()
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const may = useMay()
  return partsOf(params).flatMap(({ to, declared }) => {
    const go = (dialog?: string) => () => void navigate({ to, params, ...searchOf(dialog) } as never)
    return [
      { id: to, group: 'This page', isHere: true as const, name: declared.tab?.name ?? '', go: go() },
      ...(declared.actions ?? []).filter(may).map(({ name, dialog }) => ({
        id: `${to} ${name}`,
        group: 'This page',
        kind: 'action' as const,
        isHere: true as const,
        name,
        go: go(dialog),
      })),
    ]
  })
}

/** The organization of the page: its projects, its pages, and what can be started from anywhere in it. */
const useOrganizationChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { sections, organizationActions, organizationTabs } = useNavigation()
  const { tenant = '' } = useParams({ strict: false })
  const may = useMay()
  const inside = tenant !== ''
  const projects = useQuery({ ...projectsQuery(tenant, {}, 0), enabled: inside && text.trim() === '' })
  if (!inside) return []
  // What was typed is found by the search, which ranks names first.
  const listed = (text.trim() === '' ? (projects.data?.items ?? []) : []).slice(0, 12).map((project) => ({
    id: project.id,
    group: 'Projects',
    kind: 'place' as const,
    name: project.name,
    detail: project.slug,
    aliases: [project.slug],
    go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project: project.slug } }),
  }))
  const shown = [...sections, ...sections.flatMap((it) => it.below)].filter(
    (page) => may(page) && hasPage(page, tenant),
  )
  const pages = shown.map(({ to, name, ...it }) => ({
    id: to,
    group: 'Pages',
    name,
    ...('first' in it && it.first !== undefined ? { aliases: [it.first] } : {}),
    go: () => void navigate({ to, params: { tenant } }),
  }))
  // Of what a page of the sidebar has below it; its first tab is the page.
  const below = organizationTabs.flatMap(({ to, name }) => {
    // Everything is below the list of projects.
    const page = shown.find((it) => it.to !== '/t/$tenant' && to.startsWith(`${it.to}/`))
    const go = () => void navigate({ to, params: { tenant } })
    return page === undefined ? [] : [{ id: `tab ${to}`, group: 'Pages', name, detail: page.name, go }]
  })
  const actions = organizationActions.filter(may).map(({ to, name, dialog }) => ({
    id: name,
    group: 'Actions',
    kind: 'action' as const,
    name,
    go: () => void navigate({ to, params: { tenant }, ...searchOf(dialog) }),
  }))
  return [...listed, ...pages, ...below, ...actions]
}

/** The types of the organization that a text finds. Their code is fetched with the first text. */
const useTypeChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const may = useMay()
  const found = useQuery({
    queryKey: [askedKey, 'types', tenant, text],
    queryFn: async ({ signal }) => (await import('../features/types/search.ts')).searchTypes(tenant, text, signal),
    enabled: tenant !== '' && text.trim() !== '' && may({ permission: 'primitives:view' }),
    placeholderData: (before) => before,
  })
  if (text.trim() === '') return []
  return (found.data ?? []).map((type) => ({
    id: type.id,
    group: 'Types',
    name: type.name,
    detail: type.ref,
    go: () => void navigate({ to: '/t/$tenant/-/types/$type', params: { tenant, type: type.id } }),
  }))
}

/** The repositories and linked accounts that a text finds. Their code is fetched with the first text. */
const useRepositoryChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const may = useMay()
  const found = useQuery({
    queryKey: [askedKey, 'repositories', tenant, text],
    queryFn: async () => (await import('../features/repositories/search.ts')).searchRepositories(tenant, text),
    enabled: tenant !== '' && text.trim() !== '' && may({ permission: 'projects:view' }),
    placeholderData: (before) => before,
  })
  if (text.trim() === '') return []
  return (found.data ?? []).map(({ id, isRepository, name, detail }) => ({
    id,
    group: isRepository ? 'Repositories' : 'Linked accounts',
    name,
    detail,
    go: () =>
      void (isRepository
        ? navigate({ to: '/t/$tenant/-/repositories/$repository', params: { tenant, repository: id } })
        : navigate({ to: '/t/$tenant/-/repositories/accounts', params: { tenant } })),
  }))
}

/** What can be set, in the organization of the page and in the account. */
const useSettingChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { settings } = useNavigation()
  const { tenant = '' } = useParams({ strict: false })
  return settings
    .filter(({ to }) => tenant !== '' || to === '/account')
    .map(({ to, name, anchor }) => ({
      id: `${to}#${anchor}`,
      group: 'Settings',
      name,
      go: () =>
        void (to === '/account' ? navigate({ to, hash: anchor }) : navigate({ to, params: { tenant }, hash: anchor })),
    }))
}

/** What belongs to the person wherever they are: organizations, account, theme. */
const useOwnChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { tenant } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  const others = (identity.data?.memberships ?? [])
    .filter((it) => it.status === 'active' && it.slug !== tenant)
    .map((membership) => ({
      id: membership.tenant_id,
      group: 'Organizations',
      kind: 'place' as const,
      name: membership.name,
      detail: membership.slug,
      aliases: [membership.slug],
      go: () => void navigate({ to: '/t/$tenant/-/home', params: { tenant: membership.slug } }),
    }))
  const looks = themes.map(({ value, name }) => ({
    id: value,
    group: 'Theme',
    kind: 'action' as const,
    name: `Theme: ${name.toLowerCase()}`,
    go: () => setTheme(value),
  }))
  return [
    ...others,
    {
      id: 'organizations',
      group: 'You',
      name: 'Your organizations',
      go: () => void navigate({ to: '/', search: { all: 'yes' } }),
    },
    {
      id: 'new-organization',
      group: 'Actions',
      kind: 'action',
      name: 'Create an organization',
      go: () => void navigate({ to: '/new-tenant' }),
    },
    {
      id: 'documentation',
      group: 'Help',
      name: 'Documentation',
      go: () => void window.open(documentation.start, '_blank', 'noopener'),
    },
    { id: 'account', group: 'You', name: 'Your account', go: () => void navigate({ to: '/account' }) },
    {
      id: 'device',
      group: 'You',
      kind: 'action',
      name: 'Authorize a device',
      go: () => void navigate({ to: '/device' }),
    },
    {
      id: 'out',
      group: 'You',
      kind: 'action',
      name: 'Sign out',
      go: () => void signOut().then(() => navigate({ to: '/sign-in' })),
    },
    ...looks,
  ]
}

/** How long nobody types before the service is asked. */
const pauseMs = 120

/**
 * Everything one can go to or start from this page that a text means, the best first. What the service found for an earlier text
 * stays as long as its name has the present one.
 * @param typed a first ">", "/" or "@" narrows it, as `wantedOf` has it
 */
export const useChoices = (typed: string): { readonly choices: readonly Choice[]; readonly isSearching: boolean } => {
  const wanted = wantedOf(typed)
  // A first letter that was typed while this list was fetched is not asked for alone.
  const text = useDebounced(wanted.text, pauseMs, '')
  const asking = useIsFetching({ queryKey: [askedKey] })
  const all = [
    ...useVersionChoices(),
    ...useProjectChoices(),
    ...usePartChoices(),
    ...useFoundProjects(text),
    ...useOrganizationChoices(text),
    ...usePartsOfVersions(text),
    ...useCatalogChoices(text),
    ...useTypeChoices(text),
    ...useRepositoryChoices(text),
    ...useSettingChoices(),
    ...useSemanticChoices(text),
    ...useOwnChoices(),
  ]
  return {
    choices: rank(all, wanted),
    isSearching: wanted.text !== '' && wanted.kind !== 'action' && (text !== wanted.text || asking > 0),
  }
}
