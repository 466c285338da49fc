/** Columns that hold a list of texts as JSON, which the engines take apart in different ways. */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Dialect } from './database.ts'

/** Whether the list in a column has this text. */
export const hasText = (dialect: Dialect, column: PgColumn, text: string): SQL =>
  dialect === 'sqlite'
    ? sql`exists (select 1 from json_each(${column}) where value = ${text})`
    : sql`coalesce(jsonb_exists(${column}, ${text}), false)`

/** What a table is joined with for a row for each text of the list in a column, and the column of the text. */
export const textsOf = (dialect: Dialect, column: PgColumn): { readonly from: SQL; readonly text: SQL<string> } => ({
  from:
    dialect === 'sqlite'
      ? sql`json_each(${column}) as "listed"`
      : sql`lateral jsonb_array_elements_text(${column}) as "listed"("value")`,
  text: sql<string>`"listed"."value"`,
})
