import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ProjectRecord } from '../../../../src/api/projects.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Grade, Status } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ExpiringKeys } from '../api-keys/expiring-keys.tsx'
import { CreateProject } from './project-forms.tsx'
import { projectsQuery } from './queries.ts'

const ProjectRow = ({ tenant, project }: { tenant: string; project: ProjectRecord }) => {
  const latest = project.latest_version
  return (
    <li className="relative grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-raised sm:grid-cols-[auto_1fr_auto]">
      <Grade grade={latest?.grade ?? null} score={latest?.score ?? null} />
      <div className="min-w-0">
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
          {project.description ? ` · ${project.description}` : ''}
        </p>
      </div>
      <div className="col-start-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft sm:col-start-3 sm:justify-end">
        {latest ? (
          <>
            <span className="font-mono text-ink">{latest.label}</span>
            <Status status={latest.status} />
          </>
        ) : (
          <Badge>no version</Badge>
        )}
        <span className="tabular-nums">{count(project.versions_count, 'version', 'versions')}</span>
        <Moment at={project.updated_at} />
      </div>
    </li>
  )
}

/** The projects of an organization, with the state of each. */
export const ProjectsPage = ({ tenant, q, offset }: { tenant: string; q: string; offset: number }) => {
  const projects = useQuery(projectsQuery(tenant, q, offset))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'projects:create')
  const list = projects.data
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
        <CommandHint command={svcCommand(tenant, ['project', 'list'], { search: q })} />
      </Toolbar>
      <Listing
        query={projects}
        what="the projects"
        one="project"
        filtered={q !== ''}
        onClear={() => filter({ q: '' })}
        onMove={move}
        empty={
          <Empty title="No projects yet">
            <p>A project contains the versions of one API. Import a document to create a project.</p>
            {importing}
            <CommandHint command={svcCommand(tenant, ['import', 'openapi', 'openapi.yaml'])} />
          </Empty>
        }
      >
        {(items) => (
          <ul className="card divide-y overflow-hidden">
            {items.map((project) => (
              <ProjectRow key={project.id} tenant={tenant} project={project} />
            ))}
          </ul>
        )}
      </Listing>
      <Window open={dialog === 'new' && may} onClose={close} title="Create a project">
        <CreateProject tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
