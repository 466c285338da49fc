import { describe, expect, test } from 'bun:test'
import type { Change } from '../../../src/diff/change.ts'
import { diff } from '../../../src/diff/diff.ts'
import { mostNamed, readChanges, writtenChanges } from '../../../src/diff/written.ts'
import { changesAsHtml } from '../../../src/report/changes/html.ts'
import { changesAsJson } from '../../../src/report/changes/json.ts'
import { changesAsSarif } from '../../../src/report/changes/sarif.ts'
import { sharedType } from '../../fixtures/shared-type.ts'

const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, at) => `GET /${from + at}`)
const changeOf = (fingerprint: string, operations: readonly string[]): Change => ({
  id: 'schema-max-length-decreased',
  severity: 'breaking',
  classification: 'breaking',
  method: null,
  path: null,
  direction: 'request',
  base: null,
  head: null,
  before: 2,
  after: 1,
  message: 'Shorter',
  witness: null,
  operations,
  consumers: [],
  fingerprint,
})

describe('what changes name where they are written', () => {
  test('up to a hundred operations are named by each change', () => {
    const changes = [changeOf('a', names(mostNamed)), changeOf('b', names(mostNamed)), changeOf('c', [])]
    expect(writtenChanges(changes)).toEqual(changes as never)
  })

  test('more are named once; a later change with the same refers to the one that names them', () => {
    const changes = [changeOf('a', names(300)), changeOf('b', names(300)), changeOf('c', names(301))]
    const [a, b, c] = writtenChanges(changes)
    expect(a).toEqual(changes[0] as never)
    expect(b).toEqual({
      ...changes[1],
      operations: names(mostNamed),
      reach: 300,
      sameOperationsAs: 'a',
    } as never)
    expect(c).toEqual(changes[2] as never)
    expect(readChanges(writtenChanges(changes))).toEqual(changes)
  })

  test('lists that all differ are bounded too, and every operation is named by one of them', () => {
    const changes = Array.from({ length: 500 }, (_, at) => changeOf(`f${at}`, names(1000, at)))
    const written = writtenChanges(changes)
    const count = written.reduce((sum, it) => sum + it.operations.length, 0)
    expect(count).toBeLessThanOrEqual(100_000 + 500 * (mostNamed + 1))
    expect(new Set(written.flatMap((it) => it.operations)).size).toBe(1499)
    expect(written.at(-1)).toMatchObject({ reach: 1000 })
    expect(written.at(-1)).not.toHaveProperty('sameOperationsAs')
  })
})

test('reports grow with the changes and with the operations, and not with their product', () => {
  const result = diff(sharedType(600, 600, 9), sharedType(600, 600, 10), {})
  expect([result.changes.length, result.changes[0]?.operations.length]).toEqual([600, 600])
  const report = { ...result, base: 'a', head: 'b', verdict: 'Changed.', toolVersion: '1' }
  // 600 times 600 names alone would be 9 MB.
  const sizes = [changesAsJson(report), changesAsSarif(report), changesAsHtml(report)].map((it) => it.length)
  expect(sizes.map((it) => it < 4_000_000)).toEqual([true, true, true])
  const { changes } = JSON.parse(changesAsJson(report)) as { changes: Parameters<typeof readChanges>[0] }
  expect(readChanges(changes).map((it) => it.operations)).toEqual(result.changes.map((it) => it.operations) as never)
  expect(changesAsHtml(report)).toContain('<li>and 500 more</li>')
})
