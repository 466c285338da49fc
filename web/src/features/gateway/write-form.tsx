import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { SecurityChange, SecurityPreview } from '../../../../src/api/gateway-shapes.ts'
import { Form } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { ApplyField, ApprovalWanted, askedIn, type Choose } from './approval-wanted.tsx'
import { ChangeList, Effect } from './effect.tsx'
import { type EnvironmentAt, refreshEnvironments } from './queries.ts'

/** What steers a write: in its body, or in the query of one without a body. */
export interface WriteControls {
  readonly expectedPolicyVersion: number
  readonly dryRun?: boolean
  readonly applyWhenApproved?: boolean
}

/** What every write answers. */
export interface Written {
  readonly changed: boolean
  readonly changes: readonly SecurityChange[]
  readonly approvalRequired: boolean
  readonly preview: SecurityPreview | null
}

/** A failed write: of a risky one the request that waits, of every other what was wrong. */
export const WriteFailure = ({
  at,
  error,
  onDone,
  choose,
}: {
  at: EnvironmentAt
  error: unknown
  onDone: () => void
  choose: Choose
}) => {
  const asked = askedIn(error)
  if (asked === null) return <Failure error={error} />
  return <ApprovalWanted at={at} asked={asked} onDone={onDone} choose={choose} />
}

const Preview = ({
  of: { changed, changes, approvalRequired, preview },
  children,
}: {
  of: Written
  children: ReactNode
}) => (
  <div role="status" className="card grid gap-3 px-4 py-3">
    {changed ? <ChangeList changes={changes} /> : <p>Nothing changes: the policy is like this already.</p>}
    {changed && preview !== null ? <Effect of={preview} /> : null}
    {approvalRequired ? (
      <>
        <p className="text-sm text-warn">This needs the approval of another Owner or Admin before it is in force.</p>
        {children}
      </>
    ) : null}
  </div>
)

/**
 * A form that changes a policy. Its button shows first what the change would do, also to recorded events; only then it saves.
 * A risky change becomes a request for approval, and the form waits for it.
 */
export const WriteForm = ({
  at,
  version,
  given,
  send,
  save = 'Save',
  onClose,
  children,
}: {
  at: EnvironmentAt
  /** The version of the policy that the form was made from. */
  version: number
  /** What the form says, as one text: a preview of anything else is worth nothing. */
  given: string
  send: (controls: WriteControls) => Promise<Written>
  /** The name of the button that saves. */
  save?: string
  onClose: () => void
  children?: ReactNode
}) => {
  const id = useId()
  const [applies, setApplies] = useState(false)
  const sendChange = (applyWhenApproved: boolean) =>
    send({ expectedPolicyVersion: version, ...(applyWhenApproved ? { applyWhenApproved } : {}) })
  const work = useMutation({
    mutationFn: async ({ dryRun, given: of }: { dryRun: boolean; given: string }) => {
      if (dryRun) return { of, answer: await send({ expectedPolicyVersion: version, dryRun }) }
      await sendChange(applies)
      onClose()
      await refreshEnvironments(at.tenant)
      return null
    },
    // A request for approval is new for the other tabs.
    onError: (error) => (askedIn(error) === null ? undefined : refreshEnvironments(at.tenant)),
    scope: { id },
  })
  const shown = work.data?.of === given ? work.data.answer : null
  const waits = askedIn(work.error) !== null && work.variables?.given === given
  const confirm = shown?.approvalRequired ? 'Request approval' : save
  const error = waits || work.variables?.given === given ? work.error : null
  return (
    <Form
      change={{
        mutate: () => work.mutate({ dryRun: shown === null, given }),
        isPending: work.isPending,
        error,
      }}
      submit={shown === null ? 'Preview' : confirm}
      disabled={waits || shown?.changed === false}
      onCancel={onClose}
      cancel={waits ? 'Close' : 'Cancel'}
      failure={(it) => <WriteFailure at={at} error={it} onDone={onClose} choose={sendChange} />}
    >
      {children}
      {shown === null ? null : (
        <Preview of={shown}>{waits ? null : <ApplyField checked={applies} onChange={setApplies} />}</Preview>
      )}
    </Form>
  )
}
