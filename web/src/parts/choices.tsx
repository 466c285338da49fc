import { Switch as Base } from '@base-ui/react/switch'

/** A row of buttons of which at most one is pressed: a filter with its counts. */
export const Choices = ({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: string | null
  choices: readonly { readonly value: string; readonly name: string; readonly count?: number }[]
  onChange: (value: string | null) => void
}) => (
  // One row: on a telephone it scrolls sideways.
  <div
    role="group"
    aria-label={label}
    className="flex flex-wrap gap-1.5 max-md:max-w-full max-md:flex-nowrap max-md:overflow-x-auto max-md:[scrollbar-width:none] max-md:*:shrink-0 print:hidden"
  >
    {choices.map((choice) => (
      <button
        key={choice.value}
        type="button"
        aria-pressed={value === choice.value}
        onClick={() => onChange(value === choice.value ? null : choice.value)}
        className="min-h-8 rounded-lg border border-bound bg-float px-2.5 py-1 text-sm text-soft hover:bg-raised aria-pressed:border-edge aria-pressed:bg-wash aria-pressed:text-ink"
      >
        {choice.name}
        {choice.count === undefined ? null : (
          <>
            {' '}
            <span className="ml-1 text-soft tabular-nums">{choice.count.toLocaleString()}</span>
          </>
        )}
      </button>
    ))}
  </div>
)

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
