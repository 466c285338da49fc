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
