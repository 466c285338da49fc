/** 100,000 references, parameters, tags and the like in one description: every operation ends in time, and no one else waits for it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addApiKey } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { isFull } from '../../fixtures/extent.ts'
import { manyOf } from '../../fixtures/many-references.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'
import { watchStalls } from '../../fixtures/stalls.ts'

const count = 100_000
/** Those that a comparison does not end for, and one that every reader walks. */
const inGate: ReadonlySet<string> = new Set(['allOf', 'mapping', 'circle'])

onBothEngines('a description with 100,000', (makeDb) => {
  let it: PetsProject
  let differ: string
  beforeAll(async () => {
    const db = await makeDb()
    it = await openPetsProject(db, { analysis: { processes: 2, deadlineMs: 3000, memoryMb: 700 } })
    differ = await addApiKey(db, it.tenantId, { scopes: ['diff:read'] })
    const base = JSON.stringify(manyOf['allOf']?.(3))
    const made = await it.brief('POST', '?label=1.0.0', base, { 'content-type': 'application/octet-stream' })
    expect(made).toStartWith('201')
  })
  afterAll(() => it.service.stop())

  const ask = (path: string, body: object, headers = {}) => it.send('POST', path, body, headers)

  /** Imports a text and publishes it. @returns the status of the document that is stored then: 404 where the import was refused */
  async function importAndRead(text: string, label: string): Promise<number> {
    const source = { kind: 'inline', name: 'many.json', content: text }
    const more = { version: label, publish: 'public', force: true, force_reason: 'test', project_slug: 'pets' }
    const { value } = await ask('/v1/tenants/local/imports', { source, ...more })
    await it.send('GET', `/v1/imports/${String(value['job_id'])}?wait=30`)
    return (await it.send('GET', `/${label}/document`)).status
  }

  for (const [name, make] of Object.entries(manyOf).filter(([one]) => isFull || inGate.has(one)))
    test(`${name} keeps no one else waiting`, async () => {
      const text = JSON.stringify(make(count))
      const source = { kind: 'inline', name: 'many.json', content: text }
      const head = { inline: text, name: 'many.json' }
      // What the test itself made is not measured.
      await Bun.sleep(100)
      const stop = watchStalls()
      const began = performance.now()
      const answers = [
        await ask(
          '/v1/diff/local/classified',
          { base: { project: 'pets', version: '1.0.0' }, head },
          { 'x-api-key': differ },
        ),
        await ask('/v1/lint/local/preflight', { source, target: 'project' }),
      ]
      const read = await importAndRead(text, `2.0.0-${name.toLowerCase()}`)
      expect(await stop()).toEqual([])
      // Each of three questions has three seconds of an analysis process; a busy machine takes longer around it.
      expect(performance.now() - began).toBeLessThan(55_000)
      for (const { status } of answers) expect([200, 422]).toContain(status)
      expect([200, 404]).toContain(read)
      expect(it.faults).toEqual([])
    }, 60_000)
})
