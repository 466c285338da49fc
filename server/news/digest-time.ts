/** When the next e-mail of a schedule is due: pure, so that every time zone can be tested. */
import { type DigestSchedule, weekdays } from '../../src/api/notification-targets.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What happens together is one message: news of one action are written within seconds. */
export const gatherMs = 10_000

/** Of somebody who chose nothing. */
export const usualSchedule: DigestSchedule = { frequency: 'at_once', at: '08:00', weekday: 'monday', time_zone: 'UTC' }

const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(timeZone, made)
  return made
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}

/** What the clocks of a time zone show at an instant, as if it were UTC. */
export function localTime(instant: number, timeZone: string): number {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/**
 * The instant at which the clocks of a time zone show a time. Of a time that they show twice the first; of one that they leave out the instant as
 * long after the jump as the time is after its beginning.
 */
function instantOf(local: number, timeZone: string): number {
  const offsets = [local - dayMs, local + dayMs].map((around) => localTime(around, timeZone) - around)
  const shown = offsets.map((offset) => local - offset).filter((instant) => localTime(instant, timeZone) === local)
  return shown.length === 0 ? local - (offsets[0] ?? 0) : Math.min(...shown)
}

/**
 * When what waits is sent, for news that are written now.
 * @param now milliseconds since the epoch
 * @returns an instant after now
 */
export function nextDigest({ frequency, at, weekday, time_zone: zone }: DigestSchedule, now: number): number {
  if (frequency === 'at_once') return now + gatherMs
  if (frequency === 'hourly') return (Math.floor(now / hourMs) + 1) * hourMs
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const today = Math.floor(localTime(now, zone) / dayMs) * dayMs
  const wanted = weekdays.indexOf(weekday)
  for (let days = 0; ; days++) {
    const day = today + days * dayMs
    // The first day of the epoch was a Thursday.
    const isDay = frequency === 'daily' || (day / dayMs + 3) % 7 === wanted
    const instant = isDay ? instantOf(day + hours * hourMs + minutes * 60_000, zone) : now
    if (instant > now) return instant
  }
}
