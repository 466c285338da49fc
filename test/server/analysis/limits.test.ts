import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findJob } from '../../../db/jobs.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const guides = '/v1/style-guides/local'

// Each of the schemas refers back to the whole, so that a walk for n names has 2^n states to be in.
const names = Array.from({ length: 24 }, (_, at) => `p${at}`)
const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/components/schemas/Loop' }]))
const loop = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Loop', version: '1.0.0' },
  paths: {},
  components: { schemas: { Loop: { type: 'object', properties } } },
})
const endless = `rules:\n${names
  .map((name) => `  no-${name}:\n    given: $..${name}..nowhere\n    then: { function: truthy }\n`)
  .join('')}`
const harmless = `rules:\n  title:\n    given: $.info.title\n    then: { function: pattern, functionOptions: { match: Loop } }\n`

const limited = { processes: 2, deadlineMs: 1500, memoryMb: 400 }

onBothEngines('analysis within limits', (makeDb) => {
  let it: PetsProject
  let guide: string
  const preview = (yaml: string, content: string) => {
    const name = content === loop ? 'loop.json' : 'pets.yaml'
    return it.send('POST', `${guides}/${guide}/custom-rules/preview`, { yaml, content, name })
  }

  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { analysis: limited })
    guide = String((await it.send('POST', guides, { name: 'Organization rules' })).value['id'])
  })
  afterAll(() => it.service.stop())

  test('rules that run forever are stopped, by name; others go on meanwhile', async () => {
    const forever = preview(endless, loop)
    const meanwhile = await preview(harmless, petsYaml('1.0.0'))
    expect([meanwhile.status, (meanwhile.value['grade'] as { grade: string }).grade]).toEqual([200, 'B'])
    const { status, value } = await forever
    expect(status).toBe(422)
    const detail = value.detail as unknown as { code: string; message: string; hint: string; rules: string[] }
    expect(detail.code).toBe('analysis-stopped')
    expect(detail.message).toMatch(
      /^The analysis of loop\.json under the style guide Organization rules was stopped: it (took longer than 1\.5 seconds|needed more than 400 MB of memory); running rules: no-p0, no-p1, no-p2 and \d+ more\.$/,
    )
    expect(detail.hint).toContain('SVC_ANALYSIS_DEADLINE')
    // The service goes on as if nothing had been.
    expect((await preview(harmless, loop)).status).toBe(200)
  })

  test('a large document under builtin rules is analysed as in the service itself', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [
        `/things/${at}/{id}`,
        { get: { operationId: `get${at}`, summary: 'Finds a thing', responses: { 200: { description: 'It' } } } },
      ]),
    )
    const large = JSON.stringify({ openapi: '3.0.0', info: { title: 'Large', version: '1.0.0' }, paths }, null, 1)
    expect(large.length).toBeGreaterThan(128 * 1024)
    // What is compared is the answer, not its time: on a busy machine the short deadline above would end it.
    const roomy = await openPetsProject(await makeDb(), { analysis: { ...limited, deadlineMs: 120_000 } })
    const own = await openPetsProject(await makeDb())
    const body = { source: { kind: 'inline', name: 'large.json', content: large } }
    const [there, here] = await Promise.all(
      [roomy, own].map(async (one) => (await one.send('POST', '/v1/lint/local/preflight', body)).value),
    )
    expect((there!['findings'] as unknown[]).length).toBe(2703)
    expect(there!['findings']).toEqual(here!['findings'] as never)
    expect(there!['grade']).toEqual(here!['grade'] as never)
    await Promise.all([roomy.service.stop(), own.service.stop()])
  })

  test('an import under such rules fails with the reason, and is not tried again', async () => {
    const put = await it.send('PUT', `${guides}/${guide}/custom-rules`, { yaml: endless })
    expect(put.status).toBe(200)
    expect((await it.send('PUT', `${guides}/${guide}/default`)).status).toBe(200)
    const job = await it.send('POST', '/v1/tenants/local/imports', {
      source: { kind: 'inline', name: 'loop.json', content: loop },
    })
    const ended = await it.send('GET', `/v1/imports/${String(job.value['job_id'])}?wait=20`)
    const { status, error } = ended.value as unknown as { status: string; error: { code: string; message: string } }
    expect([status, error?.code]).toEqual(['failed', 'analysis-stopped'])
    expect(error.message).toContain('running rules: no-p0')
  })

  test('a service that stops answers running requests with an error and returns its jobs to the queue', async () => {
    const db = await makeDb()
    const own = await openPetsProject(db, { analysis: { processes: 2, deadlineMs: 60_000, memoryMb: 2000 } })
    const { value } = await own.send('POST', guides, { name: 'Organization rules' })
    const address = `${guides}/${String(value['id'])}`
    await own.send('PUT', `${address}/custom-rules`, { yaml: endless })
    await own.send('PUT', `${address}/default`)
    const job = await own.send('POST', '/v1/tenants/local/imports', {
      source: { kind: 'inline', name: 'loop.json', content: loop },
    })
    const asked = own.brief('POST', `${address}/custom-rules/preview`, { yaml: endless, content: loop })
    await Bun.sleep(500)
    const begun = performance.now()
    const stopped = own.service.stop()
    own.service.hurry()
    expect(await asked).toBe('503 service-stopping')
    await stopped
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(await findJob(db.read, String(job.value['job_id']))).toMatchObject({ status: 'queued', attempts: 0 })
  })
})
