import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { formatName } from '../../../../src/kernel/format-names.ts'
import { Badge, Status } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Read } from '../../parts/listing.tsx'
import { ProjectMark } from '../../parts/marks.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { Day, Moment, Page } from '../../parts/page.tsx'
import { StoredGrade } from '../catalog/grading.tsx'
import { projectQuery } from '../catalog/projects.ts'
import { assessmentQuery, type VersionRef, versionQuery } from '../catalog/versions.ts'
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

/** The one thing to do next: a draft is published, anything else is read. The review of a draft has its own next step. */
const PrimaryAction = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const isOnReview = useLocation({ select: ({ pathname }) => pathname.endsWith('/review') })
  const isDraft = record.status === 'draft'
  const mayPublish = isDraft && holds(identity.data, at.tenant, 'versions:publish')
  const mayDelete = isDraft && holds(identity.data, at.tenant, 'versions:edit')
  const ask = (dialog: string): void =>
    void navigate({ to: '/t/$tenant/$project/$version', params: { ...at }, search: { dialog }, hash: 'gates' })
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
        <Button look={isOnReview ? 'plain' : 'primary'} onClick={() => ask('publish')}>
          Publish …
        </Button>
      ) : null}
      {mayDelete ? (
        <Menu align="end" look="plain" label="More">
          <MenuItem onClick={() => ask('delete')}>Delete the draft …</MenuItem>
        </Menu>
      ) : null}
    </>
  )
}

/** The tabs with what is known of their numbers: what takes seconds is not asked for here, but shown once a page has it. */
const VersionTabs = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const { data } = useQuery({ ...assessmentQuery(at), enabled: false })
  const changes = data?.changes?.counts
  const sum = (all: readonly number[]): number => all.reduce((before, it) => before + it, 0)
  return (
    <Tabs
      of="version"
      params={{ ...at }}
      counts={{
        Operations: record.operations_count,
        Lint: data && sum(Object.values(data.findings)),
        Changes: changes && sum([changes.breaking, changes.non_breaking, changes.docs_only, changes.unknown]),
      }}
    />
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
            <VersionTabs at={ref} record={record} />
            <Outlet />
          </>
        )}
      </Read>
    </Page>
  )
}
