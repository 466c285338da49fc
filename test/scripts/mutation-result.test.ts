/** What the runs of the mutations found: every target has a result, and no survivor is left open. A source may have changed since. */
import { expect, test } from 'bun:test'
import { explanationKey, readExplained, readResults, unexplained } from '../../scripts/mutate/result.ts'
import { targets } from '../../scripts/mutate/targets.ts'

test('the result names exactly the targets', async () => {
  const files = targets.map((it) => it.file)
  expect(new Set(files).size).toBe(files.length)
  expect(Object.keys(await readResults())).toEqual(files.toSorted())
})

test('every mutation that survived is explained', async () => {
  const explained = await readExplained()
  const open = Object.entries(await readResults()).flatMap(([file, result]) =>
    unexplained(file, result, explained).map((it) => explanationKey(file, it)),
  )
  expect(open).toEqual([])
})

test('every explanation is about a mutation that survived', async () => {
  const survived = new Set(
    Object.entries(await readResults()).flatMap(([file, { survivors }]) =>
      survivors.map((it) => explanationKey(file, it)),
    ),
  )
  expect(Object.keys(await readExplained()).filter((key) => !survived.has(key))).toEqual([])
})
