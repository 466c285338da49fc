import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { formatName } from '../../../../src/kernel/format-names.ts'
import { Badge, Status } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Read } from '../../parts/listing.tsx'
import { ProjectMark } from '../../parts/marks.tsx'
import { Day, Moment, Page } from '../../parts/page.tsx'
import { StoredGrade } from '../catalog/grading.tsx'
import { projectQuery } from '../catalog/projects.ts'
import { type VersionRef, versionQuery } from '../catalog/versions.ts'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'

/** What readers of a deprecated or retired version must know. */
const DeprecationNote = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  if (record.status !== 'deprecated' && record.status !== 'retired') return null
  return (
    <p role="status" className="card border-transparent bg-warn-wash px-4 py-3 text-warn">
      This version is {record.status}.
      {record.sunset_at ? (
        <>
          {' '}
          It is served until <Day at={record.sunset_at} />.
        </>
      ) : null}
      {record.replacement ? (
        <>
          {' '}
          Move to{' '}
          <Link
            to="/t/$tenant/$project/$version"
            params={{ tenant: at.tenant, project: at.project, version: record.replacement }}
            className="font-medium underline"
          >
            {record.replacement}
          </Link>
          .
        </>
      ) : null}
    </p>
  )
}

/** The one thing to do next: a draft is reviewed and published, anything else is read. */
const PrimaryAction = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const mayPublish = record.status === 'draft' && holds(identity.data, at.tenant, 'versions:publish')
  return (
    <>
      <a
        href={record.urls.page}
        target="_blank"
        rel="noreferrer"
        className={buttonClass(mayPublish ? 'plain' : 'primary')}
      >
        Documentation <ExternalLink size={15} aria-label="(opens in a new tab)" />
      </a>
      {mayPublish ? (
        <Link
          to="/t/$tenant/$project/$version"
          params={{ ...at }}
          search={{ dialog: 'publish' }}
          hash="gates"
          className={buttonClass('primary')}
        >
          Review and publish
        </Link>
      ) : null}
    </>
  )
}

/** One version: its facts above, and one of its views below. */
export const VersionPage = (ref: VersionRef) => {
  const version = useQuery(versionQuery(ref))
  const record = version.data
  // One name everywhere: that of the project, which a document may not have as its title.
  const name = useQuery(projectQuery(ref.tenant, ref.project)).data?.name ?? record?.title ?? ref.project
  return (
    <Page
      trail={
        <>
          <Link to="/t/$tenant" params={{ tenant: ref.tenant }} className="link">
            Projects
          </Link>
          <span aria-hidden="true">/</span>
          <Link to="/t/$tenant/$project" params={{ tenant: ref.tenant, project: ref.project }} className="link">
            {name}
          </Link>
          <span aria-hidden="true">/</span>
          <span className="font-mono text-xs">{ref.version}</span>
        </>
      }
      mark={<ProjectMark slug={ref.project} large />}
      title={`${name} ${record?.label ?? ref.version}`}
      badges={
        record ? (
          <>
            <StoredGrade tenant={ref.tenant} project={record.project_id} grade={record.grade} score={record.score} />
            <Status status={record.status} />
            <Badge>{record.visibility}</Badge>
          </>
        ) : null
      }
      description={
        record ? (
          <>
            {formatName(record.format.kind)} {record.format.version}, from{' '}
            <span className="break-all">{record.provenance.source}</span>, <Moment at={record.provenance.imported_at} />
          </>
        ) : null
      }
      actions={record ? <PrimaryAction at={ref} record={record} /> : null}
    >
      <Read query={version} what="the version">
        {(record) => (
          <>
            <DeprecationNote at={ref} record={record} />
            <Tabs of="version" params={{ ...ref }} />
            <Outlet />
          </>
        )}
      </Read>
    </Page>
  )
}
