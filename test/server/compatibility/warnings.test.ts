import { expect, test } from 'bun:test'
import { revisionWarning } from '../../../server/compatibility/check.ts'

const now = '2026-05-05T12:00:00.000Z'

test.each([
  ['draft', null, null],
  ['published', null, null],
  ['published', '2020-01-01T00:00:00.000Z', null],
  ['deprecated', null, 'revision-deprecated'],
  ['deprecated', '2026-05-05T12:00:00.001Z', 'revision-deprecated'],
  ['deprecated', now, 'revision-sunset'],
  ['deprecated', '2020-01-01T00:00:00.000Z', 'revision-sunset'],
  ['retired', null, 'revision-retired'],
] as const)('a %s revision with the sunset date %s: %s', (status, sunsetAt, code) => {
  const warning = revisionWarning({ id: 'v1', label: '1.0.0', status, sunsetAt }, now)
  expect(warning?.code ?? null).toBe(code)
  if (warning !== null) expect(warning).toMatchObject({ revisionId: 'v1', operation: null, sunsetAt })
})
