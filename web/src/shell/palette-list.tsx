import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { count } from '../parts/count.ts'
import { useNotIndexed } from './catalog-choices.ts'
import type { Choice } from './choice.ts'
import { ChoiceIcon } from './choice-icon.tsx'
import { useChoices } from './choices.ts'

const KeyHint = ({ keys, what }: { keys: readonly string[]; what: string }) => (
  <span>
    {keys.map((key) => (
      <kbd key={key} className="mr-1 rounded border px-1 font-sans">
        {key}
      </kbd>
    ))}
    {what}
  </span>
)

/** The destinations that match what was typed into the command palette. */
export const Destinations = ({
  list,
  text,
  keys,
  onActive,
  onDone,
}: {
  /** The id of the list, which the field names. */
  list: string
  text: string
  /** Gets what the keys of the field do here. */
  keys: RefObject<(event: KeyboardEvent) => void>
  /** Called with the place of the marked destination; null where nothing matches. */
  onActive: (active: number | null) => void
  onDone: () => void
}) => {
  const [active, setActive] = useState(0)
  const choices = useChoices(text)
  const notIndexed = useNotIndexed(text)
  useEffect(() => setActive(0), [text])
  const marked = choices.length > 0 ? active : null
  useEffect(() => onActive(marked), [onActive, marked])
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return
    onDone()
    choice.go()
  }
  useLayoutEffect(() => {
    keys.current = (event) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0 && choices.length > 0) {
        event.preventDefault()
        const next = (active + step + choices.length) % choices.length
        setActive(next)
        document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
      }
      if (event.key === 'Enter') {
        event.preventDefault()
        choose(choices[active])
      }
    }
  })
  return (
    <>
      <ul id={list} role="listbox" aria-label="Destinations" className="max-h-[50vh] overflow-auto p-1">
        {choices.map((choice, index) => (
          <li
            key={choice.group + choice.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            className="flex items-baseline gap-3 rounded-md px-3 py-1.5 aria-selected:bg-wash"
            onMouseMove={() => setActive(index)}
            onClick={() => choose(choice)}
          >
            <ChoiceIcon group={choice.group} />
            <span className="min-w-0 grow truncate">{choice.name}</span>
            {/* Where there is little room, what says more gives way to the name and the kind. */}
            {choice.detail ? (
              <span className="min-w-0 shrink-[99999] truncate text-xs text-soft">{choice.detail}</span>
            ) : null}
            <span className="max-w-[40%] shrink-0 truncate text-xs text-soft">{choice.group}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 ? (
        <p role="status" className="px-4 pb-4 text-soft">
          No matches.
        </p>
      ) : null}
      {notIndexed > 0 ? (
        <p role="status" className="border-t px-4 py-2 text-xs text-soft">
          {count(notIndexed, 'older version is', 'older versions are')} still being indexed and cannot be found yet.
        </p>
      ) : null}
      {/* Only where there are such keys. */}
      <p aria-hidden="true" className="hidden gap-4 border-t px-4 py-2 text-xs text-soft sm:flex">
        <KeyHint keys={['↑', '↓']} what="to select" />
        <KeyHint keys={['Enter']} what="to open" />
        <KeyHint keys={['Esc']} what="to close" />
      </p>
    </>
  )
}
