import { afterEach, expect, spyOn, test } from 'bun:test'
import { every, memoryGuard } from '../../cli/memory-guard.ts'

let resident = 0
const rss = spyOn(process.memoryUsage, 'rss').mockImplementation(() => resident)
afterEach(() => rss.mockClear())

test('each kind of collection runs when memory has grown by its step, and memory is asked for once while none does', () => {
  const ran: string[] = []
  const guard = memoryGuard(
    { least: 100, step: 10, collect: () => void ran.push(`young at ${resident}`) },
    { least: 200, step: 100, collect: () => (ran.push(`all at ${resident}`), void (resident -= 50)) },
  )
  for (const at of [50, 99, 100, 105, 110, 120, 250, 255, 260, 299, 300, 350, 400]) {
    resident = at
    guard()
  }
  expect(ran).toEqual([
    'young at 100',
    'young at 110',
    'young at 120',
    'young at 250',
    'all at 250',
    'young at 260',
    'young at 299',
    'all at 300',
    'young at 350',
    'all at 350',
    'young at 400',
    'all at 400',
  ])
  rss.mockClear()
  resident = 0
  guard()
  expect(rss).toHaveBeenCalledTimes(1)
})

test('every so-manieth call acts', () => {
  let acted = 0
  const act = every(3, () => acted++)
  for (let call = 0; call < 10; call++) act()
  expect(acted).toBe(3)
})
