import { expect, test } from 'bun:test'
import { Shares } from '../../../server/checks/shares.ts'
import type { SvcError } from '../../../src/errors.ts'

test('nine questions of one payer are one too many; others have their own share, and what ends makes room', async () => {
  const shares = new Shares()
  const ends = Array.from({ length: 8 }, () => Promise.withResolvers<number>())
  const work = ends.map((end) => shares.run('anonymous', () => end.promise))
  const refused = (payer: string) =>
    shares.run(payer, () => Promise.resolve('answered')).catch((error: SvcError) => [error.code, error.status])
  expect(await refused('anonymous')).toEqual(['checks-exceeded', 429])
  expect(await refused('acme')).toEqual('answered' as never)
  ends[0]?.reject(new Error('it failed'))
  expect(await work[0]?.catch((error: Error) => error.message)).toBe('it failed' as never)
  expect(await refused('anonymous')).toEqual('answered' as never)
  for (const [at, end] of ends.entries()) end.resolve(at)
  expect(await Promise.all(work.slice(1))).toEqual([1, 2, 3, 4, 5, 6, 7])
})
