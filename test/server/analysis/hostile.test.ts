import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addApiKey } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { shapes } from '../../src/diff/hostile.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

/** Processor time of the server's own thread between two answers at most. */
const mostBusyMs = 1000

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const flowMap = `{${Array.from({ length: 60_000 }, (_, i) => `a${i}: 1`).join(', ')}}`
const many = Array.from({ length: 60_000 }, (_, i) => `value ${i}`)
const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  .map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]}`).join(', ')}]`)
  .join('\n')}`
const heads: readonly (readonly [string, string])[] = [
  ...(['fork-oneOf', 'fork-not', 'mutual-oneOf', 'patterns-of-names', 'discriminator-back'] as const).map(
    (name): [string, string] => [name, JSON.stringify(shapes[name]?.(28)[1])],
  ),
  ['chain-of-references', JSON.stringify(shapes['chain-ref']?.(1500)[1])],
  ['flow-map', flowMap],
  ['alias-bomb', bomb],
  ['deep', `{"openapi": "3.1.0", "x-deep": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  [
    'enum',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'E', version: '2.0.0' },
      components: { schemas: { E: { enum: many } } },
    }),
  ],
]
// Whatever is dear to read as rules of an organization.
const rules: readonly (readonly [string, string])[] = [
  ['flow-map', `rules: ${flowMap}`],
  ['alias-bomb', `${bomb}\nrules: { a: *i }`],
  ['deep', `rules: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  [
    'patterns',
    `rules:\n  p:\n    given: $..*\n    then: { function: pattern, functionOptions: { match: '^(a|b)*a(a|b){500}$' } }\n`,
  ],
]
const pact = (interactions: string): string =>
  `{"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": [${interactions}]}`
const interaction = (body: string): string =>
  `{"description": "d", "request": {"method": "post", "path": "/x", "body": ${body}}, "response": {"status": 200, "body": ${body}}}`
const pacts: readonly (readonly [string, string])[] = [
  ['deep', pact(interaction(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`))],
  ['wide', pact(interaction(`{${many.map((it) => `"${it}": 1`).join(', ')}}`))],
  [
    'many',
    pact(
      many
        .slice(0, 2000)
        .map(() => interaction('{"a": "b"}'))
        .join(', '),
    ),
  ],
]

onBothEngines('documents that are dear to read or to compare', (makeDb) => {
  let it: PetsProject
  let differ: string
  let guide: string
  beforeAll(async () => {
    const db = await makeDb()
    it = await openPetsProject(db, { analysis: { processes: 2, deadlineMs: 3000, memoryMb: 500 } })
    // The least credential that may do this.
    differ = await addApiKey(db, it.tenantId, { scopes: ['diff:read'] })
    const base = JSON.stringify(shapes['fork-oneOf']?.(3)[0])
    expect(await it.brief('POST', '?label=1.0.0', base, { 'content-type': 'application/octet-stream' })).toStartWith(
      '201',
    )
    const publish = await it.send('POST', '/1.0.0/publish', { visibility: 'public', force: true, force_reason: 'test' })
    expect(publish.status).toBe(200)
    guide = String((await it.send('POST', '/v1/style-guides/local', { name: 'Organization rules' })).value['id'])
  })
  afterAll(() => it.service.stop())

  /**
   * Asks for the health of the service while something else is under way; the most processor time that this thread took
   * between two answers, in milliseconds. A busy machine makes it wait, not work.
   */
  const busiest = async (work: Promise<unknown>): Promise<number> => {
    let longest = 0
    const state = { isDone: false }
    const ended = work.finally(() => (state.isDone = true))
    while (!state.isDone) {
      const begun = threadMs()
      await it.service.handle(new Request('http://localhost/healthz'))
      await Bun.sleep(5)
      longest = Math.max(longest, threadMs() - begun)
    }
    await ended
    return longest
  }

  const importOf = async (source: object, version: string): Promise<{ status: number }> => {
    const body = { source, version, publish: 'public', force: true, force_reason: 'test', project_slug: 'pets' }
    const { status, value } = await it.send('POST', '/v1/tenants/local/imports', body)
    expect(status).toBe(202)
    const ended = await it.send('GET', `/v1/imports/${String(value['job_id'])}?wait=30`)
    expect(ended.value['finished_at']).not.toBeNull()
    return ended
  }

  for (const [name, text] of heads) {
    const inline = { kind: 'inline', name: `${name}.yaml`, content: text }
    const files = { kind: 'files', files: [{ path: 'openapi.yaml', content: text }] }
    const works: Readonly<Record<string, () => Promise<{ readonly status: number }>>> = {
      'sent along to be compared': () =>
        it.send(
          'POST',
          '/v1/diff/local/classified',
          { base: { project: 'pets', version: '1.0.0' }, head: { inline: text, name } },
          { 'x-api-key': differ },
        ),
      'as a candidate': () => it.send('POST', '/v1/lint/local/preflight', { source: inline, target: 'project' }),
      'as a file of a candidate': () => it.send('POST', '/v1/lint/local/preflight', { source: files }),
      'imported and published': () => importOf(inline, name),
      'imported as a file': () => importOf(files, `${name}-file`),
    }
    for (const [how, work] of Object.entries(works))
      test(`${name}, ${how}, takes no time of the server itself`, async () => {
        const answer = work()
        expect(await busiest(answer)).toBeLessThan(mostBusyMs)
        expect([200, 422]).toContain((await answer).status)
        expect(it.faults).toEqual([])
      }, 60_000)
  }

  for (const [name, yaml] of rules)
    test(`${name} as rules takes no time of the server itself`, async () => {
      const address = `/v1/style-guides/local/${guide}/custom-rules`
      const answers = Promise.all([
        it.send('POST', `${address}/preview`, { yaml, content: petsYaml('1.0.0'), name: 'pets.yaml' }),
        it.send('PUT', address, { yaml }),
      ])
      expect(await busiest(answers)).toBeLessThan(mostBusyMs)
      for (const { status } of await answers) expect([200, 422]).toContain(status)
      expect(it.faults).toEqual([])
    }, 60_000)

  for (const [name, text] of pacts)
    test(`${name} as a contract test takes no time of the server itself`, async () => {
      const body = { pact: text, version: '1.0.0', consumer_slug: `consumer-${name}` }
      const answer = it.send('POST', '/v1/tenants/local/projects/pets/consumer-pact-imports', body)
      expect(await busiest(answer)).toBeLessThan(mostBusyMs)
      expect([201, 422]).toContain((await answer).status)
      expect(it.faults).toEqual([])
    }, 60_000)
})
