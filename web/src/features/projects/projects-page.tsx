import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProjectRecord } from '../../../../src/api/projects.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Grade, Status } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
import { GradingNote } from '../versions/grading.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ExpiringKeys } from '../keys/expiring-keys.tsx'
import { later } from '../../parts/later.tsx'
import { Facets } from './facets.tsx'
import { facetNames, type ProjectFilter, projectsQuery } from './queries.ts'

const CreateProject = later('the form', async () => (await import('./project-forms.tsx')).CreateProject)

const cell = 'px-3 py-2 align-baseline'

const ProjectRow = ({ tenant, project }: { tenant: string; project: ProjectRecord }) => {
  const latest = project.latest_version
  return (
    <tr className="relative hover:bg-raised">
      <td className={cell}>
        <Grade grade={latest?.grade ?? null} score={latest?.score ?? null} />
      </td>
      <td className={`${cell} w-full max-w-0 min-w-40`}>
        <h2 className="font-semibold break-words">
          <Link
            to="/t/$tenant/$project"
            params={{ tenant, project: project.slug }}
            className="after:absolute after:inset-0"
          >
            {project.name}
          </Link>
        </h2>
        <p className="truncate text-sm text-soft">
          <span className="font-mono text-xs">{project.slug}</span>
          {latest ? <span className="sm:hidden"> · {latest.label}</span> : null}
          {project.description ? ` · ${project.description}` : ''}
        </p>
        {project.tags.length === 0 ? null : (
          <p className="mt-0.5 flex flex-wrap gap-1">
            {project.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        )}
      </td>
      <td className={`${cell} max-w-48 break-words max-md:hidden`}>
        {project.owner}
        {project.lifecycle === null ? null : <span className="block text-sm text-soft">{project.lifecycle}</span>}
      </td>
      <td className={`${cell} whitespace-nowrap max-sm:hidden`}>
        {latest ? (
          <span className="flex items-baseline gap-2">
            <span className="max-w-40 truncate font-mono text-sm" title={latest.label}>
              {latest.label}
            </span>
            <Status status={latest.status} />
          </span>
        ) : (
          <Badge>no version</Badge>
        )}
      </td>
      <td className={`${cell} text-right tabular-nums max-md:hidden`}>{project.versions_count.toLocaleString()}</td>
      <td className={`${cell} text-sm whitespace-nowrap text-soft max-lg:hidden`}>
        <Moment at={project.updated_at} />
      </td>
    </tr>
  )
}

/** The heading of a column by which the list can be ordered. */
const Sortable = ({ by, now, name }: { by: string; now: string; name: string }) => {
  const { filter } = useAddress()
  return (
    <button
      type="button"
      className="font-medium hover:text-ink aria-pressed:text-accent"
      aria-pressed={now === by}
      onClick={() => filter({ sort: now === by ? '' : by })}
    >
      {name}
      <span className="sr-only">{now === by ? ', sorted by it' : ', sort by it'}</span>
    </button>
  )
}

const ProjectTable = ({ tenant, items, sort }: { tenant: string; items: readonly ProjectRecord[]; sort: string }) => (
  <div className="card overflow-x-clip">
    <table className="w-full">
      <thead className="border-b text-left text-sm text-soft">
        <tr>
          <th className={cell} scope="col">
            <Sortable by="grade" now={sort} name="Grade" />
          </th>
          <th className={cell} scope="col">
            <Sortable by="name" now={sort} name="Project" />
          </th>
          <th className={`${cell} font-medium max-md:hidden`} scope="col">
            Owner
          </th>
          <th className={`${cell} font-medium max-sm:hidden`} scope="col">
            Latest
          </th>
          <th className={`${cell} text-right font-medium max-md:hidden`} scope="col">
            Versions
          </th>
          <th className={`${cell} max-lg:hidden`} scope="col">
            <Sortable by="updated" now={sort} name="Updated" />
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {items.map((project) => (
          <ProjectRow key={project.id} tenant={tenant} project={project} />
        ))}
      </tbody>
    </table>
  </div>
)

/** What `svc project list` has an option for. */
const commandOptions = ({ owner = '', lifecycle = '', tag = '', grade = '', sort = '' }: ProjectFilter) => ({
  owner,
  lifecycle,
  tag,
  grade,
  sort,
})

/** The projects of an organization, with the state of each. */
export const ProjectsPage = ({
  tenant,
  filter: asked,
  offset,
}: {
  tenant: string
  filter: ProjectFilter
  offset: number
}) => {
  const { q = '', sort = '', ...facets } = asked
  const projects = useQuery(projectsQuery(tenant, asked, offset, true))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'projects:create')
  const list = projects.data
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
        <SearchField label="Search projects" value={q} onChange={(text) => filter({ q: text })} />
        <CommandHint command={svcCommand(tenant, ['project', 'list'], { search: q, ...commandOptions(asked) })} />
      </Toolbar>
      <GradingNote tenant={tenant} />
      {list?.facets ? <Facets counts={list.facets} chosen={facets} onChoose={filter} /> : null}
      <Listing
        query={projects}
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
        {(items) => <ProjectTable tenant={tenant} items={items} sort={sort} />}
      </Listing>
      <Window open={dialog === 'new' && may} onClose={close} title="Create a project">
        <CreateProject tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
