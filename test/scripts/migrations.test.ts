import { Database as Connection } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { check, index, type PgTable, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core'
import { bool, integer, text, timestamp } from '../../db/columns.ts'
import { migrations } from '../../db/migrations.gen.ts'
import generate, { dialects, migrationPath, readTables } from '../../scripts/gen/migrations.ts'
import { writeAdditions, writeCreation } from '../../scripts/migrations/ddl.ts'
import { orderTables, readTable, type TableModel } from '../../scripts/migrations/model.ts'

const root = join(import.meta.dir, '../..')
const parents = pgTable('parents', { id: text('id').primaryKey() })
const children = pgTable(
  'children',
  {
    a: text('a')
      .notNull()
      .references(() => parents.id, { onDelete: 'cascade' }),
    b: integer('b').notNull().default(3),
    isOn: bool('is_on'),
    at: timestamp('at'),
  },
  (t) => [
    primaryKey({ columns: [t.a, t.b] }),
    uniqueIndex('children_key')
      .on(sql`lower(${t.a})`, t.b)
      .where(sql`${t.isOn}`),
    check('children_b_check', sql`${t.b} > 0`),
  ],
)

const read = (...tables: PgTable[]) => orderTables(tables.map(readTable))
const additions = (before: PgTable[], now: PgTable[]) => writeAdditions(read(...before), read(...now), 'postgres')

test('tables are made after those they point to, each dialect in its own words', () => {
  const tables = read(children, parents)
  const index = 'create unique index "children_key" on "children" ((lower("a")), "b") where "is_on"'
  expect(writeCreation(tables, 'sqlite')).toEqual([
    'create table "parents" (\n  "id" text not null,\n  primary key ("id")\n) strict',
    `create table "children" (
  "a" text not null,
  "b" integer default 3 not null,
  "is_on" integer,
  "at" text,
  primary key ("a", "b"),
  constraint "children_b_check" check ("b" > 0),
  constraint "children_a_fkey" foreign key ("a") references "parents" ("id") on delete cascade
) strict`,
    index,
  ])
  expect(writeCreation(tables, 'postgres')).toEqual([
    'create table "parents" (\n  "id" text collate "C" not null,\n  primary key ("id")\n)',
    `create table "children" (
  "a" text collate "C" not null,
  "b" integer default 3 not null,
  "is_on" boolean,
  "at" timestamptz(3),
  primary key ("a", "b"),
  constraint "children_b_check" check ("b" > 0)
)`,
    'alter table "children" add constraint "children_a_fkey" foreign key ("a") references "parents" ("id") on delete cascade',
    index,
  ])
})

test('nothing changed means no migration', () => {
  expect(additions([parents, children], [children, parents])).toEqual([])
})

test('new tables, columns with their foreign keys, and indexes are added; an index that is gone is dropped', () => {
  const before = pgTable('t', { id: text('id').primaryKey() }, (t) => [index('t_old').on(t.id)])
  const now = pgTable(
    't',
    {
      id: text('id').primaryKey(),
      parent: text('parent').references(() => parents.id),
      n: integer('n').notNull().default(0),
    },
    (t) => [index('t_new').on(t.n)],
  )
  expect(additions([before], [now, parents])).toEqual([
    'create table "parents" (\n  "id" text collate "C" not null,\n  primary key ("id")\n)',
    'alter table "t" add column "parent" text collate "C" references "parents" ("id") on delete no action',
    'alter table "t" add column "n" integer default 0 not null',
    'drop index "t_old"',
    'create index "t_new" on "t" ("n")',
  ])
})

test('every change that could lose or misread data is refused with its place', () => {
  const base = pgTable('t', { id: text('id').primaryKey(), n: integer('n') }, (t) => [index('t_n').on(t.n)])
  const refused: [PgTable[], string][] = [
    [[], 'Table t is released and cannot be removed'],
    [[pgTable('t', { id: text('id').primaryKey() })], 'Table t: the column n changed or is gone'],
    [[pgTable('t', { id: text('id').primaryKey(), n: text('n') })], 'Table t: the column n changed or is gone'],
    [[pgTable('t', { id: text('id'), n: integer('n').primaryKey() })], 'Table t: its primary key changed'],
    [
      [pgTable('t', { id: text('id').primaryKey(), n: integer('n'), x: text('x').notNull() })],
      'Table t: the new column x needs a default or must be nullable',
    ],
    [
      [pgTable('t', { id: text('id').primaryKey(), n: integer('n') }, (t) => [uniqueIndex('t_n').on(t.n)])],
      'Table t: the index t_n changed',
    ],
    [
      [pgTable('t', { id: text('id').primaryKey(), n: integer('n') }, (t) => [check('c', sql`${t.n} > 0`)])],
      'Table t: its checks changed',
    ],
    [
      [
        pgTable('t', {
          id: text('id')
            .primaryKey()
            .references(() => parents.id),
          n: integer('n'),
        }),
        parents,
      ],
      'Table t: the foreign key t_id_fkey is not on one new column',
    ],
  ]
  for (const [now, message] of refused) expect(() => additions([base], now)).toThrow(message)
})

test('declarations that the engines would not share are refused', () => {
  expect(() => readTable(pgTable('t', { id: text('id').unique() }))).toThrow('Table t: declare uniqueness')
  const descending = pgTable('t', { id: text('id') }, (t) => [index('t_id').on(t.id.desc())])
  expect(() => readTable(descending)).toThrow('Table t: index t_id: ascending columns only')
  expect(() => readTable(pgTable('t', { id: text('id') }, (t) => [index().on(t.id)]))).toThrow('Table t: give every')
  const orphan = pgTable('t', { id: text('id').references(() => parents.id) })
  expect(() => read(orphan)).toThrow('Table t points to parents, which no file in db/tables declares')
})

test('generating twice gives the same, and it is what is stored', async () => {
  const [first, second] = [await generate(root), await generate(root)]
  expect(second).toEqual(first)
  for (const [path, content] of Object.entries(first))
    expect(await Bun.file(join(root, path)).text()).toBe(content ?? '')
})

/** A project folder whose release had neither jobs nor the search, and users without their optional columns. */
async function makeReleasedProject(): Promise<{ folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-release-'))
  for (const dialect of dialects)
    for (const path of new Bun.Glob(`db/*/*.${dialect}.sql`).scanSync(root)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      copyFileSync(join(root, path), join(folder, path))
    }
  symlinkSync(join(root, 'db/tables'), join(folder, 'db/tables'))
  const { tables } = await readTables(root)
  const oldTables: TableModel[] = tables
    .filter(({ name }) => name !== 'jobs' && name !== 'search_entries')
    .map((table) =>
      table.name === 'users' ? { ...table, columns: table.columns.filter(({ notNull }) => notNull) } : table,
    )
  const sha256: Record<string, string> = {}
  for (const dialect of dialects) {
    const text = writeCreation(oldTables, dialect)
      .map((statement) => `${statement};\n`)
      .join('')
    await Bun.write(join(folder, migrationPath(dialect, '0000_init')), text)
    sha256[dialect] = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  }
  const released = { migrations: [{ id: '0000_init', sha256 }], tables: oldTables, extras: {} }
  await Bun.write(join(folder, 'db/migrations/released.json'), JSON.stringify(released))
  return { folder }
}

test('after a release the change goes into one further migration, which brings the old tables to the present', async () => {
  const { folder } = await makeReleasedProject()
  const made = await generate(folder)
  expect(Object.keys(made).toSorted()).toEqual([
    'db/migrations.gen.ts',
    'db/migrations/postgres/0001_changes.sql',
    'db/migrations/sqlite/0001_changes.sql',
    'db/tables.gen.ts',
  ])
  expect(made['db/migrations.gen.ts']).toContain(
    "{ id: '0000_init', sql: sqlite0 }, { id: '0001_changes', sql: sqlite1 }",
  )
  const shape = (...parts: string[]) => {
    const connection = new Connection(':memory:')
    for (const part of parts) connection.run(part)
    const columns = `select m.name as "table", c.name, c.type, c."notnull", c.pk from sqlite_master m, pragma_table_info(m.name) c
      where m.type = 'table' order by 1, 2`
    return [
      connection.query(columns).all(),
      connection.query("select name from sqlite_master where type <> 'table' order by 1").all(),
    ]
  }
  const old = await Bun.file(join(folder, migrationPath('sqlite', '0000_init'))).text()
  const present = migrations.sqlite.map(({ sql }) => sql)
  expect(shape(old, made[migrationPath('sqlite', '0001_changes')] ?? '')).toEqual(shape(...present))
  rmSync(folder, { recursive: true })
})

test('a released migration that was edited stops the generator', async () => {
  const { folder } = await makeReleasedProject()
  const path = join(folder, migrationPath('postgres', '0000_init'))
  await Bun.write(path, `${await Bun.file(path).text()}-- edited`)
  expect(await generate(folder).catch((error: Error) => error.message)).toContain('is released and was changed')
  rmSync(folder, { recursive: true })
})

test('the file of a change that was taken back goes away', async () => {
  const { folder } = await makeReleasedProject()
  const stale = migrationPath('sqlite', '0002_changes')
  await Bun.write(join(folder, stale), 'select 1;')
  const made = await generate(folder)
  expect(Object.keys(made).filter((path) => made[path] === null)).toEqual([stale])
  rmSync(folder, { recursive: true })
})
