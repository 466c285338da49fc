import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Windows } from '../../../server/checks/windows.ts'

test('a page is the slice of the whole list, wherever windows begin, and no window is made twice', async () => {
  const pages = fc.array(fc.record({ from: fc.nat(2500), limit: fc.integer({ min: 1, max: 200 }) }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.nat(2300), pages, async (total, asked) => {
      const all = Array.from({ length: total }, (_, index) => index)
      const made: number[] = []
      const windows = new Windows<{ total: number; items: readonly number[] }>('test')
      for (const page of asked) {
        const answer = await windows.page('a', page, (from, limit) => {
          made.push(from)
          return Promise.resolve({ total, items: all.slice(from, from + limit) })
        })
        expect(answer).toEqual({ total, items: all.slice(page.from, page.from + page.limit) })
      }
      expect(made.length).toBe(new Set(made).size)
      expect(made.every((from) => from % 1000 === 0)).toBe(true)
    }),
  )
})

test('lists of other keys are others', async () => {
  const windows = new Windows<{ total: number; items: readonly string[] }>('test')
  const ask = (key: string) =>
    windows.page(key, { from: 0, limit: 1 }, () => Promise.resolve({ total: 1, items: [key] }))
  expect([await ask('a'), await ask('b'), await ask('a')].map(({ items }) => items[0])).toEqual(['a', 'b', 'a'])
})
