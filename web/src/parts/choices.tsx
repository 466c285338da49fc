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
  <div role="group" aria-label={label} className="flex flex-wrap gap-1.5 print:hidden">
    {choices.map((choice) => (
      <button
        key={choice.value}
        type="button"
        aria-pressed={value === choice.value}
        onClick={() => onChange(value === choice.value ? null : choice.value)}
        className="rounded-full border border-edge bg-surface px-3 py-1 text-sm hover:bg-raised aria-pressed:border-accent aria-pressed:bg-wash aria-pressed:text-accent"
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
