import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Comment, threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { useDownload } from '../../parts/download.ts'
import { Form, useForm } from '../../parts/form.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { versionParams, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { CommentField } from './comment-field.tsx'
import { DiffRows } from '../../parts/diff-rows.tsx'
import { rowsOfHunk } from '../../parts/diff-pairs.ts'
import { refreshReviews, refreshThreads } from './queries.ts'

/** The change that a comment suggests, as the lines of a difference, and the button that makes it. */
const Suggestion = ({ at, comment }: { at: VersionRef; comment: Comment }) => {
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const apply = useMutation({
    mutationFn: async () => {
      await call(threadsApi.applySuggestion, {
        params: { ...versionParams(at), comment_id: comment.id },
        headers: { 'if-match': `"${version.data?.digest ?? ''}"` },
      })
      await refreshReviews(at.tenant)
    },
  })
  const download = useDownload()
  const { suggestion } = comment
  if (suggestion === null) return null
  const may = version.data?.status === 'draft' && holds(identity.data, at.tenant, 'versions:edit')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div role="group" aria-label="Suggested change" className="overflow-hidden rounded-md border">
        <DiffRows rows={rowsOfHunk(suggestion.diff)} narrow />
      </div>
      {suggestion.applied_at ? (
        <p className="text-sm text-soft">
          Applied by {suggestion.applied_by?.name ?? 'the service'}, <Moment at={suggestion.applied_at} />
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {may && !suggestion.applied_at ? (
          <Button busy={apply.isPending} onClick={() => apply.mutate()}>
            Apply and resolve
          </Button>
        ) : null}
        <Button
          busy={download.isPending}
          onClick={() =>
            download.mutate({
              name: `${at.project}-suggestion.overlay.yaml`,
              type: 'application/yaml',
              read: async () => {
                const params = { ...versionParams(at), comment_id: comment.id }
                return (await call(threadsApi.suggestionOverlay, { params })).text
              },
            })
          }
        >
          Download as an overlay
        </Button>
      </div>
      {download.error ? <Failure error={download.error} /> : null}
      {apply.error ? <Failure error={apply.error} /> : null}
    </div>
  )
}

const EditComment = ({ at, comment, onDone }: { at: VersionRef; comment: Comment; onDone: () => void }) => {
  const { set, ...change } = useForm({ body: comment.body }, async (body) => {
    await call(threadsApi.editComment, { params: { ...versionParams(at), comment_id: comment.id }, body })
    await refreshThreads(at)
    onDone()
  })
  const { body } = change.values
  return (
    <Form change={change} submit="Save the comment" disabled={body.trim() === ''} onCancel={onDone}>
      <CommentField
        tenant={at.tenant}
        label="Your comment"
        value={body}
        onChange={(next) => set({ body: next })}
        onSend={change.mutate}
        autoFocus
      />
    </Form>
  )
}

/** One's own comment can be changed and deleted. */
const Own = ({ at, comment, onEdit }: { at: VersionRef; comment: Comment; onEdit: () => void }) => {
  const [asked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: async () => {
      await call(threadsApi.deleteComment, { params: { ...versionParams(at), comment_id: comment.id } })
      await refreshThreads(at)
    },
  })
  return (
    <>
      <p className="flex flex-wrap items-center gap-1">
        {asked ? (
          <>
            <span className="text-sm">Delete this comment?</span>
            <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete it
            </Button>
            <Button onClick={() => setAsked(false)}>Keep it</Button>
          </>
        ) : (
          <>
            <button type="button" className="link px-1 py-0.5 text-xs" onClick={onEdit}>
              Edit
            </button>
            <button type="button" className="link px-1 py-0.5 text-xs" onClick={() => setAsked(true)}>
              Delete …
            </button>
          </>
        )}
      </p>
      {remove.error ? <Failure error={remove.error} /> : null}
    </>
  )
}

/** A comment with its author, its text and the change that it suggests. */
export const CommentItem = ({ at, comment }: { at: VersionRef; comment: Comment }) => {
  const session = useQuery(sessionQuery)
  const [editing, setEditing] = useState(false)
  const mine = comment.author !== null && comment.author.id === session.data?.user?.id
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1.5 border-l-2 border-edge pl-3">
      <p className="text-sm text-soft">
        <span className="font-medium text-ink">{comment.author?.name ?? 'The service'}</span>,{' '}
        <Moment at={comment.created_at} />
        {comment.edited_at && !comment.deleted ? ', edited' : ''}
      </p>
      {comment.deleted ? <p className="text-soft">This comment was deleted.</p> : null}
      {editing && !comment.deleted ? <EditComment at={at} comment={comment} onDone={() => setEditing(false)} /> : null}
      {editing || comment.deleted ? null : <Markdown text={comment.body} />}
      <Suggestion at={at} comment={comment} />
      {mine && !comment.deleted && !editing ? <Own at={at} comment={comment} onEdit={() => setEditing(true)} /> : null}
    </li>
  )
}
