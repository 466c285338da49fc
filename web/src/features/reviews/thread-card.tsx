import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Thread, threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Form, useForm } from '../../parts/form.tsx'
import { Moment } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { versionParams, type VersionRef } from '../catalog/versions.ts'
import { CommentField, keepUnsent, unsentText } from './comment-field.tsx'
import { CommentItem } from './comment-item.tsx'
import { threadText } from './places-list.tsx'
import { refreshThreads, threadQuery } from './queries.ts'

const Reply = ({ at, thread, note }: { at: VersionRef; thread: Thread; note: ReactNode }) => {
  const { set, ...change } = useForm({ body: unsentText(thread.id) }, async (body) => {
    await call(threadsApi.comment, { params: { ...versionParams(at), thread_id: thread.id }, body })
    write('')
    await refreshThreads(at)
  })
  const { body } = change.values
  const write = (next: string): void => {
    keepUnsent(thread.id, next)
    set({ body: next })
  }
  return (
    <Form change={change} submit="Reply" look="plain" disabled={body.trim() === ''} note={note}>
      <CommentField
        tenant={at.tenant}
        label={`Reply to the thread on ${thread.place.key}`}
        value={body}
        onChange={write}
        onSend={change.mutate}
      />
    </Form>
  )
}

const stateWords = {
  moved: 'The place moved since the thread was opened.',
  outdated: 'The place was changed or removed since; this is the nearest part that is left.',
} as const

/** Where the thread was opened, if that is not where it is shown. */
const Origin = ({ thread: { anchor, anchor_state: state } }: { thread: Thread }) =>
  state === 'anchored' ? null : (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-md bg-warn-wash px-3 py-2 text-sm">
      <p className="text-warn">{stateWords[state]}</p>
      <p className="wrap-anywhere text-soft">
        It was <span className="font-mono text-xs">{anchor.key}</span>:
      </p>
      <p className="line-clamp-3 font-mono text-xs wrap-anywhere text-soft">{anchor.excerpt}</p>
    </div>
  )

const Comments = ({ at, thread }: { at: VersionRef; thread: Thread }) => {
  const [whole, setWhole] = useState(false)
  const all = useQuery({ ...threadQuery(at, thread.id), enabled: whole })
  const comments = all.data?.comments ?? thread.comments
  const hidden = thread.comments_count - comments.length
  return (
    <>
      <ul className="grid gap-3">
        {comments.map((it) => (
          <CommentItem key={it.id} at={at} comment={it} />
        ))}
      </ul>
      {hidden > 0 ? (
        <div>
          <Button busy={all.isFetching} onClick={() => setWhole(true)}>
            Show {count(hidden, 'more comment', 'more comments')}
          </Button>
        </div>
      ) : null}
      {all.error ? <Failure error={all.error} /> : null}
    </>
  )
}

const Heading = ({ thread, open, onToggle }: { thread: Thread; open: boolean; onToggle: () => void }) => {
  const { anchor_state: state, place, status } = thread
  const Mark = open ? ChevronDown : ChevronRight
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <button
        type="button"
        aria-expanded={open}
        aria-label={`Comments of the thread on ${place.key}`}
        onClick={onToggle}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-md hover:bg-raised"
      >
        <Mark size={15} aria-hidden="true" />
      </button>
      <h3 className="min-w-0 font-mono text-xs font-semibold wrap-anywhere">
        {place.key === '#' ? 'Whole document' : place.key}
      </h3>
      {state === 'anchored' ? null : <Badge tone="warn">{state === 'moved' ? 'place moved' : 'place lost'}</Badge>}
      <Badge tone={status === 'open' ? 'info' : 'ok'}>{status}</Badge>
      {open ? null : <span className="min-w-0 truncate text-sm text-soft">{threadText(thread)}</span>}
    </div>
  )
}

/** Who resolved a thread, and when. */
const ResolvedBy = ({ thread }: { thread: Thread }) => (
  <p className="text-sm text-soft">
    Resolved by {thread.resolved_by?.name ?? 'the service'}
    {thread.resolved_at ? (
      <>
        , <Moment at={thread.resolved_at} />
      </>
    ) : null}
  </p>
)

/** The thread: open ones with their comments, resolved ones folded until they are opened. `focused` is moved to. */
export const ThreadCard = ({ at, thread, focused }: { at: VersionRef; thread: Thread; focused: boolean }) => {
  const { id, place, status } = thread
  const card = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(status === 'open' || focused)
  const session = useQuery(sessionQuery)
  const identity = useQuery(identityQuery)
  useEffect(() => {
    if (!focused) return
    setOpen(true)
    card.current?.focus()
  }, [focused])
  const settle = useMutation({
    mutationFn: async () => {
      const params = { ...versionParams(at), thread_id: id }
      await call(status === 'open' ? threadsApi.resolve : threadsApi.reopen, { params })
      setOpen(status !== 'open')
      await refreshThreads(at)
    },
  })
  const mayResolve =
    thread.created_by?.id === session.data?.user?.id || holds(identity.data, at.tenant, 'versions:edit')
  const settleButton =
    mayResolve || status === 'resolved' ? (
      <Button busy={settle.isPending} onClick={() => settle.mutate()}>
        {status === 'open' ? 'Resolve' : 'Reopen'}
        <span className="sr-only"> the thread on {place.key}</span>
      </Button>
    ) : null
  return (
    <article
      ref={card}
      id={`thread-${id}`}
      tabIndex={-1}
      aria-label={`Thread on ${place.key}`}
      className={`card grid grid-cols-[minmax(0,1fr)] gap-3 p-3 font-sans ${focused ? 'border-accent' : ''}`}
    >
      <Heading thread={thread} open={open} onToggle={() => setOpen(!open)} />
      {open ? (
        <>
          <Origin thread={thread} />
          <Comments at={at} thread={thread} />
          {status === 'resolved' ? (
            <>
              <ResolvedBy thread={thread} />
              <div>{settleButton}</div>
            </>
          ) : (
            <Reply at={at} thread={thread} note={settleButton} />
          )}
          {settle.error ? <Failure error={settle.error} /> : null}
        </>
      ) : null}
    </article>
  )
}
