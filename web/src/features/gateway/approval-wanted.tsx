import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SecurityApproval } from '../../../../src/api/gateway-record-shapes.ts'
import { gatewayRecordsApi } from '../../../../src/api/gateway-records.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField } from '../../parts/form.tsx'
import { count } from '../../parts/text.ts'
import { Failure, Notice } from '../../parts/states.tsx'
import { Moment } from '../../parts/page.tsx'
import { approvalsQuery, type EnvironmentAt, environmentInput, refreshEnvironments } from './queries.ts'

/** How often a request is read again while someone waits for it. */
const waitingMs = 5000

/** A button that makes an approved change, for who requested it. */
export const MakeChange = ({
  at,
  of: approval,
  onDone,
}: {
  at: EnvironmentAt
  of: SecurityApproval
  onDone?: () => void
}) => {
  const change = useMutation({
    mutationFn: async () => {
      const { params, query } = environmentInput(at)
      const { id, changeDigest } = approval
      await call(gatewayRecordsApi.applyApproval, {
        params: { ...params, approval_id: id },
        query,
        body: { changeDigest },
      })
      onDone?.()
      await refreshEnvironments(at.tenant)
    },
  })
  return (
    <div className="grid gap-2">
      {change.error ? <Failure error={change.error} /> : null}
      <Button look="primary" busy={change.isPending} onClick={() => change.mutate()}>
        Make the approved change
      </Button>
    </div>
  )
}

/** What the refusal of a risky change says. */
export interface ApprovalAsked {
  readonly approvalId: string
  readonly changeDigest: string
  readonly policyVersion: number
  readonly expiresAt: string
  readonly risks: readonly string[]
}

/** What a risky change was refused with; null for every other error. */
export const askedIn = (error: unknown): ApprovalAsked | null =>
  error instanceof SvcError && error.code === 'approval-required' ? (error.detail as unknown as ApprovalAsked) : null

/** Whether the approval makes a change. */
export const ApplyField = ({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) => (
  <CheckField checked={checked} onChange={onChange}>
    Apply the change as soon as it is approved
  </CheckField>
)

/** Sends the request again that waits, and so says again whether its approval makes the change. */
export type Choose = (applyWhenApproved: boolean) => Promise<unknown>

const Choice = ({ at, of, choose }: { at: EnvironmentAt; of: SecurityApproval; choose: Choose }) => {
  const change = useMutation({
    mutationFn: async (applyWhenApproved: boolean) => {
      try {
        await choose(applyWhenApproved)
      } catch (error) {
        if (askedIn(error) === null) throw error
      }
      await refreshEnvironments(at.tenant)
    },
  })
  return (
    <div className="grid gap-2">
      <ApplyField
        checked={change.isPending ? change.variables : of.applyWhenApproved}
        onChange={(checked) => change.mutate(checked)}
      />
      {change.error ? <Failure error={change.error} /> : null}
    </div>
  )
}

/** What became of a request, in a title. */
const titleOf = (approval: SecurityApproval | undefined): string => {
  switch (approval?.state) {
    case 'approved':
      return `Approved by ${approval.approvedBy ?? 'another person'}`
    case 'used':
      return approval.approvedBy === null
        ? 'The change is made'
        : `Approved by ${approval.approvedBy}: the change is made`
    case 'expired':
    case 'stale':
    case 'withdrawn':
      return `The request is ${approval.state}: nothing was changed`
    default:
      return `This waits for the approval of ${count(approval?.approversMin ?? 1, 'other person', 'other people')}`
  }
}

/** In place of a risky change: what waits, who can approve it, and how to continue once someone did. */
export const ApprovalWanted = ({
  at,
  asked,
  onDone,
  make,
  choose,
}: {
  at: EnvironmentAt
  asked: ApprovalAsked
  onDone: () => void
  /** Makes the change where more than the approved request belongs to it; otherwise the service makes it. */
  make?: ReactNode
  /** Absent where more than the approved request belongs to the change: the approval cannot make all of it. */
  choose?: Choose
}) => {
  const approvals = useQuery({ ...approvalsQuery(at, 0), refetchInterval: waitingMs })
  const it = approvals.data?.items.find(({ id }) => id === asked.approvalId)
  const isApproved = it?.state === 'approved'
  const isWaiting = it === undefined || it.state === 'pending'
  return (
    <Notice
      tone={isApproved || it?.state === 'used' ? 'info' : 'warn'}
      title={titleOf(it)}
      actions={isApproved ? (make ?? <MakeChange at={at} of={it} onDone={onDone} />) : null}
    >
      {it ? (
        <ul aria-label="Changes">
          {it.summary.map((sentence) => (
            <li key={sentence} className="wrap-anywhere">
              {sentence}
            </li>
          ))}
        </ul>
      ) : null}
      <ul aria-label="Why it needs approval">
        {asked.risks.map((risk) => (
          <li key={risk}>{risk}</li>
        ))}
      </ul>
      {it?.notApplied ? <p>It was approved, but could not be made: {it.notApplied.message}</p> : null}
      {it?.state === 'pending' && choose !== undefined ? <Choice at={at} of={it} choose={choose} /> : null}
      {isWaiting ? (
        <p>
          Nothing is changed yet. Any other Owner or Admin can approve it until <Moment at={asked.expiresAt} exact /> on{' '}
          <Link to="/t/$tenant/-/gateway/$environment/history/approvals" params={{ ...at }} className="link">
            the page Approvals
          </Link>
          ; you can close this and make the change there later. Any other change of the policy voids the request.
        </p>
      ) : null}
      <p className="mt-1 font-mono text-xs wrap-anywhere">
        Change {asked.changeDigest.replace(/^sha256:/, '').slice(0, 16)}
      </p>
    </Notice>
  )
}
