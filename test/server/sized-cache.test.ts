import { expect, test } from 'bun:test'
import { SizedCache } from '../../server/sized-cache.ts'

test('keeps what was used last within its size', () => {
  const cache = new SizedCache<string>(10)
  cache.set('a', 'A', 4)
  cache.set('b', 'B', 4)
  expect(cache.get('a')).toBe('A')
  cache.set('c', 'C', 4)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
  cache.set('d', 'D', 11)
  expect([cache.get('d'), cache.get('c')]).toEqual([undefined, 'C'])
  cache.set('a', 'A2', 8)
  expect([cache.get('a'), cache.get('c')]).toEqual(['A2', undefined])
})
