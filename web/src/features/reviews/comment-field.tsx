import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { membersQuery } from '../members/queries.ts'
import { insertMention, typedMention, type Typed } from './mention.ts'

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

const tab =
  'rounded-md px-2.5 py-1 text-sm hover:bg-raised aria-pressed:bg-wash aria-pressed:font-medium aria-pressed:text-accent'

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
  const [typed, setTyped] = useState<Typed | null>(null)
  const [chosen, setChosen] = useState(0)
  const candidates = useCandidates(tenant, preview ? null : typed)
  useEffect(() => {
    if (autoFocus) area.current?.focus({ preventScroll: true })
  }, [autoFocus])
  const look = (): void => {
    const { current } = area
    if (current === null) return
    const next =
      current.selectionStart === current.selectionEnd ? typedMention(current.value, current.selectionStart) : null
    if (next?.start !== typed?.start || next?.text !== typed?.text) setChosen(0)
    setTyped(next)
  }
  const mention = (at: number): void => {
    const member = candidates[at]
    if (typed === null || member === undefined) return
    const next = insertMention(value, typed, member)
    onChange(next.text)
    setTyped(null)
    // The caret can only be set once the field shows the new text.
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(next.caret, next.caret)
    })
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return onSend()
    }
    if (candidates.length === 0) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setChosen((before) => (before + step + candidates.length) % candidates.length)
    else if (event.key === 'Enter' || event.key === 'Tab') mention(chosen)
    else if (event.key === 'Escape') setTyped(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <div role="group" aria-label={`View of: ${label}`} className="flex gap-1">
          <button type="button" className={tab} aria-pressed={!preview} onClick={() => setPreview(false)}>
            Write
          </button>
          <button type="button" className={tab} aria-pressed={preview} onClick={() => setPreview(true)}>
            Preview
          </button>
        </div>
      </div>
      {preview ? (
        <div role="group" aria-label={`Preview of: ${label}`} className="min-h-20 rounded-lg border p-3">
          {value.trim() === '' ? <p className="text-soft">Nothing to preview.</p> : <Markdown text={value} />}
        </div>
      ) : null}
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
          look()
        }}
        onKeyDown={onKey}
        onSelect={look}
        onBlur={() => setTyped(null)}
      />
      {candidates.length > 0 ? (
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label="Members to mention"
          className="rounded-lg border bg-surface p-1 shadow-lg"
        >
          {candidates.map((it, at) => (
            <li
              key={it.user_id}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === chosen}
              className="flex flex-wrap items-baseline gap-x-2 rounded-md px-2.5 py-1 text-sm hover:bg-raised aria-selected:bg-wash"
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => mention(at)}
            >
              <span className="min-w-0 wrap-anywhere">{it.name}</span>
              <span className="min-w-0 text-xs wrap-anywhere text-soft">{it.email}</span>
            </li>
          ))}
        </ul>
      ) : null}
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
