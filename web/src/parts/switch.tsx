import { Switch as Base } from '@base-ui/react/switch'

/** A setting that is on or off and changes at once. */
export const Switch = ({
  label,
  of,
  on,
  disabled = false,
  title,
  onChange,
}: {
  label: string
  /** What it belongs to, for people who hear it without its row. */
  of: string
  on: boolean
  disabled?: boolean
  title?: string
  onChange: (on: boolean) => void
}) => (
  <label
    title={title === '' ? undefined : title}
    className={`inline-flex min-h-9 items-center gap-2 rounded-lg px-2 text-sm ${disabled ? 'opacity-60' : 'cursor-pointer'}`}
  >
    <Base.Root
      checked={on}
      disabled={disabled}
      aria-label={`${label}: ${of}`}
      onCheckedChange={onChange}
      className="flex h-5 w-9 items-center rounded-full border border-edge bg-raised p-0.5 data-checked:border-accent data-checked:bg-accent data-disabled:cursor-not-allowed"
    >
      <Base.Thumb className="size-3.5 rounded-full bg-edge data-checked:translate-x-3.5 data-checked:bg-on-accent" />
    </Base.Root>
    {label}
  </label>
)
