/** Values of examples, and operations of links, in other files: imports of files and of addresses read them as `svc bundle` does. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { type ImportJob, importsApi, type ImportSource } from '../../../src/api/imports.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const texts: Readonly<Record<string, string>> = {
  'api/openapi.yaml': `openapi: 3.1.0
info: { title: Cats, version: 1.0.0, description: { $ref: about.md } }
paths:
  /cats: { $ref: paths/cats.yaml }
`,
  'api/about.md': '# Cats: all of them\n',
  'api/paths/cats.yaml': `get:
  responses:
    '200':
      description: ok
      content:
        application/json:
          examples:
            tom: { externalValue: ../examples/tom.json }
            gone: { externalValue: ../examples/gone.json }
            far: { externalValue: https://example.com/cat.json }
        text/plain:
          examples:
            note: { externalValue: '../examples/a note.txt' }
        image/png:
          examples:
            picture: { externalValue: ../examples/tom.png }
      links:
        self: { operationRef: cats.yaml#/get }
`,
  // What looks like a reference in a value is none: nothing is read for it.
  'api/examples/tom.json': '{"name":"Tom","kind":{"$ref":"never.yaml"}}',
  'api/examples/a note.txt': 'name: [\n',
  'api/never.yaml': 'type: object\n',
}
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255])
const expected = {
  examples: {
    tom: { value: { name: 'Tom', kind: { $ref: 'never.yaml' } } },
    note: { value: 'name: [\n' },
    picture: { externalValue: '../examples/tom.png' },
  },
  link: '#/paths/~1cats/get',
}

interface Stored {
  readonly paths: {
    readonly '/cats': {
      readonly get: {
        readonly responses: {
          readonly '200': {
            readonly content: Readonly<Record<string, { readonly examples: object }>>
            readonly links: { readonly self: { readonly operationRef: string } }
          }
        }
      }
    }
  }
}

onBothEngines('files that are named by something else than a reference', (makeDb) => {
  let it: TestService
  let server: Bun.Server<undefined>
  let asked: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'svc-outside-'))
  beforeAll(async () => {
    it = await startService(await makeDb(), { egressAllow: '127.0.0.1/32' })
    for (const [name, text] of Object.entries({ ...texts, 'api/examples/tom.png': png })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
        asked.push(name)
        if (name === 'api/examples/tom.png') return new Response(png)
        return name in texts ? new Response(texts[name]) : new Response('', { status: 404 })
      },
    })
  })
  afterAll(async () => {
    await it.service.stop()
    await server.stop(true)
    rmSync(folder, { recursive: true })
  })

  const run = async (
    project: string,
    source: ImportSource,
  ): Promise<{ readonly job: ImportJob; readonly stored: Stored; readonly text: string }> => {
    const params = { tenant_slug: it.tenant }
    const { job_id } = await it.call(importsApi.create, {
      params,
      body: { source, dry_run: false, project_name: project },
    })
    const job = await it.call(importsApi.get, { params: { job_id }, query: { wait: 20 } })
    const version = { ...params, project_ref: project, version_ref: '1.0.0' }
    const text = new TextDecoder().decode(await it.call(versionsApi.document, { params: version }))
    return { job, stored: JSON.parse(text) as Stored, text }
  }
  const examplesOf = ({ paths }: Stored) => {
    const { content, links } = paths['/cats'].get.responses['200']
    const examples = Object.assign({}, ...Object.values(content).map((one) => one.examples)) as Record<string, object>
    const { tom, note, picture } = examples
    return { examples: { tom, note, picture }, link: links.self.operationRef }
  }

  test('files of a request come with their values, as in the bundle of svc bundle', async () => {
    const files = Object.entries(texts).map(([path, content]) => ({ path, content }))
    const { job, stored, text } = await run('from-files', { kind: 'files', name: 'cats', files })
    expect([job.error, job.status]).toEqual([null, 'completed'])
    expect(examplesOf(stored)).toEqual(expected)
    const bundled = await runCommand(['bundle', 'api/openapi.yaml', '--allow-external', '--format', 'json'], registry, {
      cwd: folder,
      env: { SVC_WORKSPACE: join(folder, 'w') },
    })
    expect(JSON.parse(text)).toEqual(JSON.parse(bundled.stdout))
  })

  test('an address brings them from its host; what is no text there stays where it is', async () => {
    asked = []
    const { job, stored } = await run('from-address', { kind: 'url', url: `${server.url.origin}/api/openapi.yaml` })
    expect([job.error, job.status]).toEqual([null, 'completed'])
    expect(examplesOf(stored)).toEqual(expected)
    expect(asked.toSorted()).toEqual([
      'api/about.md',
      'api/examples/a note.txt',
      'api/examples/gone.json',
      'api/examples/tom.json',
      'api/examples/tom.png',
      'api/openapi.yaml',
      'api/paths/cats.yaml',
    ])
  })
})
