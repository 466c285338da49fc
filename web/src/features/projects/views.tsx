import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ProjectView } from '../../../../src/api/project-views.ts'
import { useAddress } from '../../parts/address.ts'
import { later } from '../../parts/later.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { holds, identityQuery } from '../../session.ts'
import { facetNames, type ProjectFilter, viewsQuery } from '../catalog/projects.ts'

const ViewDialogs = later('the form', async () => (await import('./view-forms.tsx')).ViewDialogs)

/** The address of the list without any view, also where another one is the default. */
const everything = 'all'

const isSame = (a: ProjectFilter, b: ProjectFilter): boolean =>
  (['q', 'sort', ...facetNames] as const).every((name) => a[name] === b[name])
const isEmpty = (filter: ProjectFilter): boolean => Object.keys(filter).length === 0

/** What the list is narrowed by as far as views go: the saved views, the chosen one, and whether it differs from the address. */
export interface Views {
  readonly items: readonly ProjectView[]
  readonly chosen: ProjectView | null
  readonly isChanged: boolean
  /** The address names no view, and the default one is not known yet. */
  readonly isPending: boolean
  readonly choose: (view: ProjectView | null) => void
}

/**
 * The saved views of the list. The address always spells out the filter of the chosen view, so that it shows the same list to those
 * who cannot see the view; an address with the view alone, or none where a default is set, is completed.
 */
export function useViews(tenant: string, id: string, filter: ProjectFilter, offset: number): Views {
  const views = useQuery(viewsQuery(tenant))
  const navigate = useNavigate()
  const items = views.data?.items ?? []
  const isBare = id === '' && isEmpty(filter) && offset === 0
  const wanted = isBare ? items.find((view) => view.is_default) : items.find((view) => view.id === id)
  // Completed once, so that the filter can be cleared afterwards.
  const completed = useRef('')
  const complete =
    wanted !== undefined && isEmpty(filter) && (isBare || completed.current !== wanted.id) ? wanted : null
  const go = (view: ProjectView | null, replace: boolean): void => {
    completed.current = view?.id ?? ''
    const none = items.some((it) => it.is_default) ? { view: everything } : {}
    const search = view === null ? none : { view: view.id, ...view.filter }
    void navigate({
      to: '/t/$tenant',
      params: { tenant },
      // Completing an address closes no dialog.
      search: ({ dialog, item }) => ({ ...search, ...(replace ? { dialog, item } : {}) }),
      replace,
    })
  }
  useEffect(() => {
    if (complete !== null) go(complete, true)
  })
  const chosen = items.find((view) => view.id === id) ?? null
  return {
    items,
    chosen,
    isChanged: chosen !== null && !isSame(chosen.filter, filter),
    isPending: (isBare && views.isPending) || complete !== null,
    choose: (view) => go(view, false),
  }
}

/** The menu of views above the list: choose one, save the list as one, and manage the chosen one. */
export const ViewMenu = ({ tenant, views, filter }: { tenant: string; views: Views; filter: ProjectFilter }) => {
  const { items, chosen, isChanged, choose } = views
  const { dialog, open, close } = useAddress()
  const identity = useQuery(identityQuery)
  const mayShare = holds(identity.data, tenant, 'projects:edit')
  const mayChange = chosen !== null && (chosen.visibility === 'private' || mayShare)
  const named = (visibility: ProjectView['visibility']) =>
    items
      .filter((view) => view.visibility === visibility)
      .map((view) => ({
        value: view.id,
        name: `${view.name}${visibility === 'shared' ? ' (shared)' : ''}${view.is_default ? ' (default)' : ''}`,
      }))
  return (
    <>
      <Menu
        align="start"
        look="plain"
        label={
          <span className="truncate">
            <span className="text-soft">View: </span>
            {chosen?.name ?? 'All projects'}
            {isChanged ? <span className="text-soft"> (changed)</span> : null}
          </span>
        }
      >
        <MenuChoice
          label="View"
          value={chosen?.id ?? everything}
          options={[{ value: everything, name: 'All projects' }, ...named('private'), ...named('shared')]}
          onChoose={(id) => choose(items.find((view) => view.id === id) ?? null)}
        />
        <MenuLine />
        {mayChange && isChanged ? <MenuItem onClick={() => open('update-view')}>Save the changes …</MenuItem> : null}
        <MenuItem onClick={() => open('save-view')}>Save as a new view …</MenuItem>
        {mayChange ? <MenuItem onClick={() => open('edit-view')}>Edit this view …</MenuItem> : null}
        {chosen !== null ? (
          <MenuItem onClick={() => open('default-view')}>
            {chosen.is_default ? 'Do not open with it …' : 'Open the list with it …'}
          </MenuItem>
        ) : null}
        {mayChange ? <MenuItem onClick={() => open('delete-view')}>Delete this view …</MenuItem> : null}
      </Menu>
      {dialog?.endsWith('-view') ? (
        <ViewDialogs
          tenant={tenant}
          dialog={dialog}
          chosen={chosen}
          filter={filter}
          mayShare={mayShare}
          onChoose={choose}
          onClose={close}
        />
      ) : null}
    </>
  )
}
