/** When digests are due, in every time zone and across changes of the clocks. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { gatherMs, isTimeZone, localTime, nextDigest, usualSchedule } from '../../../server/news/digest-time.ts'
import { type DigestSchedule, weekdays } from '../../../src/api/notification-targets.ts'

const hour = 3_600_000
const day = 24 * hour
const daily = (at: string, time_zone: string): DigestSchedule => ({
  ...usualSchedule,
  frequency: 'daily',
  at,
  time_zone,
})
const weekly = (weekday: DigestSchedule['weekday'], at: string, time_zone: string): DigestSchedule => ({
  ...usualSchedule,
  frequency: 'weekly',
  weekday,
  at,
  time_zone,
})
const next = (schedule: DigestSchedule, now: string): string =>
  new Date(nextDigest(schedule, Date.parse(now))).toISOString()

describe('examples', () => {
  test('at once gathers what happens together, hourly is at the full hour', () => {
    const now = Date.parse('2026-05-05T10:20:30Z')
    expect(nextDigest(usualSchedule, now)).toBe(now + gatherMs)
    expect(next({ ...usualSchedule, frequency: 'hourly' }, '2026-05-05T10:20:30Z')).toBe('2026-05-05T11:00:00.000Z')
    expect(next({ ...usualSchedule, frequency: 'hourly' }, '2026-05-05T11:00:00Z')).toBe('2026-05-05T12:00:00.000Z')
  })

  test('daily is at the time of day of the person, today or tomorrow', () => {
    expect(next(daily('08:00', 'Europe/Berlin'), '2026-07-01T05:59:59Z')).toBe('2026-07-01T06:00:00.000Z')
    expect(next(daily('08:00', 'Europe/Berlin'), '2026-07-01T06:00:00Z')).toBe('2026-07-02T06:00:00.000Z')
    expect(next(daily('08:00', 'Asia/Kathmandu'), '2026-07-01T00:00:00Z')).toBe('2026-07-01T02:15:00.000Z')
    // It is the next day there already.
    expect(next(daily('00:30', 'Pacific/Kiritimati'), '2026-07-01T11:00:00Z')).toBe('2026-07-02T10:30:00.000Z')
    expect(next(daily('23:30', 'Pacific/Pago_Pago'), '2026-07-01T05:00:00Z')).toBe('2026-07-01T10:30:00.000Z')
  })

  test('weekly is at the weekday of the person', () => {
    // 5 May 2026 is a Tuesday.
    expect(next(weekly('tuesday', '08:00', 'UTC'), '2026-05-05T07:00:00Z')).toBe('2026-05-05T08:00:00.000Z')
    expect(next(weekly('tuesday', '08:00', 'UTC'), '2026-05-05T08:00:00Z')).toBe('2026-05-12T08:00:00.000Z')
    expect(next(weekly('monday', '08:00', 'UTC'), '2026-05-05T08:00:00Z')).toBe('2026-05-11T08:00:00.000Z')
    expect(next(weekly('wednesday', '01:00', 'Pacific/Auckland'), '2026-05-05T08:00:00Z')).toBe(
      '2026-05-05T13:00:00.000Z',
    )
  })

  test('a time that the clocks leave out is as long after the jump; one that they show twice is the first', () => {
    // Berlin: 29 March 2026, 02:00 becomes 03:00; 25 October 2026, 03:00 becomes 02:00.
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-03-29T01:30:00Z')).toBe('2026-03-30T00:30:00.000Z')
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(next(daily('02:30', 'Europe/Berlin'), '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z')
    expect(next(daily('08:00', 'Europe/Berlin'), '2026-03-28T12:00:00Z')).toBe('2026-03-29T06:00:00.000Z')
    // Lord Howe moves by half an hour.
    expect(next(daily('02:15', 'Australia/Lord_Howe'), '2026-10-03T12:00:00Z')).toBe('2026-10-03T15:45:00.000Z')
  })
})

test('names of time zones', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})

test('daily comes once on each day of the person, at the time that their clock shows, whatever the clocks do', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: Date.parse('2024-01-01T00:00:00Z'), max: Date.parse('2030-12-31T00:00:00Z') }),
      (zone, hours, minutes, start) => {
        const at = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
        const wanted = hours * hour + minutes * 60_000
        let now = start
        let before: number | null = null
        for (let n = 0; n < 4; n++) {
          const due = nextDigest(daily(at, zone), now)
          expect(due).toBeGreaterThan(now)
          const local = localTime(due, zone)
          const today = Math.floor(local / day)
          // Where the clocks leave the time out it is later by at most the jump.
          const late = local - today * day - wanted
          if (late !== 0) expect(localTime(due - late - 1, zone)).toBeLessThan(today * day + wanted)
          if (before !== null && late === 0) expect(today - before).toBe(1)
          before = late === 0 ? today : null
          now = due
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('weekly comes on the weekday that was chosen', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...weekdays),
      fc.constantFrom('UTC', 'America/New_York', 'Asia/Tokyo', 'Europe/London', 'Pacific/Apia'),
      fc.integer({ min: Date.parse('2024-01-01T00:00:00Z'), max: Date.parse('2030-12-31T00:00:00Z') }),
      (weekday, zone, now) => {
        const due = nextDigest(weekly(weekday, '12:00', zone), now)
        const named = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'long' }).format(due).toLowerCase()
        expect([named, due > now, due - now <= 7 * day + hour]).toEqual([weekday, true, true])
      },
    ),
  )
})
