/** No operation that writes computes for more than 200 ms without giving others their turn, at the largest bodies that its contract allows. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../fixtures/engines.ts'
import { isFull } from '../fixtures/extent.ts'
import { openPetsProject, type PetsProject } from '../fixtures/pets-project.ts'
import { type Known, makeOneOfEach } from '../fixtures/one-of-each.ts'
import { costOfCall } from '../fixtures/worst-inputs.ts'
import { type DescribedWrites, type Filler, fillers, worstWrites } from '../fixtures/worst-bodies.ts'

onBothEngines('costs of writes', (makeDb) => {
  let it: PetsProject
  let api: DescribedWrites
  let known: Known = {}

  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { analysis: { processes: 2, deadlineMs: 20_000, memoryMb: 512 } })
    const { value } = await it.send('GET', '/v1/openapi.json')
    api = value as unknown as DescribedWrites
    known = await makeOneOfEach(it)
  }, 60_000)
  afterAll(() => it.service.stop())

  // What is dearest to read; a full run tries the others too.
  for (const filler of isFull ? (Object.keys(fillers) as Filler[]) : (['keys'] as const))
    test(`texts of ${filler}`, async () => {
      const writes = worstWrites(api, known, filler)
      const wrong: string[] = []
      let taken = 0
      for (const [operation, calls] of writes)
        for (const { method, address, body } of calls) {
          const { status, stallMs } = await costOfCall(() => it.send(method, address, body))
          if (stallMs > 0 || status >= 500) wrong.push(`${operation} ${status} ${stallMs} ms`)
          // The next body is smaller.
          if (status === 413) continue
          taken++
          break
        }
      expect(wrong).toEqual([])
      expect(taken).toBeGreaterThan(140)
    }, 240_000)
})
