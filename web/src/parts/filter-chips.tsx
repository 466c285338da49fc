import { useId } from 'react'

const look = 'min-h-8 rounded-lg border border-bound bg-float text-sm text-soft hover:bg-raised print:hidden'
const pressed = 'border-edge bg-wash text-ink'

interface FilterOption {
  readonly value: string
  readonly name: string
  /** How many it leaves. */
  readonly count?: number
}

/**
 * A filter with many values, as a chip: until one is chosen it shows what it is about. One that always has a value (an order, a period)
 * has no `all`.
 */
export const FilterSelect = ({
  label,
  value,
  options,
  all = label,
  onChange,
}: {
  label: string
  value: string
  options: readonly FilterOption[]
  /** What it says while nothing is chosen; null where something always is. */
  all?: string | null
  onChange: (value: string) => void
}) => {
  const isKnown = value === '' || options.some((it) => it.value === value)
  return (
    <select
      aria-label={label}
      title={label}
      className={`${look} max-w-52 shrink-0 [field-sizing:content] truncate py-1 pr-1 pl-2.5 ${value === '' || all === null ? '' : pressed}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {all === null ? null : <option value="">{all}</option>}
      {isKnown ? null : <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
          {option.count === undefined ? '' : ` (${option.count.toLocaleString()})`}
        </option>
      ))}
    </select>
  )
}

/** A filter by a day or a moment, as a chip. */
export const FilterDate = ({
  label,
  type = 'date',
  value,
  onChange,
}: {
  label: string
  type?: 'date' | 'datetime-local'
  value: string
  onChange: (value: string) => void
}) => {
  const id = useId()
  return (
    <span className={`${look} inline-flex shrink-0 items-center gap-1.5 px-2.5 ${value === '' ? '' : pressed}`}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        className="min-h-7 bg-transparent text-sm"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}
