/** The registry of types: searches of a large one, the impact of a change on many versions, and documents with types in them. */
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { openDatabase } from '../db/open.ts'
import type { Database } from '../db/database.ts'
import { tenants } from '../db/tables.gen.ts'
import { documentsApi } from '../src/api/documents.ts'
import { importsApi } from '../src/api/imports.ts'
import { primitivesApi } from '../src/api/primitives.ts'
import { projectsApi } from '../src/api/projects.ts'
import { versionsApi } from '../src/api/versions.ts'
import type { Call } from '../src/api/endpoint.ts'
import { createService, type Service } from '../server/app.ts'
import { insertPrimitives, type Written } from '../server/primitives/write.ts'
import { ensureLocalTenant } from '../server/auth/local-tenant.ts'
import { largeDocument } from './large-document.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const runs = 15
const batch = 5000
const versionsCompared = 1000
const referencesInDocument = 50

interface Opened {
  readonly db: Database
  readonly service: Service
  readonly call: Call
  readonly tenant: { readonly id: string; readonly slug: string }
}

async function open(db: Database): Promise<Opened> {
  const local = await ensureLocalTenant(db, Date.now())
  const service = createService({ db, publicUrl: () => '', egressAllow: [], onFault: (fault) => console.error(fault) })
  const [row] = await db.read.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, local.slug))
  return { db, service, call: service.callAs(local.ownerId), tenant: { id: row?.id ?? '', slug: local.slug } }
}

const words = ['order', 'price', 'Straße', 'größe', 'user_id', '100%', 'address', 'Ärger', 'invoice', 'status']

const typeOf = (at: number): Written => {
  const word = words[at % words.length] ?? ''
  const schema = JSON.stringify({ type: 'object', properties: { [`p${at % 97}`]: { type: 'string' } } })
  return {
    namespace: `n${at % 400}/${word.replaceAll(/[^a-z]/gi, '')}`,
    name: `Type${at}`,
    visibility: 'private',
    category: null,
    description: `The ${word} of number ${at}, for ${words[(at * 7) % words.length] ?? ''}`,
    tags: [word],
    schemaId: null,
    draft: '2020-12',
    schema,
    digest: `sha256:${at}`,
    edges: [],
  }
}

async function fill({ db, tenant }: Opened, total: number): Promise<void> {
  const by = { tenantId: tenant.id, actor: null, at: new Date().toISOString(), importId: null }
  for (let from = 0; from < total; from += batch) {
    const list = Array.from({ length: Math.min(batch, total - from) }, (_, at) => typeOf(from + at))
    await db.inTransaction((tx) => insertPrimitives(tx, list, by))
  }
}

const selective = (run: number): readonly string[] => [`number ${run * 991},`, `type${run * 77}`, 'e199']
// Each is in a tenth of all types, or in a fifth.
const broad = (): readonly string[] => ['strasse', 'GRÖSSE', 'user_id', '100%']

/** The median time of searches with counts: first pages, and pages behind them. */
async function searches(
  { call, tenant }: Opened,
  questions: (run: number) => readonly string[],
): Promise<{ readonly first: number; readonly later: number }> {
  const params = { tenant_slug: tenant.slug }
  const first: number[] = []
  const later: number[] = []
  for (let run = 1; run <= runs; run++)
    for (const q of questions(run)) {
      const begun = performance.now()
      const page = await call(primitivesApi.list, { params, query: { q, limit: 25 } })
      first.push(performance.now() - begun)
      const cursor = 'next_cursor' in page ? page.next_cursor : null
      if (cursor === null) continue
      const again = performance.now()
      await call(primitivesApi.list, { params, query: { q, limit: 25, cursor } })
      later.push(performance.now() - again)
    }
  return { first: median(first), later: median(later) }
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

const description = (version: number): string => {
  const names = Array.from({ length: 20 }, (_, at) => at)
  const paths = names.map((at) => [
    `/p${at}`,
    {
      get: {
        responses: {
          '200': {
            description: 'ok',
            ...json({ $ref: at % 5 === 0 ? 'svc:shop/Price' : `#/components/schemas/S${at}` }),
          },
        },
      },
      post: {
        requestBody: json({ $ref: at % 7 === 0 ? 'svc:shop/Amount' : `#/components/schemas/S${at}` }),
        responses: { '204': { description: 'ok' } },
      },
    },
  ])
  const schemas = names.map((at) => [
    `S${at}`,
    {
      description: `Schema ${at} of ${version}`,
      required: ['id'],
      properties: { id: { type: 'string' }, n: { maximum: at } },
    },
  ])
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: `1.0.${version}` },
    paths: Object.fromEntries(paths) as object,
    components: { schemas: Object.fromEntries(schemas) as object },
  })
}

const create = ({ call, tenant }: Opened, name: string, schema: Record<string, unknown>) =>
  call(primitivesApi.create, { params: { tenant_slug: tenant.slug }, body: { namespace: 'shop', name, schema } })

/** How long the impact of a change takes over so many drafts, none of which was read before. */
async function impact(): Promise<number> {
  const opened = await open(await openDatabase({ kind: 'sqlite', path: join(freshFolder('types-impact'), 'svc.db') }))
  const { call, tenant, service, db } = opened
  const params = { tenant_slug: tenant.slug }
  const { id } = await create(opened, 'Amount', { type: 'integer', minimum: 0 })
  await create(opened, 'Price', { properties: { amount: { $ref: 'svc:shop/Amount' } } })
  await call(projectsApi.create, { params, body: { name: 'Shop', slug: 'shop' } })
  for (let version = 0; version < versionsCompared; version++)
    await call(versionsApi.create, {
      params: { ...params, project_ref: 'shop' },
      body: { content: description(version) },
    })
  const begun = performance.now()
  const asked = await call(primitivesApi.impact, {
    params: { ...params, primitive_id: id },
    body: { schema: { type: 'integer', minimum: 5 } },
  })
  let job = 'job_id' in asked ? asked : null
  while (job !== null && job.finished_at === null)
    job = await call(primitivesApi.impactJob, { params: { ...params, job_id: job.job_id }, query: { wait: 30 } })
  const took = performance.now() - begun
  if (job?.impact?.counts.breaking !== versionsCompared) throw new Error('not every version was compared')
  await service.stop()
  await db.close()
  return took
}

/** How long the first reader of a large document waits, with and without types in it. */
async function bundling(): Promise<{ readonly without: number; readonly with: number }> {
  const content = await largeDocument()
  let left = referencesInDocument
  const referring = content.replaceAll(/\{\s*"type": ?"string"\s*\}/g, (it) =>
    left-- > 0 ? '{"$ref":"svc:shop/Text"}' : it,
  )
  if (left > 0) throw new Error(`the document has too few places for types: ${left} are missing`)
  const times: Record<string, number[]> = { without: [], with: [] }
  for (const [name, text] of [
    ['without', content],
    ['with', referring],
  ] as const) {
    const db = await openDatabase({ kind: 'sqlite', path: join(freshFolder(`types-${name}`), 'svc.db') })
    const opened = await open(db)
    await create(opened, 'Text', { type: 'string' })
    const source = { kind: 'inline' as const, name: '-', content: text }
    const params = { tenant_slug: opened.tenant.slug }
    const job = await opened.call(importsApi.create, {
      params,
      body: { source, project_slug: 'large', version: '1.0.0' },
    })
    await opened.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    await opened.service.stop()
    for (let run = 0; run < 5; run++) {
      const { service, call } = await open(db)
      const begun = performance.now()
      const at = { ...params, project_slug: 'large', version_slug: '1.0.0' }
      await call(documentsApi.openapi, { params: at })
      times[name]?.push(performance.now() - begun)
      await service.stop()
    }
    await db.close()
  }
  return { without: median(times['without'] ?? []), with: median(times['with'] ?? []) }
}

/** SVC_BENCH_POSTGRES names a database for a million types; without it 200,000 are searched on SQLite. */
export async function types(): Promise<readonly Measurement[]> {
  const url = process.env['SVC_BENCH_POSTGRES']
  const total = url === undefined ? 200_000 : 1_000_000
  const db = await openDatabase(
    url === undefined ? { kind: 'sqlite', path: join(freshFolder('types'), 'svc.db') } : { kind: 'postgres', url },
  )
  const opened = await open(db)
  await fill(opened, total)
  const few = await searches(opened, selective)
  const many = await searches(opened, broad)
  await opened.service.stop()
  await db.close()
  const took = await impact()
  const documents = await bundling()
  const search = `search of ${total.toLocaleString('en')} types with counts`
  const limit = { reference: 30, referenceName: 'the limit', unit: 'ms' as const, goal: '≤ 1.0×' }
  return [
    { name: `${search}, first page`, ours: few.first, ...limit },
    { name: `${search}, second page`, ours: few.later, ...limit },
    { name: `${search}, where a tenth or a fifth of all match, first page`, ours: many.first, ...limit },
    { name: `${search}, where a tenth or a fifth of all match, second page`, ours: many.later, ...limit },
    { name: `impact of a type on ${versionsCompared} versions`, ours: took, ...limit, reference: 5000 },
    {
      name: `first reader of a large draft with ${referencesInDocument} references to types`,
      ours: documents.with,
      reference: documents.without,
      referenceName: 'the same without',
      unit: 'ms',
      goal: '≤ 1.2×',
    },
  ]
}
