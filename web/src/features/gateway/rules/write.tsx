import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { SecurityChange, SecurityPreview } from '../../../../../src/api/gateway-shapes.ts'
import { SvcError } from '../../../../../src/errors.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { hintOf } from '../../../parts/error-hint.ts'
import { Failure } from '../../../parts/states.tsx'
import { ApprovalWanted, askedIn } from '../approval-wanted.tsx'
import { ChangeList, Effect } from '../effect.tsx'
import { refreshEnvironments, type EnvironmentAt } from '../queries.ts'

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

/** Why a write did not happen, and what to do: for a risky change who can approve it. */
export const WriteFailure = ({ at, write }: { at: EnvironmentAt; write: Write }) => {
  const asked = askedIn(write.error)
  if (asked === null) return write.error ? <Failure error={write.error} /> : null
  const make = (
    <Button look="primary" busy={write.isPending} onClick={() => write.repeat(asked.approvalId)}>
      Make the approved change
    </Button>
  )
  return <ApprovalWanted at={at} asked={asked} onDone={write.reset} make={make} />
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
}

/** What a change does, and what it would have done to recorded requests. */
export const ChangePreview = ({ changes, approvalRequired, preview }: Previewed) => (
  <section aria-label="Preview" className="card grid gap-3 px-4 py-3">
    <h3 className="font-semibold">Preview</h3>
    {changes.length === 0 ? <p>This changes nothing.</p> : <ChangeList changes={changes} />}
    {preview === null ? null : <Effect of={preview} />}
    {approvalRequired ? (
      <p className="text-warn">It needs the approval of another person. Saving it asks for the approval.</p>
    ) : null}
  </section>
)
