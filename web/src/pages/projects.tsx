import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ProjectRecord } from '../../../src/api/projects.ts'
import { Badge, Grade, Status } from '../parts/badge.tsx'
import { buttonClass } from '../parts/button.tsx'
import { CommandHint, shellWord } from '../parts/copy.tsx'
import { count, Moment, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Empty, Failure, Loading, NoMatch } from '../parts/states.tsx'
import { projectsQuery } from '../queries.ts'

const ProjectRow = ({ tenant, project }: { tenant: string; project: ProjectRecord }) => {
  const latest = project.latest_version
  return (
    <li className="relative grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-raised sm:grid-cols-[auto_1fr_auto]">
      <Grade grade={latest?.grade ?? null} score={latest?.score ?? null} />
      <div className="min-w-0">
        <h2 className="font-semibold">
          <Link
            to="/t/$tenant/$project"
            params={{ tenant, project: project.slug }}
            className="after:absolute after:inset-0"
          >
            {project.name}
          </Link>
        </h2>
        <p className="truncate text-sm text-soft">
          {project.slug}
          {project.description ? ` · ${project.description}` : ''}
        </p>
      </div>
      <div className="col-start-2 flex flex-wrap items-center gap-2 text-sm text-soft sm:col-start-3 sm:justify-end">
        {latest ? (
          <>
            <span className="font-mono text-ink">{latest.label}</span>
            <Status status={latest.status} />
          </>
        ) : (
          <Badge>no version</Badge>
        )}
        <span>{count(project.versions_count, 'version', 'versions')}</span>
        <span>
          <Moment at={project.updated_at} />
        </span>
      </div>
    </li>
  )
}

/** The projects of a tenant: what the organisation has, and in which state. */
export const ProjectsPage = ({ tenant, q, offset }: { tenant: string; q: string; offset: number }) => {
  const navigate = useNavigate()
  const projects = useQuery(projectsQuery(tenant, q, offset))
  const search = (text: string): void => {
    void navigate({ to: '/t/$tenant', params: { tenant }, search: text === '' ? {} : { q: text }, replace: true })
  }
  const list = projects.data
  return (
    <Page
      title="Projects"
      {...(list && !projects.isError ? { description: count(list.total, 'project', 'projects') } : {})}
      actions={
        <Link to="/t/$tenant/-/import" params={{ tenant }} className={buttonClass('primary')}>
          Import a document
        </Link>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField label="Search projects" value={q} onChange={search} />
        <CommandHint
          command={`svc --tenant ${shellWord(tenant)} project list${q === '' ? '' : ` --search ${shellWord(q)}`}`}
        />
      </div>
      {projects.isError ? (
        <Failure error={projects.error} onRetry={() => void projects.refetch()} />
      ) : !list ? (
        <Loading what="the projects" />
      ) : list.items.length > 0 ? (
        <>
          <ul className="card divide-y overflow-hidden">
            {list.items.map((project) => (
              <ProjectRow key={project.id} tenant={tenant} project={project} />
            ))}
          </ul>
          <Pager
            page={list}
            onMove={(next) =>
              void navigate({
                to: '/t/$tenant',
                params: { tenant },
                search: { ...(q === '' ? {} : { q }), ...(next === 0 ? {} : { offset: next }) },
              })
            }
          />
        </>
      ) : q === '' ? (
        <Empty title="No project yet">
          <p>A project holds the versions of one API. Importing a document makes the first one.</p>
          <CommandHint command={`svc --tenant ${shellWord(tenant)} import openapi openapi.yaml`} />
        </Empty>
      ) : (
        <NoMatch what="project" onClear={() => search('')} />
      )}
    </Page>
  )
}
