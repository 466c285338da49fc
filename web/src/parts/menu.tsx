import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import type * as Parts from './menu-parts.tsx'

/** The code of menus, which comes over the wire when the first of them is reached: no page needs it to be drawn. */
let parts: typeof Parts | null = null
const readParts = async (): Promise<typeof Parts> => (parts ??= await import('./menu-parts.tsx'))

/** A button that opens a menu: arrow keys move in it, Escape closes it. */
export const Menu = ({
  align,
  label,
  look = 'quiet',
  children,
}: {
  align: 'start' | 'end'
  label: ReactNode
  look?: 'quiet' | 'plain'
  children: ReactNode
}) => {
  const button = useRef<HTMLButtonElement>(null)
  const isWanted = useRef(false)
  // A button that is replaced while it is pressed would not be clicked.
  const isPressed = useRef(false)
  const [full, setFull] = useState<{ readonly hasFocus: boolean; readonly isOpen: boolean } | null>(() =>
    parts === null ? null : { hasFocus: false, isOpen: false },
  )
  const fetchParts = (): void =>
    // Where it fails, the next touch tries again.
    void readParts().then(
      () =>
        isPressed.current
          ? undefined
          : setFull({ hasFocus: document.activeElement === button.current, isOpen: isWanted.current }),
      () => undefined,
    )
  const open = (): void => {
    isWanted.current = true
    isPressed.current = false
    fetchParts()
  }
  const trigger = `inline-flex min-h-8 max-w-full min-w-0 items-center gap-1.5 rounded-lg text-sm hover:bg-raised print:hidden ${look === 'plain' ? 'border border-bound bg-float px-3 font-medium' : 'px-2'}`
  if (full !== null && parts !== null)
    return (
      <parts.OpenMenu align={align} label={label} trigger={trigger} {...full}>
        {children}
      </parts.OpenMenu>
    )
  return (
    <button
      ref={button}
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={trigger}
      onPointerEnter={fetchParts}
      onFocus={fetchParts}
      onPointerDown={() => {
        isPressed.current = true
      }}
      onPointerLeave={() => {
        isPressed.current = false
      }}
      onClick={open}
      onKeyDown={(event) => (event.key === 'ArrowDown' ? open() : undefined)}
    >
      {label}
      <ChevronDown size={14} className="shrink-0" aria-hidden="true" />
    </button>
  )
}

// What is in a menu is drawn when it is open, so its code is there.

export const MenuItem = (given: ComponentProps<typeof Parts.MenuItem>) =>
  parts === null ? null : <parts.MenuItem {...given} />

/** A link to a page outside the application, in a new tab. */
export const MenuLink = (given: ComponentProps<typeof Parts.MenuLink>) =>
  parts === null ? null : <parts.MenuLink {...given} />

/** A choice of one among several inside a menu; the chosen one has a mark. */
export const MenuChoice = <T extends string>(given: {
  label: string
  value: T
  options: readonly { readonly value: T; readonly name: string }[]
  onChoose: (value: T) => void
}) => (parts === null ? null : <parts.MenuChoice {...given} />)

export const MenuLine = () => (parts === null ? null : <parts.MenuLine />)
