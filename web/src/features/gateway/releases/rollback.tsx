import { useState } from 'react'
import { type Release, releasesApi } from '../../../../../src/api/gateway-releases.ts'
import { call } from '../../../call.ts'
import { Field, Form, useForm } from '../../../parts/form.tsx'
import { Button } from '../../../parts/button.tsx'
import { type EnvironmentAt, environmentInput, refreshEnvironments } from '../queries.ts'
import { WriteFailure } from '../write-form.tsx'

/** Gives gateways the files of an earlier release again. */
export const RollbackForm = ({ at, of: it, onClose }: { at: EnvironmentAt; of: Release; onClose: () => void }) => {
  const [done, setDone] = useState<string | null>(null)
  const { params, query } = environmentInput(at)
  const form = useForm({ reason: '' }, async ({ reason }) => {
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    const answer = await call(releasesApi.rollback, { params: { ...params, release_id: it.id }, query, body })
    setDone(answer.message)
    await refreshEnvironments(at.tenant)
  })
  if (done !== null)
    return (
      <div className="grid gap-4">
        <p role="status">{done}</p>
        <div>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    )
  return (
    <Form
      change={form}
      submit="Roll back"
      look="danger"
      onCancel={onClose}
      failure={(error) => <WriteFailure at={at} error={error} onDone={onClose} />}
    >
      <p className="text-soft">
        Gateways get the files of release {it.number} again, as a new release. It holds until the policy changes: the
        policy itself stays as it is. Exceptions that ended meanwhile are not restored.
      </p>
      <Field label="Reason (optional)" maxLength={1000} hint="Shown in the audit trail." {...form.bind('reason')} />
    </Form>
  )
}
