/** The table of pairs of tools: filters, names that occur twice, and where the arrow keys lead. */
import { expect, test } from 'bun:test'
import type { McpToolChains } from '../../src/api/mcp-server-shapes.ts'
import {
  cellAfter,
  countVerdicts,
  findPair,
  firstPair,
  tableOf,
} from '../../web/src/features/mcp-servers/chain-cells.ts'

const chains = (pairs: McpToolChains['pairs'], more: Partial<McpToolChains> = {}): McpToolChains => ({
  endpoint_id: 'e',
  fingerprint: 'f',
  from: [...new Set(pairs.map(({ from }) => from))],
  to: [...new Set(pairs.map(({ to }) => to))],
  pairs,
  silent: [],
  omitted: [],
  more: 0,
  ...more,
})

const three = chains(
  [
    { from: 'a', to: 'b', fits: true },
    { from: 'a', to: 'c', fits: false },
    { from: 'b', to: 'a', fits: null },
    { from: 'b', to: 'c', fits: true },
    { from: 'c', to: 'a', fits: true },
    { from: 'c', to: 'b', fits: true },
  ],
  { to: ['a', 'b', 'c'] },
)
const all = tableOf(three, { q: '', verdict: '' })

test('a table has a row and a column for each tool, and nothing where a tool meets itself', () => {
  expect(all.columns).toEqual(['a', 'b', 'c'])
  expect(all.rows.map(({ name, cells }) => [name, cells.map((it) => it?.fits)])).toEqual([
    ['a', [undefined, true, false]],
    ['b', [null, undefined, true]],
    ['c', [true, true, undefined]],
  ])
  expect(countVerdicts(three.pairs)).toEqual({ fits: 4, refused: 1, undecided: 1 })
})

test('a filter leaves rows and columns in which something is left', () => {
  const refused = tableOf(three, { q: '', verdict: 'refused' })
  expect([refused.columns, refused.rows.map(({ name }) => name)]).toEqual([['c'], ['a']])
  const named = tableOf(three, { q: 'B', verdict: 'fits' })
  expect(named.rows.map(({ name, cells }) => [name, cells.map((it) => it?.to)])).toEqual([
    ['a', ['b', undefined]],
    ['b', [undefined, 'c']],
    ['c', ['b', undefined]],
  ])
  expect(tableOf(three, { q: 'none', verdict: '' })).toEqual({ columns: [], rows: [] })
})

test('of two tools of one name the worst is shown', () => {
  const twice = chains([
    { from: 'a', to: 'b', fits: false },
    { from: 'a', to: 'b', fits: true },
    { from: 'a', to: 'c', fits: true },
    { from: 'a', to: 'c', fits: null },
  ])
  expect(tableOf(twice, { q: '', verdict: '' }).rows[0]?.cells.map((it) => it?.fits)).toEqual([false, null])
  expect(countVerdicts(twice.pairs)).toEqual({ fits: 0, refused: 1, undecided: 1 })
})

test('keys lead from pair to pair, past what is none, and stay at the edge', () => {
  expect(firstPair(all)).toEqual({ row: 0, column: 1 })
  expect(cellAfter(all, { row: 0, column: 1 }, 'ArrowDown')).toEqual({ row: 2, column: 1 })
  expect(cellAfter(all, { row: 0, column: 1 }, 'ArrowLeft')).toBe(null)
  expect(cellAfter(all, { row: 0, column: 1 }, 'ArrowUp')).toBe(null)
  expect(cellAfter(all, { row: 1, column: 0 }, 'ArrowRight')).toEqual({ row: 1, column: 2 })
  expect(cellAfter(all, { row: 1, column: 2 }, 'Home')).toEqual({ row: 1, column: 0 })
  expect(cellAfter(all, { row: 2, column: 0 }, 'End')).toEqual({ row: 2, column: 1 })
  expect(cellAfter(all, { row: 2, column: 0 }, 'Enter')).toBe(null)
  expect(findPair(all, 'a', 'c')).toMatchObject({ at: { row: 0, column: 2 }, pair: { fits: false } })
  expect(findPair(all, 'a', 'a')).toBe(null)
  expect(firstPair({ columns: [], rows: [] })).toBe(null)
})
