/** Imports from an address: the files that a document there refers to come with it, from the same host and through the same guard. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importsApi, type ImportJob } from '../../../src/api/imports.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const responses = `"200": { description: all, content: { application/json: { schema: { $ref: "../schemas/pet.yaml" } } } }`
const files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  '/specs/pets.yaml': `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: { $ref: paths/pets.yaml }
`,
  '/specs/paths/pets.yaml': `get:\n  operationId: listPets\n  responses:\n    ${responses}\n`,
  '/specs/schemas/pet.yaml': 'type: object\nproperties:\n  name: { type: 7 }\n',
  '/specs/gone.yaml': `openapi: 3.1.0
info: { title: Gone, version: 1.0.0 }
paths: { /a: { $ref: absent.yaml }, /b: { $ref: "http://127.0.0.1:1/else.yaml" } }
`,
  '/specs/alone.json': '{"openapi":"3.1.0","info":{"title":"Alone","version":"1.0.0"},"paths":{}}',
  '/specs/wide.json': new Uint8Array(
    Buffer.from('\ufeff{"openapi":"3.1.0","info":{"title":"Wide","version":"1.0.0"},"paths":{}}', 'utf16le'),
  ),
  '/specs/image.json': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  '/specs/pictured.yaml':
    'openapi: 3.1.0\ninfo: { title: Pictured, version: 1.0.0 }\npaths: { /a: { $ref: image.json } }\n',
}

onBothEngines('imports from addresses', (makeDb) => {
  let it: TestService
  let server: Bun.Server<undefined>
  let asked: string[] = []
  beforeAll(async () => {
    it = await startService(await makeDb(), { egressAllow: '127.0.0.1/32' })
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const { pathname } = new URL(request.url)
        asked.push(pathname)
        return pathname in files ? new Response(files[pathname]) : new Response('', { status: 404 })
      },
    })
  })
  afterAll(async () => {
    await it.service.stop()
    await server.stop(true)
  })

  const run = async (path: string): Promise<ImportJob> => {
    asked = []
    const source = { kind: 'url' as const, url: `${server.url.origin}${path}` }
    const job = await it.call(importsApi.create, {
      params: { tenant_slug: it.tenant },
      body: { source, dry_run: false },
    })
    return it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  }

  test('a document of several files comes as one; findings name the file in which they are', async () => {
    const job = await run('/specs/pets.yaml')
    expect([job.status, job.error]).toEqual(['completed_with_warnings', null])
    expect(asked.toSorted()).toEqual(['/specs/paths/pets.yaml', '/specs/pets.yaml', '/specs/schemas/pet.yaml'])
    const places = job.findings.filter((one) => one.source.endsWith('/specs/schemas/pet.yaml'))
    expect(places.map((one) => one.range.start.line)).toContain(2)
    const params = { tenant_slug: it.tenant, project_ref: 'pets', version_ref: '1.0.0' }
    const version = await it.call(versionsApi.get, { params })
    expect([version.provenance.source, version.provenance.files]).toEqual([`${server.url.origin}/specs/pets.yaml`, 3])
    const document = JSON.parse(new TextDecoder().decode(await it.call(versionsApi.document, { params }))) as {
      components: { schemas: object }
    }
    expect(Object.keys(document.components.schemas)).toEqual(['pet'])
  })

  test('an address is read as a file is: UTF-16 becomes UTF-8, and what is no text is an error', async () => {
    const wide = await run('/specs/wide.json')
    expect([wide.status, wide.error]).toEqual(['completed', null])
    for (const path of ['/specs/image.json', '/specs/pictured.yaml']) {
      const { status, error } = await run(path)
      const image = `${server.url.origin}/specs/image.json`
      expect([status, error?.message]).toEqual([
        'failed',
        `Invalid document: ${image} is a PNG image; expected JSON or YAML.`,
      ])
    }
  })

  test('what the host does not give, and what lies on another one, stays a reference', async () => {
    const job = await run('/specs/gone.yaml')
    expect(asked.toSorted()).toEqual(['/specs/absent.yaml', '/specs/gone.yaml'])
    const said = job.findings.map((one) => one.message).join('\n')
    expect([said.includes('absent.yaml'), said.includes('else.yaml')]).toEqual([true, true])
  })

  test('a document of one file is stored byte for byte', async () => {
    expect((await run('/specs/alone.json')).status).toBe('completed')
    const params = { tenant_slug: it.tenant, project_ref: 'alone', version_ref: '1.0.0' }
    const bytes = await it.call(versionsApi.document, { params })
    expect(new TextDecoder().decode(bytes)).toBe(files['/specs/alone.json'] as string)
  })
})
