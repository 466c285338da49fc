import { join } from 'node:path'
import { importsApi } from '../src/api/imports.ts'
import { analyseText } from '../server/analysis/analyse-text.ts'
import { createService } from '../server/app.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { openDatabase } from '../db/open.ts'
import { parseDocument } from '../src/document/parse.ts'
import { lint } from '../src/lint/lint.ts'
import { recommended } from '../src/lint/rulesets/recommended.ts'
import { largeDocument } from './large-document.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const runs = 7

/** Import of a large document, stored and graded, against a warm lint of the same text in the same process. */
export async function importLarge(): Promise<readonly Measurement[]> {
  const text = await largeDocument()
  const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder('import'), 'svc.db') })
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
  const call = service.callAs(local.ownerId)
  const imports: number[] = []
  const lints: number[] = []
  const analyses: number[] = []
  for (let run = 0; run <= runs; run++) {
    let begun = performance.now()
    lint(parseDocument(text, { source: '-' }), recommended.ruleset)
    lints.push(performance.now() - begun)
    begun = performance.now()
    analyseText(text, { source: '-', format: 'auto', projectNameField: null })
    analyses.push(performance.now() - begun)
    begun = performance.now()
    const body = { source: { kind: 'inline' as const, name: '-', content: text }, version: `1.0.${run}` }
    const job = await call(importsApi.create, { params: { tenant_slug: local.slug }, body })
    const ended = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    imports.push(performance.now() - begun)
    if (ended.result === null) throw new Error(`the import ended ${ended.status}: ${ended.error?.message ?? ''}`)
  }
  await service.stop()
  await db.close()
  const warm = (values: readonly number[]) => median(values.slice(1))
  const reference = warm(lints)
  const referenceName = 'a warm lint of it'
  const size = (text.length / 1e6).toFixed(1)
  return [
    {
      name: `import of ${size} MB, stored and graded`,
      ours: warm(imports),
      reference,
      referenceName,
      unit: 'ms',
      goal: '≤ 2×',
    },
    {
      name: 'of which parse, import, validate, lint, grade',
      ours: warm(analyses),
      reference,
      referenceName,
      unit: 'ms',
      goal: 'the larger part',
    },
  ]
}
