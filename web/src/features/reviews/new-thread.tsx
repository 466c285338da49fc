import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { CheckField, Field, Form, SelectField, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { DiffLines } from '../../parts/text-diff.tsx'
import { versionParams, type VersionRef } from '../catalog/versions.ts'
import { CommentField, keepUnsent, unsentText } from './comment-field.tsx'
import { placeName, placesAround } from './marks.ts'
import { refreshThreads } from './queries.ts'
import {
  type DocumentPlace,
  linesOf,
  nameOf,
  patchOf,
  placeQuery,
  requiredAt,
  textOf,
  type Wanted,
} from './suggestion.ts'

/** What a thread is opened on. */
export interface Anchored {
  /** The place of the line. */
  readonly pointer: string
  /** The version that has it, where that is what the draft is compared with; null: the draft. */
  readonly base: string | null
}

/** Writes another value or another name for a place, beginning with what it has now, and shows what differs. */
const Suggestion = ({
  place,
  wanted,
  onChange,
}: {
  place: DocumentPlace
  wanted: Wanted
  onChange: (wanted: Wanted) => void
}) => {
  const present = { name: nameOf(place.pointer), value: place.is_long ? '' : textOf(place.value) }
  const [before, after] = [linesOf(place, present), linesOf(place, wanted)]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {place.is_named ? (
        <Field
          label="Suggested name"
          spellCheck={false}
          value={wanted.name}
          onChange={(event) => onChange({ ...wanted, name: event.target.value })}
        />
      ) : null}
      {place.is_long ? (
        <p className="text-sm text-soft">Its value is too long for a field: choose a part of it, or edit the draft.</p>
      ) : (
        <TextField
          label="Suggested value"
          hint="JSON; anything else is a text."
          spellCheck={false}
          rows={Math.min(12, Math.max(2, wanted.value.split('\n').length))}
          className="font-mono text-xs"
          value={wanted.value}
          onChange={(event) => onChange({ ...wanted, value: event.target.value })}
        />
      )}
      {before === after ? (
        <p className="text-sm text-soft">This is what it has now: change it to suggest something.</p>
      ) : (
        <div className="rounded-md border">
          <DiffLines label="What the suggestion changes" before={before} after={after} />
        </div>
      )}
    </div>
  )
}

/** A suggestion that is being written. */
interface SuggestionDraft {
  readonly chosen: string
  readonly suggests: boolean
  readonly written: Wanted | null
}
const drafts = new Map<string, SuggestionDraft>()

/** The comment that opens a thread on a place, and what it suggests there. */
const useNewThread = (at: VersionRef, { pointer, base }: Anchored, onDone: (thread: string | null) => void) => {
  const about = [at.tenant, at.project, at.version, base ?? '', pointer].join(' ')
  const [{ chosen, suggests, written }, setDraft] = useState<SuggestionDraft>(
    () => drafts.get(about) ?? { chosen: pointer, suggests: false, written: null },
  )
  // Like the comment: a part of the page that leaves the screen is not drawn any more.
  const keep = (next: SuggestionDraft | null): void => {
    if (next === null) drafts.delete(about)
    else {
      drafts.set(about, next)
      setDraft(next)
    }
  }
  const place = useQuery({ ...placeQuery(at, chosen), enabled: suggests })
  const present = place.data
    ? { name: nameOf(chosen), value: place.data.is_long ? '' : textOf(place.data.value) }
    : null
  const wanted = written ?? present
  const isChanged =
    present !== null && wanted !== null && (wanted.name !== present.name || wanted.value !== present.value)
  const { set, ...form } = useForm({ body: unsentText(about) }, async ({ body }) => {
    const patch = suggests && place.data && wanted ? patchOf(place.data, wanted, await requiredAt(at, chosen)) : []
    const opened = await call(threadsApi.open, {
      params: versionParams(at),
      body: {
        anchor: { pointer: chosen, ...(base === null ? {} : { version: base }) },
        // What is suggested says what is meant.
        body: body.trim() === '' ? 'Suggested change' : body,
        ...(patch.length > 0 ? { suggestion: { patch } } : {}),
      },
    })
    write('')
    keep(null)
    await refreshThreads(at)
    onDone(opened.id)
  })
  const write = (next: string): void => {
    keepUnsent(about, next)
    set({ body: next })
  }
  return {
    ...form,
    write,
    place,
    wanted,
    suggests,
    isReady: suggests ? isChanged : form.values.body.trim() !== '',
    choose: (next: string): void => keep({ chosen: next, suggests, written: null }),
    suggest: (on: boolean): void => keep({ chosen, suggests: on, written }),
    want: (next: Wanted): void => keep({ chosen, suggests, written: next }),
    forget: (): void => {
      write('')
      keep(null)
    },
    chosen,
  }
}

/** A thread that is being written, on the place of a line or on something around it. */
export const NewThread = ({
  at,
  on,
  onDone,
}: {
  at: VersionRef
  on: Anchored
  /** Called with the thread that was opened; null where it was given up. */
  onDone: (thread: string | null) => void
}) => {
  const thread = useNewThread(at, on, onDone)
  const { body } = thread.values
  const giveUp = (): void => {
    thread.forget()
    onDone(null)
  }
  return (
    <div
      role="group"
      aria-label="New thread"
      className="card grid grid-cols-[minmax(0,1fr)] gap-3 border-accent p-3 font-sans"
      onKeyDown={(event) => {
        // Not where something was written: Escape must not throw it away.
        if (event.key === 'Escape' && body === '') onDone(null)
      }}
    >
      <Form change={thread} submit="Open the thread" disabled={!thread.isReady} onCancel={giveUp}>
        <CommentField
          tenant={at.tenant}
          label="Comment"
          value={body}
          onChange={thread.write}
          onSend={() => {
            if (thread.isReady) thread.mutate()
          }}
          autoFocus
        />
        <SelectField
          label="About"
          value={thread.chosen}
          options={placesAround(on.pointer).map((value) => ({ value, name: placeName(value) }))}
          onChange={thread.choose}
        />
        {thread.chosen === '' || on.base !== null ? null : (
          <CheckField checked={thread.suggests} onChange={thread.suggest}>
            Suggest a change of it
          </CheckField>
        )}
        {thread.suggests && thread.chosen !== '' ? (
          <Read query={thread.place} what="what it has now">
            {(place) =>
              thread.wanted === null ? null : <Suggestion place={place} wanted={thread.wanted} onChange={thread.want} />
            }
          </Read>
        ) : null}
      </Form>
    </div>
  )
}
