import { index, pgTable } from 'drizzle-orm/pg-core'
import { big, bool, text } from '../columns.ts'
import { tenants } from './tenants.ts'

/** What can be found by words: one row for each operation (or other part) of a version. Made by db/search/search.ts. */
export const searchEntries = pgTable(
  'search_entries',
  {
    /** A number, since SQLite's full-text index knows rows by theirs. */
    id: big('id').primaryKey(),
    tenantId: text('tenant_id')
      .notNull()
      .references(() => tenants.id, { onDelete: 'cascade' }),
    versionId: text('version_id').notNull(),
    /** What was found, as its owner calls it: an operation's "GET /pets/{id}". */
    ref: text('ref').notNull(),
    /** Distinct words of the title, separated by spaces, then those of the name after a tabulator. */
    headWords: text('head_words').notNull(),
    /** Distinct words of everything; those of title and name a second time, and digests of whole names, marked (db/search/match.ts). */
    words: text('words').notNull(),
    /** Whether the version is the one that people mean, as `versions.current`: each of the two has an index of its own. */
    current: bool('current').notNull().default(false),
  },
  (t) => [index('search_entries_version_idx').on(t.versionId), index('search_entries_tenant_idx').on(t.tenantId)],
)
