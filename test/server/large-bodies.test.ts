/** The largest bodies that operations take, in the shapes that cost most: whatever becomes of them, nobody else waits for it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../fixtures/pets-project.ts'
import { lastingStalls } from '../fixtures/stalls.ts'

const mega = 1024 * 1024
const keys = (count: number, value: unknown = 'x'): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]))
const inline = (content: string) => ({ source: { kind: 'inline', name: 'a.yaml', content } })
const imports = 'POST /v1/tenants/local/imports'
const types = 'POST /v1/primitives/local/import'
const pact = 'POST /v1/tenants/local/projects/pets/consumer-pact-imports'
const diff = 'POST /v1/diff/local/classified'
const base = { project: 'pets', version: '1.0.0' }

/** Each with the statuses that it may have. */
const bodies: Readonly<Record<string, readonly [string, () => object | FormData, readonly number[]]>> = {
  'an import of 31 million line ends': [imports, () => inline('\n'.repeat(31 * mega)), [202, 413, 422]],
  'an import of 15 million signs outside of the basic plane': [
    imports,
    () => inline('😀'.repeat(15 * mega)),
    [202, 413, 422],
  ],
  'an import of 10,000 files': [
    imports,
    () => ({
      source: {
        kind: 'files',
        name: 'many',
        files: Array.from({ length: 10_000 }, (_, at) => ({ path: `f${at}.yaml`, content: '\n'.repeat(3000) })),
      },
    }),
    [202, 413, 422],
  ],
  'an import by a form whose options are 6 MB': [
    imports,
    () => {
      const form = new FormData()
      form.set('file', new File([petsYaml('1.0.0')], 'a.yaml'))
      form.set('request', new File([JSON.stringify(keys(400_000))], 'request.json'))
      return form
    },
    [400],
  ],
  'an archive of 64 MB to check': [
    'POST /v1/lint/local/preflight',
    () => ({ source: { kind: 'archive', name: 'a.zip', content: 'A'.repeat(87 * mega) } }),
    [422],
  ],
  'a comparison with a head of 10 MB': [diff, () => ({ base, head: { inline: '\n'.repeat(9_999_000) } }), [200, 422]],
  'types of half a million keys': [types, () => ({ document: keys(499_000), namespace: 'n' }), [200, 413, 422]],
  'a type of half a million properties': [
    types,
    () => ({ document: { $defs: { A: { properties: keys(250_000, true) } } }, namespace: 'n' }),
    [200, 413, 422],
  ],
  'types as a list of a million': [
    types,
    () => ({ document: Array(990_000).fill(1), namespace: 'n' }),
    [200, 413, 422],
  ],
  'types as a text of escapes': [types, () => ({ content: '\n'.repeat(8 * mega), namespace: 'n' }), [200, 413, 422]],
  'a contract of half a million keys': [pact, () => ({ pact: keys(499_000), version: '1.0.0' }), [413, 422]],
  'half a million properties that nobody declared': [pact, () => keys(499_000), [422]],
  'a list of a million in place of an object': [pact, () => Array(990_000).fill(null), [422]],
  'migration rules of 48,000 properties': [
    'PUT /v1/migration-plans/local',
    () => ({
      project_id: 'pets',
      from_version_id: 'a',
      to_version_id: 'b',
      class_name: 'Pet',
      rules: keys(24_000, { a: 1 }),
    }),
    [400],
  ],
}

onBothEngines('large bodies', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { analysis: { processes: 2, deadlineMs: 20_000, memoryMb: 512 } })
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
  }, 60_000)
  afterAll(() => it.service.stop())

  test.each(Object.entries(bodies))('%s', async (_, [line, make, statuses]) => {
    const [method = '', path = ''] = line.split(' ')
    const made = make()
    const body = made instanceof FormData ? made : new TextEncoder().encode(JSON.stringify(made))
    const type: Record<string, string> = made instanceof FormData ? {} : { 'content-type': 'application/json' }
    await Bun.sleep(100)
    const answers: unknown[] = []
    const stalls = await lastingStalls(async () => {
      const { status, text, value } = await it.send(method, path, body, type)
      // An import goes on behind its answer.
      if (status === 202) await it.send('GET', `/v1/imports/${String(value['job_id'])}?wait=30`)
      answers.push(statuses.includes(status) ? 'expected' : [status, text.slice(0, 300)])
    })
    expect([answers, stalls]).toEqual([answers.map(() => 'expected'), []])
  })
})
