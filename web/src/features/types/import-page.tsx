import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { ImportedTypeRecord } from '../../../../src/api/primitive-shapes.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Facts, Moment, Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { countsWords, statusNames, statusTones } from './imports-view.tsx'
import { importQuery } from './queries.ts'
import { ReviewView } from './review-view.tsx'
import { methodNames } from './sources.ts'
import { Steps } from './steps.tsx'

type Import = Output<typeof primitivesApi.importRecord>

const outcomeTones: Readonly<Record<ImportedTypeRecord['outcome'], Tone>> = {
  created: 'ok',
  updated: 'accent',
  kept: 'plain',
  identical: 'plain',
  invalid: 'danger',
}

interface Problem {
  readonly code: string
  readonly message: string
  readonly pointer: string
}

/** The report of an import, as far as it is one. */
const reportOf = ({ report }: Import): { types: readonly ImportedTypeRecord[]; problems: readonly Problem[] } => {
  const known = (report ?? {}) as { types?: readonly ImportedTypeRecord[]; problems?: readonly Problem[] }
  return { types: known.types ?? [], problems: known.problems ?? [] }
}

const Imported = ({ tenant, type }: { tenant: string; type: ImportedTypeRecord }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
    <span className="min-w-0 flex-1 basis-60">
      {type.id === null ? (
        <code className="font-mono text-xs break-all">{type.ref}</code>
      ) : (
        <Link
          to="/t/$tenant/-/types/$type"
          params={{ tenant, type: type.id }}
          className="link font-mono text-xs break-all"
        >
          {type.ref}
        </Link>
      )}
    </span>
    <Badge tone={outcomeTones[type.outcome]}>{type.outcome}</Badge>
    {type.revision === null ? null : <span className="text-sm text-soft">revision {type.revision}</span>}
  </div>
)

const Done = ({ tenant, record }: { tenant: string; record: Import }) => {
  const { types, problems } = reportOf(record)
  return (
    <>
      <p
        role="status"
        className={`card border-transparent px-4 py-3 font-medium ${
          problems.length > 0 || record.counts.unresolved_refs > 0 ? 'bg-warn-wash text-warn' : 'bg-ok-wash text-ok'
        }`}
      >
        Imported: {countsWords(record) || 'nothing'}
        {record.counts.unresolved_refs > 0
          ? `, with ${count(record.counts.unresolved_refs, 'unresolved reference', 'unresolved references')}`
          : ''}
        .
      </p>
      {record.counts.unresolved_refs > 0 ? (
        <p>
          <Link to="/t/$tenant/-/types/unresolved" params={{ tenant }} className="link">
            See the unresolved references
          </Link>
        </p>
      ) : null}
      <Section title={`Types (${types.length.toLocaleString()})`}>
        <VirtualList label="Imported types" total={types.length} estimate={40} height="max-h-[70vh]">
          {(index) => {
            const it = types[index]
            return it === undefined ? null : <Imported tenant={tenant} type={it} />
          }}
        </VirtualList>
      </Section>
      {problems.length === 0 ? null : (
        <Section title="Problems">
          <ul className="card divide-y text-sm" aria-label="Problems">
            {problems.map((it) => (
              <li key={`${it.pointer} ${it.code}`} className="px-4 py-2 wrap-anywhere">
                {it.message} <code className="font-mono text-xs text-soft">{it.pointer}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

const Expired = ({ tenant }: { tenant: string }) => (
  <Empty title="This import has expired">
    <p>A source is kept for 24 hours. Nothing was imported.</p>
    <Link to="/t/$tenant/-/types/imports/new" params={{ tenant }} className={buttonClass()}>
      Import types …
    </Link>
  </Empty>
)

/** One import: its review while it is staged, its report afterwards. */
export const ImportPage = ({
  tenant,
  import: id,
  show,
  q = '',
}: {
  tenant: string
  import: string
  show?: string
  q?: string
}) => {
  const read = useQuery(importQuery(tenant, id))
  const record = read.data
  return (
    <Page
      trail={
        <>
          <Link to="/t/$tenant/-/types" params={{ tenant }} className="link">
            Types
          </Link>
          <span aria-hidden="true">/</span>
          <Link to="/t/$tenant/-/types/imports" params={{ tenant }} className="link">
            Imports
          </Link>
        </>
      }
      title={record?.status === 'staged' ? 'Review the types' : 'Import'}
      badges={record ? <Badge tone={statusTones[record.status]}>{statusNames[record.status]}</Badge> : null}
    >
      <Read query={read} what="the import">
        {(record) => (
          <>
            {/* What expired did not get to its end. */}
            {record.status === 'staged' || record.status === 'imported' ? (
              <Steps at={record.status === 'staged' ? 2 : 3} />
            ) : null}
            <div className="card p-4">
              <Facts
                facts={[
                  ['Source', methodNames[record.method]],
                  ['Where', record.locator],
                  ['Kind', record.source_kind],
                  ['When', <Moment key="when" at={record.created_at} />],
                  [
                    'Kept until',
                    record.status === 'staged' && record.expires_at !== null ? (
                      <Moment at={record.expires_at} exact />
                    ) : null,
                  ],
                ]}
              />
            </div>
            {record.status === 'staged' ? <ReviewView tenant={tenant} id={id} show={show} q={q} /> : null}
            {record.status === 'imported' ? <Done tenant={tenant} record={record} /> : null}
            {record.status === 'staged' || record.status === 'imported' ? null : <Expired tenant={tenant} />}
          </>
        )}
      </Read>
    </Page>
  )
}
