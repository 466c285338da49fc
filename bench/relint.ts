/** Linting stored versions again after a guide changed: whether it grows with their number, and no faster. */
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { projectsApi } from '../src/api/projects.ts'
import { styleGuidesApi } from '../src/api/style-guides.ts'
import { versionsApi } from '../src/api/versions.ts'
import { freshFolder, type Measurement } from './measure.ts'

const operationsEach = 40
const yaml = `rules:
  summary-says-thing:
    given: $.paths[*][*].summary
    then: { function: pattern, functionOptions: { match: thing } }
`

const documentOf = (version: number): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Linted again', version: `1.${version}.0` },
    paths: Object.fromEntries(
      Array.from({ length: operationsEach }, (_, at) => [
        `/things${at}/{id}`,
        {
          get: {
            operationId: `get${at}`,
            summary: `Reads thing ${at} of revision ${version}`,
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: {
              200: { description: 'A thing', content: { 'application/json': { schema: { type: 'object' } } } },
            },
          },
        },
      ]),
    ),
  })

/** Milliseconds that linting so many versions again takes, and how often progress was seen on the way. */
async function relintOf(count: number): Promise<{ ms: number; looks: number }> {
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder(`relint-${count}`), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({
    db,
    publicUrl: () => '',
    egressAllow: [],
    analysis: { processes: 2, deadlineMs: 30_000, memoryMb: 1024 },
    onFault: (fault) => console.error(fault),
  })
  const call = service.callAs(local.ownerId)
  const params = { tenant_slug: local.slug }
  await call(projectsApi.create, { params, body: { name: 'Linted again', slug: 'again' } })
  for (let at = 0; at < count; at++)
    await call(versionsApi.create, {
      params: { ...params, project_ref: 'again' },
      body: { label: `1.${at}.0`, content: documentOf(at) },
    })
  const { id } = await call(styleGuidesApi.create, { params, body: { name: 'House' } })
  await call(styleGuidesApi.putCustomRules, { params: { ...params, guide_id: id }, body: { yaml } })
  await call(styleGuidesApi.makeDefault, { params: { ...params, guide_id: id } })
  const begun = performance.now()
  let job = await call(styleGuidesApi.startRelint, { params, body: {} })
  const seen = new Set<number>()
  while (job.finishedAt === null) {
    job = await call(styleGuidesApi.relint, { params: { ...params, job_id: job.jobId }, query: { wait: 0.05 } })
    seen.add(job.progress.done)
  }
  const ms = performance.now() - begun
  if (job.result?.linted !== count) throw new Error(`${job.result?.linted} of ${count} versions were linted`)
  await service.stop()
  await db.close()
  return { ms, looks: seen.size }
}

/** 250, 500 and 1,000 versions: each against the time that the first one predicts. */
export async function relint(): Promise<readonly Measurement[]> {
  const first = await relintOf(250)
  const rows: Measurement[] = []
  for (const count of [500, 1000]) {
    const { ms, looks } = await relintOf(count)
    rows.push({
      name: `linting ${count} stored versions again under custom rules, progress seen at ${looks} places`,
      ours: ms,
      reference: (first.ms * count) / 250,
      referenceName: `${count / 250} times what 250 take`,
      unit: 'ms',
      goal: '≤ 1.2: linear',
    })
  }
  return rows
}
