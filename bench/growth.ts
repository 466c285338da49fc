/**
 * Asks the same questions of a catalogue, and of one 10 and 100 times as large, on SQLite and on Postgres. The first part is
 * imported through the service; the rest are copies of its rows with other ids. Copies share their documents, which no
 * question here reads.
 */
import { join } from 'node:path'
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { executeSql } from '../db/portable.ts'
import { summarizeStale } from '../db/projects/summary.ts'
import { operations, projects, searchEntries, versionChanges, versionRules, versions } from '../db/tables.gen.ts'
import { dependenciesApi } from '../src/api/dependencies.ts'
import { homeApi } from '../src/api/home.ts'
import { importsApi } from '../src/api/imports.ts'
import { portalApi } from '../src/api/portal.ts'
import { projectsApi } from '../src/api/projects.ts'
import { searchApi } from '../src/api/search.ts'
import { specsApi } from '../src/api/specs.ts'
import { tenantsApi } from '../src/api/tenants.ts'
import { versionsApi } from '../src/api/versions.ts'
import { onFreshDatabase } from '../test/fixtures/postgres-database.ts'
import { startService, type TestService } from '../test/fixtures/service.ts'
import { freshFolder, median, type Measurement } from './measure.ts'

const projectCount = 200
const versionCount = 5
const operationCount = 10
const factors = [1, 10, 100] as const
const runs = 15
const nouns = [
  'order',
  'invoice',
  'customer',
  'ticket',
  'payment',
  'shipment',
  'product',
  'refund',
  'account',
  'museum',
]
const areas = ['billing', 'sales', 'support', 'warehouse', 'identity', 'reports', 'partners', 'search']

const pathsOf = (project: number, version: number): string =>
  Array.from({ length: operationCount / 2 }, (_, n) => {
    const noun = nouns[(project + n) % nouns.length]
    const area = areas[(project * 7 + n) % areas.length]
    return `  /${area}/${noun}s${n}:
    get: { operationId: list${noun}${n}, summary: "List the ${noun}s of ${area} by status", responses: { '200': { description: ok } } }
    post: { operationId: create${noun}${n}v${version}, summary: "Create a new ${noun} for ${area}", responses: { '201': { description: ok } } }
`
  }).join('')

const documentOf = (project: number, version: number): string => `openapi: 3.1.0
info: { title: Service ${project}, version: ${version}.0.0, description: "What team ${project % 40} offers." }
paths:
${pathsOf(project, version)}components: { schemas: { ${nouns[project % nouns.length]}: { type: object } } }
`

/** The first part of the catalogue, imported and published. */
async function importFirst({ call, tenant }: TestService): Promise<void> {
  const params = { tenant_slug: tenant }
  for (let version = 1; version <= versionCount; version++) {
    const jobs = await Promise.all(
      Array.from({ length: projectCount }, (_, project) => {
        const content = documentOf(project, version)
        const where = {
          project_slug: `service-${project}`,
          project_name: `Service ${project}`,
          version: `${version}.0.0`,
        }
        const source = { kind: 'inline' as const, name: 'a.yaml', content }
        const options = { publish: 'public' as const, force: true, force_reason: 'a benchmark' }
        return call(importsApi.create, { params, body: { source, ...where, ...options } })
      }),
    )
    for (const { job_id } of jobs) {
      const wait = () => call(importsApi.get, { params: { job_id }, query: { wait: 20 } })
      let job = await wait()
      while (job.status === 'queued' || job.status === 'running') job = await wait()
      if (!job.status.startsWith('completed')) throw new Error(`an import ended ${job.status}`)
    }
  }
}

/** Copies the rows of a table so many times, each copy with other values in some of its columns. */
async function copyRows(
  db: Database,
  table: PgTable,
  [from, to]: readonly [number, number],
  changed: Readonly<Record<string, SQL>>,
  only: SQL,
): Promise<void> {
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name)
  const into = sql.raw(columns.map((name) => `"${name}"`).join(', '))
  const values = sql.join(
    columns.map((name) => changed[name] ?? sql.raw(`"${name}"`)),
    sql`, `,
  )
  const name = sql.raw(`"${getTableName(table)}"`)
  const series = sql.raw(
    `with recursive copies (n) as (select ${from} union all select n + 1 from copies where n < ${to})`,
  )
  const written = sql`${series} insert into ${name} (${into}) select ${values} from ${name}, copies where ${only}`
  const portable =
    db.dialect === 'postgres'
      ? sql`insert into ${name} (${into}) ${series} select ${values} from ${name}, copies where ${only}`
      : written
  await db.inTransaction((tx) => executeSql(tx, portable))
}

/** The indexes of the search on Postgres. */
const searchIndexes = async (db: Database) =>
  (await executeSql(
    db.read,
    sql`select indexname as name, indexdef as made from pg_indexes where tablename = 'search_entries' and indexdef like '%gin%'`,
  )) as { name: string; made: string }[]

/** Makes the catalogue so many times as large as the part that was imported. */
async function grow(db: Database, before: number, factor: number): Promise<void> {
  const copy = (name: string) => sql.raw(`"${name}" || '~' || cast(n as text)`)
  const original = (name: string) => sql.raw(`"${name}" not like '%~%'`)
  const [greatest] = (await executeSql(
    db.read,
    sql`select max(id) as n from search_entries where version_id not like '%~%'`,
  )) as {
    n: number | string
  }[]
  const step = Number(greatest?.n)
  const each = async (range: readonly [number, number]) => {
    await copyRows(db, projects, range, { id: copy('id'), slug: copy('slug'), name: copy('name') }, original('id'))
    await copyRows(
      db,
      versions,
      range,
      { id: copy('id'), project_id: copy('project_id'), index_generation: sql`2` },
      original('id'),
    )
    const ofVersion = { version_id: copy('version_id') }
    await copyRows(db, operations, range, ofVersion, original('version_id'))
    await copyRows(db, versionRules, range, ofVersion, original('version_id'))
    await copyRows(
      db,
      searchEntries,
      range,
      { ...ofVersion, id: sql.raw(`"id" + n * ${step}`) },
      original('version_id'),
    )
    const change = { ...ofVersion, id: copy('id'), project_id: copy('project_id') }
    await copyRows(db, versionChanges, range, change, original('version_id'))
  }
  // An index is made in one go much faster than row by row.
  const indexes = db.dialect === 'sqlite' ? [] : await searchIndexes(db)
  for (const { name } of indexes) await executeSql(db.read, sql.raw(`drop index "${name}"`))
  const copiesAtOnce = 10
  for (let from = before; from < factor; from += copiesAtOnce)
    await each([from, Math.min(from + copiesAtOnce, factor) - 1])
  for (const { made } of indexes) await executeSql(db.read, sql.raw(made))
  await summarizeStale(db, null)
  if (db.dialect === 'postgres') await executeSql(db.read, sql`analyze`)
}

/** What is asked at each size, with the longest that its answer may take at the largest; null: compared with the smallest alone. */
function questionsOf({ call, tenant }: TestService): readonly [string, () => Promise<unknown>, number | null][] {
  const params = { tenant_slug: tenant }
  const project = { ...params, project_ref: 'service-7' }
  const search = (q: string) => () => call(searchApi.find, { params, query: { q } })
  return [
    ['list of projects', () => call(projectsApi.list, { params, query: { include_facets: true } }), null],
    ['list with a filter', () => call(projectsApi.list, { params, query: { q: 'service 7' } }), null],
    ['search, one word', search('order'), 150],
    ['search, an exact name', search('POST /billing/orders0'), 150],
    ['search, four words', search('list order status billing'), 150],
    ['search, words that nothing has together', search('museum refund warehouse identity'), 150],
    ['search, a name of a project', search('service 77'), 150],
    ['agents’ search', () => call(specsApi.search, { query: { q: 'order' } }), null],
    ['home', () => call(homeApi.show, { params, query: {} }), 200],
    ['dependencies', () => call(dependenciesApi.get, { params, query: {} }), null],
    ['organization', () => call(tenantsApi.get, { params }), null],
    ['portal', () => call(portalApi.page, { params, query: {} }), null],
    ['feed', () => call(portalApi.feed, { params }), null],
    ['project', () => call(projectsApi.get, { params: project }), null],
    ['versions', () => call(versionsApi.list, { params: project, query: {} }), null],
  ]
}

async function measure(service: TestService): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const [name, ask] of questionsOf(service)) {
    await ask()
    const times: number[] = []
    for (let run = 0; run < runs; run++) {
      const begun = performance.now()
      await ask()
      times.push(performance.now() - begun)
    }
    found.set(name, median(times))
  }
  return found
}

async function onEngine(engine: string, db: Database, all: readonly number[]): Promise<Measurement[]> {
  const service = await startService(db)
  const bySize: ReadonlyMap<string, number>[] = []
  try {
    await importFirst(service)
    let before = 1
    for (const factor of all) {
      if (factor > before) await grow(db, before, factor)
      before = factor
      bySize.push(await measure(service))
      console.log(
        `${engine} ${factor}×`,
        Object.fromEntries([...(bySize.at(-1) ?? [])].map(([k, v]) => [k, Number(v.toFixed(1))])),
      )
    }
  } finally {
    await service.service.stop()
  }
  const [first, last] = [bySize[0], bySize.at(-1)]
  return questionsOf(service).map(([name, , bound]) => ({
    name: `${name} on ${engine}, ${all.at(-1)} × the catalogue`,
    ours: last?.get(name) ?? Number.NaN,
    reference: bound ?? first?.get(name) ?? Number.NaN,
    referenceName: bound === null ? 'the same on 1 ×' : 'the bound',
    unit: 'ms' as const,
    goal: bound === null ? 'at most 1.5 ×' : `at most ${engine === 'SQLite' ? bound * 2 : bound} ms`,
  }))
}

/** Answers on 1 ×, 10 × and 100 × of 1,000 versions with 10,000 operations. */
export async function growth(all: readonly number[] = factors): Promise<readonly Measurement[]> {
  const path = join(freshFolder('growth'), 'svc.db')
  const sqlite = await openDatabase({ kind: 'sqlite', path })
  const rows = await onEngine('SQLite', sqlite, all)
  await sqlite.close()
  return [
    ...rows,
    ...(await onFreshDatabase(async (url) => {
      const db = await openDatabase({ kind: 'postgres', url })
      try {
        return await onEngine('Postgres', db, all)
      } finally {
        await db.close()
      }
    })),
  ]
}
