import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProjectFacets } from '../../../../src/api/projects.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/count.ts'
import { later } from '../../parts/later.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { holds, identityQuery } from '../../session.ts'
import { actionsId } from './bulk-actions.ts'
import type { ProjectFilter } from './queries.ts'
import type { Selection } from './selection.ts'

const BulkDialogs = later('the form', async () => (await import('./bulk-forms.tsx')).BulkDialogs)

/** What can be done with the selected projects: a bar that stays in sight below the list. */
export const BulkBar = ({
  tenant,
  filter,
  selection,
  total,
  onPage,
  facets,
}: {
  tenant: string
  filter: ProjectFilter
  selection: Selection
  /** How many projects match the filter. */
  total: number
  /** Whether all rows of this page are selected. */
  onPage: boolean
  facets: ProjectFacets | undefined
}) => {
  const { dialog, open, close } = useAddress()
  const identity = useQuery(identityQuery)
  const [said, setSaid] = useState<string | null>(null)
  const may = (permission: Parameters<typeof holds>[2]): boolean => holds(identity.data, tenant, permission)
  const mayEdit = may('projects:edit')
  if (selection.count === 0 && said === null) return null
  return (
    <>
      <div
        role="region"
        aria-label="Selected projects"
        className="card sticky bottom-3 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2 shadow-lg print:hidden"
      >
        <p role="status" className="text-sm">
          {said === null ? null : <span>{said} </span>}
          {selection.count === 0 ? null : (
            <span className="font-medium">
              {count(selection.count, 'project', 'projects')} selected
              {selection.isAll ? ', all that match' : ''}
              <span className="sr-only">. Press Enter on a check box to go to the actions.</span>
            </span>
          )}
        </p>
        {onPage && !selection.isAll && total > selection.count ? (
          <Button look="quiet" onClick={selection.selectAll}>
            Select all {total.toLocaleString()} that match
          </Button>
        ) : null}
        <span className="grow" />
        {selection.count === 0 ? null : (
          <span id={actionsId}>
            <Menu align="end" look="plain" label="Actions">
              {mayEdit ? (
                <>
                  <MenuItem onClick={() => open('bulk-owner')}>Set the owner …</MenuItem>
                  <MenuItem onClick={() => open('bulk-lifecycle')}>Set the lifecycle …</MenuItem>
                  <MenuItem onClick={() => open('bulk-add-tags')}>Add tags …</MenuItem>
                  <MenuItem onClick={() => open('bulk-remove-tags')}>Remove tags …</MenuItem>
                </>
              ) : null}
              {may('style_guides:edit') ? (
                <MenuItem onClick={() => open('bulk-guide')}>Assign a style guide …</MenuItem>
              ) : null}
              <MenuItem onClick={() => open('bulk-export')}>Export for Backstage …</MenuItem>
              {may('projects:delete') ? (
                <>
                  <MenuLine />
                  <MenuItem onClick={() => open('bulk-delete')}>Delete …</MenuItem>
                </>
              ) : null}
            </Menu>
          </span>
        )}
        <Button
          look="quiet"
          onClick={() => {
            selection.clear()
            setSaid(null)
          }}
        >
          {selection.count === 0 ? 'Close' : 'Clear selection'}
        </Button>
      </div>
      {selection.count > 0 && dialog?.startsWith('bulk-') ? (
        <BulkDialogs
          tenant={tenant}
          dialog={dialog}
          filter={filter}
          selection={selection}
          facets={facets}
          onSay={setSaid}
          onClose={close}
        />
      ) : null}
    </>
  )
}
