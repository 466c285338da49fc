import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ImportJob } from '../../../../src/api/imports.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { hintOf } from '../../parts/error-hint.ts'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { queryClient } from '../../query-client.ts'
import { versionQuery } from '../catalog/versions.ts'
import { PublishedSteps } from '../versions/published-view.tsx'
import { hasEnded, importJobQuery } from './queries.ts'

/** The first parts of the keys of this page's own queries. */
const ofImports = new Set<unknown>(['imports', 'preflight', 'dry-run'])

const Warnings = ({ warnings }: Pick<ImportJob, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <details className="text-sm">
      <summary className="cursor-pointer">{count(warnings.length, 'warning', 'warnings')}</summary>
      <ul className="mt-2 grid gap-1">
        {warnings.map((it) => (
          <li key={it.code + it.pointer}>
            {it.message} <code className="font-mono text-xs text-soft">{it.pointer}</code>
          </li>
        ))}
      </ul>
    </details>
  )

/** What the import took the place of: a draft with the same label, whose content is not kept otherwise. */
const Replaced = ({ job: { plan, result } }: { job: ImportJob }) => {
  const replaced = plan?.replaces
  if (replaced === undefined || result === null) return null
  return (
    <p>
      Replaced the draft {plan?.version.label} of <Moment at={replaced.updated_at} /> (
      {count(replaced.operations, 'operation', 'operations')}, {count(replaced.classes, 'class', 'classes')}, from{' '}
      <span className="break-all">{replaced.source}</span>). To keep both, give the document another version.
    </p>
  )
}

/** What there is now, where the import published the version. */
const WhenPublished = ({ tenant, result }: { tenant: string; result: NonNullable<ImportJob['result']> }) => {
  const at = { tenant, project: result.project_slug, version: result.version_slug }
  const { data: record } = useQuery(versionQuery(at))
  if (record === undefined || record.status === 'draft') return null
  return <PublishedSteps at={at} record={record} />
}

const doneTone = ({ status }: ImportJob) => (status === 'completed' ? 'ok' : 'info')

const Report = ({ tenant, job }: { tenant: string; job: ImportJob }) => (
  <div role="status" className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-5">
    <p className="flex flex-wrap items-center gap-3">
      <Badge tone={job.error ? 'danger' : doneTone(job)}>{job.status.replaceAll('_', ' ')}</Badge>
      {hasEnded(job) ? null : <span className="text-soft">{job.phase ?? 'waiting'} …</span>}
      {job.lint ? <Grade grade={job.lint.grade} score={job.lint.score} /> : null}
      {job.result?.unchanged ? <span>This document was imported before.</span> : null}
    </p>
    {job.error ? (
      <div className="grid gap-1">
        <p className="text-danger">{job.error.message}</p>
        <p className="text-soft">{hintOf(job.error.code) ?? job.error.hint}</p>
      </div>
    ) : null}
    {job.gate?.reasons.map((reason) => (
      <p key={reason} className="text-danger">
        {reason}
      </p>
    ))}
    <Replaced job={job} />
    <Warnings warnings={job.warnings} />
    {job.result ? (
      <p>
        <Link
          to="/t/$tenant/$project/$version"
          params={{ tenant, project: job.result.project_slug, version: job.result.version_slug }}
          className={buttonClass('primary')}
        >
          Open {job.result.project_slug} {job.result.version_slug}
        </Link>
      </p>
    ) : null}
  </div>
)

/** The state of an import: its phase while it runs, then the version, or the reason of a failure. */
export const ImportResult = ({ tenant, started }: { tenant: string; started: ImportJob }) => {
  const { data: job = started, error, refetch } = useQuery(importJobQuery(started))
  const ended = hasEnded(job)
  useEffect(() => {
    // A new version may show on every page but this one.
    if (ended) void queryClient.invalidateQueries({ predicate: ({ queryKey: [what] }) => !ofImports.has(what) })
  }, [ended])
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Report tenant={tenant} job={job} />
      {ended && job.result ? <WhenPublished tenant={tenant} result={job.result} /> : null}
    </>
  )
}
