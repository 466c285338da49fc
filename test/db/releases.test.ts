/** Databases of every release (test/fixtures/releases): this program opens them, and nothing of them is lost. */
import { Database as Connection } from 'bun:sqlite'
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import postgres from 'postgres'
import { checkDatabase } from '../../cli/doctor/checks.ts'
import type { Database } from '../../db/database.ts'
import { migrations } from '../../db/migrations.gen.ts'
import { type DatabaseTarget, openDatabase } from '../../db/open.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { startService } from '../fixtures/service.ts'

// A service answers every operation that reads.
setDefaultTimeout(180_000)

const releases = join(import.meta.dir, '../fixtures/releases')
const unpack = (version: string, name: string): Buffer => gunzipSync(readFileSync(join(releases, version, name)))
const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

type Row = Record<string, unknown>
/** The rows of tables by name, with the columns that a release had. */
type Contents = ReadonlyMap<string, readonly Row[]>

async function load(target: DatabaseTarget, version: string): Promise<void> {
  if (target.kind === 'sqlite') return writeFileSync(target.path, unpack(version, 'svc.db.gz'))
  const client = postgres(target.url, { max: 1, onnotice: () => {} })
  await client.unsafe(unpack(version, 'postgres.sql.gz').toString())
  await client.end()
}

/**
 * Every row of every table, without this program's code.
 * @param like the tables and columns to read; all where it is left out
 */
async function contentsOf(target: DatabaseTarget, like?: Contents): Promise<Contents> {
  const read = async (ask: (text: string) => Promise<Row[]>, tables: string): Promise<Contents> => {
    const names = like ? [...like.keys()] : (await ask(tables)).map((it) => String(it['name']))
    const contents = new Map<string, Row[]>()
    for (const name of names) {
      const columns = like?.get(name)?.[0]
      const what = columns === undefined ? '*' : Object.keys(columns).map((it) => `"${it}"`)
      const rows = await ask(`select ${what.toString()} from "${name}"`)
      contents.set(name, [...rows].sort(byText))
    }
    return contents
  }
  // What a database makes of its own: the migrations that it had, and the index of search.
  const indexes = ['search_index%', 'search_current%', 'search_older%', 'search_terms']
  const own = ['sqlite_%', 'svc_migrations', ...indexes].map((it) => `name not like '${it}'`).join(' and ')
  if (target.kind === 'sqlite') {
    const connection = new Connection(target.path)
    try {
      const ask = async (text: string) => connection.query(text).all() as Row[]
      return await read(ask, `select name from sqlite_master where type = 'table' and ${own}`)
    } finally {
      connection.close()
    }
  }
  const client = postgres(target.url, { max: 1, onnotice: () => {} })
  try {
    const tables = `select * from (select table_name as name from information_schema.tables where table_schema = 'public') t where ${own}`
    return await read(async (text) => [...(await client.unsafe(text))], tables)
  } finally {
    await client.end()
  }
}

async function opened<T>(target: DatabaseTarget, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(target)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

test('there is a fixture of the first release', () => {
  expect(readdirSync(releases)).toContain('0.1.0')
})

/** Numbers that count what the program knows, rules among them, so that they grow with it. */
const growing = new Set(['rulesOn', 'rulesTotal', 'total'])

/** Builtin rules that have another severity since: their phrases only inform. */
const milder: Readonly<Record<string, string>> = { 'mcp-plain-descriptions': 'info' }
/** Builtin rules that say more since: what they check has grown. */
const described: Readonly<Record<string, string>> = {
  'arazzo-document-schema': 'The document is valid Arazzo 1.0 or 1.1.',
}
const severityKeys = new Set(['severity', 'defaultSeverity'])

const idOf = (it: unknown): unknown => (it as Row | null)?.['id']

/** Whether a value is in another one: counterexamples of 0.1.0 were the part that decides, later ones are whole messages. */
const holds = (whole: unknown, part: unknown): boolean =>
  Bun.deepEquals(whole, part) ||
  (typeof whole === 'object' && whole !== null && Object.values(whole).some((it) => holds(it, part)))

/**
 * Where an answer has less than the release answered, or other values. Later releases may answer more: members, names in
 * lists, things with other ids.
 */
function lacks(expected: unknown, answer: unknown, place: string): string[] {
  if (Array.isArray(expected) && Array.isArray(answer)) {
    const items: unknown[] = answer
    return expected.flatMap((it: unknown, index) => {
      if (typeof it === 'string') return items.includes(it) ? [] : [`${place}: ${it}`]
      const same = idOf(it) === undefined ? items[index] : items.find((other) => idOf(other) === idOf(it))
      return lacks(it, same, `${place}/${index}`)
    })
  }
  if (typeof expected === 'object' && expected !== null && typeof answer === 'object' && answer !== null)
    return Object.entries(expected).flatMap(([key, it]: [string, unknown]) => {
      const got = (answer as Row)[key]
      if (severityKeys.has(key) && got === milder[String(idOf(expected))]) return []
      if (key === 'description' && got === described[String(idOf(expected))]) return []
      if (growing.has(key) && typeof it === 'number' && typeof got === 'number' && got >= it) return []
      return lacks(it, got, `${place}/${key}`)
    })
  if (place.endsWith('/witness/value') && holds(answer, expected)) return []
  return Bun.deepEquals(expected, answer)
    ? []
    : [`${place}: ${JSON.stringify(expected)}, not ${JSON.stringify(answer)}`]
}

for (const version of readdirSync(releases))
  describe(`a database of ${version}`, () => {
    onBothEngines('upgraded', (makeDb) => {
      test('keeps every row, and the doctor finds nothing wrong', async () => {
        const target = await makeDb.makeEmptyTarget()
        await load(target, version)
        const before = await contentsOf(target)
        expect(before.size).toBeGreaterThanOrEqual(47)
        expect([...before].filter(([, rows]) => rows.length === 0).map(([name]) => name)).toEqual([])
        await opened(target, async () => {})
        expect(await contentsOf(target, before)).toEqual(before)
        const { status, message } = await checkDatabase(target)
        expect([status, message]).toEqual(['pass', expect.any(String)])
        const applied = await contentsOf(target, new Map([['svc_migrations', []]]))
        expect(
          applied
            .get('svc_migrations')
            ?.map((it) => it['id'])
            .toSorted(),
        ).toEqual(migrations[makeDb.dialect].map(({ id }) => id))
        // Opening it once more changes nothing.
        await opened(target, async () => {})
        expect(await contentsOf(target, before)).toEqual(before)
      })

      test('answers what it answered, and lets its owner sign in', async () => {
        const target = await makeDb.makeEmptyTarget()
        await load(target, version)
        await opened(target, async (db) => {
          const it = await startService(db)
          try {
            const recorded = JSON.parse(unpack(version, 'answers.json.gz').toString()) as Row
            expect(Object.keys(recorded).length).toBeGreaterThan(30)
            for (const [path, expected] of Object.entries(recorded)) {
              const answer = await it.ask(path, {})
              const text = await answer.text()
              expect([path, answer.status]).toEqual([path, 200])
              if (typeof expected === 'string') expect(text).toBe(expected)
              else expect(lacks(expected, JSON.parse(text), path)).toEqual([])
            }
            const body = JSON.stringify({ email: 'owner@example.test', password: 'plum Kettle 91 harbour' })
            const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
            expect((await it.service.handle(new Request('http://localhost/v1/auth/login', request))).status).toBe(200)
            expect(it.faults).toEqual([])
          } finally {
            await it.service.stop()
          }
        })
      })
    })
  })
