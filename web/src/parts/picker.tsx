import { ChevronsUpDown } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'

export interface Pickable {
  readonly value: string
  readonly name: string
  /** What tells it from others of a like name. */
  readonly detail?: string
}

/**
 * One of many, found by typing (the combobox pattern of ARIA): arrow keys move, Enter takes, Escape leaves what was
 * chosen before. Where `onSearch` is given, whoever uses it brings the options that fit; else they are sifted here.
 */
export const Picker = ({
  label,
  value,
  options,
  onChoose,
  onSearch,
  placeholder,
  disabled = false,
}: {
  label: string
  /** The chosen value; "" while there is none. */
  value: string
  options: readonly Pickable[]
  onChoose: (value: string) => void
  onSearch?: (text: string) => void
  placeholder?: string
  disabled?: boolean
}) => {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  /** What is typed while the list is open; null while it is closed. */
  const [text, setText] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const chosen = options.find((it) => it.value === value)
  const wanted = (text ?? '').toLowerCase()
  const fitting = onSearch
    ? options
    : options.filter((it) => `${it.name} ${it.value} ${it.detail ?? ''}`.toLowerCase().includes(wanted))
  const open = text !== null
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active, open])
  const type = (next: string): void => {
    setText(next)
    setActive(0)
    onSearch?.(next)
  }
  const begin = (): void => {
    if (open || disabled) return
    type('')
    setActive(
      Math.max(
        0,
        options.findIndex((it) => it.value === value),
      ),
    )
  }
  const take = (option: Pickable | undefined): void => {
    if (!option) return
    setText(null)
    if (option.value !== value) onChoose(option.value)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!open) begin()
      else if (fitting.length > 0) setActive((active + step + fitting.length) % fitting.length)
    }
    if (event.key === 'Enter' && open) {
      event.preventDefault()
      take(fitting[active])
    }
    if (event.key === 'Escape' && open) {
      // A dialog around it stays.
      event.stopPropagation()
      setText(null)
    }
  }
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative min-w-0">
        <input
          id={id}
          className="field pr-8 text-ellipsis"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && fitting.length > 0 ? `${id}-${active}` : undefined}
          placeholder={open && chosen ? chosen.name : placeholder}
          value={text ?? chosen?.name ?? value}
          onChange={(event) => type(event.target.value)}
          onClick={begin}
          onKeyDown={onKeyDown}
          onBlur={() => setText(null)}
        />
        <ChevronsUpDown
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 right-2.5 text-soft"
        />
        <ul
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={`Choices: ${label}`}
          hidden={!open || fitting.length === 0}
          // The field keeps the focus: pressing an option must not end the choosing.
          onMouseDown={(event) => event.preventDefault()}
          className="card absolute! top-full right-0 left-0 z-30 mt-1 max-h-64 overflow-auto p-1 shadow-lg"
        >
          {fitting.map((option, index) => (
            <li
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className="flex items-baseline justify-between gap-3 rounded-md px-2.5 py-1.5 text-sm aria-selected:bg-wash"
              onMouseMove={() => setActive(index)}
              onClick={() => take(option)}
            >
              <span className="min-w-0 truncate">{option.name}</span>
              {option.detail ? <span className="shrink-0 text-xs text-soft">{option.detail}</span> : null}
            </li>
          ))}
        </ul>
        {open && fitting.length === 0 ? (
          <p
            role="status"
            className="card absolute! top-full right-0 left-0 z-30 mt-1 px-3 py-2 text-sm text-soft shadow-lg"
          >
            Nothing fits.
          </p>
        ) : null}
      </div>
    </div>
  )
}
