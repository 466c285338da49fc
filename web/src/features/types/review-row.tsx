import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { SmallJson, writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import { typeQuery } from './queries.ts'
import { type Action, actionNames, classTones, type Decision, type Reviewed } from './review.ts'

/** What a row can change. */
export interface RowHandlers {
  readonly onDecide: (decision: Decision) => void
  readonly onInclude: (included: boolean) => void
  readonly onOpen: () => void
}

const verdicts = {
  safe: { tone: 'ok', name: 'compatible' },
  breaking: { tone: 'danger', name: 'breaking' },
  unknown: { tone: 'warn', name: 'undecided' },
} as const

/** What the registry has beside what the source has. */
const BothSides = ({ tenant, reviewed, existing }: { tenant: string; reviewed: Reviewed; existing: string }) => {
  const read = useQuery(typeQuery({ tenant, type: existing }))
  const witness = reviewed.change?.witness ?? null
  return (
    <Read query={read} what="the registered type">
      {({ record }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <div className="grid gap-3 md:grid-cols-2">
            <div className="grid min-w-0 content-start gap-1">
              <p className="text-xs font-medium text-soft">Registered, revision {record.revision}</p>
              <SmallJson value={record.schema} label="Registered" tone="bg-surface max-h-80" />
            </div>
            <div className="grid min-w-0 content-start gap-1">
              <p className="text-xs font-medium text-soft">In the source</p>
              <SmallJson value={reviewed.schema} label="In the source" tone="bg-surface max-h-80" />
            </div>
          </div>
          {witness === null ? null : (
            <div className="grid gap-1">
              <p className="text-xs font-medium text-soft">Counterexample: only one of the two accepts this value</p>
              <SmallJson value={(witness as { value?: unknown }).value ?? witness} label="Counterexample" />
            </div>
          )}
          <TextDiff
            title="Lines"
            label={`Changed lines of ${reviewed.name}`}
            before={writeJson(record.schema)}
            after={writeJson(reviewed.schema)}
          />
        </div>
      )}
    </Read>
  )
}

const Deciding = ({
  reviewed,
  decision,
  onDecide,
}: {
  reviewed: Reviewed
  decision: Decision
  onDecide: (decision: Decision) => void
}) => {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="sr-only">
        Decision for {reviewed.name}
      </label>
      <select
        id={id}
        className="field w-auto max-w-full"
        value={decision.action}
        onChange={(event) => onDecide({ ...decision, action: event.target.value as Action })}
      >
        {reviewed.resolutions.map((action) => (
          <option key={action} value={action}>
            {actionNames[action]}
            {action === reviewed.recommended ? ' (recommended)' : ''}
          </option>
        ))}
      </select>
      {decision.action === 'rename' ? (
        <input
          className="field w-48"
          aria-label={`New name of ${reviewed.name}`}
          spellCheck={false}
          maxLength={128}
          value={decision.name}
          onChange={(event) => onDecide({ ...decision, name: event.target.value })}
        />
      ) : null}
    </div>
  )
}

const Missing = ({ tenant, reference }: { tenant: string; reference: Reviewed['unresolved'][number] }) => (
  <li className="wrap-anywhere">
    <code className="font-mono text-xs text-danger">{reference.target}</code> is unresolved
    {reference.candidates.length === 0 ? '.' : '; types of this name: '}
    {reference.candidates.map((ref, index) => (
      <span key={ref}>
        {index === 0 ? '' : ', '}
        <Link to="/t/$tenant/-/types/find" params={{ tenant }} search={{ ref }} className="link font-mono text-xs">
          {ref}
        </Link>
      </span>
    ))}
  </li>
)

/** One type of an import: what it is, what is wrong with it, and what becomes of it. */
export const ReviewRow = ({
  tenant,
  reviewed,
  decision,
  included,
  open,
  handlers: { onDecide, onInclude, onOpen },
}: {
  tenant: string
  reviewed: Reviewed
  /** Null for a type that does not conflict. */
  decision: Decision | null
  included: boolean
  /** Whether both sides are shown. */
  open: boolean
  handlers: RowHandlers
}) => (
  <article className={`grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-2.5 ${included ? '' : 'opacity-70'}`}>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <label className="flex min-w-0 flex-1 basis-56 items-baseline gap-2">
        <input type="checkbox" checked={included} onChange={(event) => onInclude(event.target.checked)} />
        <span className="min-w-0 wrap-anywhere">
          <span className="text-soft">{reviewed.namespace}/</span>
          <span className="font-medium">{reviewed.name}</span>
        </span>
      </label>
      <Badge tone={classTones[reviewed.classification]}>{reviewed.classification}</Badge>
      {reviewed.change === null ? null : (
        <Badge tone={verdicts[reviewed.change.verdict].tone}>{verdicts[reviewed.change.verdict].name}</Badge>
      )}
      {reviewed.validation.valid ? null : <Badge tone="danger">Invalid</Badge>}
      {reviewed.existing !== null && reviewed.classification === 'Conflict' ? (
        <button type="button" className="link text-sm" aria-expanded={open} onClick={onOpen}>
          {open ? 'Hide' : 'Show'} both sides<span className="sr-only"> of {reviewed.name}</span>
        </button>
      ) : null}
    </div>
    {decision !== null && included ? <Deciding reviewed={reviewed} decision={decision} onDecide={onDecide} /> : null}
    {reviewed.validation.valid ? null : (
      <ul className="grid gap-0.5 text-sm" aria-label={`Problems of ${reviewed.name}`}>
        {reviewed.validation.errors.map((error) => (
          <li key={`${error.pointer} ${error.message}`} className="wrap-anywhere text-danger">
            <code className="font-mono text-xs">{error.pointer}</code> {error.message}
          </li>
        ))}
        <li className="text-soft">It is left out of the import.</li>
      </ul>
    )}
    {reviewed.unresolved.length === 0 ? null : (
      <ul className="grid gap-0.5 text-sm" aria-label={`Unresolved references of ${reviewed.name}`}>
        {reviewed.unresolved.map((edge) => (
          <Missing key={edge.pointer} tenant={tenant} reference={edge} />
        ))}
      </ul>
    )}
    {open && reviewed.existing !== null ? (
      <BothSides tenant={tenant} reviewed={reviewed} existing={reviewed.existing.id} />
    ) : null}
  </article>
)
