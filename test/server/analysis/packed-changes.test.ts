import { expect, test } from 'bun:test'
import { packResult, unpackResult } from '../../../server/analysis/packed-changes.ts'
import { diff } from '../../../src/diff/diff.ts'
import { sharedType } from '../../fixtures/shared-type.ts'

const ignore = [{ match: 'schema-max-length-increased', reason: 'known' }]

test('a comparison of a type that many use is sent with its operations once, and is the same afterwards', () => {
  const [older, newer] = [sharedType(600, 300, 9), sharedType(600, 300, 10)]
  for (const [options, ignored] of [
    [{}, 0],
    [{ ignore }, 300],
  ] as const) {
    const result = diff(older, newer, options)
    expect(result.ignored.length).toBe(ignored)
    const sent = JSON.stringify(packResult(result))
    // 300 times 600 names alone would be 3 MB.
    expect(sent.length).toBeLessThan(500_000)
    const read = unpackResult(JSON.parse(sent) as ReturnType<typeof packResult>)
    expect(read).toEqual(result)
    const all = [...read.changes, ...read.ignored.map(({ change }) => change)]
    expect([all.length, new Set(all.map((it) => it.operations)).size]).toEqual([300, 1])
  }
})
