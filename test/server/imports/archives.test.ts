import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importsApi, type ImportJob, type ImportRequest } from '../../../src/api/imports.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { SvcError } from '../../../src/errors.ts'
import { importUploads, licenses, tenants } from '../../../db/tables.gen.ts'
import type { Database } from '../../../db/database.ts'
import { packTarGz, packZip } from '../../fixtures/archives.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const api = (title: string, version = '1.0.0', rest = 'paths: {}'): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: ${version} }\n${rest}\n`

const pets = api(
  'Pets',
  '1.0.0',
  `paths: { /pets: { $ref: ./paths/pets.yaml } }
components: { schemas: { Pet: { $ref: ./schemas/pet.json } } }`,
)
const files = {
  'pets/openapi.yaml': pets,
  'pets/paths/pets.yaml': `get:
  operationId: listPets
  responses: { '200': { description: ok, content: { application/json: { schema: { $ref: ../schemas/pet.json } } } } }
`,
  'pets/schemas/pet.json': '{ "type": "object", "properties": { "name": { "type": "string" } } }',
  'shop.yaml': api('Shop'),
  'broken.yaml': 'openapi: 3.1.0\ninfo: { title: Broken }\npaths: {}\n',
}
const entriesOf = (of: Readonly<Record<string, string>>) =>
  Object.entries(of).map(([path, content]) => ({ path, content }))

onBothEngines('archives and bulk', (makeDb) => {
  let it: TestService
  let db: Database
  beforeAll(async () => {
    db = await makeDb()
    it = await startService(db)
  })
  afterAll(() => it.service.stop())

  const finish = (job: ImportJob): Promise<ImportJob> =>
    it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  const run = async (body: ImportRequest): Promise<ImportJob> =>
    finish(await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body }))
  const archive = (of: Readonly<Record<string, string>>, name = 'specs.zip'): ImportRequest['source'] => ({
    kind: 'archive',
    name,
    content_base64: Buffer.from(packZip(entriesOf(of))).toString('base64'),
  })
  const told = (job: ImportJob) =>
    job.items.map((one) => [one.path, one.status, one.plan?.version.action ?? one.error?.code])

  test('a dry run of everything says what would be created', async () => {
    const job = await run({ source: archive(files), bulk: true, dry_run: true })
    expect([job.status, told(job), job.summary]).toEqual([
      'completed_with_warnings',
      [
        ['broken.yaml', 'failed', 'document-invalid'],
        ['pets/openapi.yaml', 'completed', 'create'],
        ['shop.yaml', 'completed', 'create'],
      ],
      { documents: 3, created: 2, updated: 0, unchanged: 0, blocked: 0, failed: 1 },
    ])
    expect(job.items[0]?.error?.message).toContain('broken.yaml:2:')
    expect((await it.call(projectsApi.list, { params: { tenant_slug: it.tenant } })).total).toBe(0)
  })

  test('a dry run refuses the projects that the plan has no room for, as the import would', async () => {
    const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
    const tenantId = tenant?.id ?? ''
    const own = { tenantId, status: 'active', attachedAt: new Date().toISOString() } as const
    const before = await db.read.select().from(licenses)
    await db.inTransaction(async (tx) => {
      await tx.delete(licenses)
      await tx.insert(licenses).values({ ...own, plan: 'free' })
    })
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`a${at + 10}.yaml`, api(`Api ${at + 10}`)]))
    const job = await run({ source: archive(many), bulk: true, dry_run: true })
    await db.inTransaction(async (tx) => {
      await tx.delete(licenses)
      if (before.length > 0) await tx.insert(licenses).values(before)
    })
    expect(job.summary).toEqual({ documents: 12, created: 10, updated: 0, unchanged: 0, blocked: 0, failed: 2 })
    expect(told(job).slice(9)).toEqual([
      ['a19.yaml', 'completed', 'create'],
      ['a20.yaml', 'failed', 'quota-exceeded'],
      ['a21.yaml', 'failed', 'quota-exceeded'],
    ])
    expect(job.items[11]?.error?.message).toBe('The limit of the plan is reached: 10 of 10 projects.')
  })

  test('what looks like a description and cannot be read has a failed row', async () => {
    const unread = {
      'cut.json': '{"openapi":"3.1.0"',
      'notes.json': '{"a":',
      'openapi.yaml': '',
      'bytes.yaml': new Uint8Array([0x61, 0x3a, 0xc3, 0x28]),
      'shop.yaml': new Uint8Array(Buffer.from(`\ufeff${files['shop.yaml']}`, 'utf16le')),
    }
    const bytes = packZip(Object.entries(unread).map(([path, content]) => ({ path, content })))
    const source = { kind: 'archive', name: 'a.zip', content_base64: Buffer.from(bytes).toString('base64') } as const
    expect(told(await run({ source, bulk: true, dry_run: true }))).toEqual([
      ['bytes.yaml', 'failed', 'document-invalid'],
      ['cut.json', 'failed', 'document-invalid'],
      ['openapi.yaml', 'failed', 'document-invalid'],
      ['shop.yaml', 'completed', 'create'],
    ])
  })

  test('each independent document is imported, the broken one keeps nobody back', async () => {
    const job = await run({ source: archive(files), bulk: true })
    expect([job.status, job.progress, job.summary]).toEqual([
      'completed_with_warnings',
      { done: 3, total: 3 },
      { documents: 3, created: 2, updated: 0, unchanged: 0, blocked: 0, failed: 1 },
    ])
    const params = { tenant_slug: it.tenant, project_ref: 'pets', version_ref: '1.0.0' }
    const version = await it.call(versionsApi.get, { params })
    expect(version).toMatchObject({ operations_count: 1, classes_count: 1 })
    expect(version.provenance).toMatchObject({ source: 'specs.zip', path: 'pets/openapi.yaml', files: 3, commit: null })
    expect(await db.read.select().from(importUploads)).toEqual([])
  })

  test('the same again changes nothing; one changed part changes its document alone', async () => {
    const again = await run({ source: archive(files, 'other.zip'), bulk: true })
    expect(again.summary).toEqual({ documents: 3, created: 0, updated: 0, unchanged: 2, blocked: 0, failed: 1 })
    const part = '{ "type": "object" }'
    const changed = await run({ source: archive({ ...files, 'pets/schemas/pet.json': part }), bulk: true })
    expect(changed.summary).toMatchObject({ updated: 1, unchanged: 1, failed: 1 })
  })

  test('overrides by path and by slug', async () => {
    const source = archive({ 'a.yaml': api('Shop', '2.0.0'), 'b.yaml': api('Pets', '2.0.0'), 'c.yaml': api('Fresh') })
    const { items } = await it.call(projectsApi.list, { params: { tenant_slug: it.tenant } })
    const shop = items.find(({ slug }) => slug === 'shop')?.id ?? ''
    const job = await run({
      source,
      bulk: true,
      overrides: { 'a.yaml': 'new', pets: `existing:${shop}@7.0.0`, 'c.yaml': 'existing' },
    })
    expect(
      job.items.map((one) => [one.path, one.result?.project_slug, one.result?.version_slug, one.error?.code]),
    ).toEqual([
      ['a.yaml', 'shop-2', '2.0.0', undefined],
      ['b.yaml', 'shop', '7.0.0', undefined],
      ['c.yaml', undefined, undefined, 'project-not-found'],
    ])
    const unknown = await run({ source, bulk: true, overrides: { 'nothing.yaml': 'new' } })
    expect([unknown.status, unknown.error?.code, unknown.items]).toEqual(['failed', 'override-invalid', []])
    const create = { params: { tenant_slug: it.tenant }, body: { source, bulk: true, overrides: { a: 'sideways' } } }
    expect(await it.call(importsApi.create, create).catch((error: unknown) => (error as SvcError).code)).toBe(
      'override-invalid',
    )
  })

  test('two documents never take the same version', async () => {
    const job = await run({
      source: archive({ 'a.yaml': api('Twin'), 'b.yaml': `${api('Twin')}# other\n` }),
      bulk: true,
    })
    expect(told(job)).toEqual([
      ['a.yaml', 'completed', 'create'],
      ['b.yaml', 'failed', 'import-same-version'],
    ])
  })

  test('one document of an archive: the only one, the named one, or a question back', async () => {
    const single = await run({ source: archive({ 'x/api.yaml': api('Single'), 'readme.md': '#' }) })
    expect([single.status, single.result?.project_slug]).toEqual(['completed', 'single'])
    const several = await run({ source: archive(files), dry_run: true })
    expect([several.status, several.error?.code, several.error?.message]).toEqual([
      'failed',
      'source-ambiguous',
      'specs.zip contains several documents: broken.yaml, pets/openapi.yaml, shop.yaml.',
    ])
    const named = await run({ source: archive(files), root: 'shop.yaml', dry_run: true })
    expect([named.status, named.plan?.project.slug]).toEqual(['completed', 'shop'])
    const folder = await run({ source: archive(files), root: 'pets', dry_run: true })
    expect([folder.status, folder.plan?.project.slug]).toEqual(['completed', 'pets'])
    const closed = await run({ source: archive(files), root: 'pets/paths', dry_run: true })
    expect([closed.status, closed.error?.code]).toEqual(['failed', 'source-empty'])
    const missing = await run({ source: archive(files), root: 'nowhere', dry_run: true })
    expect(missing.error?.code).toBe('source-path-missing')
    const outside = await run({ source: archive(files), root: '../x', dry_run: true })
    expect(outside.error?.code).toBe('source-refused')
  })

  test('findings and refusals point into the files of the author', async () => {
    const broken = { ...files, 'pets/paths/pets.yaml': 'get:\n  responses:\n    "200": { description: 3 }\n' }
    const job = await run({ source: archive(broken), root: 'pets/openapi.yaml' })
    expect([job.status, job.error?.message]).toEqual([
      'failed',
      'Invalid document: pets/paths/pets.yaml:3:27: "description" must be a string, but is a number.',
    ])
    const syntax = { ...files, 'pets/schemas/pet.json': '{ "type": "object",\n  "x" 1 }' }
    const torn = await run({ source: archive(syntax), root: 'pets/openapi.yaml' })
    expect([torn.status, torn.error?.code]).toEqual(['failed', 'document-invalid'])
    expect(torn.error?.message).toContain('pets/schemas/pet.json:2:')
    const places = torn.findings.map((one) => [one.source, one.code, one.range.start.line])
    expect(places).toContainEqual(['pets/schemas/pet.json', 'syntax', 1])
  })

  test('the archive itself, and a form', async () => {
    const key = { 'content-type': 'application/json' }
    const send = async (query: string, body: BodyInit, type: string | null) => {
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
      return it.ask(`/v1/tenants/${it.tenant}/imports${query}`, { method: 'POST', body, headers })
    }
    const raw = await send(
      '?bulk=true&dry_run=true&filename=mine.tgz&override=shop.yaml%3Dnew%409.0.0',
      packTarGz(entriesOf(files)),
      'application/gzip',
    )
    expect(raw.status).toBe(202)
    const job = await finish((await raw.json()) as ImportJob)
    expect([job.source, told(job).length, job.items[2]?.plan?.version.label]).toEqual(['mine.tgz', 3, '9.0.0'])
    const form = new FormData()
    form.append('file', new Blob([packZip(entriesOf(files))]), 'form.zip')
    form.append('request', JSON.stringify({ root: 'shop.yaml', dry_run: true }))
    const posted = await send('', form, null)
    expect(posted.status).toBe(202)
    const second = await finish((await posted.json()) as ImportJob)
    expect([second.source, second.status, second.plan?.project.slug]).toEqual(['form.zip', 'completed', 'shop'])
    const text = await send('?dry_run=true&filename=plain.yaml', api('Plain'), 'application/octet-stream')
    expect((await finish((await text.json()) as ImportJob)).plan?.project.slug).toBe('plain')
    const wrong = [
      await send('?colour=red', packZip(entriesOf(files)), 'application/zip'),
      await send(
        '?bulk=true',
        JSON.stringify({ source: { kind: 'url', url: 'https://example.com' } }),
        key['content-type'],
      ),
      await send('', '', 'application/zip'),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([422, 400, 400])
  })

  test('hostile archives are refused by name', async () => {
    const slip = packZip([{ path: '../../evil.yaml', content: api('Evil') }])
    const content_base64 = Buffer.from(slip).toString('base64')
    const job = await run({ source: { kind: 'archive', name: 'evil.zip', content_base64 } })
    expect([job.status, job.error?.code]).toEqual(['failed', 'archive-path-unsafe'])
  })

  test('nothing of this was a fault', () => {
    expect(it.faults).toEqual([])
  })
})
