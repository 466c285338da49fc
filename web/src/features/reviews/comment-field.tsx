import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { membersQuery } from '../members/queries.ts'
import { insertMention, type Typed, typedMention } from './mention.ts'

const mostShown = 6

/** The members whose name matches what is typed, the first few. Only active members can view what a comment is about. */
const useCandidates = (tenant: string, typed: Typed | null) => {
  const found = useQuery({
    ...membersQuery(tenant, typed?.text ?? '', 0),
    enabled: typed !== null,
    placeholderData: keepPreviousData,
  })
  return typed === null ? [] : (found.data?.items ?? []).filter((it) => it.status === 'active').slice(0, mostShown)
}

const keySteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The mention that is typed in a field, and the members that it may be of. */
const useMentions = (
  tenant: string,
  {
    area,
    value,
    isOff,
    onChange,
  }: {
    area: RefObject<HTMLTextAreaElement | null>
    value: string
    isOff: boolean
    onChange: (value: string) => void
  },
) => {
  const [typed, setTyped] = useState<Typed | null>(null)
  const [chosen, setChosen] = useState(0)
  const candidates = useCandidates(tenant, isOff ? null : typed)
  const read = (): void => {
    const { current } = area
    if (current === null) return
    const next =
      current.selectionStart === current.selectionEnd ? typedMention(current.value, current.selectionStart) : null
    if (next?.start !== typed?.start || next?.text !== typed?.text) setChosen(0)
    setTyped(next)
  }
  const close = (): void => setTyped(null)
  const choose = (index: number): void => {
    const member = candidates[index]
    if (typed === null || member === undefined) return
    const next = insertMention(value, typed, member)
    onChange(next.text)
    close()
    // The caret can only be set once the field shows the new text.
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(next.caret, next.caret)
    })
  }
  const onKey = (event: KeyboardEvent): void => {
    if (candidates.length === 0) return
    const step = keySteps[event.key]
    if (step !== undefined) setChosen((before) => (before + step + candidates.length) % candidates.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { candidates, chosen, read, close, choose, onKey }
}

/** The members that a mention may be of. The field keeps the focus. */
const MentionList = ({ id, mentions }: { id: string; mentions: ReturnType<typeof useMentions> }) =>
  mentions.candidates.length === 0 ? null : (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label="Members to mention"
      className="rounded-lg border bg-surface p-1 shadow-lg"
    >
      {mentions.candidates.map((candidate, index) => (
        <li
          key={candidate.user_id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === mentions.chosen}
          className="flex flex-wrap items-baseline gap-x-2 rounded-md px-2.5 py-1 text-sm hover:bg-raised aria-selected:bg-wash"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => mentions.choose(index)}
        >
          <span className="min-w-0 wrap-anywhere">{candidate.name}</span>
          <span className="min-w-0 text-xs wrap-anywhere text-soft">{candidate.email}</span>
        </li>
      ))}
    </ul>
  )

const tab =
  'rounded-md px-2.5 py-1 text-sm hover:bg-raised aria-pressed:bg-wash aria-pressed:font-medium aria-pressed:text-accent'

const ViewTabs = ({
  label,
  preview,
  onPreview,
}: {
  label: string
  preview: boolean
  onPreview: (preview: boolean) => void
}) => (
  <div role="group" aria-label={`View of: ${label}`} className="flex gap-1">
    <button type="button" className={tab} aria-pressed={!preview} onClick={() => onPreview(false)}>
      Write
    </button>
    <button type="button" className={tab} aria-pressed={preview} onClick={() => onPreview(true)}>
      Preview
    </button>
  </div>
)

const Preview = ({ label, text }: { label: string; text: string }) => (
  <div role="group" aria-label={`Preview of: ${label}`} className="min-h-20 rounded-lg border p-3">
    {text.trim() === '' ? <p className="text-soft">Nothing to preview.</p> : <Markdown text={text} />}
  </div>
)

/**
 * A comment in Markdown, with a preview. "@" offers members to mention: arrow keys move, Enter or Tab chooses, Escape closes
 * the list. Control and Enter send.
 */
export const CommentField = ({
  tenant,
  label,
  value,
  onChange,
  onSend,
  autoFocus = false,
  error,
}: {
  tenant: string
  label: string
  value: string
  onChange: (value: string) => void
  onSend: () => void
  autoFocus?: boolean
  error?: string | undefined
}) => {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [preview, setPreview] = useState(false)
  const mentions = useMentions(tenant, { area, value, isOff: preview, onChange })
  const { candidates, chosen, read } = mentions
  useEffect(() => {
    if (autoFocus) area.current?.focus({ preventScroll: true })
  }, [autoFocus])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return mentions.onKey(event)
    event.preventDefault()
    onSend()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <ViewTabs label={label} preview={preview} onPreview={setPreview} />
      </div>
      {preview ? <Preview label={label} text={value} /> : null}
      <textarea
        ref={area}
        id={id}
        rows={3}
        hidden={preview}
        className="field"
        value={value}
        aria-describedby={`${id}-hint`}
        aria-invalid={error ? true : undefined}
        aria-autocomplete="list"
        aria-controls={candidates.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={candidates.length > 0 ? `${id}-${chosen}` : undefined}
        onChange={(event) => {
          onChange(event.target.value)
          read()
        }}
        onKeyDown={onKeyDown}
        onSelect={read}
        onBlur={mentions.close}
      />
      <MentionList id={id} mentions={mentions} />
      <p id={`${id}-hint`} className="text-xs text-soft">
        Markdown; “@” mentions a member.
        <span role="status" className="sr-only">
          {candidates.length > 0 ? ` ${candidates.length} members; arrow keys move, Enter chooses.` : ''}
        </span>
      </p>
      {error ? <p className="text-sm text-danger">{error}</p> : null}
    </div>
  )
}

/** Comments that are being written, by what they are about: a part of the source that leaves the screen is not drawn any more. */
const unsent = new Map<string, string>()

export const unsentText = (about: string): string => unsent.get(about) ?? ''

/** Keeps what is written until it is sent; an empty text is forgotten. */
export const keepUnsent = (about: string, text: string): void => {
  if (text === '') unsent.delete(about)
  else unsent.set(about, text)
}
