import { useState } from 'react'
import { threadsApi } from '../../../../src/api/threads.ts'
import { call } from '../../call.ts'
import { CheckField, Form, SelectField, TextField, useForm } from '../../parts/form.tsx'
import { versionParams, type VersionRef } from '../versions/queries.ts'
import { CommentField } from './comment-field.tsx'
import { placeName, placesAround } from './marks.ts'
import { refreshThreads } from './queries.ts'
import { keepUnsent, unsentText } from './unsent.ts'

/** A value as it is typed: JSON, or else the text itself. */
const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A thread that is being written, on the place of a line or on something around it. */
export const NewThread = ({
  at,
  pointer,
  onDone,
}: {
  at: VersionRef
  /** The place of the line. */
  pointer: string
  /** Called with the thread that was opened; null where it was given up. */
  onDone: (thread: string | null) => void
}) => {
  const about = [at.tenant, at.project, at.version, pointer].join(' ')
  const [place, setPlace] = useState(pointer)
  const [suggests, setSuggests] = useState(false)
  const { bind, set, ...change } = useForm({ body: unsentText(about), value: '' }, async ({ body, value }) => {
    const patch = [{ op: 'replace' as const, path: place, value: valueOf(value) }]
    const opened = await call(threadsApi.open, {
      params: versionParams(at),
      body: { anchor: { pointer: place }, body, ...(suggests ? { suggestion: { patch } } : {}) },
    })
    write('')
    await refreshThreads(at)
    onDone(opened.id)
  })
  const { body } = change.values
  const write = (next: string): void => {
    keepUnsent(about, next)
    set({ body: next })
  }
  const giveUp = (): void => {
    write('')
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
      <Form change={change} submit="Open the thread" disabled={body.trim() === ''} onCancel={giveUp}>
        <CommentField
          tenant={at.tenant}
          label="Comment"
          value={body}
          onChange={write}
          onSend={change.mutate}
          autoFocus
        />
        <SelectField
          label="About"
          value={place}
          options={placesAround(pointer).map((value) => ({ value, name: placeName(value) }))}
          onChange={setPlace}
        />
        {place === '' ? null : (
          <CheckField checked={suggests} onChange={setSuggests}>
            Suggest another value for it
          </CheckField>
        )}
        {suggests && place !== '' ? (
          <TextField
            label="Suggested value"
            hint="JSON; anything else is a text."
            spellCheck={false}
            className="font-mono text-xs"
            {...bind('value')}
          />
        ) : null}
      </Form>
    </div>
  )
}
