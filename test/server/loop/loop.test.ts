/** The loop alone, over a list in memory: what is due is done once, whatever fails, crashes, comes meanwhile or stops it. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { runLoop, type LoopOptions } from '../../../server/loop/loop.ts'
import { Share } from '../../../server/loop/share.ts'

interface Work {
  readonly id: number
  readonly tenantId: string | null
}

/** What is due, as a database has it: taken work is another process's until that gave it back or was lost. */
class Queue {
  readonly due: Work[] = []
  readonly taken = new Map<number, Work>()
  readonly ended: number[] = []

  put(...works: readonly Work[]): void {
    this.due.push(...works)
  }

  /** The next one, where the share lets it begin. */
  take(share: Share): Work | undefined {
    const [first] = share.order(this.due.map((work) => ({ work, tenantId: work.tenantId, since: String(work.id) })))
    if (first === undefined) return undefined
    this.due.splice(this.due.indexOf(first.work), 1)
    this.taken.set(first.work.id, first.work)
    return first.work
  }

  end({ id }: Work): void {
    if (this.taken.delete(id)) this.ended.push(id)
  }

  giveBack(work: Work): void {
    if (this.taken.delete(work.id)) this.due.push(work)
  }
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 5000 && !holds(); n++) await tick()
  expect(holds()).toBe(true)
}

function start(
  queue: Queue,
  run: (work: Work, cutOff: AbortSignal) => Promise<void>,
  { capacity = 4, ...more }: Partial<Omit<LoopOptions, 'claim' | 'share'>> & { readonly capacity?: number } = {},
) {
  const stop = new AbortController()
  const share = new Share(capacity)
  const faults: string[] = []
  const loop = runLoop(
    {
      share,
      pollMs: 1_000_000,
      onFault: (fault) => faults.push((fault as Error).message),
      claim: async (begin) => {
        await tick()
        const work = queue.take(share)
        if (work === undefined) return 0
        begin(work.tenantId, 'test', async (cutOff) => {
          await run(work, cutOff)
          queue.end(work)
        })
        return 1
      },
      ...more,
    },
    stop.signal,
  )
  const end = () => {
    stop.abort()
    return loop.done
  }
  return { loop, stop, faults, share, end }
}

const many = (count: number, tenantId: string | null = null, first = 0): Work[] =>
  Array.from({ length: count }, (_, n) => ({ id: first + n, tenantId }))

test('all that is due is done without a pause, and no more at once than there is room for', async () => {
  const queue = new Queue()
  queue.put(...many(20))
  let underWay = 0
  let most = 0
  const { end, faults } = start(queue, async () => {
    most = Math.max(most, ++underWay)
    for (let n = 0; n < 20; n++) await tick()
    underWay -= 1
  })
  await until(() => queue.ended.length === 20)
  await end()
  expect([most, faults, queue.ended.toSorted((a, b) => a - b)]).toEqual([4, [], many(20).map(({ id }) => id)])
})

test('an organization has half, and another one that comes later begins at once', async () => {
  const queue = new Queue()
  queue.put(...many(50, 'slow'))
  const gate = Promise.withResolvers<void>()
  const begun: (string | null)[] = []
  const { loop, end } = start(queue, async ({ tenantId }) => {
    begun.push(tenantId)
    if (tenantId === 'slow') await gate.promise
  })
  await until(() => begun.length === 2)
  queue.put({ id: 100, tenantId: 'quick' })
  loop.wake()
  await until(() => queue.ended.includes(100))
  expect(begun).toEqual(['slow', 'slow', 'quick'])
  gate.resolve()
  await until(() => queue.ended.length === 51)
  await end()
})

test('a wake is never lost: before the loop pauses, while it claims, and while work is under way', async () => {
  const queue = new Queue()
  const { loop, end } = start(queue, tick)
  for (let id = 0; id < 30; id++) {
    // After so many turns of the event loop it is anywhere: in a claim, in a pause, or with work under way.
    for (let n = 0; n < id % 7; n++) await tick()
    queue.put({ id, tenantId: null })
    loop.wake()
  }
  await until(() => queue.ended.length === 30)
  await end()
})

test('without a wake it looks again after the pause', async () => {
  const queue = new Queue()
  const { end } = start(queue, tick, { pollMs: 5 })
  await Bun.sleep(20)
  queue.put({ id: 1, tenantId: null })
  await until(() => queue.ended.length === 1)
  await end()
})

test('work that throws is reported and ends; the rest continues', async () => {
  const queue = new Queue()
  queue.put(...many(6))
  const { end, faults, share } = start(queue, async ({ id }) => {
    if (id % 2 === 0) throw new Error(`work ${id}`)
  })
  await until(() => queue.ended.length === 3)
  await end()
  expect(faults.toSorted()).toEqual(['work 0', 'work 2', 'work 4'])
  expect([queue.ended, share.free]).toEqual([[1, 3, 5], 4])
})

test('a claim that throws is reported, and made again after the pause; what it began before counts', async () => {
  const stop = new AbortController()
  const faults: unknown[] = []
  const done: string[] = []
  let claims = 0
  const { done: ended } = runLoop(
    {
      pollMs: 2,
      onFault: (fault) => faults.push((fault as Error).message),
      claim: async (begin) => {
        claims += 1
        if (claims > 2) return 0
        begin(null, 'test', async () => void done.push(`of claim ${claims}`))
        throw new Error(`claim ${claims}`)
      },
    },
    stop.signal,
  )
  await until(() => claims > 3)
  stop.abort()
  await ended
  expect([faults, done]).toEqual([
    ['claim 1', 'claim 2'],
    ['of claim 1', 'of claim 2'],
  ])
})

test('nothing is claimed while there is no room', async () => {
  const queue = new Queue()
  queue.put(...many(3))
  const gate = Promise.withResolvers<void>()
  const { loop, end } = start(queue, () => gate.promise, { capacity: 1, pollMs: 1 })
  await until(() => queue.taken.size === 1)
  for (let n = 0; n < 5; n++) {
    loop.wake()
    await Bun.sleep(2)
  }
  expect([queue.taken.size, queue.due.length]).toEqual([1, 2])
  gate.resolve()
  await until(() => queue.ended.length === 3)
  await end()
})

test('after the signal nothing is taken, and what is under way ends first', async () => {
  const queue = new Queue()
  queue.put(...many(10))
  const gate = Promise.withResolvers<void>()
  const { loop, end } = start(queue, () => gate.promise)
  await until(() => queue.taken.size === 4)
  let isDone = false
  const done = end().then(() => (isDone = true))
  loop.wake()
  await Bun.sleep(10)
  expect([isDone, queue.taken.size, queue.due.length]).toEqual([false, 4, 6])
  gate.resolve()
  await done
  expect([queue.taken.size, queue.ended.length, queue.due.length]).toEqual([0, 4, 6])
})

test('what takes longer than the drain is cut off, and so is all of it when it must be given back now', async () => {
  for (const isForced of [false, true]) {
    const queue = new Queue()
    queue.put(...many(4))
    const stopped = start(
      queue,
      async (work, cutOff) => {
        if (work.id === 0) return
        await new Promise((resolve) => cutOff.addEventListener('abort', resolve, { once: true }))
        queue.giveBack(work)
      },
      { drainMs: isForced ? 1_000_000 : 5 },
    )
    await until(() => queue.taken.size === 3 && queue.ended.length === 1)
    stopped.stop.abort()
    if (isForced) stopped.loop.giveBack()
    await stopped.loop.done
    expect([queue.ended, queue.due.map(({ id }) => id).toSorted((a, b) => a - b), queue.taken.size]).toEqual([
      [0],
      [1, 2, 3],
      0,
    ])
  }
})

test('a loop whose signal had aborted takes nothing', async () => {
  let claims = 0
  const claim = async () => ++claims
  await runLoop({ claim, pollMs: 1, onFault: () => {} }, AbortSignal.abort()).done
  expect(claims).toBe(0)
})

test('whatever order of work, failures, crashes and stops: each piece ends once, and none is lost', async () => {
  const fate = fc.constantFrom('ends', 'fails', 'crashes', 'is slow')
  const work = fc.record({ tenantId: fc.constantFrom('a', 'b', null), fate })
  const property = fc.asyncProperty(
    fc.array(work, { maxLength: 25 }),
    fc.integer({ min: 1, max: 5 }),
    fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }),
    async (works, capacity, stops) => {
      const queue = new Queue()
      const attempts = new Map<number, number>()
      const run = async (one: Work, cutOff: AbortSignal): Promise<void> => {
        const attempt = (attempts.get(one.id) ?? 0) + 1
        attempts.set(one.id, attempt)
        const does = works[one.id]?.fate
        if (does === 'is slow') for (let n = 0; n < 6 && !cutOff.aborted; n++) await tick()
        if (cutOff.aborted || (attempt === 1 && does === 'fails')) queue.giveBack(one)
        // A process that crashes gives nothing back: what it had taken is due again when its time is over.
        if (attempt === 1 && does === 'crashes') throw new Error('crashed')
      }
      queue.put(...works.map(({ tenantId }, id) => ({ id, tenantId })))
      // Several processes, one after the other, each stopped at some time; the last one ends all.
      for (const turns of stops) {
        const { end } = start(queue, run, { capacity, drainMs: 0 })
        for (let n = 0; n < turns; n++) await tick()
        await end()
        for (const lost of queue.taken.values()) queue.giveBack(lost)
      }
      const last = start(queue, run, { capacity })
      for (let n = 0; n < 1000 && queue.ended.length < works.length; n++) {
        for (const lost of queue.taken.values())
          if (works[lost.id]?.fate === 'crashes' && attempts.get(lost.id) === 1) queue.giveBack(lost)
        last.loop.wake()
        await tick()
      }
      await last.end()
      expect(queue.ended.toSorted((a, b) => a - b)).toEqual(works.map((_, id) => id))
      expect([queue.due, [...queue.taken]]).toEqual([[], []])
      expect(last.share.free).toBe(capacity)
    },
  )
  await fc.assert(property, { numRuns: 60 })
})
