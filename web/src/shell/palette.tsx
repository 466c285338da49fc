import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { projectsQuery, versionsQuery } from '../queries.ts'
import { setTheme } from '../theme.ts'

interface Choice {
  readonly id: string
  readonly group: string
  readonly name: string
  readonly detail?: string
  readonly go: () => void
}

const pages = [
  ['Projects', '/t/$tenant'],
  ['Import a document', '/t/$tenant/-/import'],
  ['API keys', '/t/$tenant/-/keys'],
  ['Agent keys', '/t/$tenant/-/agents'],
  ['Members', '/t/$tenant/-/members'],
  ['Settings', '/t/$tenant/-/settings'],
] as const

/** Everything one can go to from here, as far as it fits what was typed. */
const useChoices = (tenant: string, text: string): Choice[] => {
  const navigate = useNavigate()
  const { project } = useParams({ strict: false })
  const projects = useQuery(projectsQuery(tenant, text, 0))
  const versions = useQuery({ ...versionsQuery(tenant, project ?? ''), enabled: project !== undefined })
  const fits = (name: string): boolean => name.toLowerCase().includes(text.toLowerCase())
  const ofPages: Choice[] = pages.map(([name, to]) => ({
    id: to,
    group: 'Pages',
    name,
    go: () => void navigate({ to, params: { tenant } }),
  }))
  const themes: Choice[] = (['light', 'dark', 'system'] as const).map((theme) => ({
    id: theme,
    group: 'Theme',
    name: `Theme: ${theme}`,
    go: () => setTheme(theme),
  }))
  // Until the answer to what was typed is there, the previous one is shown: what no longer fits must not be chosen from it.
  const fitting = (projects.data?.items ?? []).filter((it) => fits(it.name) || fits(it.slug))
  const ofTenant: Choice[] = fitting.slice(0, 12).map((it) => ({
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
  return [...ofProject, ...ofTenant, ...[...ofPages, ...themes].filter((it) => fits(it.name))]
}

const Search = ({ tenant, onDone }: { tenant: string; onDone: () => void }) => {
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
        className="w-full border-b bg-surface px-4 py-3 outline-none"
        role="combobox"
        aria-label="Go to a project, a version or a page"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${list}-${active}` : undefined}
        placeholder="Go to a project, a version or a page"
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
            className="flex items-baseline gap-3 rounded-md px-3 py-2 aria-selected:bg-wash"
            onMouseMove={() => setActive(index)}
            onClick={() => choose(choice)}
          >
            <span className="min-w-0 grow truncate">{choice.name}</span>
            <span className="shrink-0 text-xs text-soft">
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
  tenant: string
  open: boolean
  onOpenChange: (open: boolean) => void
}) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="card fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden shadow-2xl">
        <Dialog.Title className="sr-only">Go to</Dialog.Title>
        <Search tenant={tenant} onDone={() => onOpenChange(false)} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
