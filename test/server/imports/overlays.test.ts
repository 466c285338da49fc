/** Overlays of imports: those of a request, and those that a svc.yaml of the source names. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importsApi, type ImportJob, type ImportRequest } from '../../../src/api/imports.ts'
import { preflightApi } from '../../../src/api/preflight.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { digestOf } from '../../../db/content.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'
import { makeRepositories, type Repositories, serveGitOverHttp } from '../sources/git-server.ts'

const base = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 } # stays
paths:
  /internal: { get: { responses: { '200': { description: ok } } } }
  /pets: { get: { operationId: listPets, responses: { '200': { description: ok } } } }
`
const hide = `overlay: 1.1.0
info: { title: Public, version: 1.0.0 }
actions:
  - { target: "$.paths['/internal']", remove: true }
`
const pens = `overlay: 1.1.0
info: { title: Pens, version: 1.0.0 }
actions:
  - target: $.paths
    update:
      /pens: { get: { operationId: list pens, responses: { '200': { $ref: './parts/pen.yaml' } } } }
  - { target: $.nothing, remove: true }
`
const digest = (text: string): string => digestOf(new TextEncoder().encode(text))

onBothEngines('overlays of imports', (makeDb) => {
  let it: TestService
  let repos: Repositories
  let http: ReturnType<typeof serveGitOverHttp>
  beforeAll(async () => {
    repos = makeRepositories()
    repos.create('specs', {
      'svc.yaml': `version: 1
apis:
  shop: { root: apis/openapi.yaml, overlays: [overlays/hide.yaml, overlays/pens.yaml] }
  lost: { root: apis/lost.yaml, overlays: [none.yaml] }
`,
      'apis/openapi.yaml': base,
      'apis/lost.yaml': base,
      'apis/parts/pen.yaml': 'description: ok\n',
      'overlays/hide.yaml': hide,
      'overlays/pens.yaml': pens,
    })
    http = serveGitOverHttp(repos.root)
    it = await startService(await makeDb(), { egressAllow: '127.0.0.1/32' })
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    await http.stop()
    repos.remove()
  })

  const run = async (body: ImportRequest): Promise<ImportJob> => {
    const job = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
    return it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
  }
  const at = (project: string) => ({ tenant_slug: it.tenant, project_ref: project, version_ref: '1.0.0' })
  const textOf = async (bytes: Promise<Uint8Array>): Promise<string> => new TextDecoder().decode(await bytes)
  const inline = { kind: 'inline' as const, name: 'openapi.yaml', content: base }

  test('those of a request are applied in their order, and the version keeps what it was made of', async () => {
    const overlays = [{ name: 'hide.yaml', content: hide }, { content: pens.replace("'./parts/pen.yaml'", "'#/x'") }]
    const job = await run({ source: inline, overlays, project_slug: 'sent' })
    expect(job.warnings).toEqual([
      { code: 'overlay-unmatched', message: 'overlay:7:15: action 2 matches nothing: $.nothing', pointer: '' },
    ])
    const made = await it.call(versionsApi.get, { params: at('sent') })
    expect([made.provenance.source, made.provenance.lineage]).toEqual([
      'openapi.yaml',
      {
        base_digest: digest(base),
        overlays: [
          { digest: digest(hide), title: 'Public', source: 'hide.yaml', actions: 1, matches: 1 },
          { digest: digest(overlays[1]?.content ?? ''), title: 'Pens', source: 'overlay', actions: 2, matches: 1 },
        ],
      },
    ])
    const stored = await textOf(it.call(versionsApi.document, { params: at('sent') }))
    expect([stored.includes('/internal'), stored.includes('/pens'), stored.includes('# stays')]).toEqual([
      false,
      true,
      true,
    ])
    const lineage = (of: string) => it.call(versionsApi.lineage, { params: { ...at('sent'), digest: of } })
    expect([await textOf(lineage(digest(base))), await textOf(lineage(digest(hide)))]).toEqual([base, hide])
    expect(lineage(made.digest)).rejects.toMatchObject({ code: 'lineage-text-not-found' })
    // Each is where it was written.
    const found = job.findings.filter(({ code }) => code === 'invalid-ref' || code === 'operation-tags')
    expect(found.map(({ source, range, pointer }) => [source, range.start.line, pointer])).toEqual([
      ['openapi.yaml', 4, '/paths/~1pets/get'],
      ['overlay', 5, '/actions/0/update/~1pens/get'],
      ['overlay', 5, '/actions/0/update/~1pens/get/responses/200/$ref'],
    ])
  })

  test('those that the svc.yaml of a repository names, with the files that they refer to', async () => {
    const source = { kind: 'git' as const, url: `${http.url}/specs` }
    const job = await run({ source: { ...source, path: 'apis/openapi.yaml' }, project_slug: 'named' })
    expect([job.status, job.error]).toEqual(['completed_with_warnings', null])
    const { provenance, operations_count } = await it.call(versionsApi.get, { params: at('named') })
    expect([operations_count, provenance.files, provenance.lineage?.base_digest]).toEqual([2, 2, digest(base)])
    expect(provenance.lineage?.overlays.map(({ source: path, title }) => [path, title])).toEqual([
      ['overlays/hide.yaml', 'Public'],
      ['overlays/pens.yaml', 'Pens'],
    ])
    const more = { ...source, path: 'apis/openapi.yaml' }
    const both = await run({ source: more, overlays: [{ path: 'overlays/hide.yaml' }], project_slug: 'both' })
    expect(both.warnings.map(({ message }) => message)).toContain(
      "overlays/hide.yaml:4:15: action 1 matches nothing: $.paths['/internal']",
    )
    const lost = await run({ source: { ...source, path: 'apis/lost.yaml' }, dry_run: true })
    expect([lost.error?.code, lost.error?.message]).toEqual([
      'project-file-invalid',
      'Invalid configuration in svc.yaml:\n  svc.yaml:4:44: there is no overlay "none.yaml" here',
    ])
    const bulk = await run({ source: { ...source, path: 'apis' }, bulk: true, dry_run: true })
    expect(bulk.items.map(({ path, plan, error }) => [path, plan?.operations ?? null, error?.code ?? null])).toEqual([
      ['apis/lost.yaml', null, 'project-file-invalid'],
      ['apis/openapi.yaml', 2, null],
    ])
  })

  test('a preflight is about the document that they make, and says what each action does', async () => {
    const preflight = (overlays: ImportRequest['overlays']) =>
      it.call(preflightApi.preflight, {
        params: { tenant_slug: it.tenant },
        body: { source: inline, target: 'project', overlays: overlays ?? [] },
      })
    const titled = hide.replace('{ target', '{ description: Not for others, target')
    const answer = await preflight([{ name: 'hide.yaml', content: titled }, { content: pens }])
    expect([answer.plan?.operations, answer.refusal]).toEqual([2, null])
    expect(answer.overlays).toEqual([
      {
        source: 'hide.yaml',
        title: 'Public',
        actions_total: 1,
        matches: 1,
        actions: [
          {
            description: 'Not for others',
            target: "$.paths['/internal']",
            kind: 'remove',
            matches: 1,
            places: ['/paths/~1internal'],
          },
        ],
        unmatched: [],
      },
      {
        source: 'overlay',
        title: 'Pens',
        actions_total: 2,
        matches: 1,
        actions: [
          { description: null, target: '$.paths', kind: 'update', matches: 1, places: ['/paths'] },
          { description: null, target: '$.nothing', kind: 'remove', matches: 0, places: [] },
        ],
        unmatched: ['overlay:7:15: action 2 matches nothing: $.nothing'],
      },
    ])
    const refused = await preflight([{ content: pens }, { name: 'a.yaml', content: hide.replace('1.1.0', '9.0.0') }])
    expect([refused.overlays, refused.plan?.operations]).toEqual([[], 2])
    expect(refused.refusal).toEqual({
      code: 'overlay-invalid',
      hint: 'Correct these places of the overlay.',
      message:
        'a.yaml is not a valid overlay:\n  a.yaml:1:10: "overlay" must be a version 1.0.x or 1.1.x, but is "9.0.0".',
    })
  })

  test('what cannot be applied is refused with its place', async () => {
    const failed = await run({
      source: inline,
      overlays: [{ name: 'a.yaml', content: hide.replace('1.1.0', '9.0.0') }],
    })
    expect([failed.status, failed.error?.code]).toEqual(['failed', 'overlay-invalid'])
    const unfit = hide.replace("$.paths['/internal']\", remove: true", '$.info", update: x')
    expect((await run({ source: inline, overlays: [{ content: unfit }] })).error).toMatchObject({
      code: 'overlay-failed',
    })
    const files = { kind: 'files' as const, files: [{ path: 'openapi.yaml', content: base }] }
    expect((await run({ source: files, overlays: [{ path: 'none.yaml' }] })).error).toMatchObject({
      code: 'source-path-missing',
    })
    expect(run({ source: inline, overlays: [{ path: 'a.yaml' }] })).rejects.toMatchObject({ code: 'usage' })
    expect(run({ source: files, bulk: true, overlays: [{ content: hide }] })).rejects.toMatchObject({ code: 'usage' })
  })
})
