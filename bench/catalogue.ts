import { join } from 'node:path'
import { projectsApi } from '../src/api/projects.ts'
import { openDatabase } from '../db/open.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { Database } from 'bun:sqlite'
import { fillProjects } from '../test/fixtures/many-projects.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const total = 100_000
const runs = 30

async function timed(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** Lists and searches over 100,000 projects through the REST pipeline, against the bare query on the same file. */
export async function catalogue(): Promise<readonly Measurement[]> {
  const path = join(freshFolder('catalogue'), 'svc.db')
  const db = await openDatabase({ kind: 'sqlite', path })
  const local = await ensureLocalTenant(db, Date.now())
  await fillProjects(db, local.tenantId, total)
  const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
  const call = service.callAs(local.ownerId)
  const params = { tenant_slug: local.slug }
  const bare = new Database(path, { readonly: true })
  const list = bare.query('select * from projects where tenant_id = ? order by created_at desc, id desc limit 50')
  const search = bare.query(
    'select * from projects where tenant_id = ?1 and (lower(name) like ?2 or lower(slug) like ?2) order by created_at desc, id desc limit 50',
  )
  const count = bare.query(
    'select count(*) from projects where tenant_id = ?1 and (lower(name) like ?2 or lower(slug) like ?2)',
  )
  const countAll = bare.query('select count(*) from projects where tenant_id = ?')
  const facets = bare.query(
    'select owner, latest_status, latest_grade, count(*) from projects where tenant_id = ? group by 1, 2, 3',
  )
  const begun = performance.now()
  await call(projectsApi.list, { params })
  const first = performance.now() - begun
  const rows: Measurement[] = [
    {
      name: 'first list of 100,000 projects that an earlier release wrote, once',
      ours: first,
      reference: 30_000,
      referenceName: 'the bound',
      unit: 'ms',
      goal: 'at most 30 s',
    },
    {
      name: 'first page of 100,000 projects, with the total and seven facets',
      ours: await timed(() => call(projectsApi.list, { params, query: { include_facets: true } })),
      reference: await timed(() => facets.all(local.tenantId)),
      referenceName: 'one bare query for three of them',
      unit: 'ms',
      goal: 'the queries decide',
    },
    {
      name: 'first page of 100,000 projects, with the total',
      ours: await timed(() => call(projectsApi.list, { params })),
      reference: await timed(() => [list.all(local.tenantId), countAll.all(local.tenantId)]),
      referenceName: 'the two bare queries',
      unit: 'ms',
      goal: 'the queries decide',
    },
    {
      name: 'search over 100,000 projects, with the total',
      ours: await timed(() => call(projectsApi.list, { params, query: { q: 'ject-4242' } })),
      reference: await timed(() => [
        search.all(local.tenantId, '%ject-4242%'),
        count.all(local.tenantId, '%ject-4242%'),
      ]),
      referenceName: 'the two bare queries',
      unit: 'ms',
      goal: 'the queries decide',
    },
  ]
  bare.close()
  await service.stop()
  await db.close()
  return rows
}
