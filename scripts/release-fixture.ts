/**
 * Makes databases as a release leaves them, for the tests of those that come later: `bun scripts/release-fixture.ts VERSION`, run
 * on the commit of the release, after `scripts/release-migrations.ts`. Writes to test/fixtures/releases/VERSION a SQLite file, a dump
 * of the same rows for Postgres, what reading operations answer, and the events of webhooks. Every table has a row.
 */
import { Database as Connection } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { allTables } from '../db/backup/copy-rows.ts'
import { createBackup } from '../db/backup/create.ts'
import { restoreBackup } from '../db/backup/restore.ts'
import type { Database } from '../db/database.ts'
import { migrations } from '../db/migrations.gen.ts'
import { openDatabase } from '../db/open.ts'
import { createUser } from '../server/users/service.ts'
import { seedSample } from '../server/sample/seed.ts'
import { endpoints } from '../src/api/contracts.gen.ts'
import { describeService } from '../server/openapi/describe.ts'
import { eventsOf } from '../test/fixtures/events.ts'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { startService, type TestService } from '../test/fixtures/service.ts'

const [version] = process.argv.slice(2)
if (version === undefined) throw new Error('usage: bun scripts/release-fixture.ts VERSION')
const folder = join(import.meta.dir, '../test/fixtures/releases', version)
const work = mkdtempSync(join(tmpdir(), 'svc-release-'))
const at = '2026-01-02T03:04:05.678Z'

type Row = Record<string, unknown>

/** A value for a column, from a row of the table that it refers to or by its type. */
async function cellOf(db: Database, table: PgTable, property: string): Promise<unknown> {
  const column = getTableColumns(table)[property]!
  for (const key of getTableConfig(table).foreignKeys) {
    const { columns, foreignColumns, foreignTable } = key.reference()
    const index = columns.findIndex(({ name }) => name === column.name)
    if (index === -1) continue
    const target = Object.entries(getTableColumns(foreignTable)).find(
      ([, it]) => it.name === foreignColumns[index]?.name,
    )
    const [row] = (await db.read.select().from(foreignTable).limit(1)) as Row[]
    return row?.[target?.[0] ?? ''] ?? null
  }
  if (column.enumValues !== undefined && column.enumValues.length > 0) return column.enumValues[0]
  switch (column.getSQLType()) {
    case 'timestamptz(3)':
      return at
    case 'jsonb':
      return {}
    case 'boolean':
      return true
    case 'bytea':
      return new Uint8Array([1, 2, 3, 4])
    case 'integer':
    case 'bigint':
      return 1
    default:
      return `${property} of ${version}`
  }
}

/** Puts a row into every table that has none yet; those that a row refers to come first. */
async function fillTables(db: Database): Promise<void> {
  const begun = new Set<PgTable>()
  const fill = async (table: PgTable): Promise<void> => {
    if (begun.has(table)) return
    begun.add(table)
    if ((await db.read.select().from(table).limit(1)).length > 0) return
    for (const key of getTableConfig(table).foreignKeys) await fill(key.reference().foreignTable)
    const row: Row = {}
    for (const property of Object.keys(getTableColumns(table))) row[property] = await cellOf(db, table, property)
    await db.inTransaction(async (tx) => void (await tx.insert(table).values(row)))
  }
  for (const table of allTables) await fill(table)
}

/** Does what people do: an account, the sample project, a guide, a consumer, a contract, a comparison, keys. */
async function use({ service, ask, tenant }: TestService): Promise<Readonly<Record<string, string>>> {
  const send = async (method: string, path: string, body?: object): Promise<Row> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await ask(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (answer.status === 204 ? {} : await answer.json()) as Row
  }
  const account = { email: 'owner@example.test', name: 'Owner', password: 'plum Kettle 91 harbour', membership: null }
  await createUser(service.deps, account)
  const [owner] = ((await send('GET', `/v1/tenants/${tenant}/members`))['items'] as Row[]) ?? []
  await seedSample(service.callAs(String(owner?.['user_id'])), tenant)
  const project = `/v1/tenants/${tenant}/projects/bookshop`
  const [shown] = (await send('GET', `/v1/tenants/${tenant}/projects`))['items'] as Row[]
  const [newest] = (await send('GET', `${project}/versions`))['items'] as Row[]
  const guide = await send('POST', `/v1/style-guides/${tenant}`, { name: 'House rules' })
  const yaml = 'rules:\n  title:\n    given: $.info.title\n    then: { function: truthy }\n'
  await send('PUT', `/v1/style-guides/${tenant}/${String(guide['id'])}/custom-rules`, { yaml })
  const consumer = await send('POST', `${project}/consumers`, { name: 'Shop' })
  const pact = { consumer: { name: 'reader' }, provider: { name: 'bookshop' }, interactions: [] }
  await send('POST', `${project}/consumer-pact-imports`, { pact, version: '1.0.0', consumer_slug: 'reader' }).catch(
    () => ({}),
  )
  const key = await send('POST', `/v1/tenants/${tenant}/agent-keys`, { label: 'agent', toolset: 'catalog-read' })
  const source = {
    kind: 'inline',
    name: 'a.yaml',
    content: 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n',
  }
  const job = await send('POST', `/v1/tenants/${tenant}/imports`, { source, project_slug: 'small' })
  await send('GET', `/v1/imports/${String(job['job_id'])}?wait=30`)
  const slug = String(newest?.['slug'])
  return {
    tenant_slug: tenant,
    project_ref: 'bookshop',
    project_slug: 'bookshop',
    project_id: String(shown?.['id']),
    version_ref: slug,
    version_slug: slug,
    version_id: String(newest?.['id']),
    version_record_id: String(newest?.['id']),
    class_name: 'Book',
    consumer_ref: String(consumer['slug']),
    guide_id: String(guide['id']),
    job_id: String(job['job_id']),
    key: String((key['key'] as Row | undefined)?.['id'] ?? key['id']),
  }
}

/** What depends on the day, or on the release that answers. */
const volatile = new Set(['tenants.audit', 'tenants.license', 'auth.me', 'documents.page'])

/** What reading operations answer about that. */
async function answersOf({ ask }: TestService, ids: Readonly<Record<string, string>>): Promise<Row> {
  const answers: Row = {}
  for (const { id, method, path } of endpoints) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '{}')
    if (method !== 'GET' || !path.startsWith('/v1/') || address.includes('{}') || volatile.has(id)) continue
    const answer = await ask(address, {})
    const text = await answer.text()
    if (answer.status !== 200) continue
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    answers[address] = isJson ? (JSON.parse(text) as unknown) : text
  }
  return answers
}

const quoted = (text: string | null): string => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`)

/** The statements that make a Postgres database with the same rows. */
async function dump(url: string): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const made = await client.unsafe(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
    const lines = ['set session_replication_role = replica;', ...migrations.postgres.map(({ sql }) => sql)]
    lines.push('create table svc_migrations (id text primary key, sha256 text not null, applied_at text not null);')
    for (const { name } of made) {
      const described = await client.unsafe(
        `select column_name as name from information_schema.columns where table_name = '${String(name)}' order by ordinal_position`,
      )
      const columns = described.map((it) => `"${String(it['name'])}"`)
      const rows = await client
        .unsafe(`select ${columns.map((it) => `${it}::text`).join(', ')} from "${String(name)}"`)
        .values()
      for (const row of rows as (string | null)[][])
        lines.push(`insert into "${String(name)}" (${columns.join(', ')}) values (${row.map(quoted).join(', ')});`)
    }
    return `${lines.join('\n')}\nset session_replication_role = origin;\n`
  } finally {
    await client.end()
  }
}

const server = await startPostgres()
try {
  mkdirSync(folder, { recursive: true })
  const live = { kind: 'sqlite', path: join(work, 'svc.db') } as const
  const db = await openDatabase(live)
  const service = await startService(db)
  const ids = await use(service)
  await fillTables(db)
  const answers = await answersOf(service, ids)
  await service.service.stop()
  await db.close()
  const packed = join(work, 'packed.db')
  const connection = new Connection(live.path)
  connection.run('VACUUM INTO ?', [packed])
  connection.close()
  await createBackup(live, join(work, 'backup.db'), Date.now())
  const url = `${server.url}/postgres`
  await restoreBackup(join(work, 'backup.db'), { kind: 'postgres', url })
  writeFileSync(join(folder, 'svc.db.gz'), gzipSync(readFileSync(packed), { level: 9 }))
  writeFileSync(join(folder, 'postgres.sql.gz'), gzipSync(await dump(url), { level: 9 }))
  writeFileSync(join(folder, 'answers.json.gz'), gzipSync(JSON.stringify(answers), { level: 9 }))
  const events = JSON.stringify(eventsOf(describeService(endpoints)))
  writeFileSync(join(folder, 'events.json.gz'), gzipSync(events, { level: 9 }))
  console.log(`${Object.keys(answers).length} answers, ${allTables.length} tables`)
} finally {
  await server.stop()
  rmSync(work, { recursive: true, force: true })
}
