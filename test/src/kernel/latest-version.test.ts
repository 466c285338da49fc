import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { latestOf, latestPublished } from '../../../src/kernel/latest-version.ts'
import { compareLabels } from '../../../src/kernel/version-label.ts'

test('labels follow Semantic Versioning 2.0.0, section 11', () => {
  const ordered = [
    'draft',
    'main',
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    'v1.1',
    '1.2.0',
    '2',
    '10.0.0',
  ]
  expect(ordered.toReversed().toSorted(compareLabels)).toEqual(ordered)
  expect(compareLabels('1.0.0', 'v1')).toBe(0)
})

test('the order is total', () => {
  const label = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.nat(20), fc.nat(20), fc.nat(3), fc.constantFrom('', '-rc.1', '-rc', '-1', '+b'))
      .map(([a, b, c, d]) => `${a}.${b}.${c}${d}`),
  )
  fc.assert(
    fc.property(label, label, label, (a, b, c) => {
      expect(Math.sign(compareLabels(a, b))).toBe(-Math.sign(compareLabels(b, a)) + 0)
      if (compareLabels(a, b) <= 0 && compareLabels(b, c) <= 0) expect(compareLabels(a, c)).toBeLessThanOrEqual(0)
    }),
  )
})

test('latest is the greatest published label; deprecated only where nothing is published', () => {
  const version = (label: string, status: 'draft' | 'published' | 'deprecated' | 'retired', createdAt = label) => ({
    label,
    status,
    createdAt,
  })
  const all = [
    version('1.0.0', 'published'),
    version('3.0.0', 'draft'),
    version('2.0.0', 'deprecated'),
    version('9.0.0', 'retired'),
  ]
  expect(latestPublished(all)?.label).toBe('1.0.0')
  expect(latestPublished(all.slice(1))?.label).toBe('2.0.0')
  expect(latestPublished([version('3.0.0', 'draft')])).toBe(null)
  expect(latestOf([version('a', 'draft', '1'), version('b', 'draft', '2')])?.label).toBe('b')
})
