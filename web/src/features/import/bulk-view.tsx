import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type ImportItem, type ImportJob, importsApi, type ImportSummary } from '../../../../src/api/imports.ts'
import { callLarge } from '../../call.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Form } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CheckView } from './check-view.tsx'
import { type OverlayChoice, OverlaysLeftOut } from './overlays-section.tsx'
import { type Chosen, nameOf, toSource } from './chosen.ts'
import { ImportResult } from './import-result.tsx'
import { type Afterwards, PublishingChoice } from './destination-form.tsx'
import { dryRunQuery, hasEnded, importJobQuery } from './queries.ts'

const actionWords = { create: 'new', update: 'draft replaced', keep: 'unchanged' } as const

const Outcome = ({ tenant, item }: { tenant: string; item: ImportItem }) => {
  const { error, plan, result } = item
  if (error) return <span className="text-danger">{error.message}</span>
  if (result)
    return (
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: result.project_slug, version: result.version_slug }}
        className="link"
      >
        {result.project_slug} {result.version_slug}
      </Link>
    )
  if (plan === null) return null
  return (
    <>
      {plan.project.slug} {plan.version.label}{' '}
      <Badge tone={plan.version.action === 'keep' ? 'plain' : 'info'}>
        {plan.project.action === 'create' ? 'new project' : actionWords[plan.version.action]}
      </Badge>
    </>
  )
}

/** The documents of an import, with what becomes of each. */
const ImportItems = ({ tenant, items }: { tenant: string; items: readonly ImportItem[] }) => (
  <ul className="card divide-y">
    {items.map((item) => (
      <li
        key={item.path}
        className="grid items-baseline gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[2rem_minmax(0,2fr)_minmax(0,3fr)]"
      >
        <Grade grade={item.lint?.grade ?? null} score={item.lint?.score ?? null} />
        <span className="min-w-0 font-mono text-sm break-all">{item.path}</span>
        <span className="min-w-0 text-sm break-words">
          <Outcome tenant={tenant} item={item} />
        </span>
      </li>
    ))}
  </ul>
)

const summaryWords = (summary: ImportSummary): string =>
  [
    [summary.created, 'new'],
    [summary.updated, 'replaced'],
    [summary.unchanged, 'unchanged'],
    [summary.blocked, 'blocked'],
    [summary.failed, 'failed'],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, word]) => `${Number(number).toLocaleString()} ${word}`)
    .join(', ')

const Running = ({ tenant, started }: { tenant: string; started: ImportJob }) => {
  const { data: job = started } = useQuery(importJobQuery(started))
  const { done, total } = job.progress
  return (
    <>
      {!hasEnded(job) && total > 0 ? (
        <progress className="w-full" value={done} max={total} aria-label={`${done} of ${total} documents`} />
      ) : null}
      <ImportResult tenant={tenant} started={started} />
      {job.summary ? <p role="status">{summaryWords(job.summary)}</p> : null}
      <ImportItems tenant={tenant} items={job.items} />
    </>
  )
}

const Several = ({ tenant, chosen, planned }: { tenant: string; chosen: Chosen; planned: ImportJob }) => {
  const identity = useQuery(identityQuery)
  const [afterwards, setAfterwards] = useState<Afterwards>('draft')
  const [job, setJob] = useState<ImportJob | null>(null)
  const start = useMutation({
    scope: { id: useId() },
    mutationFn: () =>
      callLarge(importsApi.create, {
        params: { tenant_slug: tenant },
        body: {
          source: toSource(chosen),
          bulk: true,
          ...(afterwards === 'draft' ? {} : { publish: afterwards }),
        },
      }),
    onSuccess: setJob,
  })
  if (job) return <Running key={job.job_id} tenant={tenant} started={job} />
  const { items, summary } = planned
  const changing = (summary?.created ?? 0) + (summary?.updated ?? 0)
  return (
    <>
      <Form
        change={start}
        submit={`Import ${count(changing, 'document', 'documents')}`}
        disabled={changing === 0}
        note={summary ? <span className="text-soft">{summaryWords(summary)}</span> : null}
      >
        {holds(identity.data, tenant, 'versions:publish') ? (
          <PublishingChoice value={afterwards} onChange={setAfterwards} />
        ) : null}
      </Form>
      <Section title={count(items.length, 'document', 'documents')}>
        <ImportItems tenant={tenant} items={items} />
      </Section>
    </>
  )
}

interface Given extends OverlayChoice {
  readonly tenant: string
  readonly id: string
  readonly chosen: Chosen
  readonly project: string | null
}

const Planned = ({ tenant, id, chosen, project, overlays, onOverlays, started }: Given & { started: ImportJob }) => {
  const { data: job = started } = useQuery(importJobQuery(started))
  if (!hasEnded(job)) return <p role="status">Looking for documents in {nameOf(chosen)} …</p>
  const [only, ...others] = job.items
  if (only && others.length === 0)
    return <CheckView {...{ tenant, id, chosen, project, overlays, onOverlays }} root={only.path} />
  if (job.items.length === 0) return <ImportResult tenant={tenant} started={job} />
  return (
    <>
      {overlays.length > 0 ? <OverlaysLeftOut overlays={overlays} /> : null}
      <Several tenant={tenant} chosen={chosen} planned={job} />
    </>
  )
}

/** Several documents before they are stored: each with its grade and what would become of it. A single one is checked in full. */
export const BulkView = (given: Given) => {
  const dryRun = useQuery(dryRunQuery(given.tenant, given.id, given.chosen))
  return (
    <Read query={dryRun} what={nameOf(given.chosen)}>
      {(started) => <Planned {...given} started={started} />}
    </Read>
  )
}
