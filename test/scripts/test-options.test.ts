/** What a run tests: the options of `npm test`, and what the gate leaves to full runs. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readTestOptions, variablesOf } from '../../scripts/test-options.ts'
import { needsBothEngines } from '../fixtures/engines.ts'
import { engineRooms } from '../fixtures/extent.ts'
import { appearancesOf } from '../fixtures/web/every-page.ts'

test('words are options and parts of paths', () => {
  const nothing = { patterns: [], without: [], isFull: false, since: null, binary: null, isTimed: false }
  expect(readTestOptions([])).toEqual(nothing)
  expect(readTestOptions(['test/src', 'test/db'])).toEqual({ ...nothing, patterns: ['test/src', 'test/db'] })
  expect(readTestOptions(['--full', '--binary=dist/svc'])).toEqual({ ...nothing, isFull: true, binary: 'dist/svc' })
  expect(readTestOptions(['--times'])).toEqual({ ...nothing, isTimed: true })
  expect(readTestOptions(['--affected'])).toEqual({ ...nothing, since: 'HEAD' })
  expect(readTestOptions(['--affected=main'])).toEqual({ ...nothing, since: 'main' })
  expect(readTestOptions(['--without=test/a,test/b', 'test/c'])).toEqual({
    ...nothing,
    patterns: ['test/c'],
    without: ['test/a', 'test/b'],
  })
  for (const word of ['--ful', '--without', '--binary', '--binary=', '--full=yes'])
    expect(() => readTestOptions([word])).toThrow(`Unknown option ${word}.`)
})

test('only what is asked reaches the tests', () => {
  expect(variablesOf(readTestOptions([]))).toEqual({})
  expect(variablesOf(readTestOptions(['--full', '--binary=dist/svc']))).toEqual({
    TEST_FULL: '1',
    SVC_BINARY: 'dist/svc',
  })
})

test('the gate runs on both engines where they matter, a full run everywhere', () => {
  const files = ['test/db/durability.test.ts', 'test/server/members/members.test.ts']
  expect(files.map((file) => needsBothEngines(file, false))).toEqual([true, false])
  expect(files.map((file) => needsBothEngines(file, true))).toEqual([true, true])
  // Rooms move: each of the list is there.
  expect(engineRooms.filter((room) => !existsSync(join(import.meta.dir, '../..', room)))).toEqual([])
})

test('the gate sees every page in one appearance, by turns, a full run in both', () => {
  expect([0, 1, 2].map((index) => appearancesOf(index, false))).toEqual([['light'], ['dark, zoomed'], ['light']])
  expect(appearancesOf(1, true)).toEqual(['light', 'dark, zoomed'])
})
