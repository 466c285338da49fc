/** Formats beside patterns and lengths: what they have in common, and that nothing is common to both. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compilePattern, findString, matches } from '../../../src/schema/pattern.ts'
import { formatShapes } from '../../../src/schema/format-shapes.ts'
import { fitsFormat } from '../../../src/schema/validation/formats.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { contained } from './attack.ts'

const format = (name: string, more: object = {}): Json => ({ type: 'string', format: name, ...more })

const cases: readonly (readonly [string, Json, Json, 'contained' | 'escapes'])[] = [
  ['no date has lower-case letters', format('date', { pattern: '^[a-z]+$' }), false, 'contained'],
  ['no point of time is without a colon', format('date-time', { pattern: '^[^:]*$' }), false, 'contained'],
  ['every date is a text of ten characters', format('date'), { minLength: 10, maxLength: 10 }, 'contained'],
  ['every date begins with a digit', format('date'), { pattern: '^[0-9]' }, 'contained'],
  ['not every date begins with a 2', format('date'), { pattern: '^2' }, 'escapes'],
  ['a UUID is longer than 35 characters', format('uuid'), { minLength: 36 }, 'contained'],
  ['a UUID can be longer than 36 characters', format('uuid'), { maxLength: 36 }, 'escapes'],
  ['every e-mail address has an @', format('email'), { pattern: '@' }, 'contained'],
  ['not every e-mail address ends with .org', format('email'), { pattern: '\\.org$' }, 'escapes'],
  ['an IPv4 address has at most 15 characters', format('ipv4'), { maxLength: 15 }, 'contained'],
  ['every URI has a scheme', format('uri'), { pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' }, 'contained'],
  ['not every URI is of https', format('uri'), { pattern: '^https:' }, 'escapes'],
]

describe('formats', () => {
  for (const [name, inner, outer, expected] of cases)
    test(name, () => {
      expect(contained(inner, outer).is).toBe(expected)
    })
})

const near = (name: string): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(formatShapes.get(name)!.replaceAll('[^~/]', '[a-z]').replaceAll('\\s', ' ')))

test('every string of a format matches its shape', () => {
  for (const [name, source] of formatShapes) {
    const shape = compilePattern(source)!
    expect(findString({ all: [shape], none: [], min: 0, max: Infinity }, () => {})).toBeString()
    fc.assert(
      fc.property(
        fc.oneof(near(name), fc.string(), fc.emailAddress(), fc.webUrl(), fc.ipV4(), fc.ipV6(), fc.uuid()),
        (text) => {
          expect(!fitsFormat(name, text) || matches(shape, text)).toBe(true)
        },
      ),
    )
  }
})
