import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Review, reviewsApi } from '../../../../src/api/reviews.ts'
import { threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { DecideBar } from '../../parts/decide-bar.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { versionParams, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { CommentField } from './comment-field.tsx'
import { refreshReviews, refreshThreads, reviewsQuery } from './queries.ts'

type Answer = 'approved' | 'changes_requested' | 'comment'

const buttons: readonly (readonly [answer: Answer, name: string])[] = [
  ['comment', 'Comment'],
  ['changes_requested', 'Request changes'],
  ['approved', 'Approve'],
]

const sentWords = { approved: 'You approved this', changes_requested: 'You requested changes' } as const

/** The newest open review that asks a person. */
const reviewFor = (reviews: readonly Review[], me: string | undefined): Review | null =>
  reviews.find((it) => !it.closed && it.reviewers.some(({ user_id: id }) => id === me)) ?? null

/** Sends an answer to a review, of exactly the document that is on the page; a comment is a thread on the whole document. */
const AnswerForm = ({
  at,
  review,
  answer,
  onDone,
}: {
  at: VersionRef
  review: Review | null
  answer: Answer
  onDone: () => void
}) => {
  const version = useQuery(versionQuery(at))
  const form = useForm({ note: '' }, async ({ note }) => {
    if (answer === 'comment' || review === null) {
      await call(threadsApi.open, { params: versionParams(at), body: { anchor: { pointer: '' }, body: note } })
      await refreshThreads(at)
    } else {
      const digest = version.data?.digest
      await call(reviewsApi.decide, {
        params: { ...versionParams(at), review_id: review.id },
        body: { decision: answer, note, ...(digest === undefined ? {} : { expected_digest: digest }) },
      })
      await refreshReviews(at.tenant)
    }
    onDone()
  })
  const { note } = form.values
  const name = buttons.find(([it]) => it === answer)?.[1] ?? ''
  const isReady = answer !== 'comment' || note.trim() !== ''
  return (
    <Form change={form} submit={name} disabled={!isReady} onCancel={onDone}>
      <CommentField
        tenant={at.tenant}
        label={answer === 'comment' ? 'Comment on the whole document' : 'Note (optional)'}
        value={note}
        onChange={(next) => form.set({ note: next })}
        onSend={() => {
          if (isReady) form.mutate()
        }}
        autoFocus
      />
    </Form>
  )
}

/** What the person answered already, and taking it back. */
const Sent = ({ at, review, me }: { at: VersionRef; review: Review; me: string | undefined }) => {
  const mine = review.reviewers.find((it) => it.user_id === me)
  const withdraw = useMutation({
    mutationFn: async () => {
      await call(reviewsApi.withdraw, { params: { ...versionParams(at), review_id: review.id } })
      await refreshReviews(at.tenant)
    },
  })
  if (mine === undefined || (mine.state !== 'approved' && mine.state !== 'changes_requested')) return null
  return (
    <>
      <p role="status" className="text-sm">
        {sentWords[mine.state]}
        {mine.decided_at ? (
          <>
            , <Moment at={mine.decided_at} />
          </>
        ) : null}
      </p>
      <Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
        Withdraw your answer
      </Button>
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
    </>
  )
}

const titles: Readonly<Record<Answer, string>> = {
  approved: 'Approve',
  changes_requested: 'Request changes of',
  comment: 'Comment on',
}

/**
 * What a reviewer decides about: facts at the left, buttons at the right, nothing chosen beforehand. Once answered it says
 * what was sent.
 */
export const DecisionBar = ({ at, facts }: { at: VersionRef; facts: ReactNode }) => {
  const reviews = useQuery(reviewsQuery(at))
  const session = useQuery(sessionQuery)
  const identity = useQuery(identityQuery)
  const version = useQuery(versionQuery(at))
  const [answer, setAnswer] = useState<Answer | null>(null)
  const me = session.data?.user?.id
  const review = reviewFor(reviews.data?.reviews ?? [], me)
  const mine = review?.reviewers.find((it) => it.user_id === me)
  // What changed since is answered again; a digest of several documents begins with that of the first.
  const isAnswered =
    (mine?.state === 'approved' || mine?.state === 'changes_requested') &&
    mine.digest?.split('+')[0] === version.data?.digest
  const mayComment = holds(identity.data, at.tenant, 'comments:create')
  const shown = buttons.filter(([it]) => (it === 'comment' ? mayComment : review !== null && !isAnswered))
  return (
    <>
      <DecideBar facts={facts}>
        {review !== null && isAnswered ? <Sent at={at} review={review} me={me} /> : null}
        {shown.map(([it, name]) => (
          // Who is asked to review comes for this one step; it still asks before anything is sent.
          <Button key={it} look={it === 'approved' ? 'primary' : 'plain'} onClick={() => setAnswer(it)}>
            {name}
          </Button>
        ))}
      </DecideBar>
      <Window
        open={answer !== null}
        onClose={() => setAnswer(null)}
        title={
          answer === null
            ? ''
            : `${titles[answer]} ${version.data?.title ?? at.project} ${version.data?.label ?? at.version}`
        }
      >
        {answer === null ? null : <AnswerForm at={at} review={review} answer={answer} onDone={() => setAnswer(null)} />}
      </Window>
    </>
  )
}
