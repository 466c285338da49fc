import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { projectsQuery, versionsQuery } from '../queries.ts'
import { holds, identityQuery, signOut } from '../session.ts'
import { setTheme, themes } from '../theme.ts'
import { actions, sections, versionViews } from './destinations.ts'

interface Choice {
  readonly id: string
  readonly group: string
  readonly name: string
  readonly detail?: string
  readonly go: () => void
}

/** What can be gone to in the tenant one is in: the version, the project, other projects, pages, actions. */
const useTenantChoices = (tenant: string | undefined, text: string): Choice[] => {
  const navigate = useNavigate()
  const { project, version } = useParams({ strict: false })
  const identity = useQuery(identityQuery)
  const projects = useQuery({ ...projectsQuery(tenant ?? '', text, 0), enabled: tenant !== undefined })
  const versions = useQuery({
    ...versionsQuery(tenant ?? '', project ?? ''),
    enabled: tenant !== undefined && project !== undefined,
  })
  if (tenant === undefined) return []
  const fits = (name: string): boolean => name.toLowerCase().includes(text.toLowerCase())
  const views: Choice[] =
    project === undefined || version === undefined
      ? []
      : versionViews.map(({ to, name }) => ({
          id: to,
          group: `${project} ${version}`,
          name,
          go: () => void navigate({ to, params: { tenant, project, version } }),
        }))
  // Until the answer to what was typed is there, the previous one is shown: what no longer fits must not be chosen.
  const ofTenant: Choice[] = (projects.data?.items ?? [])
    .filter((it) => fits(it.name) || fits(it.slug))
    .slice(0, 12)
    .map((it) => ({
      id: it.id,
      group: 'Projects',
      name: it.name,
      detail: it.slug,
      go: () => void navigate({ to: '/t/$tenant/$project', params: { tenant, project: it.slug } }),
    }))
  const listed = project === undefined ? [] : (versions.data?.items ?? [])
  const ofProject: Choice[] = listed
    .filter((it) => fits(it.label))
    .slice(0, 12)
    .map((it) => ({
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
  const pages: Choice[] = sections
    .flatMap((section) => section.pages)
    .filter((it) => holds(identity.data, tenant, it.permission))
    .map(({ to, name }) => ({ id: to, group: 'Pages', name, go: () => void navigate({ to, params: { tenant } }) }))
  const begin: Choice[] = actions
    .filter((it) => holds(identity.data, tenant, it.permission))
    .map(({ to, name, dialog }) => ({
      id: name,
      group: 'Actions',
      name,
      go: () => void navigate({ to, params: { tenant }, search: { dialog } }),
    }))
  return [...ofProject, ...ofTenant, ...[...views, ...pages, ...begin].filter((it) => fits(it.name))]
}

/** Everything one can go to from here, as far as it fits what was typed. */
const useChoices = (tenant: string | undefined, text: string): Choice[] => {
  const navigate = useNavigate()
  const identity = useQuery(identityQuery)
  const ofTenant = useTenantChoices(tenant, text)
  const fits = (name: string): boolean => name.toLowerCase().includes(text.toLowerCase())
  const others: Choice[] = (identity.data?.memberships ?? [])
    .filter((it) => it.status === 'active' && it.slug !== tenant)
    .map((it) => ({
      id: it.tenant_id,
      group: 'Tenants',
      name: it.name,
      detail: it.slug,
      go: () => void navigate({ to: '/t/$tenant', params: { tenant: it.slug } }),
    }))
  const own: Choice[] = [
    { id: 'tenants', group: 'You', name: 'Your tenants', go: () => void navigate({ to: '/', search: { all: 'yes' } }) },
    { id: 'new-tenant', group: 'Actions', name: 'Make a tenant', go: () => void navigate({ to: '/new-tenant' }) },
    { id: 'account', group: 'You', name: 'Your account', go: () => void navigate({ to: '/account' }) },
    { id: 'device', group: 'You', name: 'Sign in a device', go: () => void navigate({ to: '/device' }) },
    { id: 'out', group: 'You', name: 'Sign out', go: () => void signOut().then(() => navigate({ to: '/sign-in' })) },
  ]
  const looks: Choice[] = themes.map(({ value, name }) => ({
    id: value,
    group: 'Theme',
    name: `Theme: ${name.toLowerCase()}`,
    go: () => setTheme(value),
  }))
  return [...ofTenant, ...[...others, ...own, ...looks].filter((it) => fits(it.name))]
}

const Search = ({ tenant, onDone }: { tenant: string | undefined; onDone: () => void }) => {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const choices = useChoices(tenant, text)
  const list = useId()
  useEffect(() => setActive(0), [text])
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return
    onDone()
    choice.go()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && choices.length > 0) {
      event.preventDefault()
      const next = (active + step + choices.length) % choices.length
      setActive(next)
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(choices[active])
    }
  }
  return (
    <>
      <input
        className="w-full border-b bg-surface px-4 py-3 -outline-offset-2"
        role="combobox"
        aria-label="Go to a project, a version, a page or an action"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${list}-${active}` : undefined}
        placeholder="Go to a project, a version, a page or an action"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Destinations" className="max-h-[50vh] overflow-auto p-1">
        {choices.map((choice, index) => (
          <li
            key={choice.group + choice.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            className="flex items-baseline gap-3 rounded-md px-3 py-1.5 aria-selected:bg-wash"
            onMouseMove={() => setActive(index)}
            onClick={() => choose(choice)}
          >
            <span className="min-w-0 grow truncate">{choice.name}</span>
            <span className="min-w-0 truncate text-xs text-soft">
              {choice.detail ? `${choice.detail} · ` : ''}
              {choice.group}
            </span>
          </li>
        ))}
      </ul>
      {choices.length === 0 ? (
        <p role="status" className="px-4 pb-4 text-soft">
          Nothing matches.
        </p>
      ) : null}
    </>
  )
}

/** The command palette: Ctrl K or ⌘ K, type, Enter. */
export const Palette = ({
  tenant,
  open,
  onOpenChange,
}: {
  tenant: string | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
}) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="card fixed top-[8vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1rem))] -translate-x-1/2 overflow-hidden shadow-2xl sm:top-[12vh]">
        <Dialog.Title className="sr-only">Go to</Dialog.Title>
        <Search tenant={tenant} onDone={() => onOpenChange(false)} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
