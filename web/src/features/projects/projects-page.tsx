import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { MainAction } from '../../parts/main-action.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty } from '../../parts/states.tsx'
import { GradingNote } from '../catalog/grading.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ExpiringKeys } from '../keys/expiring-keys.tsx'
import { later } from '../../parts/later.tsx'
import { ProjectTable } from './project-table.tsx'
import { type FacetName, facetNames, type ProjectFilter, projectsQuery } from '../catalog/projects.ts'
import { type Selection, useSelection } from './selection.ts'
import { useViews, ViewMenu } from './views.tsx'
import { type ReactNode, useState } from 'react'
import type { ProjectFacets } from '../../../../src/api/projects.ts'
import type { WatchLevel } from '../../../../src/api/project-watches.ts'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { actionsId } from './bulk.ts'

const BulkDialogs = later('the form', async () => (await import('./bulk-forms.tsx')).BulkDialogs)

const ActionMenu = ({ tenant, selection }: { tenant: string; selection: Selection }) => {
  const { open } = useAddress()
  const identity = useQuery(identityQuery)
  const may = (permission: Parameters<typeof holds>[2]): boolean => holds(identity.data, tenant, permission)
  const choose = async (level: WatchLevel): Promise<void> =>
    (await import('../catalog/watches.ts')).watchAndTell(tenant, selection.ids, level)
  return (
    <Menu align="end" look="plain" label="Actions">
      {may('projects:edit') ? (
        <>
          <MenuItem onClick={() => open('bulk-owner')}>Set the owner …</MenuItem>
          <MenuItem onClick={() => open('bulk-lifecycle')}>Set the lifecycle …</MenuItem>
          <MenuItem onClick={() => open('bulk-add-tags')}>Add tags …</MenuItem>
          <MenuItem onClick={() => open('bulk-remove-tags')}>Remove tags …</MenuItem>
        </>
      ) : null}
      {may('style_guides:edit') ? <MenuItem onClick={() => open('bulk-guide')}>Assign a style guide …</MenuItem> : null}
      <MenuItem onClick={() => open('bulk-export')}>Export for Backstage …</MenuItem>
      {selection.isAll ? null : (
        <>
          <MenuLine />
          <MenuItem onClick={() => void choose('everything')}>Watch: all news reach me</MenuItem>
          <MenuItem onClick={() => void choose('muted')}>Mute: only mentions and reviews asked of me</MenuItem>
        </>
      )}
      {may('projects:delete') ? (
        <>
          <MenuLine />
          <MenuItem onClick={() => open('bulk-delete')}>Delete …</MenuItem>
        </>
      ) : null}
    </Menu>
  )
}

const Status = ({ message, selection }: { message: string | null; selection: Selection }) => (
  <p role="status" className="text-sm">
    {message === null ? null : <span>{message} </span>}
    {selection.count === 0 ? null : (
      <span className="font-medium">
        {count(selection.count, 'project', 'projects')} selected
        {selection.isAll ? ', all that match' : ''}
        <span className="sr-only">. Press Enter on a check box to go to the actions.</span>
      </span>
    )}
  </p>
)

/** What can be done with the selected projects: a bar that stays in sight below the list. */
const BulkBar = ({
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
  const { dialog, close } = useAddress()
  const [message, setMessage] = useState<string | null>(null)
  if (selection.count === 0 && message === null) return null
  return (
    <>
      <div
        role="region"
        aria-label="Selected projects"
        className="float sticky bottom-3 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-3 print:hidden"
      >
        <Status message={message} selection={selection} />
        {onPage && !selection.isAll && total > selection.count ? (
          <Button look="quiet" onClick={selection.selectAll}>
            Select all {total.toLocaleString()} that match
          </Button>
        ) : null}
        <span className="grow" />
        {selection.count === 0 ? null : (
          <span id={actionsId}>
            <ActionMenu tenant={tenant} selection={selection} />
          </span>
        )}
        <Button
          look="quiet"
          onClick={() => {
            selection.clear()
            setMessage(null)
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
          onMessage={setMessage}
          onClose={close}
        />
      ) : null}
    </>
  )
}

const names: Record<FacetName, string> = {
  owner: 'Owner',
  lifecycle: 'Lifecycle',
  tag: 'Tag',
  grade: 'Grade',
  status: 'Status',
  format: 'Format',
  draft: 'Draft',
}

const words: Readonly<Record<string, string>> = {
  'grade none': 'not graded',
  'status none': 'no version',
  'draft yes': 'with a draft',
  'draft no': 'without a draft',
}

/** Filters of a list of projects, each value with the number of projects that it leaves. */
const Facets = ({
  counts,
  chosen,
  onChoose,
}: {
  counts: ProjectFacets
  chosen: Partial<Record<FacetName, string>>
  onChoose: (changed: Partial<Record<FacetName, string>>) => void
}) => {
  // A facet with one value narrows nothing.
  const shown = facetNames.filter((facet) => chosen[facet] !== undefined || counts[facet].length > 1)
  if (shown.length === 0) return null
  const isFiltered = facetNames.some((facet) => chosen[facet] !== undefined)
  return (
    <div
      role="group"
      aria-label="Filters"
      className="flex flex-wrap items-center gap-1.5 max-md:shrink-0 max-md:flex-nowrap"
    >
      {shown.map((facet) => (
        <FilterSelect
          key={facet}
          label={names[facet]}
          value={chosen[facet] ?? ''}
          options={counts[facet].map(({ value, count }) => ({
            value,
            name: words[`${facet} ${value}`] ?? value,
            count,
          }))}
          onChange={(value) => onChoose({ [facet]: value })}
        />
      ))}
      {isFiltered ? (
        <Button look="quiet" onClick={() => onChoose(Object.fromEntries(facetNames.map((facet) => [facet, ''])))}>
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}

const CreateProject = later('the form', async () => (await import('./project-forms.tsx')).CreateProject)

const NoProjects = ({ tenant, children }: { tenant: string; children: ReactNode }) => (
  <Empty title="No projects yet">
    <p>A project contains the versions of one API. Import a document to create a project.</p>
    {children}
    <CommandHint command={svcCommand(tenant, ['import', 'openapi', 'openapi.yaml'])} />
  </Empty>
)

/** What `svc project list` has an option for. */
const commandOptions = ({ q: search = '', ...rest }: ProjectFilter): Record<string, string> => ({ search, ...rest })

interface ProjectsPageProps {
  readonly tenant: string
  /** The id of the chosen view; "" where the address names none. */
  readonly view: string
  readonly filter: ProjectFilter
  readonly offset: number
}

/** The projects of an organization, with the state of each. */
export const ProjectsPage = ({ tenant, view, filter: given, offset }: ProjectsPageProps) => {
  const { q = '', sort = '', ...facets } = given
  const views = useViews(tenant, view, given, offset)
  const projects = useQuery(projectsQuery(tenant, given, offset, true))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'projects:create')
  const list = views.isPending ? undefined : projects.data
  const { sort: _, ...matching } = given
  const selection = useSelection(JSON.stringify(matching), list?.total ?? 0)
  const clear = (): void => filter({ q: '', ...Object.fromEntries(facetNames.map((name) => [name, ''])) })
  const importing = may ? (
    <Link to="/t/$tenant/-/import" params={{ tenant }} className={buttonClass('primary')}>
      Import a document
    </Link>
  ) : null
  return (
    <Page
      title="Projects"
      count={
        list && !projects.isError ? (
          <>
            {list.total.toLocaleString()}
            <span className="sr-only"> {list.total === 1 ? 'project' : 'projects'}</span>
          </>
        ) : undefined
      }
      main={may ? <MainAction onClick={() => open('new')}>Create a project …</MainAction> : null}
    >
      <ExpiringKeys tenant={tenant} />
      <Toolbar>
        <ViewMenu tenant={tenant} views={views} filter={given} />
        <SearchField label="Search projects" value={q} onChange={(text) => filter({ q: text })} />
        {list?.facets ? <Facets counts={list.facets} chosen={facets} onChoose={filter} /> : null}
        <CommandHint command={svcCommand(tenant, ['project', 'list'], commandOptions(given))} />
      </Toolbar>
      <GradingNote tenant={tenant} />
      <Listing
        query={views.isPending ? { ...projects, data: undefined, error: null } : projects}
        what="the projects"
        one="project"
        filtered={q !== '' || Object.keys(facets).length > 0}
        onClear={clear}
        onMove={move}
        empty={<NoProjects tenant={tenant}>{importing}</NoProjects>}
      >
        {(items) => <ProjectTable tenant={tenant} items={items} sort={sort} selection={selection} />}
      </Listing>
      <BulkBar
        tenant={tenant}
        filter={given}
        selection={selection}
        total={list?.total ?? 0}
        onPage={list?.items.every(({ id }) => selection.has(id)) ?? false}
        facets={list?.facets}
      />
      <Window open={dialog === 'new' && may} onClose={close} title="Create a project">
        <CreateProject tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
