import { expect, test } from 'bun:test'
import { SvcError } from '../../../src/errors.ts'
import { parseOverride, splitOverride } from '../../../src/import/override.ts'

const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error instanceof SvcError ? error.code : error
  }
}

test('every SPEC of an override', () => {
  const override = (target: string, projectId: string | null, version: string | null) => ({
    target,
    projectId,
    version,
  })
  const table: Record<string, unknown> = {
    new: override('new', null, null),
    'new@2.0.0': override('new', null, '2.0.0'),
    existing: override('existing', null, null),
    'existing@1.1': override('existing', null, '1.1'),
    'existing:0192-ab': override('existing', '0192-ab', null),
    'existing:0192-ab@3.0.0': override('existing', '0192-ab', '3.0.0'),
    'existing:': 'override-invalid',
    'new@': 'override-invalid',
    New: 'override-invalid',
    '': 'override-invalid',
    'new:x': 'override-invalid',
    keep: 'override-invalid',
  }
  expect(Object.fromEntries(Object.keys(table).map((spec) => [spec, codeOf(() => parseOverride('k', spec))]))).toEqual(
    table,
  )
})

test('KEY=SPEC is split at the sign before the SPEC', () => {
  expect(splitOverride('pets/api.yaml=existing:1@2.0')).toEqual(['pets/api.yaml', 'existing:1@2.0'])
  expect(splitOverride('a=b.yaml=new')).toEqual(['a=b.yaml', 'new'])
  for (const wrong of ['new', '=new', 'a.yaml=old', 'a.yaml=', 'a.yaml'])
    expect(codeOf(() => splitOverride(wrong))).toBe('override-invalid')
})
