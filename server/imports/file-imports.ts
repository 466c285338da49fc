import type { Transaction } from '../../db/database.ts'
import type { Subject } from '../analysis/door.ts'
import type { Tree } from '../sources/door.ts'
import type { FileOrigin } from './file-origin.ts'
import type { ImportJobRow } from './payload.ts'

/** What follows from the import of a file of a registered repository. The room of repositories gives it: it knows imports. */
export interface FileImports<Facts> {
  /** Reads what is to be kept of the file beside what every import stores, before anything is written. */
  readonly read: (
    tenantId: string,
    origin: FileOrigin,
    file: { readonly tree: Tree; readonly others: readonly string[]; readonly head: Subject },
  ) => Promise<Facts>
  /**
   * Writes how the import ended, in the transaction that ends its job.
   * @param facts null where it ended before they were read
   */
  readonly recordEnd: (tx: Transaction, job: ImportJobRow, facts: Facts | null) => Promise<void>
}
