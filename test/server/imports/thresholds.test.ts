import { expect, test } from 'bun:test'
import { checkThresholds } from '../../../server/imports/thresholds.ts'

const counts = { error: 0, warning: 0, info: 0, hint: 0 }
const reasons = (...given: Parameters<typeof checkThresholds>) => checkThresholds(...given).reasons

test('nothing asked is met by everything', () => {
  expect(checkThresholds({}, null, { error: 3, warning: 3, info: 3, hint: 3 })).toEqual({
    passed: true,
    min_grade: null,
    fail_on: null,
    reasons: [],
  })
})

test('a grade as good as asked or better; what has no grade does not meet one', () => {
  expect(reasons({ min_grade: 'B' }, 'A', counts)).toEqual([])
  expect(reasons({ min_grade: 'B' }, 'B', counts)).toEqual([])
  expect(checkThresholds({ min_grade: 'B' }, 'C', counts)).toEqual({
    passed: false,
    min_grade: 'B',
    fail_on: null,
    reasons: ['The grade is C, worse than B.'],
  })
  expect(reasons({ min_grade: 'F' }, null, counts)).toEqual(['Nothing could be graded, but grade F is required.'])
  expect(reasons({}, 'F', counts)).toEqual([])
})

test('findings of the severity asked for or worse', () => {
  const found = { ...counts, warning: 1, hint: 5 }
  expect(reasons({ fail_on: 'error' }, 'A', found)).toEqual([])
  expect(reasons({ fail_on: 'warning' }, 'A', found)).toEqual(['1 finding is "warning" or worse.'])
  expect(reasons({ fail_on: 'info' }, 'A', { ...found, error: 1 })).toEqual(['2 findings are "info" or worse.'])
  expect(reasons({ fail_on: 'info', min_grade: 'A' }, 'B', { ...counts, info: 1 })).toHaveLength(2)
})
