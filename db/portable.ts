/**
 * Makes drizzle's Postgres query builder run on both engines: the SQL it writes is what SQLite understands too, but for
 * the keyword DEFAULT in VALUES, numbered parameters and row locks.
 */
import { is, Param, SQL } from 'drizzle-orm'
import { PgDialect, type PgInsertConfig, type PgSelectConfig } from 'drizzle-orm/pg-core'
import { PgRemoteDatabase, PgRemoteSession, PreparedQuery, type RemoteCallback } from 'drizzle-orm/pg-proxy'
import type { Dialect, Reader, Transaction } from './database.ts'
import { unstorableText } from './columns.ts'
import { inSpan } from '../src/kernel/span.ts'
import { countStatement } from './statements.ts'

/** One statement to run: `values` answers rows as arrays in column order, `objects` as objects by column name. */
export type Execute = (text: string, params: unknown[], shape: 'values' | 'objects') => Promise<unknown[]>

type Columns = Record<string, { default: unknown; defaultFn?: unknown; onUpdateFn?: unknown }>
type Row = Record<string, unknown>

// Where drizzle keeps the columns of a table; its own constant for it is not in its types.
const columnsOf = Symbol.for('drizzle:Columns')

const isGiven = (value: unknown): boolean => value !== undefined && !(is(value, Param) && value.value === undefined)

class PortableDialect extends PgDialect {
  // SQLite cannot parse DEFAULT: columns that no row gives are left out, missing cells get the default itself.
  override buildInsertQuery(config: PgInsertConfig): SQL {
    if (config.select || !Array.isArray(config.values)) return super.buildInsertQuery(config)
    const rows: Row[] = config.values
    const columns = (config.table as unknown as { [columnsOf]: Columns })[columnsOf]
    const used = Object.entries(columns).filter(
      ([name, column]) => column.defaultFn || column.onUpdateFn || rows.some((row) => isGiven(row[name])),
    )
    const values = rows.map((row) => {
      const cells: Row = {}
      for (const [name, column] of used) {
        if (isGiven(row[name])) cells[name] = row[name]
        else if (!column.defaultFn && !column.onUpdateFn)
          cells[name] = is(column.default, SQL) ? column.default : new Param(column.default ?? null, column as never)
      }
      return cells
    })
    const table = Object.create(config.table, { [columnsOf]: { value: Object.fromEntries(used) } })
    return super.buildInsertQuery({ ...config, table, values: values as PgInsertConfig['values'] })
  }
}

class SqliteDialect extends PortableDialect {
  // SQLite finds a numbered parameter by linear search: quadratic in large inserts.
  override escapeParam(): string {
    return '?'
  }
  // A transaction is the only writer there: no row lock is needed, and none can be written.
  override buildSelectQuery({ lockingClause: _, ...config }: PgSelectConfig): SQL {
    return super.buildSelectQuery(config)
  }
}

// drizzle wraps every failure into an error whose message holds the parameters, which may be secrets: pass it as it is.
class PlainQuery extends PreparedQuery<{ execute: unknown; all: unknown; values: unknown }> {
  queryWithCache<T>(_text: string, _params: unknown[], query: () => Promise<T>): Promise<T> {
    return query()
  }
}

type PrepareArguments = Parameters<PgRemoteSession<Record<string, never>, Record<string, never>>['prepareQuery']>

class PlainSession extends PgRemoteSession<Record<string, never>, Record<string, never>> {
  readonly #run: RemoteCallback
  constructor(run: RemoteCallback, dialect: PgDialect) {
    super(run, dialect, undefined)
    this.#run = run
  }
  override prepareQuery(...[query, fields, , inArrays, mapper, metadata, cache]: PrepareArguments) {
    const silent = { logQuery: () => {} }
    const none = undefined as never
    return new PlainQuery(
      this.#run,
      query.sql,
      query.params,
      query.typings,
      silent,
      none,
      metadata,
      cache,
      fields,
      inArrays,
      mapper,
    ) as never
  }
}

type Builder = PgRemoteDatabase

/** What a span says of a statement at most. */
const maxStatement = 2000

/** Runs a statement in a span within that of the request or the job that it belongs to. Values are no part of a statement. */
const inStatementSpan =
  (dialect: Dialect, execute: Execute): Execute =>
  (text, params, shape) => {
    const verb = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
    const attributes = {
      'db.system.name': dialect === 'sqlite' ? 'sqlite' : 'postgresql',
      'db.operation.name': verb,
      'db.query.text': text.slice(0, maxStatement),
    }
    return inSpan({ name: verb, kind: 'client', isInner: true, attributes }, () =>
      countStatement(() => execute(text, params, shape)),
    )
  }

/** A query builder over `execute`. Text that one of the engines could not store is refused before it is sent. */
export function buildQueries(dialect: Dialect, execute: Execute): Builder {
  const traced = inStatementSpan(dialect, execute)
  const run: RemoteCallback = async (text, params: unknown[], method) => {
    for (const value of params)
      if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) throw unstorableText()
    return { rows: await traced(text, params, method === 'all' ? 'values' : 'objects') }
  }
  const language = dialect === 'sqlite' ? new SqliteDialect() : new PortableDialect()
  return new PgRemoteDatabase(language, new PlainSession(run, language), undefined)
}

/**
 * Runs SQL that the query builder cannot say and answers rows by column name, undecoded. For db alone: the two search
 * files and backups. Fails on a handle that this module did not make.
 */
export async function executeSql(handle: Reader | Transaction, query: SQL): Promise<Row[]> {
  return (handle as unknown as Builder).execute<Row>(query)
}
