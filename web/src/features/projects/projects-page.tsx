import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
import { GradingNote } from '../versions/grading.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ExpiringKeys } from '../keys/expiring-keys.tsx'
import { later } from '../../parts/later.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { Facets } from './facets.tsx'
import { ProjectTable } from './project-table.tsx'
import { facetNames, type ProjectFilter, projectsQuery } from './queries.ts'
import { useSelection } from './selection.ts'
import { useViews, ViewMenu } from './views.tsx'

const CreateProject = later('the form', async () => (await import('./project-forms.tsx')).CreateProject)

/** What `svc project list` has an option for. */
const commandOptions = ({ q: search = '', ...rest }: ProjectFilter): Record<string, string> => ({ search, ...rest })

/** The projects of an organization, with the state of each. */
export const ProjectsPage = ({
  tenant,
  view,
  filter: asked,
  offset,
}: {
  tenant: string
  /** The id of the chosen view; "" where the address names none. */
  view: string
  filter: ProjectFilter
  offset: number
}) => {
  const { q = '', sort = '', ...facets } = asked
  const views = useViews(tenant, view, asked, offset)
  const projects = useQuery(projectsQuery(tenant, asked, offset, true))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'projects:create')
  const list = views.isPending ? undefined : projects.data
  const { sort: _, ...matching } = asked
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
      {...(list && !projects.isError ? { description: count(list.total, 'project', 'projects') } : {})}
      actions={
        <>
          {may ? <Button onClick={() => open('new')}>Create a project …</Button> : null}
          {importing}
        </>
      }
    >
      <ExpiringKeys tenant={tenant} />
      <Toolbar>
        <div className="flex min-w-0 grow flex-wrap items-center gap-3">
          <ViewMenu tenant={tenant} views={views} filter={asked} />
          <SearchField label="Search projects" value={q} onChange={(text) => filter({ q: text })} />
        </div>
        <CommandHint command={svcCommand(tenant, ['project', 'list'], commandOptions(asked))} />
      </Toolbar>
      <GradingNote tenant={tenant} />
      {list?.facets ? <Facets counts={list.facets} chosen={facets} onChoose={filter} /> : null}
      <Listing
        query={views.isPending ? { ...projects, data: undefined, error: null } : projects}
        what="the projects"
        one="project"
        filtered={q !== '' || Object.keys(facets).length > 0}
        onClear={clear}
        onMove={move}
        empty={
          <Empty title="No projects yet">
            <p>A project contains the versions of one API. Import a document to create a project.</p>
            {importing}
            <CommandHint command={svcCommand(tenant, ['import', 'openapi', 'openapi.yaml'])} />
          </Empty>
        }
      >
        {(items) => <ProjectTable tenant={tenant} items={items} sort={sort} selection={selection} />}
      </Listing>
      <BulkBar
        tenant={tenant}
        filter={asked}
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
