import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { projectsQuery, versionQuery, versionsQuery } from '../queries.ts'
import { holds, identityQuery, signOut } from '../session.ts'
import { setTheme, themes } from '../theme.ts'
import { actions, projectActions, projectViews, sections, versionActions, versionViews } from './destinations.ts'

/** One line of the command palette. */
export interface Choice {
  readonly id: string
  readonly group: string
  readonly name: string
  readonly detail?: string
  readonly go: () => void
}

const fitsIn = (text: string) => {
  const wanted = text.toLowerCase()
  return (name: string): boolean => name.toLowerCase().includes(wanted)
}

/** What the version one is in has: its views, and what can be done with it. */
const useVersionChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '', project = '', version = '' } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  const inside = version !== ''
  const record = useQuery({ ...versionQuery({ tenant, project, version }), enabled: inside })
  if (!inside) return []
  const status = record.data?.status
  const params = { tenant, project, version }
  const group = `${project} ${version}`
  const views = versionViews.map(({ to, name }) => ({ id: to, group, name, go: () => void navigate({ to, params }) }))
  const doing = versionActions
    .filter((it) => status !== undefined && it.statuses.includes(status))
    .filter((it) => holds(identity.data, tenant, it.permission))
    .map(({ name, dialog }) => ({
      id: `version ${dialog}`,
      group,
      name,
      go: () => void navigate({ to: '/t/$tenant/$project/$version/publishing', params, search: { dialog } }),
    }))
  const edit = {
    id: 'version edit',
    group,
    name: 'Edit the draft',
    go: () => void navigate({ to: '/t/$tenant/$project/$version/source', params, search: { edit: 'yes' } }),
  }
  const editable = status === 'draft' && holds(identity.data, tenant, 'versions:edit')
  return [...views, ...(editable ? [edit] : []), ...doing]
}

/** What the project one is in has: its versions, and what can be done with it. */
const useProjectChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '', project = '' } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  const inside = project !== ''
  const versions = useQuery({ ...versionsQuery(tenant, project), enabled: inside })
  if (!inside) return []
  const views = projectViews.map(({ to, name }) => ({
    id: to,
    group: project,
    name,
    go: () => void navigate({ to, params: { tenant, project } }),
  }))
  const listed = (versions.data?.items ?? []).map((it) => ({
    id: it.id,
    group: `Versions of ${it.project_slug}`,
    name: it.label,
    detail: it.status,
    go: () =>
      void navigate({
        to: '/t/$tenant/$project/$version',
        params: { tenant, project: it.project_slug, version: it.slug },
      }),
  }))
  const doing = projectActions
    .filter((it) => holds(identity.data, tenant, it.permission))
    .map(({ name, dialog }) => ({
      id: `project ${dialog}`,
      group: project,
      name,
      go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project }, search: { dialog } }),
    }))
  const importing = {
    id: 'project import',
    group: project,
    name: 'Import a version',
    go: () => void navigate({ to: '/t/$tenant/-/import', params: { tenant }, search: { project } }),
  }
  const may = holds(identity.data, tenant, 'versions:edit')
  return [...listed, ...views, ...(may ? [importing] : []), ...doing]
}

/** What the tenant one is in has: projects, pages, and what can be begun from anywhere. */
const useTenantChoices = (text: string): Choice[] => {
  const navigate = useNavigate()
  const { tenant = '' } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  const inside = tenant !== ''
  const projects = useQuery({ ...projectsQuery(tenant, text, 0), enabled: inside })
  if (!inside) return []
  const listed = (projects.data?.items ?? []).slice(0, 12).map((it) => ({
    id: it.id,
    group: 'Projects',
    name: it.name,
    detail: it.slug,
    go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project: it.slug } }),
  }))
  const pages = sections
    .flatMap((section) => section.pages)
    .filter((it) => holds(identity.data, tenant, it.permission))
    .map(({ to, name }) => ({ id: to, group: 'Pages', name, go: () => void navigate({ to, params: { tenant } }) }))
  const doing = actions
    .filter((it) => holds(identity.data, tenant, it.permission))
    .map(({ to, name, dialog }) => ({
      id: name,
      group: 'Actions',
      name,
      go: () => void navigate({ to, params: { tenant }, search: { dialog } }),
    }))
  return [...listed, ...pages, ...doing]
}

/** What is the person's own, wherever they are: tenants, account, theme. */
const useOwnChoices = (): Choice[] => {
  const navigate = useNavigate()
  const { tenant } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  const others = (identity.data?.memberships ?? [])
    .filter((it) => it.status === 'active' && it.slug !== tenant)
    .map((it) => ({
      id: it.tenant_id,
      group: 'Tenants',
      name: it.name,
      detail: it.slug,
      go: () => void navigate({ to: '/t/$tenant', params: { tenant: it.slug } }),
    }))
  const looks = themes.map(({ value, name }) => ({
    id: value,
    group: 'Theme',
    name: `Theme: ${name.toLowerCase()}`,
    go: () => setTheme(value),
  }))
  return [
    ...others,
    { id: 'tenants', group: 'You', name: 'Your tenants', go: () => void navigate({ to: '/', search: { all: 'yes' } }) },
    { id: 'new-tenant', group: 'Actions', name: 'Make a tenant', go: () => void navigate({ to: '/new-tenant' }) },
    { id: 'account', group: 'You', name: 'Your account', go: () => void navigate({ to: '/account' }) },
    { id: 'device', group: 'You', name: 'Sign in a device', go: () => void navigate({ to: '/device' }) },
    { id: 'out', group: 'You', name: 'Sign out', go: () => void signOut().then(() => navigate({ to: '/sign-in' })) },
    ...looks,
  ]
}

/**
 * Everything one can go to or begin from here, nearest first, as far as its name fits what was typed. Until the answer
 * to what was typed is there, the previous one is shown: what no longer fits must not be chosen.
 */
export const useChoices = (text: string): Choice[] => {
  const fits = fitsIn(text)
  const all = [...useVersionChoices(), ...useProjectChoices(), ...useTenantChoices(text), ...useOwnChoices()]
  return all.filter((it) => fits(it.name) || (it.detail !== undefined && fits(it.detail)))
}
