/** Something that is on or off, and is switched at once. */
export const Switch = ({
  label,
  of,
  on,
  disabled = false,
  title,
  onChange,
}: {
  label: string
  /** What it belongs to, for those who hear it alone. */
  of: string
  on: boolean
  disabled?: boolean
  title?: string
  onChange: (on: boolean) => void
}) => (
  <button
    type="button"
    role="switch"
    aria-checked={on}
    aria-label={`${label}: ${of}`}
    disabled={disabled}
    title={title === '' ? undefined : title}
    onClick={() => onChange(!on)}
    className="inline-flex min-h-9 items-center gap-2 rounded-lg px-2 text-sm disabled:cursor-not-allowed disabled:opacity-60"
  >
    <span
      aria-hidden="true"
      className={`flex h-5 w-9 items-center rounded-full border p-0.5 ${on ? 'justify-end border-accent bg-accent' : 'justify-start border-edge bg-raised'}`}
    >
      <span className={`size-3.5 rounded-full ${on ? 'bg-on-accent' : 'bg-edge'}`} />
    </span>
    {label}
  </button>
)
