import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { projectsQuery } from '../features/catalog/projects.ts'
import { versionQuery, versionsQuery } from '../features/catalog/versions.ts'
import { identityQuery, signOut } from '../session.ts'
import { documentation } from '../parts/documentation.ts'
import { setTheme, themes } from '../theme.ts'
import { type Choice, useCatalogChoices, useFoundProjects, useMay, useSemanticChoices } from './catalog-choices.ts'
import { useNavigation } from '../routing/navigation.ts'

const fitsIn = (text: string) => {
  const wanted = text.toLowerCase()
  return (name: string): boolean => name.toLowerCase().includes(wanted)
}

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
      id: `version ${dialog}`,
      group,
      name,
      go: () => void navigate({ to, params, search: { dialog } }),
    }))
  const edit = {
    id: 'version edit',
    group,
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
      id: `project ${dialog}`,
      group: project,
      name,
      go: () => void navigate({ to, params, search: { dialog } }),
    }))
  const importing = {
    id: 'project import',
    group: project,
    name: 'Import a version',
    go: () => void navigate({ to: '/t/$tenant/-/import', params: { tenant }, search: { project } }),
  }
  return [...listed, ...tabs, ...(may({ permission: 'versions:edit' }) ? [importing] : []), ...actions]
}

/** The organization of the page: its projects, its pages, and what can be started from anywhere in it. */
const useOrganizationChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { sections, organizationActions } = useNavigation()
  const { tenant = '' } = useParams({ strict: false })
  const may = useMay()
  const inside = tenant !== ''
  const projects = useQuery({ ...projectsQuery(tenant, {}, 0), enabled: inside && text.trim() === '' })
  if (!inside) return []
  // What was typed is found by the search, which ranks names first.
  const listed = (text.trim() === '' ? (projects.data?.items ?? []) : []).slice(0, 12).map((project) => ({
    id: project.id,
    group: 'Projects',
    name: project.name,
    detail: project.slug,
    go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project: project.slug } }),
  }))
  const pages = sections
    .filter(may)
    .map(({ to, name }) => ({ id: to, group: 'Pages', name, go: () => void navigate({ to, params: { tenant } }) }))
  const actions = organizationActions.filter(may).map(({ to, name, dialog }) => ({
    id: name,
    group: 'Actions',
    name,
    go: () => void navigate({ to, params: { tenant }, search: { dialog } }),
  }))
  return [...listed, ...pages, ...actions]
}

/** The types of the organization that a text finds. Their code is fetched with the first text. */
const useTypeChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const may = useMay()
  const found = useQuery({
    queryKey: ['types', tenant, 'palette', text],
    queryFn: async () => (await import('../features/types/search.ts')).searchTypes(tenant, text),
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
    queryKey: ['repositories', tenant, 'palette', text],
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
      name: membership.name,
      detail: membership.slug,
      go: () => void navigate({ to: '/t/$tenant/-/home', params: { tenant: membership.slug } }),
    }))
  const looks = themes.map(({ value, name }) => ({
    id: value,
    group: 'Theme',
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
    { id: 'device', group: 'You', name: 'Authorize a device', go: () => void navigate({ to: '/device' }) },
    { id: 'out', group: 'You', name: 'Sign out', go: () => void signOut().then(() => navigate({ to: '/sign-in' })) },
    ...looks,
  ]
}

/**
 * Everything one can go to or start from this page, nearest first, whose name contains `text`. Until the answer to
 * `text` arrives the previous one is shown, so rows that no longer match are filtered here too.
 */
export const useChoices = (text: string): Choice[] => {
  const fits = fitsIn(text)
  const all = [
    ...useVersionChoices(),
    ...useProjectChoices(),
    ...useFoundProjects(text),
    ...useOrganizationChoices(text),
    ...useCatalogChoices(text),
    ...useTypeChoices(text),
    ...useRepositoryChoices(text),
    ...useSettingChoices(),
    ...useSemanticChoices(text),
    ...useOwnChoices(),
  ]
  return all.filter((it) => it.found === true || fits(it.name) || (it.detail !== undefined && fits(it.detail)))
}
