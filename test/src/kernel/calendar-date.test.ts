import { expect, test } from 'bun:test'
import { isCalendarDate } from '../../../src/kernel/calendar-date.ts'

test('only days that exist are calendar dates', () => {
  const days = ['2026-01-31', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01']
  const others = [
    '2026-02-31',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-06-31',
    '2026-09-31',
    '2026-11-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '01/01/2027',
    'tomorrow',
    '2026-01-31T00:00:00Z',
    ' 2026-01-31',
    '',
  ]
  expect([...days, ...others].filter(isCalendarDate)).toEqual(days)
})
