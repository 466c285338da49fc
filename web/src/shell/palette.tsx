import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { type Choice, useChoices } from './choices.ts'

const Search = ({ onDone }: { onDone: () => void }) => {
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

/** The command palette: Ctrl K or ⌘ K, type, Enter. */
export const Palette = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="card fixed top-[8vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1rem))] -translate-x-1/2 overflow-hidden shadow-2xl sm:top-[12vh]">
        <Dialog.Title className="sr-only">Go to</Dialog.Title>
        <Search onDone={() => onOpenChange(false)} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
