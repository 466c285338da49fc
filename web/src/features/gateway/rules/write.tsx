import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { SecurityPreview } from '../../../../../src/api/gateway-shapes.ts'
import { SvcError } from '../../../../../src/errors.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { count } from '../../../parts/count.ts'
import { hintOf } from '../../../parts/error-hint.ts'
import { Moment } from '../../../parts/page.tsx'
import { Failure } from '../../../parts/states.tsx'
import { refreshEnvironments, type EnvironmentAt } from '../queries.ts'
import { waitingQuery } from './queries.ts'

/** What a write sends beside the change itself. */
export interface WriteControls {
  readonly expectedPolicyVersion: number
  readonly approvalId?: string
}
type Work = (controls: WriteControls) => Promise<unknown>
interface Written {
  readonly work: Work
  readonly approvalId?: string
}

/** A change of the policy: refused where the policy is another one meanwhile, repeated as it was once it is approved. */
export const useWrite = ({ tenant }: EnvironmentAt, policyVersion: number, onDone: () => void = () => {}) => {
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: async ({ work, approvalId }: Written) => {
      try {
        await work({ expectedPolicyVersion: policyVersion, ...(approvalId === undefined ? {} : { approvalId }) })
      } finally {
        // A refusal may have left a request for approval, or come from a newer policy.
        await refreshEnvironments(tenant)
      }
    },
    onSuccess: onDone,
    scope: { id: useId() },
  })
  return {
    isPending,
    error,
    reset,
    write: (work: Work) => mutate({ work }),
    /** Sends the refused change again with its approval. */
    repeat: (approvalId: string) => variables && mutate({ work: variables.work, approvalId }),
  }
}
type Write = ReturnType<typeof useWrite>

/** Whether the policy changed since it was read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof SvcError && error.code === 'policy-version-conflict'

interface Asked {
  readonly approvalId: string
  readonly expiresAt: string
  readonly risks: readonly string[]
}

const Waiting = ({ at, asked, write }: { at: EnvironmentAt; asked: Asked; write: Write }) => {
  const { data: request } = useQuery(waitingQuery(at, asked.approvalId))
  const isApproved = request?.state === 'approved'
  return (
    <div role="alert" className="card grid gap-2 border-warn px-5 py-4">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        This change needs the approval of another person
        {request ? <Badge tone={isApproved ? 'ok' : 'warn'}>{request.state}</Badge> : null}
      </p>
      {request ? (
        <ul className="list-disc pl-5" aria-label="What the change does">
          {request.summary.map((it) => (
            <li key={it} className="wrap-anywhere">
              {it}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="wrap-anywhere text-soft">Why: {asked.risks.join(' ')}</p>
      <p className="text-soft">
        Nothing was changed yet. An Owner or Admin other than you can approve it under{' '}
        <Link to="/t/$tenant/-/gateway/$environment/approvals" params={{ ...at }} className="link">
          Approvals
        </Link>{' '}
        until <Moment at={asked.expiresAt} exact />
        {request && request.approversMin > 1 ? `; ${request.approversMin} people are needed` : ''}. Then repeat the same
        change here: this page notices the approval.
      </p>
      <div>
        <Button
          look="primary"
          disabled={!isApproved}
          busy={write.isPending}
          onClick={() => write.repeat(asked.approvalId)}
        >
          Apply the approved change
        </Button>
      </div>
    </div>
  )
}

/** Why a write did not happen, and what to do: for a risky change who can approve it. */
export const WriteFailure = ({ at, write }: { at: EnvironmentAt; write: Write }) => {
  const { error } = write
  if (error instanceof SvcError && error.code === 'approval-required')
    return <Waiting at={at} asked={error.detail as unknown as Asked} write={write} />
  return error ? <Failure error={error} /> : null
}

/** Refusals by name, each with what to do about it. */
export const Refusals = ({ refusals }: { refusals: readonly { code: string; reason: string }[] }) => (
  <ul aria-label="Refusals" className="card divide-y border-danger">
    {refusals.map(({ code, reason }) => (
      <li key={`${code} ${reason}`} className="grid gap-0.5 px-4 py-3">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="danger">{code}</Badge>
          <span className="wrap-anywhere">{reason}.</span>
        </p>
        <p className="text-sm text-soft">{hintOf(code)}</p>
      </li>
    ))}
  </ul>
)

interface Previewed {
  readonly changes: readonly { setting: string; sentence: string; risk: string | null }[]
  readonly approvalRequired: boolean
  readonly preview: SecurityPreview | null
}

const Numbers = ({ preview }: { preview: SecurityPreview }) => (
  <dl className="flex flex-wrap gap-x-8 gap-y-2">
    {(
      [
        ['newly refused', preview.newlyBlocked],
        ['newly let through', preview.newlyAllowed],
        ['as before', preview.unchanged],
        ['not known', preview.unknown],
      ] as const
    ).map(([name, number]) => (
      <div key={name} className="grid">
        <dt className="text-sm text-soft">{name}</dt>
        <dd className="text-xl font-semibold tabular-nums">{number.toLocaleString()}</dd>
      </div>
    ))}
  </dl>
)

/** What a change does, and what it would have done to recorded requests. */
export const ChangePreview = ({ changes, approvalRequired, preview }: Previewed) => {
  const routes = (preview?.byRoute ?? []).filter((it) => it.newlyBlocked + it.newlyAllowed + it.unknown > 0).slice(0, 8)
  return (
    <section aria-label="Preview" className="card grid gap-3 px-4 py-3">
      <h3 className="font-semibold">Preview</h3>
      {changes.length === 0 ? <p>This changes nothing.</p> : null}
      <ul className="list-disc pl-5">
        {changes.map(({ setting, sentence, risk }) => (
          <li key={setting + sentence} className="wrap-anywhere">
            {sentence} {risk === null ? null : <span className="text-warn">{risk}</span>}
          </li>
        ))}
      </ul>
      {preview === null ? null : preview.events === 0 ? (
        <p className="text-soft">No events of the last 7 days were recorded to compare it with.</p>
      ) : (
        <>
          <p className="text-sm text-soft">
            With it, of {count(preview.considered, 'request', 'requests')} recorded in the last 7 days:
          </p>
          <Numbers preview={preview} />
          {routes.length === 0 ? null : (
            <ul className="text-sm" aria-label="By route">
              {routes.map((it) => (
                <li key={String(it.route)} className="wrap-anywhere">
                  <code className="font-mono">{it.route ?? 'no route'}</code>: {it.newlyBlocked} newly refused,{' '}
                  {it.newlyAllowed} newly let through, {it.unknown} not known
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {approvalRequired ? (
        <p className="text-warn">It needs the approval of another person. Saving it asks for the approval.</p>
      ) : null}
    </section>
  )
}
