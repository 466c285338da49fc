const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago (or until) an instant is, in the reader's language: "2 hr. ago", "yesterday"; beyond a week its date. */
export const relative = (at: string, now: number, language?: string): string => {
  const away = Date.parse(at) - now
  const distance = Math.abs(away)
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const of = (unit: Intl.RelativeTimeFormatUnit, size: number): string => words.format(Math.trunc(away / size), unit)
  if (distance < minute) return words.format(0, 'second')
  if (distance < hour) return of('minute', minute)
  if (distance < day) return of('hour', hour)
  if (distance < 7 * day) return of('day', day)
  return new Date(at).toLocaleDateString(language, { dateStyle: 'medium' })
}

/** An instant with its time and zone, in the reader's language. */
export const exactly = (at: string, language?: string): string =>
  new Date(at).toLocaleString(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })

/** A day of UTC in the reader's language: the same day in every time zone. */
export const dayOf = (at: string, language?: string): string =>
  new Date(at).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })

/** Whole days from now to an instant, counted in days of UTC: 0 is today, negative is past. */
export const daysUntil = (at: string, now: number): number => Math.floor(Date.parse(at) / day) - Math.floor(now / day)

const two = (value: number): string => String(value).padStart(2, '0')

/** An instant as a field for date and time has it: in the reader's own zone, to the minute. */
export const localOf = (instant: number): string => {
  const at = new Date(instant)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant of such a field; null where it is empty or not a time. */
export const instantOf = (local: string): string | null => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
