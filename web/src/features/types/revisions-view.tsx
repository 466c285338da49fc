import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'
import { useAddress } from '../../parts/address.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { ChangesView, VerdictCard } from './comparison-view.tsx'
import { comparisonQuery, revisionsQuery, type TypeAt, typeQuery } from './queries.ts'
import { pinnedRef } from './words.ts'

type Revision = Output<typeof primitivesApi.revisions>['revisions'][number]

const Compared = ({ at, base, head }: { at: TypeAt; base: number; head: number }) => {
  const compared = useQuery(comparisonQuery(at, { base, head }))
  const sides = { base: `revision ${base}`, head: `revision ${head}` }
  return (
    <Read query={compared} what="the comparison">
      {(data) => (
        <>
          <VerdictCard compared={data} {...sides} />
          <ChangesView tenant={at.tenant} compared={data} {...sides} />
        </>
      )}
    </Read>
  )
}

const Comparing = ({
  at,
  revisions,
  base,
  head,
}: {
  at: TypeAt
  revisions: readonly Revision[]
  base: number
  head: number
}) => {
  const { filter } = useAddress()
  const options = revisions.map(({ revision, created_at }) => ({
    value: String(revision),
    name: `${revision}, ${new Date(created_at).toLocaleDateString(undefined, { dateStyle: 'medium' })}`,
  }))
  return (
    <Section title="Compare">
      <div className="grid max-w-xl gap-3 sm:grid-cols-2">
        <SelectField
          label="Base"
          value={String(base)}
          options={options}
          onChange={(value) => filter({ base: Number(value), head })}
        />
        <SelectField
          label="Head"
          value={String(head)}
          options={options}
          onChange={(value) => filter({ head: Number(value), base })}
        />
      </div>
      {base === head ? (
        <p className="card border-dashed px-4 py-6 text-soft">Choose two different revisions to compare them.</p>
      ) : (
        <Compared at={at} base={base} head={head} />
      )}
    </Section>
  )
}

const Row = ({
  at,
  reference,
  revision,
  newest,
}: {
  at: TypeAt
  reference: string
  revision: Revision
  newest: number
}) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
    <Link
      to="/t/$tenant/-/types/$type/source"
      params={{ ...at }}
      search={revision.revision === newest ? {} : { revision: revision.revision }}
      className="link w-28 font-medium"
    >
      Revision {revision.revision.toLocaleString()}
    </Link>
    <span className="text-sm text-soft">
      <Moment at={revision.created_at} />
    </span>
    <span className="flex min-w-0 items-center gap-1 text-xs text-soft">
      <code className="min-w-0 font-mono break-all">{pinnedRef({ ref: reference }, revision.revision)}</code>
      <CopyButton
        text={pinnedRef({ ref: reference }, revision.revision)}
        what={`the reference to revision ${revision.revision}`}
      />
    </span>
    {revision.revision > 1 ? (
      <Link
        to="/t/$tenant/-/types/$type/revisions"
        params={{ ...at }}
        search={{ base: revision.revision - 1, head: revision.revision }}
        className="link ml-auto text-sm"
      >
        What changed<span className="sr-only"> in revision {revision.revision}</span>
      </Link>
    ) : null}
  </li>
)

/** The revisions of a type, and the comparison of any two of them. */
export const RevisionsView = ({ base, head, ...at }: TypeAt & { base: number | null; head: number | null }) => {
  const read = useQuery(typeQuery(at))
  const listed = useQuery(revisionsQuery(at))
  return (
    <Read query={read} what="the type">
      {({ record }) => (
        <Read query={listed} what="the revisions">
          {({ revisions, total }) => {
            const [newest] = revisions
            if (newest === undefined)
              return (
                <Empty title="No revisions">
                  <p>This type is included in svc: its schema may change with the version of svc.</p>
                </Empty>
              )
            const after = head ?? newest.revision
            const before = base ?? Math.max(1, after - 1)
            return (
              <>
                {revisions.length > 1 ? <Comparing at={at} revisions={revisions} base={before} head={after} /> : null}
                <Section title={`All revisions (${total.toLocaleString()})`}>
                  <ol className="card divide-y" aria-label="Revisions">
                    {revisions.map((it) => (
                      <Row key={it.revision} at={at} reference={record.ref} revision={it} newest={newest.revision} />
                    ))}
                  </ol>
                  {total > revisions.length ? (
                    <p className="text-sm text-soft">The newest {revisions.length.toLocaleString()} are shown.</p>
                  ) : null}
                </Section>
              </>
            )
          }}
        </Read>
      )}
    </Read>
  )
}
