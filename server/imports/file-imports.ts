import type { Transaction } from '../../db/database.ts'
import type { Subject } from '../analysis/door.ts'
import type { Tree } from '../sources/door.ts'
import type { FileOrigin } from './file-origin.ts'
import type { ImportPayload, JobResult } from './payload.ts'

/** What follows from the import of a file of a registered repository. The room of repositories gives it: it knows imports. */
export interface FileImports<Facts> {
  /** Reads what is to be kept of the file beside what every import stores, before anything is written. */
  readonly read: (
    tenantId: string,
    origin: FileOrigin,
    file: { readonly tree: Tree; readonly others: readonly string[]; readonly head: Subject },
  ) => Promise<Facts>
  /**
   * Writes how the import of a file ended, in the transaction that stores it or says why it is not stored.
   * @param facts null where it ended before they were read
   */
  readonly recordEnd: (tx: Transaction, ended: EndedFile, facts: Facts | null) => Promise<void>
}

/** How the import of one file ended. */
export interface EndedFile {
  readonly tenantId: string
  readonly origin: FileOrigin
  readonly request: ImportPayload['request']
  readonly actor: string | null
  /** Null: it was not stored. */
  readonly stored: JobResult['result']
  /** Why it was not stored; null where a gate stopped it. */
  readonly error: string | null
  readonly at: string
}
