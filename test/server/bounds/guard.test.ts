/** What one request may take of the thread that all share. */
import { expect, test } from 'bun:test'
import { Guard, mostSteps } from '../../../server/bounds/guard.ts'
import { SvcError } from '../../../src/errors.ts'

const spin = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
}

const codeOf = (error: unknown): unknown => (error instanceof SvcError ? error.code : error)

test('the rows that pass are answered in their order', async () => {
  const guard = new Guard('repository-files')
  const even = await guard.filter(
    [5, 4, 3, 2],
    () => 1,
    (it) => it % 2 === 0,
  )
  expect(even).toEqual([4, 2])
})

test('the steps of a whole request are counted together, and what is too much is refused before it is done', async () => {
  const guard = new Guard('repository-files')
  const seen: number[] = []
  const act = (row: number): void => void seen.push(row)
  await guard.each([1], () => mostSteps - 10, act)
  const failed = await guard.each([2, 3], () => 4, act).catch(codeOf)
  expect([failed, seen]).toEqual(['request-too-costly', [1, 2]])
})

test('patterns leave a tenth to everything else, and are undecided instead of refused', () => {
  const guard = new Guard('gateway-preview')
  const given: number[] = []
  const ask = (): void =>
    guard.within(mostSteps, (steps) => {
      given.push(steps.left)
      steps.left = -3
    })
  ask()
  ask()
  guard.spend(mostSteps / 10)
  expect(given).toEqual([(mostSteps / 10) * 9, 0])
  expect(() => guard.spend(1)).toThrow('takes too long')
})

test('others have their turn between slices, however many requests compute at once', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => at)
  const gaps: number[] = []
  let last = performance.now()
  const note = (): void => {
    gaps.push(performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(note, 1)
  const works = Array.from({ length: 10 }, () =>
    new Guard('repository-files').each(
      rows,
      () => 60_000,
      () => spin(2),
    ),
  )
  await Promise.all(works)
  clearInterval(timer)
  // 800 ms of work: in one piece for each request it would be ten gaps, in slices there are tens of them.
  expect(gaps.length).toBeGreaterThan(30)
})

test('it stops where the caller is gone', async () => {
  const caller = new AbortController()
  const gone = new Error('gone')
  let seen = 0
  const work = new Guard('repository-files', caller.signal).each(
    Array.from({ length: 10_000 }, (_, at) => at),
    () => 1000,
    () => {
      seen += 1
      spin(0.2)
    },
  )
  setTimeout(() => caller.abort(gone), 5)
  expect(await work.catch((error: unknown) => error)).toBe(gone)
  expect(seen).toBeLessThan(5000)
})
