import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Moment } from '../../parts/page.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { importsQuery } from './queries.ts'
import { methodNames } from './sources.ts'

type Import = Output<typeof primitivesApi.imports>[number]

export const statusTones: Readonly<Record<Import['status'], Tone>> = {
  staged: 'info',
  imported: 'ok',
  expired: 'plain',
}
export const statusNames: Readonly<Record<Import['status'], string>> = {
  staged: 'not imported yet',
  imported: 'imported',
  expired: 'expired',
}

/** What an import did, in a few words. */
export const countsWords = ({ counts, status }: Pick<Import, 'counts' | 'status'>): string => {
  if (status !== 'imported') return count(counts.total, 'type found', 'types found')
  const parts = [
    [counts.created, 'created'],
    [counts.updated, 'updated'],
    [counts.kept, 'kept'],
    [counts.identical, 'identical'],
    [counts.invalid, 'invalid'],
  ] as const
  return parts
    .filter(([n]) => n > 0)
    .map(([n, name]) => `${n.toLocaleString()} ${name}`)
    .join(', ')
}

const Row = ({ tenant, record }: { tenant: string; record: Import }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
    <Link
      to="/t/$tenant/-/types/imports/$import"
      params={{ tenant, import: record.id }}
      className="link min-w-0 flex-1 basis-60 wrap-anywhere"
    >
      {methodNames[record.method]}
      {record.locator === null ? '' : `: ${record.locator}`}
    </Link>
    <span className="text-sm text-soft">{countsWords(record)}</span>
    <Badge tone={statusTones[record.status]}>{statusNames[record.status]}</Badge>
    <span className="text-sm text-soft">
      <Moment at={record.created_at} />
    </span>
  </li>
)

/** Where the types of an organization came from, newest first; a staged one can be continued. */
export const ImportsView = ({ tenant }: { tenant: string }) => {
  const imports = useQuery(importsQuery(tenant))
  const identity = useQuery(identityQuery)
  return (
    <Read query={imports} what="the imports">
      {(all) =>
        all.length === 0 ? (
          <Empty title="No imports yet">
            <p>Import the types of a JSON Schema, an OpenAPI description or a bundle.</p>
            {holds(identity.data, tenant, 'primitives:edit') ? (
              <Link to="/t/$tenant/-/types/imports/new" params={{ tenant }} className={buttonClass('primary')}>
                Import types …
              </Link>
            ) : (
              <p>{needs('primitives:edit', 'Importing types')}</p>
            )}
          </Empty>
        ) : (
          <ul className="card divide-y" aria-label="Imports">
            {all.map((it) => (
              <Row key={it.id} tenant={tenant} record={it} />
            ))}
          </ul>
        )
      }
    </Read>
  )
}
