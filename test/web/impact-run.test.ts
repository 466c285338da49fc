import { afterEach, beforeEach, expect, test } from 'bun:test'
import { calculateImpact, cancelImpact, impactNow } from '../../web/src/features/style-guides/impact-run.ts'
import { forgetKept, kept } from '../../web/src/parts/kept.ts'

const at = { tenant: 'acme', guide: 'g1' }
let total = 45
const fetched = globalThis.fetch
const storage = new Map<string, string>()
let answer: (offset: number) => Promise<Response>
let asked: number[] = []

const part = (offset: number): Response =>
  Response.json({
    items: Array.from({ length: Math.min(20, total - offset) }, (_, index) => ({ label: `${offset + index}` })),
    total,
    limit: 20,
    offset,
    stamp: `stamp ${offset}`,
  })

beforeEach(() => {
  asked = []
  total = 45
  answer = (offset) => Promise.resolve(part(offset))
  const own = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  }
  Object.assign(globalThis, {
    localStorage: new Proxy(own, {
      ownKeys: () => [...storage.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
    fetch: (target: string) => {
      const offset = Number(new URL(target, 'http://svc.test').searchParams.get('offset'))
      asked.push(offset)
      return answer(offset)
    },
  })
})
afterEach(() => {
  forgetKept()
  Object.assign(globalThis, { fetch: fetched })
  Reflect.deleteProperty(globalThis, 'localStorage')
})

const briefly = () => {
  const state = impactNow(at, 'all')
  return state.kind === 'done'
    ? [state.kind, state.impact.stamp, state.impact.rows.length]
    : state.kind === 'running'
      ? [state.kind, state.done, state.total]
      : [state.kind]
}

test('it is calculated part by part, kept with the stamp of its beginning, and forgotten with the session', async () => {
  expect(briefly()).toEqual(['none'])
  await calculateImpact(at, 'all')
  expect([asked, briefly(), [...storage.keys()]]).toEqual([
    [0, 20, 40],
    ['done', 'stamp 0', 45],
    ['svc kept impact acme g1 all'],
  ])
  expect(kept('impact acme g1 all')).toMatchObject({ stamp: 'stamp 0' })
  forgetKept()
  expect([briefly(), storage.size]).toEqual([['none'], 0])
})

test('cancelled, it asks for no more, and shows what was calculated before', async () => {
  await calculateImpact(at, 'all')
  const parts: (() => void)[] = []
  answer = (offset) => new Promise((resolve) => parts.push(() => resolve(part(offset + 1))))
  asked = []
  const running = calculateImpact(at, 'all')
  expect(briefly()).toEqual(['running', 0, 0])
  // A second press starts nothing.
  await calculateImpact(at, 'all')
  cancelImpact(at, 'all')
  expect(briefly()).toEqual(['done', 'stamp 0', 45])
  for (const give of parts) give()
  await running
  expect([asked, briefly()]).toEqual([[0], ['done', 'stamp 0', 45]])
})

test('it says how far it is, and asks for no part that is not there', async () => {
  total = 40
  const seen: unknown[] = []
  answer = (offset) => {
    seen.push(briefly())
    return Promise.resolve(part(offset))
  }
  await calculateImpact(at, 'all')
  expect([asked, seen]).toEqual([
    [0, 20],
    [
      ['running', 0, 0],
      ['running', 20, 40],
    ],
  ])
})

test('what was cancelled neither shows its failure nor ends what was begun after it', async () => {
  const ends: ((response: Response) => void)[] = []
  answer = () => new Promise((resolve) => ends.push(resolve))
  const first = calculateImpact(at, 'all')
  cancelImpact(at, 'all')
  const second = calculateImpact(at, 'all')
  ends[0]?.(Response.json({ detail: { code: 'style-guide-not-found', message: 'gone' } }, { status: 404 }))
  await first
  expect([briefly(), asked]).toEqual([
    ['running', 0, 0],
    [0, 0],
  ])
  // The second one is still under way: nothing is started beside it.
  await calculateImpact(at, 'all')
  expect(asked).toEqual([0, 0])
  total = 20
  ends[1]?.(part(0))
  await second
  expect(briefly()).toEqual(['done', 'stamp 0', 20])
})

test('a refusal is shown, and it can be calculated again', async () => {
  answer = () =>
    Promise.resolve(Response.json({ detail: { code: 'style-guide-not-found', message: 'gone' } }, { status: 404 }))
  await calculateImpact(at, 'all')
  expect(briefly()).toEqual(['failed'])
  answer = (offset) => Promise.resolve(part(offset))
  await calculateImpact(at, 'all')
  expect(briefly()).toEqual(['done', 'stamp 0', 45])
})
