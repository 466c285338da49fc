import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Comment, type Thread, threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, Form, SelectField, TextField, useForm } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { versionParams, versionQuery, type VersionRef } from '../versions/queries.ts'
import { refreshReviews, threadsQuery } from './queries.ts'

const mentionMark = /@\[([^\]\n]+)\]\(user:[\w-]+\)/g

const diffTone = (line: string): string =>
  line.startsWith('+') ? 'bg-ok-wash text-ok' : line.startsWith('-') ? 'bg-danger-wash text-danger' : ''

const Suggestion = ({ at, comment, isDraft }: { at: VersionRef; comment: Comment; isDraft: boolean }) => {
  const version = useQuery(versionQuery(at))
  const apply = useMutation({
    mutationFn: async () => {
      await call(threadsApi.applySuggestion, {
        params: { ...versionParams(at), comment_id: comment.id },
        headers: { 'if-match': `"${version.data?.digest ?? ''}"` },
      })
      await refreshReviews(at.tenant)
    },
  })
  const { suggestion } = comment
  if (suggestion === null) return null
  return (
    <div className="grid gap-2">
      <pre
        tabIndex={0}
        role="group"
        aria-label="Suggested change"
        className="overflow-auto rounded-md border font-mono text-xs"
      >
        {suggestion.diff.split('\n').map((line, index) => (
          <span key={index} className={`block px-3 ${diffTone(line)}`}>
            {line}
          </span>
        ))}
      </pre>
      {suggestion.applied_at ? (
        <p className="text-sm text-soft">
          Applied by {suggestion.applied_by?.name ?? 'the service'}, <Moment at={suggestion.applied_at} exact />
        </p>
      ) : isDraft ? (
        <div>
          <Button busy={apply.isPending} disabled={version.data === undefined} onClick={() => apply.mutate()}>
            Apply the suggestion
          </Button>
        </div>
      ) : null}
      {apply.error ? <Failure error={apply.error} /> : null}
    </div>
  )
}

const CommentItem = ({ at, comment, isDraft }: { at: VersionRef; comment: Comment; isDraft: boolean }) => (
  <li className="grid gap-1.5 border-l-2 border-edge pl-3">
    <p className="text-sm text-soft">
      <span className="font-medium text-ink">{comment.author?.name ?? 'The service'}</span>,{' '}
      <Moment at={comment.created_at} exact />
      {comment.edited_at && !comment.deleted ? ', edited' : ''}
    </p>
    {comment.deleted ? (
      <p className="text-soft">This comment was deleted.</p>
    ) : (
      <Markdown text={comment.body.replaceAll(mentionMark, '**@$1**')} />
    )}
    <Suggestion at={at} comment={comment} isDraft={isDraft} />
  </li>
)

const Reply = ({ at, thread }: { at: VersionRef; thread: Thread }) => {
  const { bind, set, ...change } = useForm({ body: '' }, async (values) => {
    await call(threadsApi.comment, { params: { ...versionParams(at), thread_id: thread.id }, body: values })
    set({ body: '' })
    await refreshReviews(at.tenant)
  })
  return (
    <Form change={change} submit="Reply" look="plain" disabled={change.values.body.trim() === ''}>
      <TextField label={`Reply to the thread on ${thread.place.key}`} rows={2} {...bind('body')} />
    </Form>
  )
}

const stateWords = {
  moved: 'The place has moved since the thread was opened.',
  outdated: 'The place is not certain any more; this is the nearest part that is left.',
} as const

const ThreadItem = ({ at, thread, isDraft }: { at: VersionRef; thread: Thread; isDraft: boolean }) => {
  const { id, anchor, anchor_state: state, place, status } = thread
  const settle = useMutation({
    mutationFn: async () => {
      const params = { ...versionParams(at), thread_id: id }
      await call(status === 'open' ? threadsApi.resolve : threadsApi.reopen, { params })
      await refreshReviews(at.tenant)
    },
  })
  return (
    <li id={`thread-${id}`} className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{place.key}</h3>
        <Link
          to="/t/$tenant/$project/$version/source"
          params={at}
          search={{ line: place.range.start.line + 1 }}
          className="link text-sm"
        >
          line {place.range.start.line + 1}
        </Link>
        {state === 'anchored' ? null : <Badge tone="warn">{state}</Badge>}
        <Badge tone={status === 'open' ? 'info' : 'ok'}>{status}</Badge>
      </div>
      {state === 'anchored' ? null : (
        <p className="text-sm text-soft">
          {stateWords[state]} It was <span className="font-mono wrap-anywhere">{anchor.key}</span>.
        </p>
      )}
      <p className="truncate font-mono text-xs text-soft">{anchor.excerpt}</p>
      <ul className="grid gap-3">
        {thread.comments.map((it) => (
          <CommentItem key={it.id} at={at} comment={it} isDraft={isDraft} />
        ))}
      </ul>
      {status === 'open' ? <Reply at={at} thread={thread} /> : null}
      {settle.error ? <Failure error={settle.error} /> : null}
      <div>
        <Button busy={settle.isPending} onClick={() => settle.mutate()}>
          {status === 'open' ? 'Resolve' : 'Reopen'}
          <span className="sr-only"> the thread on {place.key}</span>
        </Button>
      </div>
    </li>
  )
}

const OpenThread = ({ at }: { at: VersionRef }) => {
  const [open, setOpen] = useState(false)
  const { bind, set, ...change } = useForm({ pointer: '', body: '' }, async ({ pointer, body }) => {
    await call(threadsApi.open, { params: versionParams(at), body: { anchor: { pointer }, body } })
    set({ pointer: '', body: '' })
    setOpen(false)
    await refreshReviews(at.tenant)
  })
  if (!open) return <Button onClick={() => setOpen(true)}>Open a thread …</Button>
  return (
    <div className="card w-full p-4">
      <Form
        change={change}
        submit="Open the thread"
        disabled={change.values.body.trim() === ''}
        onCancel={() => setOpen(false)}
      >
        <Field
          label="Place"
          hint="JSON Pointer in the document, as /paths/~1pets/get; empty for the whole document."
          {...bind('pointer')}
        />
        <TextField label="Comment" hint="Markdown" {...bind('body')} />
      </Form>
    </div>
  )
}

const statuses = [
  { value: '', name: 'All threads' },
  { value: 'open', name: 'Open' },
  { value: 'resolved', name: 'Resolved' },
] as const

/** The threads of a version with the lines that they are about. */
export const Threads = ({
  at,
  status,
  offset,
  isDraft,
}: {
  at: VersionRef
  status: Thread['status'] | ''
  offset: number
  isDraft: boolean
}) => {
  const threads = useQuery(threadsQuery(at, status, offset))
  const { filter, move } = useAddress()
  return (
    <Section title="Threads" description="A thread follows its place when the document is edited.">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SelectField label="Show" value={status} options={statuses} onChange={(it) => filter({ status: it })} />
        <OpenThread at={at} />
      </div>
      <Listing
        query={threads}
        what="the threads"
        one="thread"
        filtered={status !== ''}
        onClear={() => filter({ status: '' })}
        onMove={move}
        empty={
          <Empty title="No threads yet">
            <p>Open a thread on an operation, a parameter, a property or any other part of the document.</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="grid gap-3" aria-label="Threads">
            {items.map((it) => (
              <ThreadItem key={it.id} at={at} thread={it} isDraft={isDraft} />
            ))}
          </ul>
        )}
      </Listing>
    </Section>
  )
}
