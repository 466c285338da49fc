import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

/**
 * A button that shows what belongs to it: plain links and buttons in the order of the page, so that the Tab key reaches
 * them; the arrow keys do too. Escape, leaving it, and choosing something close it.
 */
export const Dropdown = ({
  align,
  label,
  look = 'quiet',
  children,
}: {
  align: 'left' | 'right'
  label: ReactNode
  look?: 'quiet' | 'plain'
  children: ReactNode
}) => {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [open])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && open) {
      setOpen(false)
      button.current?.focus()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    if (!open) return setOpen(true)
    const stops = [...(root.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
    const now = stops.findIndex((it) => it === document.activeElement)
    stops[(now + step + stops.length) % stops.length]?.focus()
  }
  return (
    <div
      ref={root}
      className="relative min-w-0"
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className={`inline-flex min-h-9 max-w-full min-w-0 items-center gap-1.5 rounded-lg text-sm hover:bg-raised ${look === 'plain' ? 'border border-edge bg-surface px-3.5 font-medium' : 'px-2'}`}
      >
        {label}
        <ChevronDown size={14} className="shrink-0" aria-hidden="true" />
      </button>
      {open ? (
        <div
          id={id}
          className={`card absolute! top-full z-50 mt-1.5 grid max-h-[calc(100dvh-4rem)] w-60 max-w-[calc(100vw-7rem)] overflow-auto p-1 shadow-lg ${align === 'left' ? 'left-0' : 'right-0'}`}
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('button, a')) setOpen(false)
          }}
        >
          {children}
        </div>
      ) : null}
    </div>
  )
}

const itemClass = 'flex items-center gap-2 rounded-md px-3 py-1.5 text-left text-sm -outline-offset-2 hover:bg-raised'

/** Something to choose in it; `on` marks the one of several that holds now. */
export const DropdownItem = ({ on, onClick, children }: { on?: boolean; onClick: () => void; children: ReactNode }) => (
  <button type="button" aria-pressed={on} onClick={onClick} className={itemClass}>
    {on === undefined ? null : (
      <span aria-hidden="true" className="w-4 shrink-0">
        {on ? '✓' : ''}
      </span>
    )}
    <span className="min-w-0 break-words">{children}</span>
  </button>
)

export const DropdownLine = () => <hr className="my-1" />
