import { expect, test } from 'bun:test'
import { findInPages } from '../../cli/paging.ts'

const rows = Array.from({ length: 450 }, (_, id) => id)
const listOf = (all: readonly number[]) => {
  const asked: number[] = []
  return {
    asked,
    list: async ({ limit, offset }: { limit: number; offset: number }) => {
      asked.push(offset)
      return { items: all.slice(offset, offset + limit), total: all.length }
    },
  }
}

test('a lookup reads page after page until the row is found', async () => {
  for (const [wanted, offsets] of [
    [3, [0]],
    [199, [0]],
    [200, [0, 200]],
    [449, [0, 200, 400]],
  ] as const) {
    const { asked, list } = listOf(rows)
    expect(await findInPages(list, (id) => id === wanted)).toBe(wanted)
    expect(asked).toEqual([...offsets])
  }
})

test('a row that is not there ends the lookup with the list', async () => {
  const { asked, list } = listOf(rows)
  expect(await findInPages(list, (id) => id === 1000)).toBeUndefined()
  expect(asked).toEqual([0, 200, 400])
  expect(await findInPages(listOf([]).list, () => true)).toBeUndefined()
})
