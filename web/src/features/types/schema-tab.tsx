import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { SmallJson, writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { type TypeAt, typeQuery } from './queries.ts'
import { examplesOf } from './tree.ts'
import { TypeTree } from './type-tree.tsx'
import { isBuiltin, missingRefs, pinnedRef, typeUrl } from './words.ts'

const Copied = ({ name, text, what, children }: { name: string; text: string; what: string; children?: string }) => (
  <div className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
    <dt className="text-sm font-medium">{name}</dt>
    <dd className="min-w-0">
      <span className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 font-mono text-xs break-all">{text}</code>
        <CopyButton text={text} what={what} />
      </span>
      {children ? <span className="text-xs text-soft">{children}</span> : null}
    </dd>
  </div>
)

/** How other documents refer to a type. */
const References = ({ tenant, record }: { tenant: string; record: PrimitiveRecord }) => (
  <Section title="Refer to it">
    <dl className="card divide-y">
      <Copied name="Newest revision" text={record.ref} what="the reference">
        The newest revision in drafts; publishing keeps the revision of that moment.
      </Copied>
      <Copied
        name="This revision"
        text={pinnedRef(record, record.revision)}
        what={`the reference to revision ${record.revision}`}
      />
      <Copied name="Address" text={typeUrl(location.origin, tenant, record)} what="the address">
        {record.visibility === 'public' || isBuiltin(record)
          ? 'Answers without credentials.'
          : 'For editors and generators; it needs an API key, as the type is private.'}
      </Copied>
    </dl>
  </Section>
)

const About = ({ tenant, record }: { tenant: string; record: PrimitiveRecord }) => (
  <div className="card p-4">
    <Facts
      facts={[
        ['Category', record.category],
        [
          'Tags',
          record.tags.length === 0 ? null : (
            <span className="inline-flex flex-wrap gap-1.5">
              {record.tags.map((it) => (
                <Badge key={it}>{it}</Badge>
              ))}
            </span>
          ),
        ],
        ['Draft', record.draft],
        ['$id', record.schema_id === null ? null : <code className="font-mono text-xs">{record.schema_id}</code>],
        ['Visibility', isBuiltin(record) ? null : record.visibility],
        ['Revision', record.revision.toLocaleString()],
        ['Created', record.created_at === null ? null : <Moment at={record.created_at} />],
        ['Changed', record.updated_at === null ? null : <Moment at={record.updated_at} />],
        [
          'Import',
          record.import_id === null ? null : (
            <Link
              to="/t/$tenant/-/types/imports/$import"
              params={{ tenant, import: record.import_id }}
              className="link"
            >
              the import that it came from
            </Link>
          ),
        ],
      ]}
    />
  </div>
)

const Missing = ({ tenant, record }: { tenant: string; record: PrimitiveRecord }) => {
  const missing = missingRefs(record)
  if (missing.length === 0) return null
  return (
    <div role="status" className="card grid gap-1 border-transparent bg-danger-wash px-4 py-3 text-danger">
      <p className="font-medium">
        {count(missing.length, 'reference', 'references')} of this type {missing.length === 1 ? 'is' : 'are'} unresolved
      </p>
      <p className="text-sm wrap-anywhere">
        {missing
          .slice(0, 5)
          .map((it) => it.target)
          .join(', ')}
        {missing.length > 5 ? ' …' : ''}.{' '}
        <Link to="/t/$tenant/-/types/unresolved" params={{ tenant }} className="link">
          See the suggestions
        </Link>
      </p>
    </div>
  )
}

const mostExamples = 10

/** What a type allows, how to refer to it, and what is known about it. */
export const SchemaTab = (at: TypeAt) => {
  const read = useQuery(typeQuery(at))
  const { tenant } = at
  return (
    <Read query={read} what="the type">
      {({ record }) => {
        const examples = examplesOf(record.schema)
        return (
          <>
            <Missing tenant={tenant} record={record} />
            <Section
              title="Schema"
              actions={<CommandHint command={svcCommand(tenant, ['type', 'show', record.ref])} />}
            >
              <TypeTree key={`${record.id} ${record.revision}`} tenant={tenant} record={record} />
            </Section>
            <References tenant={tenant} record={record} />
            {examples.length === 0 ? null : (
              <Section title="Examples">
                <ul className="grid gap-3">
                  {examples.slice(0, mostExamples).map((example, at) => (
                    // oxlint-disable-next-line react/no-array-index-key -- examples have no names and keep their order
                    <li key={at} className="flex items-start gap-2">
                      <div className="min-w-0 grow">
                        <SmallJson value={example} label={`Example ${at + 1}`} tone="bg-surface" />
                      </div>
                      <CopyButton text={writeJson(example)} what={`example ${at + 1}`} />
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            <Section title="About this type">
              <About tenant={tenant} record={record} />
            </Section>
          </>
        )
      }}
    </Read>
  )
}
