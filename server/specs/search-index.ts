import type { Transaction } from '../../db/database.ts'
import { indexEntries } from '../../db/search/search.ts'
import type { Analysis } from '../analysis/analysis.ts'

/** Makes the operations of a version searchable, in place of what was indexed of it before. */
export const indexOperations = (
  tx: Transaction,
  version: { readonly tenantId: string; readonly id: string },
  { operations, words }: Pick<Analysis, 'operations' | 'words'>,
): Promise<void> =>
  indexEntries(
    tx,
    version.tenantId,
    version.id,
    operations.flatMap(({ ref }, at) => (words[at] === undefined ? [] : [{ ref, ...words[at] }])),
  )
