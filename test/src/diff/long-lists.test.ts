import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { isValid } from '../../../src/schema/validate.ts'
import { changesOf, withRequest, withResponse } from './changes-of.ts'

const values = (from: number, count: number): Json[] => Array.from({ length: count }, (_, i) => `v${from + i}`)

describe('long lists of values', () => {
  test('up to 1,000 values of a list are reported one by one', () => {
    const changes = changesOf(withRequest({ enum: values(0, 1500) }), withRequest({ enum: values(0, 500) }))
    expect(new Set(changes.map((change) => change.before))).toEqual(new Set(values(500, 1000)))
    expect(changes).toHaveLength(1000)
    expect(changes.every((change) => change.witness?.value === change.before)).toBe(true)
  })

  test('what is beyond is one change, which a value of it proves', () => {
    const changes = changesOf(withRequest({ enum: values(0, 3000) }), withRequest({ enum: values(0, 500) }))
    expect(changes).toHaveLength(1001)
    const [together] = changes.filter((change) => Array.isArray(change.before))
    expect(together).toMatchObject({
      id: 'schema-enum-value-removed',
      classification: 'breaking',
      before: values(1500, 1500),
      witness: { value: 'v1500', acceptedBy: 'base' },
    })
    expect(together!.message).toEndWith('… of the request body was removed (1500 values in one change)')
  })

  test('added values that clients get are one change too', () => {
    const changes = changesOf(withResponse({ enum: values(0, 10) }), withResponse({ enum: values(0, 1511) }))
    const [together] = changes.filter((change) => Array.isArray(change.after))
    expect(together).toMatchObject({ id: 'schema-enum-value-added', classification: 'breaking' })
    expect((together!.after as Json[]).length).toBe(501)
  })

  test('a value is found in a long list by what it is, not by how it is written', () => {
    const list = [...values(0, 100), 5, { a: 1, b: [2] }, null, true]
    for (const value of [5, 5.0, { b: [2], a: 1 }, null, true, 'v7']) expect(isValid({ enum: list }, value)).toBe(true)
    for (const value of ['5', { a: 1, b: [2, 3] }, false, 'v100', [2]])
      expect(isValid({ enum: list }, value)).toBe(false)
  })
})
