import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { contents, importUploads, objectRemovals, renderings } from '../../../db/tables.gen.ts'
import { createService } from '../../../server/app.ts'
import { type ImportJob, importsApi } from '../../../src/api/imports.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { noise, s3Objects } from '../../fixtures/objects.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'
import { startS3 } from '../../fixtures/s3-server.ts'

/** A document whose description does not pack. */
const documentOf = (version: string, bytes: number, seed: number): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version, description: Buffer.from(noise(bytes, seed)).toString('base64') },
    paths: {},
  })

const s3 = startS3()
afterAll(() => s3.stop())

onBothEngines('a service with object storage', (makeDb) => {
  let it: PetsProject
  let db: Database
  beforeAll(async () => {
    db = Object.assign(await makeDb(), { objects: s3Objects(s3) })
    it = await openPetsProject(db)
  })
  afterAll(() => it.service.stop())

  const kinds = () => [...new Set([...s3.objects.keys()].map((key) => key.split('/')[1] ?? ''))].toSorted()
  const another = () =>
    createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => it.faults.push(fault) })
  const ask = async (service: ReturnType<typeof another>, path: string) => {
    const answer = await service.handle(new Request(`http://localhost${path}`, { headers: { 'x-api-key': it.key } }))
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  }

  test('large documents and what is rendered of them are objects, and are answered byte for byte', async () => {
    const large = documentOf('1.0.0', 600_000, 1)
    expect(await it.brief('POST', '', { label: '1.0.0', content: large })).toBe('201 draft')
    expect(await it.brief('POST', '/1.0.0/publish', { visibility: 'public' })).toBe('200')
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(large)
    const service = another()
    await service.prepare()
    const rendered = await ask(service, '/v1/schema/local/pets/1.0.0')
    await service.stop()
    expect([rendered.status, kinds()]).toEqual([200, ['contents', 'renderings']])
    const kept = await db.read.select({ object: renderings.object, bytes: renderings.compressed }).from(renderings)
    expect(kept.map(({ object, bytes }) => [object === null, bytes.byteLength])).toEqual([
      [false, 0],
      [false, 0],
    ])
    const second = another()
    expect((await ask(second, '/v1/schema/local/pets/1.0.0')).text).toBe(rendered.text)
    // A rendering that is lost is made again.
    for (const key of s3.objects.keys()) if (key.startsWith('svc/renderings/')) s3.objects.delete(key)
    const third = another()
    expect((await ask(third, '/v1/schema/local/pets/1.0.0')).text).toBe(rendered.text)
    await second.stop()
    await third.stop()
    expect(it.faults).toEqual([])
  })

  test('what came with an import is an object until its job has ended', async () => {
    const source = { kind: 'inline' as const, name: 'pets.json', content: documentOf('2.0.0', 40_000, 2) }
    const params = { tenant_slug: it.tenant }
    const job = await it.call(importsApi.create, { params, body: { source, dry_run: false, project_slug: 'pets' } })
    const ended: ImportJob = await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
    expect([ended.error, kinds()]).toEqual([null, ['contents', 'renderings', 'uploads']])
    expect(await db.read.select().from(importUploads)).toEqual([])
    const queued = await db.read.select({ kind: objectRemovals.kind }).from(objectRemovals)
    expect(queued).toEqual([{ kind: 'uploads' }])
    expect((await it.send('GET', '/2.0.0/document')).text).toBe(source.content)
  })

  test('while the store is away documents are refused with one error, and everything else is answered', async () => {
    s3.fail('refused')
    const before = (await db.read.select({ digest: contents.digest }).from(contents)).length
    const document = await it.send('GET', '/1.0.0/document')
    expect([document.status, document.value.detail?.code, document.headers.get('retry-after')]).toEqual([
      503,
      'storage-unavailable',
      '5',
    ])
    const service = another()
    const rendered = await ask(service, '/v1/schema/local/pets/1.0.0')
    expect([rendered.status, rendered.retryAfter]).toEqual([503, '5'])
    expect((await ask(service, '/v1/tenants/local/projects/pets/versions')).status).toBe(200)
    await service.stop()
    const draft = { label: '3.0.0', content: documentOf('3.0.0', 40_000, 3) }
    expect(await it.brief('POST', '', draft)).toBe('503 storage-unavailable')
    expect((await db.read.select({ digest: contents.digest }).from(contents)).length).toBe(before)
    expect(await it.brief('POST', '', { label: '4.0.0', content: documentOf('4.0.0', 100, 4) })).toBe('201 draft')
    s3.fail(null)
    expect(await it.brief('POST', '', draft)).toBe('201 draft')
    expect((await it.send('GET', '/1.0.0/document')).status).toBe(200)
    expect(it.faults).toEqual([])
  })
})
