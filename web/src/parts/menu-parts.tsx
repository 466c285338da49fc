import { Menu as Base } from '@base-ui/react/menu'
import { Check, ChevronDown, ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

/** A menu that was asked for while its code was fetched opens as by the keyboard: with its first item. */
const focusFirst = (popup: HTMLElement | null): void => {
  if (popup !== null)
    setTimeout(() => {
      if (document.activeElement === popup) popup.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    }, 50)
}

/** The menu itself, once its code is there: arrow keys move in it, Escape closes it. */
export const OpenMenu = ({
  align,
  label,
  trigger,
  isOpen,
  hasFocus,
  children,
}: {
  align: 'start' | 'end'
  label: ReactNode
  /** What its button looks like. */
  trigger: string
  /** Whether it was asked for while its code was fetched. */
  isOpen: boolean
  hasFocus: boolean
  children: ReactNode
}) => (
  <Base.Root modal={false} defaultOpen={isOpen}>
    <Base.Trigger autoFocus={hasFocus} className={trigger}>
      {label}
      <ChevronDown size={14} className="shrink-0" aria-hidden="true" />
    </Base.Trigger>
    <Base.Portal>
      <Base.Positioner align={align} sideOffset={6} collisionPadding={8} className="z-50">
        <Base.Popup
          ref={isOpen ? focusFirst : undefined}
          className="float grid max-h-[var(--available-height)] w-60 max-w-[var(--available-width)] overflow-auto p-1 outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

const itemClass =
  'flex items-center gap-2 rounded-md px-3 py-1.5 text-left text-sm outline-none data-highlighted:bg-raised'

export const MenuItem = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Base.Item onClick={onClick} className={itemClass}>
    <span className="min-w-0 break-words">{children}</span>
  </Base.Item>
)

/** A link to a page outside the application, in a new tab. */
export const MenuLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Base.LinkItem href={href} target="_blank" rel="noreferrer" closeOnClick className={itemClass}>
    <span className="min-w-0 grow break-words">{children}</span>
    <ExternalLink size={14} className="shrink-0 text-soft" aria-label="(opens in a new tab)" />
  </Base.LinkItem>
)

/** A choice of one among several inside a menu; the chosen one has a mark. */
export const MenuChoice = <T extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  label: string
  value: T
  options: readonly { readonly value: T; readonly name: string }[]
  onChoose: (value: T) => void
}) => (
  <Base.RadioGroup aria-label={label} value={value} onValueChange={(next: T) => onChoose(next)}>
    {options.map((option) => (
      <Base.RadioItem key={option.value} value={option.value} closeOnClick className={itemClass}>
        <span className="inline-flex w-4 shrink-0">
          <Base.RadioItemIndicator>
            <Check size={15} aria-hidden="true" />
          </Base.RadioItemIndicator>
        </span>
        <span className="min-w-0 break-words">{option.name}</span>
      </Base.RadioItem>
    ))}
  </Base.RadioGroup>
)

export const MenuLine = () => <Base.Separator className="my-1 border-t" />
