import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { SecurityChange, SecurityPreview } from '../../../../../src/api/gateway-shapes.ts'
import { SvcError } from '../../../../../src/errors.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { hintOf } from '../../../parts/error-hint.ts'
import { Failure } from '../../../parts/states.tsx'
import { ApplyField, ApprovalWanted, askedIn } from '../approval-wanted.tsx'
import { ChangeList, Effect } from '../effect.tsx'
import { refreshEnvironments, type EnvironmentAt } from '../queries.ts'

/** What a write sends beside the change itself. */
export interface WriteControls {
  readonly expectedPolicyVersion: number
  readonly approvalId?: string
  readonly applyWhenApproved?: boolean
}
type Work = (controls: WriteControls) => Promise<unknown>
interface Written {
  readonly work: Work
  readonly approvalId?: string
}

/** A change of the policy: refused where the policy is another one meanwhile, repeated as it was once it is approved. */
export const useWrite = ({ tenant }: EnvironmentAt, policyVersion: number, onDone: () => void = () => {}) => {
  const [applies, setApplies] = useState(false)
  const choosing = (applyWhenApproved: boolean) => (applyWhenApproved ? { applyWhenApproved } : {})
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: async ({ work, approvalId }: Written) => {
      try {
        await work({
          expectedPolicyVersion: policyVersion,
          ...(approvalId === undefined ? choosing(applies) : { approvalId }),
        })
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
    /** Whether the approval makes the change, where it needs one. */
    applies,
    setApplies,
    /** Sends the request again that waits, and says again whether its approval makes the change. */
    choose: async (applyWhenApproved: boolean) =>
      variables?.work({ expectedPolicyVersion: policyVersion, ...choosing(applyWhenApproved) }),
  }
}
type Write = ReturnType<typeof useWrite>

/** Whether the policy changed since it was read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof SvcError && error.code === 'policy-version-conflict'

/** Why a write did not happen, and what to do: for a risky change who can approve it. */
export const WriteFailure = ({
  at,
  write,
  inParts = false,
}: {
  at: EnvironmentAt
  write: Write
  /** Whether more than the approved request belongs to the change: the approval cannot make all of it. */
  inParts?: boolean
}) => {
  const asked = askedIn(write.error)
  if (asked === null) return write.error ? <Failure error={write.error} /> : null
  const make = (
    <Button look="primary" busy={write.isPending} onClick={() => write.repeat(asked.approvalId)}>
      Make the approved change
    </Button>
  )
  const choice = inParts ? {} : { choose: write.choose }
  return <ApprovalWanted at={at} asked={asked} onDone={write.reset} make={make} {...choice} />
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
  readonly changes: readonly SecurityChange[]
  readonly approvalRequired: boolean
  readonly preview: SecurityPreview | null
  /** Asks whether the approval makes the change; absent where it cannot. */
  readonly write?: Write
}

/** What a change does, and what it would have done to recorded requests. */
export const ChangePreview = ({ changes, approvalRequired, preview, write }: Previewed) => (
  <section aria-label="Preview" className="card grid gap-3 px-4 py-3">
    <h3 className="font-semibold">Preview</h3>
    {changes.length === 0 ? <p>This changes nothing.</p> : <ChangeList changes={changes} />}
    {preview === null ? null : <Effect of={preview} />}
    {approvalRequired ? (
      <>
        <p className="text-warn">It needs the approval of another person. Saving it asks for the approval.</p>
        {write === undefined || askedIn(write.error) !== null ? null : (
          <ApplyField checked={write.applies} onChange={write.setApplies} />
        )}
      </>
    ) : null}
  </section>
)
