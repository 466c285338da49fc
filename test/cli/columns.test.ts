import { expect, test } from 'bun:test'
import { padCells, wrapText } from '../../cli/columns.ts'
import { terminalWidth } from '../../src/host/native.ts'
import { renderFacts, renderTable } from '../../cli/table.ts'

test('wide characters take two cells, combining marks none', () => {
  expect(['abc', '支払い', '🚀', 'e\u0301', '👩‍👩‍👧'].map(terminalWidth)).toEqual([3, 6, 2, 1, 2])
  expect(padCells('支払', 6)).toBe('支払  ')
  expect(padCells('longer', 3)).toBe('longer')
})

test('columns of a table line up in cells', () => {
  expect(
    renderTable(
      ['NAME', 'STATE'],
      [
        ['支払い API', 'draft'],
        ['🚀', 'published'],
        ['shop', 'draft'],
      ],
    ),
  ).toBe('NAME        STATE\n支払い API  draft\n🚀          published\nshop        draft\n')
  expect(
    renderFacts([
      ['Name', 'a'],
      ['名', 'b'],
    ]),
  ).toBe('Name: a\n名:   b\n')
})

test('lines are broken by the cells they take', () => {
  expect(wrapText('支払い 支払い ab', 8, '  ')).toBe('  支払い\n  支払い\n  ab')
  expect(wrapText('one two three', 9, '')).toBe('one two\nthree')
})
