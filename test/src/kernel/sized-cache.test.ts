import { expect, test } from 'bun:test'
import { cacheFills, SizedCache } from '../../../src/kernel/sized-cache.ts'

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

test('named caches show how full they are together', () => {
  const caches = [new SizedCache<string>(10, 'of_this_test'), new SizedCache<string>(10, 'of_this_test')]
  for (const cache of caches) cache.set('a', 'A', 4)
  caches[0]!.set('b', 'B', 3)
  expect(cacheFills().get('of_this_test')).toEqual({ entries: 3, size: 11, limit: 20 })
})
