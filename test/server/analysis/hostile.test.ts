import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { shapes } from '../../src/diff/hostile.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

/** What a person at another page may wait at most. */
const mostStallMs = 1000

const flowMap = `{${Array.from({ length: 60_000 }, (_, i) => `a${i}: 1`).join(', ')}}`
const heads: readonly (readonly [string, string])[] = [
  ...(['fork-oneOf', 'fork-not', 'mutual-oneOf', 'patterns-of-names', 'discriminator-back'] as const).map(
    (name): [string, string] => [name, JSON.stringify(shapes[name]?.(28)[1])],
  ),
  ['flow-map', flowMap],
]

onBothEngines('documents that are dear to read or to compare', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { analysis: { processes: 2, deadlineMs: 5000, memoryMb: 500 } })
    await it.send('POST', '?label=1.0.0&publish=true', petsYaml('1.0.0'), { 'content-type': 'application/yaml' })
  })
  afterAll(() => it.service.stop())

  /** Asks for the health of the service while something else is under way; the longest wait in milliseconds. */
  const longestWait = async (work: Promise<unknown>): Promise<number> => {
    let longest = 0
    const state = { isDone: false }
    const ended = work.finally(() => (state.isDone = true))
    while (!state.isDone) {
      const begun = performance.now()
      await it.service.handle(new Request('http://localhost/healthz'))
      await Bun.sleep(5)
      longest = Math.max(longest, performance.now() - begun)
    }
    await ended
    return longest
  }

  for (const [name, text] of heads) {
    test(`${name} keeps nobody else waiting`, async () => {
      const source = { kind: 'inline', name: `${name}.yaml`, content: text }
      const answers = Promise.all([
        it.send('POST', '/v1/diff/local/classified', {
          base: { project: 'pets', version: '1.0.0' },
          head: { inline: text, name },
        }),
        it.send('POST', '/v1/lint/local/preflight', { source }),
      ])
      expect(await longestWait(answers)).toBeLessThan(mostStallMs)
      for (const { status } of await answers) expect(status).toBeLessThan(500)
    }, 60_000)
  }
})
