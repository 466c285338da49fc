import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reviewsApi } from '../../../../src/api/reviews.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { CheckField, Form, TextField, useForm } from '../../parts/form.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { allMembersQuery } from '../members/queries.ts'
import { versionParams, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { refreshReviews } from './queries.ts'

const Asking = ({ at, onClose }: { at: VersionRef; onClose: () => void }) => {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const members = useQuery(allMembersQuery(at.tenant))
  const session = useQuery(sessionQuery)
  const { bind, ...change } = useForm({ note: '' }, async ({ note }) => {
    await call(reviewsApi.request, { params: versionParams(at), body: { reviewer_ids: [...chosen], note } })
    onClose()
    await refreshReviews(at.tenant)
  })
  const candidates = (members.data?.items ?? []).filter(
    (it) => it.status === 'active' && it.role !== 'viewer' && it.user_id !== session.data?.user?.id,
  )
  return (
    <Form change={change} submit="Request the review" disabled={chosen.length === 0} onCancel={onClose}>
      <p className="text-sm text-soft">An approval applies to the content of the draft at that time.</p>
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">Reviewers</legend>
        {members.data && candidates.length === 0 ? (
          <p className="text-soft">No other member can decide reviews. Invite one, or change a role.</p>
        ) : null}
        {candidates.map((candidate) => (
          <CheckField
            key={candidate.user_id}
            checked={chosen.includes(candidate.user_id)}
            onChange={(on) =>
              setChosen((before) =>
                on ? [...before, candidate.user_id] : before.filter((id) => id !== candidate.user_id),
              )
            }
          >
            {candidate.name} <span className="text-sm text-soft">{candidate.role}</span>
          </CheckField>
        ))}
      </fieldset>
      <TextField label="Note (optional)" hint="Markdown" rows={2} {...bind('note')} />
    </Form>
  )
}

/** Asks members to review a draft. */
export const RequestReview = ({ at }: { at: VersionRef }) => {
  const [isOpen, setOpen] = useState(false)
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  if (version.data?.status !== 'draft' || !holds(identity.data, at.tenant, 'versions:edit')) return null
  const close = (): void => setOpen(false)
  return (
    <span className="ml-auto">
      <Button onClick={() => setOpen(true)}>Request a review …</Button>
      <Window open={isOpen} onClose={close} title={`Request a review of ${version.data.label}`}>
        <Asking at={at} onClose={close} />
      </Window>
    </span>
  )
}
