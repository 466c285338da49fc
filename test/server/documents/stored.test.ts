import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../../db/database.ts'
import { renderings } from '../../../db/tables.gen.ts'
import { createService } from '../../../server/app.ts'
import { digestText } from '../../../src/document/serialize.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { importDocument } from '../../../src/import/importer.ts'
import { renderDocument, writeDocument } from '../../../src/render/render.ts'
import { renderingRevision } from '../../../src/render/revision.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const large = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Large', version: '1.0.0' },
  paths: {},
  components: { schemas: { A: { type: 'string', nullable: true, description: 'x'.repeat(600 * 1024) } } },
})

/** What is kept: the document, and the parts of its documentation. */
const kindsOf = async (db: Database): Promise<string[]> =>
  (await db.read.select({ kind: renderings.kind }).from(renderings))
    .map(({ kind }) => kind.split(' ')[0] ?? '')
    .toSorted()

onBothEngines('large rendered documents', (makeDb) => {
  let it: PetsProject
  let db: Database
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
    for (const [label, content] of [
      ['1.0.0', large],
      ['0.1.0', large.replace('Large', 'Small').replaceAll('x', '')],
    ]) {
      await it.send('POST', '', { label, content })
      await it.send('POST', `/${label}/publish`, { visibility: 'public' })
    }
  })
  afterAll(() => it.service.stop())

  test('are kept when they were made, and another process sends the same bytes', async () => {
    const fresh = () =>
      createService({
        db,
        publicUrl: () => 'http://svc.test',
        egressAllow: [],
        onFault: (fault) => it.faults.push(fault),
      })
    const ask = async (service: ReturnType<typeof fresh>, path: string) => {
      const response = await service.handle(new Request(`http://localhost${path}`))
      return [response.status, response.headers.get('etag'), digestText(await response.text())]
    }
    const [first, second] = [fresh(), fresh()]
    await first.prepare()
    await first.stop()
    expect(await kindsOf(db)).toEqual(['openapi.json', 'reader'])
    const made = await ask(it.service, '/v1/schema/local/pets/1.0.0')
    expect(await ask(second, '/v1/schema/local/pets/1.0.0')).toEqual(made)
    // A small document and a class are made each time.
    expect((await ask(second, '/v1/schema/local/pets/0.1.0'))[0]).toBe(200)
    expect((await ask(second, '/v1/schema/local/pets/1.0.0/A'))[0]).toBe(200)
    await second.stop()
    expect(await kindsOf(db)).toEqual(['openapi.json', 'reader'])
    await it.service.stop()
    expect(it.faults).toEqual([])
  })

  test('many who ask at once for one that is not made yet get the same', async () => {
    const service = createService({
      db,
      publicUrl: () => '',
      egressAllow: [],
      onFault: (fault) => it.faults.push(fault),
    })
    const all = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await service.handle(new Request('http://localhost/v1/json/local/pets/1.0.0'))
        return `${answer.status} ${answer.headers.get('etag')}`
      }),
    )
    expect(new Set(all).size).toBe(1)
    await service.stop()
  })
})

test('a change of what a rendering says requires a new revision', () => {
  const file = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
  const digests = [
    '2.0/json/petstore.json',
    '3.0/json/petstore.json',
    '3.0/json/schema-types.json',
    '3.1/json/train-travel.json',
  ].map((name) => {
    const { spec } = importDocument(parseDocument(readFileSync(join(file, name), 'utf8'), { source: name }), 'auto')
    const of = (format: 'openapi' | 'json-schema') =>
      spec === null ? '' : writeDocument(renderDocument(spec, format).value ?? {}, 'json')
    return digestText(of('openapi') + of('json-schema')).slice(7, 23)
  })
  // When this fails: raise `renderingRevision`, and write its number and the digests here.
  expect([renderingRevision, ...digests]).toEqual([
    1,
    '4cdb8ef7cc156e32',
    '6bbacba13469487a',
    'f0812171cb6b5a13',
    '78ce00cf46d093b5',
  ])
})
