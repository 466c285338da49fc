import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { type Choice, useChoices } from './choices.ts'

/** What the command palette holds: a field and the destinations that match. */
export const PaletteSearch = ({ onDone }: { onDone: () => void }) => {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const choices = useChoices(text)
  const list = useId()
  useEffect(() => setActive(0), [text])
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return
    onDone()
    choice.go()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
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
  return (
    <>
      <input
        className="w-full border-b bg-surface px-4 py-3 -outline-offset-2"
        role="combobox"
        aria-label="Go to a project, version, type, page or action"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${list}-${active}` : undefined}
        placeholder="Go to a project, version, type, page or action"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        // Its code comes after the dialog has opened, which has placed the focus by then.
        autoFocus
      />
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
            <span className="min-w-0 grow truncate">{choice.name}</span>
            <span className="min-w-0 truncate text-xs text-soft">
              {choice.detail ? `${choice.detail} · ` : ''}
              {choice.group}
            </span>
          </li>
        ))}
      </ul>
      {choices.length === 0 ? (
        <p role="status" className="px-4 pb-4 text-soft">
          No matches.
        </p>
      ) : null}
    </>
  )
}
