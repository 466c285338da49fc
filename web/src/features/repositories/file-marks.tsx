import { Link } from '@tanstack/react-router'
import type { RepositoryFile } from '../../../../src/api/repository-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { kindNames, reasonNames, reasonTitles, refreshNames, refreshTones } from './words.ts'

/** What is special about a file: its kind, and why it cannot be imported as it is. */
export const FileMarks = ({ of: it }: { of: Pick<RepositoryFile, 'kind' | 'reason' | 'vendored' | 'hidden'> }) => (
  <>
    {it.kind === null ? null : <Badge tone={it.kind === 'asyncapi' ? 'plain' : 'accent'}>{kindNames[it.kind]}</Badge>}
    {it.reason === null ? null : (
      <span title={reasonTitles[it.reason]} className="inline-flex">
        <Badge tone="warn">{reasonNames[it.reason]}</Badge>
      </span>
    )}
    {it.vendored ? <Badge>vendored</Badge> : null}
    {it.hidden ? <Badge>hidden</Badge> : null}
  </>
)

/** The version that a file was imported to, and whether it is up to date. */
export const ImportedTo = ({ tenant, it }: { tenant: string; it: NonNullable<RepositoryFile['import']> }) => (
  <span className="inline-flex min-w-0 items-center gap-2 text-sm">
    {it.project_slug === null || it.version_label === null ? (
      <span className="text-soft">the version was deleted</span>
    ) : (
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: it.project_slug, version: it.version_id }}
        className="link inline-block min-h-6 min-w-0 truncate leading-6"
      >
        {it.project_slug} {it.version_label}
      </Link>
    )}
    <Badge tone={refreshTones[it.refresh_status]}>{refreshNames[it.refresh_status]}</Badge>
  </span>
)
