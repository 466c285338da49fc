import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { Badge, Grade, Status } from '../parts/badge.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Moment, Page } from '../parts/page.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { type VersionRef, versionQuery } from '../queries.ts'

const tabs = [
  { to: '/t/$tenant/$project/$version', name: 'Operations' },
  { to: '/t/$tenant/$project/$version/findings', name: 'Lint' },
  { to: '/t/$tenant/$project/$version/changes', name: 'Changes' },
  { to: '/t/$tenant/$project/$version/source', name: 'Source' },
  { to: '/t/$tenant/$project/$version/publishing', name: 'Publishing' },
] as const

/** One version: its facts above, and one of its views below. */
export const VersionPage = (ref: VersionRef) => {
  const version = useQuery(versionQuery(ref))
  const trail = (
    <>
      <Link to="/t/$tenant" params={{ tenant: ref.tenant }} className="link">
        Projects
      </Link>
      <span aria-hidden="true">/</span>
      <Link to="/t/$tenant/$project" params={{ tenant: ref.tenant, project: ref.project }} className="link">
        {ref.project}
      </Link>
    </>
  )
  if (version.isError)
    return (
      <Page trail={trail} title={`${ref.project} ${ref.version}`}>
        <Failure error={version.error} onRetry={() => void version.refetch()} />
      </Page>
    )
  const record = version.data
  if (!record)
    return (
      <Page trail={trail} title={`${ref.project} ${ref.version}`}>
        <Loading what="the version" />
      </Page>
    )
  return (
    <Page
      trail={trail}
      title={`${record.title} ${record.label}`}
      badges={
        <>
          <Grade grade={record.grade} score={record.score} />
          <Status status={record.status} />
          <Badge>{record.visibility}</Badge>
        </>
      }
      description={
        <>
          {record.format.kind} {record.format.version} ·{' '}
          {(record.size_bytes / 1000).toLocaleString(undefined, { maximumFractionDigits: 0 })} kB from{' '}
          <span className="break-all">{record.provenance.source}</span>, imported{' '}
          <Moment at={record.provenance.imported_at} />
          {record.sunset_at ? (
            <>
              {' '}
              · served until <Moment at={record.sunset_at} />
            </>
          ) : null}
          {record.replacement ? ` · replaced by ${record.replacement}` : ''}
        </>
      }
      actions={
        <a href={record.urls.page} className={buttonClass()}>
          Documentation page <ExternalLink size={15} aria-hidden="true" />
        </a>
      }
    >
      <nav aria-label="Views of this version" className="-mb-1 flex gap-1 overflow-x-auto border-b">
        {tabs.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            params={{ tenant: ref.tenant, project: ref.project, version: ref.version }}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ className: 'border-accent text-ink', 'aria-current': 'page' }}
            inactiveProps={{ className: 'border-transparent text-soft hover:text-ink' }}
            className="-mb-px border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap"
          >
            {name}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Page>
  )
}
