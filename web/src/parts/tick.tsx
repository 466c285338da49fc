/** A check box above the link that a row is; the keyboard and Shift select like the mouse, and Enter leads to the actions. */
export const Tick = ({
  label,
  checked,
  mixed = false,
  onClick,
  onEnter,
}: {
  label: string
  checked: boolean
  mixed?: boolean
  onClick: (withShift: boolean) => void
  /** Gives the focus to the actions. */
  onEnter: () => void
}) => (
  <input
    type="checkbox"
    className="relative z-10 size-4 align-middle print:hidden"
    aria-label={label}
    checked={checked}
    ref={(box) => {
      if (box) box.indeterminate = mixed
    }}
    onClick={(event) => onClick(event.shiftKey)}
    onKeyDown={(event) => {
      if (event.key !== 'Enter') return
      // Or this same key would press the button that gets the focus.
      event.preventDefault()
      onEnter()
    }}
    // The click decides: it knows whether Shift is held.
    onChange={() => {}}
  />
)
