import type { Transaction } from '../../db/database.ts'
import { indexEntries } from '../../db/search/search.ts'
import type { Analysis } from '../analysis/analysis.ts'

/** What the entry of a schema begins with; that of an operation begins with its method, in capitals. */
export const schemaPrefix = 'schema '

/** The name of the schema of an entry; null for the entry of an operation. */
export const schemaName = (ref: string): string | null =>
  ref.startsWith(schemaPrefix) ? ref.slice(schemaPrefix.length) : null

/** Makes the operations and schemas of a version searchable, in place of what was indexed of it before. */
export const indexVersion = (
  tx: Transaction,
  version: { readonly tenantId: string; readonly id: string },
  { operations, words, classNames }: Pick<Analysis, 'operations' | 'words' | 'classNames'>,
): Promise<void> =>
  indexEntries(tx, version.tenantId, version.id, [
    ...operations.flatMap(({ ref }, at) => (words[at] === undefined ? [] : [{ ref, ...words[at] }])),
    ...classNames.map((name) => ({ ref: schemaPrefix + name, title: name, body: '' })),
  ])
