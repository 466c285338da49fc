import { useState } from 'react'
import { Choices } from './choices.tsx'
import { fieldError } from './form.tsx'
import { Day } from './page.tsx'

const dayMs = 86_400_000
const lives = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const

/** The day (UTC) in so many days. */
const dayIn = (days: number, now: number): string => new Date(now + days * dayMs).toISOString().slice(0, 10)

/** Whole days until a day (UTC) ends; at least one. */
export const daysUntil = (day: string, now: number): number =>
  Math.max(1, Math.ceil((Date.parse(`${day}T00:00:00Z`) + dayMs - now) / dayMs) - 1)

/**
 * When a key expires: after a usual time, on a date, or never.
 * @param props.days whole days as text; empty: never
 * @param props.most the longest life in days; `never` offers a key that does not expire
 */
export const ExpiryField = ({
  label = 'Expires',
  days,
  most = 3650,
  never = true,
  error,
  field = 'expires_in_days',
  onChange,
}: {
  label?: string
  days: string
  most?: number
  never?: boolean
  error: unknown
  field?: string
  onChange: (days: string) => void
}) => {
  const [now] = useState(Date.now)
  const isUsual = days === '' || lives.some(([value]) => value === days)
  const [onDate, setOnDate] = useState(!isUsual)
  const problem = fieldError(error, field)
  const choose = (value: string | null): void => {
    setOnDate(value === 'date')
    if (value === 'never') onChange('')
    else if (value === 'date') onChange(days === '' ? '30' : days)
    else if (value !== null) onChange(value)
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <Choices
        label={label}
        value={onDate ? 'date' : days || 'never'}
        onChange={choose}
        choices={[
          ...lives.map(([value, name]) => ({ value, name })),
          { value: 'date', name: 'On a date' },
          ...(never ? [{ value: 'never', name: 'Never' }] : []),
        ]}
      />
      {onDate ? (
        <input
          type="date"
          aria-label={`${label} on`}
          className="field"
          required
          min={dayIn(1, now)}
          max={dayIn(most, now)}
          value={dayIn(Number(days), now)}
          onChange={(event) => {
            if (event.target.value !== '') onChange(String(daysUntil(event.target.value, now)))
          }}
        />
      ) : null}
      <p className="text-sm text-soft">
        {days === '' ? (
          'The key never expires.'
        ) : (
          <>
            The last day is <Day at={new Date(now + Number(days) * dayMs).toISOString()} />.
          </>
        )}
      </p>
      {problem ? <p className="text-sm text-danger">{problem}</p> : null}
    </fieldset>
  )
}
