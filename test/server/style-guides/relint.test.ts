import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Transaction } from '../../../db/database.ts'
import type { JobProgress } from '../../../db/jobs.ts'
import type { JobWork } from '../../../server/jobs/worker.ts'
import { relintHandler } from '../../../server/style-guides/relint.ts'
import { insightsApi } from '../../../src/api/insights.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/style-guides/local'
const strict = `rules:
  title-says-api:
    severity: error
    given: $.info.title
    then: { function: pattern, functionOptions: { match: API } }
`

onBothEngines('linting again what is stored', (makeDb) => {
  let it: PetsProject
  let guide: string
  const count = 60
  const ended = async (body: object) => {
    const begun = await it.send('POST', `${base}/relints`, body)
    expect([begun.status, begun.value['status'], begun.value['progress']]).toEqual([
      202,
      'queued',
      { done: 0, total: 0 },
    ])
    const { value } = await it.send('GET', `${base}/relints/${String(begun.value['jobId'])}?wait=20`)
    return value
  }
  const grades = async (): Promise<unknown[]> => {
    const { value } = await it.send('GET', '?limit=100')
    return (value['items'] as { grade: string }[]).map((one) => one.grade)
  }

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    for (let at = 0; at < count; at++) await it.send('POST', '', { label: `1.${at}.0`, content: petsYaml(`1.${at}.0`) })
    guide = String((await it.send('POST', base, { name: 'Strict' })).value['id'])
    await it.send('PUT', `${base}/${guide}/custom-rules`, { yaml: strict })
  })
  afterAll(() => it.service.stop())

  /** Waits until no stored grade is being calculated. */
  const settled = async (): Promise<void> => {
    const under = () => it.call(insightsApi.grading, { params: { tenant_slug: 'local' } })
    while ((await under()).items.length > 0) await Bun.sleep(50)
  }

  test('stored grades follow the guide that applies, by one job however often it changes in a row', async () => {
    expect(new Set(await grades())).toEqual(new Set(['A']))
    await it.send('PUT', `${base}/${guide}/default`)
    await it.send('PUT', `${base}/${guide}/rules/info-contact`, { severity: 'info' })
    await it.send('PUT', `${base}/${guide}/rules/info-contact`, { severity: null })
    const { items } = await it.call(insightsApi.grading, { params: { tenant_slug: 'local' } })
    expect(items.map((one) => one.project_id)).toEqual([null])
    await settled()
    expect(new Set(await grades())).toEqual(new Set(['C']))
  })

  test('an assignment concerns its project alone; a guide without projects concerns none', async () => {
    const { value } = await it.send('GET', '/v1/tenants/local/projects/pets')
    await it.send('PUT', `${base}/svc-recommended/assignments/projects/pets`)
    const { items } = await it.call(insightsApi.grading, { params: { tenant_slug: 'local' } })
    expect(items.map((one) => one.project_id)).toEqual([String(value['id'])])
    await settled()
    expect(new Set(await grades())).toEqual(new Set(['A']))
    const other = String((await it.send('POST', base, { name: 'Unused' })).value['id'])
    await it.send('PUT', `${base}/${other}/custom-rules`, { yaml: strict })
    expect((await it.call(insightsApi.grading, { params: { tenant_slug: 'local' } })).items).toEqual([])
    await it.send('DELETE', `${base}/assignments/projects/pets`)
    await settled()
    expect(new Set(await grades())).toEqual(new Set(['C']))
  })

  test('linting again by hand counts what was linted, and reports its progress', async () => {
    expect(await ended({})).toMatchObject({
      status: 'completed',
      progress: { done: count, total: count },
      result: { linted: count, changed: 0, skipped: [] },
      error: null,
    })
  })

  test('what was interrupted continues after the grades that were kept, and counts everything once', async () => {
    const { deps } = it.service
    const { run } = relintHandler(deps)
    const kept: JobProgress[] = []
    /** Does the job from a checkpoint, and stops it before a write. */
    const attempt = async (checkpoint: unknown, writes: number) => {
      const job = { tenantId: it.tenantId, payload: { guideId: null }, checkpoint }
      let left = writes
      const work = {
        job,
        signal: new AbortController().signal,
        progress: () => Promise.resolve(),
        commit: async (progress: JobProgress, write: (tx: Transaction) => Promise<unknown>) => {
          if (left-- === 0) throw new Error('the process ended')
          kept.push(progress)
          return deps.db.inTransaction(write)
        },
      }
      return run(work as unknown as JobWork)
    }
    expect(await attempt(null, 1).catch((error: Error) => error.message)).toBe('the process ended')
    expect(kept.map(({ done }) => done)).toEqual([25])
    const persist = await attempt(kept[0]?.checkpoint, 9)
    expect(kept.map(({ done }) => done)).toEqual([25, 50, count])
    expect(await deps.db.inTransaction((tx) => persist(tx))).toEqual({
      status: 'completed',
      result: { linted: count, changed: 0, skipped: [] },
    })
  })

  test('with a guide only what it applies to is linted', async () => {
    expect((await ended({ guideId: 'spectral-oas' }))['result']).toEqual({ linted: 0, changed: 0, skipped: [] })
    expect((await ended({ guideId: guide }))['result']).toEqual({ linted: count, changed: 0, skipped: [] })
    expect(await it.brief('POST', `${base}/relints`, { guideId: 'none' })).toBe('404 style-guide-not-found')
  })

  test('jobs of others and of other kinds are none here', async () => {
    const job = await it.send('POST', '/v1/tenants/local/imports', {
      dry_run: true,
      source: { kind: 'inline', name: 'a.yaml', content: petsYaml('9.0.0') },
    })
    expect(await it.brief('GET', `${base}/relints/${String(job.value['job_id'])}`)).toBe('404 job-not-found')
    expect(await it.brief('GET', `${base}/relints/none`)).toBe('404 job-not-found')
  })

  test('the impact on all versions comes a page at a time', async () => {
    const page = async (offset: number) =>
      (await it.send('GET', `${base}/svc-recommended/impact?versions=all&limit=50&offset=${offset}`)).value
    const [first, second] = [await page(0), await page(50)]
    const items = [first, second].flatMap((one) => one['items'] as { versionId: string; changed: boolean }[])
    expect([first['total'], new Set(items.map((one) => one.versionId)).size]).toEqual([second['total'], items.length])
    expect(items.filter((one) => one.changed).length).toBe(items.length)
  })

  test('the stamp of the impact says, without linting anything, whether an answer is still of now', async () => {
    const scope = async () => (await it.send('GET', `${base}/${guide}/impact?limit=0`)).value
    const before = await scope()
    expect(before).toEqual({ items: [], total: 1, limit: 0, offset: 0, stamp: before['stamp'] })
    const stamps = [before['stamp'], (await scope())['stamp']]
    const changes: [string, string, object?][] = [
      ['PUT', `${base}/${guide}/rules/info-license`, { enabled: false }],
      ['PUT', `${base}/${guide}/assignments/projects/pets`],
      ['POST', '', { label: '9.0.0', content: petsYaml('9.0.0') }],
    ]
    for (const [method, path, body] of changes) {
      await it.send(method, path, body)
      stamps.push((await scope())['stamp'])
    }
    expect(stamps.map((stamp) => stamps.indexOf(stamp))).toEqual([0, 0, 2, 3, 4])
  })
})
