/** Dates as regular expressions: they say what the validation of formats says. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatPattern } from '../../../../src/gateway/positive/format-patterns.ts'
import { fitsFormat } from '../../../../src/schema/validation/formats.ts'

const patternOf = (format: string) => new RegExp(formatPattern(format) ?? '(?!)', 'u')
const two = (it: number) => String(it).padStart(2, '0')

test('every day of four centuries, and every day that is not one', () => {
  const date = patternOf('date')
  const wrong: string[] = []
  for (let year = 1900; year <= 2300; year++)
    for (let month = 0; month <= 13; month++)
      for (let day = 27; day <= 32; day++) {
        const text = `${year}-${two(month)}-${two(day)}`
        if (date.test(text) !== fitsFormat('date', text)) wrong.push(text)
      }
  expect(wrong).toEqual([])
  const others = ['2024-01-00', '2024-01-01', '0000-02-29', '0400-02-29', '0100-02-29', '9999-12-31', '2024-1-1', 'x2024-01-01', '2024-01-01x', '2024/01/01'] // prettier-ignore
  expect(others.filter((it) => date.test(it))).toEqual(others.filter((it) => fitsFormat('date', it)))
})

test('every instant is let through; of others nothing but leap seconds beside their offset', () => {
  const instant = patternOf('date-time')
  const parts = fc.tuple(
    fc.constantFrom('2024-02-29', '2023-02-29', '2024-02-30', '2024-04-31', '2024-12-31'),
    fc.constantFrom('T', 't', ' ', '_', ''),
    fc.constantFrom('00:00:00', '23:59:59', '23:59:60', '22:59:60', '24:00:00', '12:60:00', '12:00:61', '1:00:00'),
    fc.constantFrom('', '.5', '.123456', '.'),
    fc.constantFrom('Z', 'z', '', '+01:00', '-0100', '+01', '+24:00', '+01:60'),
  )
  fc.assert(
    fc.property(parts, (entry) => {
      const text = entry.join('')
      const isFit = fitsFormat('date-time', text)
      if (isFit) expect(instant.test(text)).toBe(true)
      else if (instant.test(text)) expect(text).toMatch(/:60(?:\.\d+)?[+-]/)
    }),
    { numRuns: 2000 },
  )
})
