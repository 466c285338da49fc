import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { VersionRecord } from '../../../src/api/versions.ts'
import { Badge, Grade, Status } from '../parts/badge.tsx'
import { buttonClass } from '../parts/button.tsx'
import { CommandHint, shellWord } from '../parts/copy.tsx'
import { count, Moment, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { projectQuery, versionsQuery } from '../queries.ts'

const VersionRow = ({
  tenant,
  version,
  previous,
}: {
  tenant: string
  version: VersionRecord
  /** The version listed after it: the one it is usually compared with. */
  previous: VersionRecord | undefined
}) => (
  <tr className="hover:bg-raised">
    <td className="px-4 py-3">
      <Grade grade={version.grade} score={version.score} />
    </td>
    <th scope="row" className="px-4 py-3 text-left font-normal">
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: version.project_slug, version: version.slug }}
        className="link font-mono font-medium"
      >
        {version.label}
      </Link>
    </th>
    <td className="px-4 py-3">
      <span className="flex flex-wrap gap-1.5">
        <Status status={version.status} />
        <Badge>{version.visibility}</Badge>
      </span>
    </td>
    <td className="px-4 py-3 whitespace-nowrap text-soft">
      {version.format.kind} {version.format.version}
    </td>
    <td className="px-4 py-3 text-right tabular-nums">{version.operations_count.toLocaleString()}</td>
    <td className="px-4 py-3 whitespace-nowrap text-soft">
      <Moment at={version.published_at ?? version.updated_at} />
    </td>
    <td className="px-4 py-3 text-right whitespace-nowrap">
      {previous ? (
        <Link
          to="/t/$tenant/$project/$version/changes"
          params={{ tenant, project: version.project_slug, version: version.slug }}
          search={{ base: previous.slug }}
          className="link text-sm"
        >
          Compare with {previous.label}
        </Link>
      ) : null}
    </td>
  </tr>
)

/** A project and its versions, newest first. */
export const ProjectPage = ({ tenant, project, offset }: { tenant: string; project: string; offset: number }) => {
  const navigate = useNavigate()
  const record = useQuery(projectQuery(tenant, project))
  const versions = useQuery(versionsQuery(tenant, project, offset))
  const failed = record.error ?? versions.error
  const list = versions.data
  return (
    <Page
      trail={
        <Link to="/t/$tenant" params={{ tenant }} className="link">
          Projects
        </Link>
      }
      title={record.data?.name ?? project}
      description={record.data?.description ?? record.data?.slug}
      actions={
        <Link to="/t/$tenant/-/import" params={{ tenant }} search={{ project }} className={buttonClass('primary')}>
          Import a version
        </Link>
      }
    >
      {failed ? (
        <Failure error={failed} onRetry={() => void Promise.all([record.refetch(), versions.refetch()])} />
      ) : !list ? (
        <Loading what="the versions" />
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 className="font-semibold">{count(list.total, 'version', 'versions')}</h2>
            <CommandHint command={`svc --tenant ${shellWord(tenant)} version list ${shellWord(project)}`} />
          </div>
          {list.items.length === 0 ? (
            <Empty title="No version yet">
              <p>Import a document into this project: its label comes from the document itself.</p>
              <CommandHint
                command={`svc --tenant ${shellWord(tenant)} import openapi openapi.yaml --project-slug ${shellWord(project)}`}
              />
            </Empty>
          ) : (
            // Wide tables scroll inside their card; the card is a stop for the keyboard for that reason.
            <div className="card overflow-x-auto" tabIndex={0} role="region" aria-label="Versions">
              <table className="w-full text-sm">
                <thead>
                  <tr className="border-b text-left text-xs text-soft">
                    {['Grade', 'Version', 'Status', 'Format'].map((head) => (
                      <th key={head} scope="col" className="px-4 py-2 font-medium">
                        {head}
                      </th>
                    ))}
                    <th scope="col" className="px-4 py-2 text-right font-medium">
                      Operations
                    </th>
                    <th scope="col" className="px-4 py-2 font-medium">
                      Since
                    </th>
                    <th scope="col" className="px-4 py-2">
                      <span className="sr-only">Compare</span>
                    </th>
                  </tr>
                </thead>
                <tbody className="divide-y">
                  {list.items.map((version, index) => (
                    <VersionRow key={version.id} tenant={tenant} version={version} previous={list.items[index + 1]} />
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <Pager
            page={list}
            onMove={(next) =>
              void navigate({
                to: '/t/$tenant/$project',
                params: { tenant, project },
                search: next === 0 ? {} : { offset: next },
              })
            }
          />
        </>
      )}
    </Page>
  )
}
