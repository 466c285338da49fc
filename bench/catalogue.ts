import { join } from 'node:path'
import { projectsApi } from '../src/api/projects.ts'
import { newId } from '../db/id.ts'
import { openDatabase } from '../db/open.ts'
import { projects } from '../db/tables.gen.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { Database } from 'bun:sqlite'
import { freshFolder, median, type Measurement } from './measure.ts'

const total = 100_000
const perInsert = 1000
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
  for (let from = 0; from < total; from += perInsert) {
    const rows = Array.from({ length: perInsert }, (_, index) => {
      const n = from + index
      const at = new Date(1_700_000_000_000 + n * 1000).toISOString()
      return {
        id: newId(),
        tenantId: local.tenantId,
        slug: `project-${n}`,
        name: `Project ${n}`,
        description: null,
        createdBy: null,
        createdAt: at,
        updatedAt: at,
      }
    })
    await db.inTransaction((tx) => tx.insert(projects).values(rows))
  }
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
  const rows: Measurement[] = [
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
      ours: await timed(() => call(projectsApi.list, { params, query: { q: 'ject 4242' } })),
      reference: await timed(() => [
        search.all(local.tenantId, '%ject 4242%'),
        count.all(local.tenantId, '%ject 4242%'),
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
