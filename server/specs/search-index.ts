import type { Transaction } from '../../db/database.ts'
import { indexEntries } from '../../db/search/search.ts'
import type { Json } from '../../src/document/json.ts'
import { operationText } from '../../src/spec/words.ts'

interface Indexed {
  readonly ref: string
  readonly operationId: string | null
  readonly summary?: string | null
  readonly tags: readonly string[]
  readonly pointer: string
}

/** Makes the operations of a version searchable, in place of what was indexed of it before. */
export const indexOperations = (
  tx: Transaction,
  version: { readonly tenantId: string; readonly id: string },
  document: Json,
  operations: readonly Indexed[],
): Promise<void> =>
  indexEntries(
    tx,
    version.tenantId,
    version.id,
    operations.map((it) => ({ ref: it.ref, ...operationText(document, { ...it, summary: it.summary ?? '' }) })),
  )
