import { join } from 'node:path'
import { importsApi } from '../src/api/imports.ts'
import { createService, type Service } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { renderings } from '../db/tables.gen.ts'
import { largeDocument } from './large-document.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const runs = 9
const path = '/v1/schema/local/large/1.0.0'

const open = (db: Database): Service =>
  createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })

/** How long the first reader of a large document waits, in a process that has never seen it. */
async function firstRequest(db: Database): Promise<number> {
  const service = open(db)
  const begun = performance.now()
  const answer = await service.handle(new Request(`http://localhost${path}`))
  await answer.arrayBuffer()
  const took = performance.now() - begun
  if (answer.status !== 200) throw new Error(`the document was answered with ${answer.status}`)
  await service.stop()
  return took
}

/** A cold render of a large document, kept by an earlier process and made again, against parsing and writing its JSON. */
export async function render(): Promise<readonly Measurement[]> {
  const content = await largeDocument()
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('render'), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = open(db)
  const call = service.callAs(local.ownerId)
  const source = { kind: 'inline' as const, name: '-', content }
  const body = { source, project_slug: 'large', version: '1.0.0', publish: 'public' as const }
  const job = await call(importsApi.create, { params: { tenant_slug: local.slug }, body })
  await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
  await service.prepare()
  await service.stop()
  const kept: number[] = []
  const first: number[] = []
  const references: number[] = []
  for (let run = 0; run <= runs; run++) {
    const begun = performance.now()
    JSON.stringify(JSON.parse(content))
    references.push(performance.now() - begun)
    kept.push(await firstRequest(db))
  }
  for (let run = 0; run <= runs; run++) {
    await db.inTransaction((tx) => tx.delete(renderings))
    first.push(await firstRequest(db))
  }
  await db.close()
  const warm = (values: readonly number[]) => median(values.slice(1))
  const reference = warm(references)
  const row = { reference, referenceName: 'JSON.parse and JSON.stringify of it', unit: 'ms' as const, goal: '≤ 1.5×' }
  const size = (content.length / 1e6).toFixed(1)
  return [
    { name: `first reader of ${size} MB in a fresh process`, ours: warm(kept), ...row },
    { name: 'the same where it was never rendered before', ours: warm(first), ...row, goal: 'once for each version' },
  ]
}
