/** Runs the same tests on both database engines, each test file on fresh databases of its own. */
import { afterAll, beforeAll, describe } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Database, Dialect } from '../db/database.ts'
import { migratePostgres } from '../db/migrate-postgres.ts'
import { migrateSqlite } from '../db/migrate-sqlite.ts'
import { migrations } from '../db/migrations.gen.ts'
import { openPostgres } from '../db/postgres.ts'
import type { DatabaseTarget } from '../db/open.ts'
import { openSqlite } from '../db/sqlite.ts'
import { sharedPostgres } from './postgres.ts'

/** Answers a fresh, migrated, open database; it is closed and removed after the tests of the file. */
export interface MakeDatabase {
  (): Promise<Database>
  readonly dialect: Dialect
  /** A fresh migrated database that nobody has opened: for tests with several processes. */
  readonly makeTarget: () => Promise<DatabaseTarget>
  /** Opens a target without migrating it. */
  readonly open: (target: DatabaseTarget) => Promise<Database>
  /** A database without any table. */
  readonly makeEmptyTarget: () => Promise<DatabaseTarget>
}

const slowMs = 60_000

type Cleanup = (() => unknown)[]

function assemble(
  dialect: Dialect,
  cleanup: Cleanup,
  makeTarget: MakeDatabase['makeTarget'],
  makeEmptyTarget: MakeDatabase['makeEmptyTarget'],
): MakeDatabase {
  const open = async (target: DatabaseTarget) => {
    const database = target.kind === 'sqlite' ? openSqlite(target.path) : openPostgres(target.url)
    cleanup.push(() => database.close())
    return database
  }
  return Object.assign(async () => open(await makeTarget()), { dialect, makeTarget, makeEmptyTarget, open })
}

function makeSqlite(cleanup: Cleanup): MakeDatabase {
  let folder: string | undefined
  let template: Promise<string> | undefined
  let count = 0
  const nextPath = (): string => {
    if (!folder) {
      const made = mkdtempSync(join(tmpdir(), 'svc-test-'))
      folder = made
      cleanup.unshift(() => rmSync(made, { recursive: true, force: true }))
    }
    return join(folder, `${++count}.db`)
  }
  const makeEmptyTarget = async () => ({ kind: 'sqlite', path: nextPath() }) as const
  const makeTarget = async () => {
    template ??= makeEmptyTarget().then(async ({ path }) => {
      await migrateSqlite(path)
      return path
    })
    const target = await makeEmptyTarget()
    copyFileSync(await template, target.path)
    return target
  }
  return assemble('sqlite', cleanup, makeTarget, makeEmptyTarget)
}

async function onServer<T>(work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(`${await sharedPostgres()}/postgres`, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The name of a migrated database to copy from; whoever comes first on this server makes it. */
async function makeTemplate(): Promise<string> {
  const name = `svc_template_${Bun.hash(JSON.stringify(migrations.postgres)).toString(36)}`
  await onServer(async (client) => {
    await client`select pg_advisory_lock(81254)`
    if ((await client`select 1 from pg_database where datname = ${name}`).length > 0) return
    const draft = `${name}_${newSuffix()}`
    await client.unsafe(`create database ${draft} template template0`)
    await migratePostgres(`${await sharedPostgres()}/${draft}`)
    await client.unsafe(`alter database ${draft} rename to ${name}`)
  })
  return name
}

const newSuffix = (): string => crypto.randomUUID().replaceAll('-', '')

function makePostgres(cleanup: Cleanup): MakeDatabase {
  let template: Promise<string> | undefined
  const makeFrom = async (source: string) => {
    const name = `t_${newSuffix()}`
    await onServer((client) => client.unsafe(`create database ${name} template ${source}`))
    cleanup.unshift(() => onServer((client) => client.unsafe(`drop database if exists ${name} with (force)`)))
    return { kind: 'postgres', url: `${await sharedPostgres()}/${name}` } as const
  }
  const makeEmptyTarget = () => makeFrom('template0')
  const makeTarget = async () => {
    template ??= makeTemplate()
    return makeFrom(await template)
  }
  return assemble('postgres', cleanup, makeTarget, makeEmptyTarget)
}

/** Declares a group of tests once for each engine: `onBothEngines('jobs', (makeDb) => { test(…) })`. */
export function onBothEngines(name: string, declare: (makeDb: MakeDatabase) => void): void {
  for (const make of [makeSqlite, makePostgres]) {
    const cleanup: Cleanup = []
    const makeDb = make(cleanup)
    describe(`${name} on ${makeDb.dialect}`, () => {
      // Starting a server takes longer than a test may.
      if (makeDb.dialect === 'postgres') beforeAll(() => sharedPostgres(), slowMs)
      // Declared before the hooks of the group, so it runs after them.
      afterAll(async () => {
        for (const step of cleanup.toReversed()) await step()
      }, slowMs)
      declare(makeDb)
    })
  }
}
