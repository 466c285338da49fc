import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { primitivesApi } from '../../../../src/api/primitives.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { count } from '../../parts/text.ts'
import { Field, SelectField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure, needs, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { queryClient } from '../../query-client.ts'
import { holds, identityQuery } from '../../session.ts'
import { importQuery, refreshTypes, reviewQuery } from './queries.ts'
import {
  countKinds,
  decideAll,
  decisionOf,
  type Decisions,
  filterTypes,
  kindNames,
  kinds,
  obstacleOf,
  outcomeOf,
  readKind,
  type Review,
  undecided,
  writeDecisions,
} from './review.ts'
import { ReviewRow } from './review-row.tsx'
import { readTags } from './words.ts'
import type { Visibility } from './type-fields.tsx'

const without = <T,>(set: ReadonlySet<T>, it: T): ReadonlySet<T> => new Set([...set].filter((one) => one !== it))

/** What the import writes beside the schemas. */
const useDetails = () => {
  const [category, setCategory] = useState('')
  const [tags, setTags] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('private')
  const fields = (
    <details className="card px-4 py-3">
      <summary className="w-fit cursor-pointer text-sm font-medium">Category, tags and visibility</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-3">
        <Field
          label="Category"
          maxLength={100}
          hint="Of types that have none."
          value={category}
          onChange={(event) => setCategory(event.target.value)}
        />
        <Field
          label="Tags"
          hint="Separated by commas."
          value={tags}
          onChange={(event) => setTags(event.target.value)}
        />
        <SelectField
          label="Visibility"
          value={visibility}
          options={[
            { value: 'private', name: 'Private' },
            { value: 'public', name: 'Public' },
          ]}
          onChange={setVisibility}
        />
      </div>
    </details>
  )
  const body = {
    visibility,
    ...(category === '' ? {} : { category }),
    ...(readTags(tags).length === 0 ? {} : { tags: readTags(tags) }),
  }
  return { fields, body }
}

const Outcome = ({ review, decisions }: { review: Review; decisions: Decisions }) => {
  const { created, revised, unchanged, left } = outcomeOf(review.types, decisions)
  const parts = [
    `${created.toLocaleString()} created`,
    `${revised.toLocaleString()} with a new revision`,
    `${unchanged.toLocaleString()} unchanged`,
    `${left.toLocaleString()} left out`,
  ]
  return (
    <p role="status" className="text-sm text-soft">
      {count(review.types.length, 'type', 'types')}: {parts.join(', ')}
    </p>
  )
}

const Filters = ({ review, show, q }: { review: Review; show: string | undefined; q: string }) => {
  const { filter } = useAddress()
  const counts = useMemo(() => countKinds(review.types), [review])
  return (
    <div className="grid gap-3">
      <SearchField label="Search the types of the import" value={q} onChange={(text) => filter({ q: text })} />
      <Choices
        label="Show"
        value={readKind(show) ?? 'all'}
        choices={[
          { value: 'all', name: 'All', count: review.types.length },
          ...kinds.filter((it) => counts[it] > 0).map((it) => ({ value: it, name: kindNames[it], count: counts[it] })),
        ]}
        onChange={(next) => filter({ show: next === 'all' ? undefined : (next ?? undefined) })}
      />
    </div>
  )
}

const AllConflicts = ({
  review,
  decisions,
  onChange,
}: {
  review: Review
  decisions: Decisions
  onChange: (decisions: Decisions) => void
}) =>
  review.summary.conflict < 2 ? null : (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-soft">All conflicts:</span>
      <Button onClick={() => onChange({ ...decisions, conflicts: decideAll(review.types, 'recommended') })}>
        As recommended
      </Button>
      <Button onClick={() => onChange({ ...decisions, conflicts: decideAll(review.types, 'keep') })}>Keep</Button>
      <Button onClick={() => onChange({ ...decisions, conflicts: decideAll(review.types, 'overwrite') })}>
        Overwrite
      </Button>
    </div>
  )

const Rows = ({
  tenant,
  review,
  decisions,
  onChange,
  show,
  q,
}: {
  tenant: string
  review: Review
  decisions: Decisions
  onChange: (decisions: Decisions) => void
  show: string | undefined
  q: string
}) => {
  const { filter } = useAddress()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => filterTypes(review.types, readKind(show), q), [review, show, q])
  if (rows.length === 0) return <NoMatch what="type" onClear={() => filter({ show: undefined, q: undefined })} />
  return (
    <VirtualList
      label="Types of the import"
      total={rows.length}
      estimate={48}
      height="max-h-[75vh]"
      keyOf={(index) => rows[index]?.key ?? index}
    >
      {(index) => {
        const it = rows[index]
        if (it === undefined) return null
        return (
          <ReviewRow
            tenant={tenant}
            reviewed={it}
            decision={decisionOf(it, decisions)}
            included={!decisions.excluded.has(it.key)}
            open={open.has(it.key)}
            handlers={{
              onDecide: (decision) =>
                onChange({ ...decisions, conflicts: new Map([...decisions.conflicts, [it.key, decision]]) }),
              onInclude: (included) =>
                onChange({
                  ...decisions,
                  excluded: included ? without(decisions.excluded, it.key) : new Set([...decisions.excluded, it.key]),
                }),
              onOpen: () => setOpen(open.has(it.key) ? without(open, it.key) : new Set([...open, it.key])),
            }}
          />
        )
      }}
    </VirtualList>
  )
}

const Problems = ({ review }: { review: Review }) =>
  review.problems.length === 0 ? null : (
    <Section title="Not read">
      <ul className="card divide-y text-sm" aria-label="Parts that are not read">
        {review.problems.map((it) => (
          <li key={`${it.pointer} ${it.code}`} className="px-4 py-2 wrap-anywhere">
            {it.message} <code className="font-mono text-xs text-soft">{it.pointer}</code>
          </li>
        ))}
      </ul>
    </Section>
  )

const Reviewing = ({
  tenant,
  id,
  review,
  may,
  show,
  q,
}: {
  tenant: string
  id: string
  review: Review
  may: boolean
  show: string | undefined
  q: string
}) => {
  const [decisions, setDecisions] = useState<Decisions>(undecided)
  const details = useDetails()
  const commit = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const body = { import_id: id, ...writeDecisions(review.types, decisions), ...details.body }
      await call(primitivesApi.import, { params: { tenant_slug: tenant }, body })
      // The record first: with it the review, which cannot be read any more, leaves the page.
      await queryClient.refetchQueries({ queryKey: importQuery(tenant, id).queryKey })
      queryClient.removeQueries({ queryKey: reviewQuery(tenant, id).queryKey })
      await refreshTypes(tenant)
    },
  })
  const obstacle = obstacleOf(review.types, decisions)
  return (
    <>
      <Filters review={review} show={show} q={q} />
      {may ? <AllConflicts review={review} decisions={decisions} onChange={setDecisions} /> : null}
      <Rows tenant={tenant} review={review} decisions={decisions} onChange={setDecisions} show={show} q={q} />
      <Problems review={review} />
      {may ? details.fields : null}
      {commit.error ? <Failure error={commit.error} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        {may ? (
          <Button look="primary" busy={commit.isPending} disabled={obstacle !== null} onClick={() => commit.mutate()}>
            Import
          </Button>
        ) : (
          <p className="text-sm text-soft">{needs('primitives:edit', 'Importing types')}</p>
        )}
        {obstacle === null ? (
          <Outcome review={review} decisions={decisions} />
        ) : (
          <p role="status" className="text-sm text-danger">
            {obstacle}
          </p>
        )}
      </div>
    </>
  )
}

/** The types of a staged source beside those of the registry, and what becomes of each. Nothing is written before "Import". */
export const ReviewView = ({
  tenant,
  id,
  show,
  q,
}: {
  tenant: string
  id: string
  show: string | undefined
  q: string
}) => {
  const review = useQuery(reviewQuery(tenant, id))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, tenant, 'primitives:edit')
  return (
    <Read query={review} what="the review">
      {(data) =>
        data.types.length === 0 ? (
          <Empty title="The source has no types">
            <p>Check its kind: a JSON Schema with definitions, an OpenAPI description, or a bundle of types.</p>
          </Empty>
        ) : (
          <Reviewing tenant={tenant} id={id} review={data} may={may} show={show} q={q} />
        )
      }
    </Read>
  )
}
