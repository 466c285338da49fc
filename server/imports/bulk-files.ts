/** Files of a registered repository as the documents of a bulk import: what is kept of each, and how its import ended. */
import type { Transaction } from '../../db/database.ts'
import type { Subject } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import type { Tree } from '../sources/door.ts'
import type { EndedFile, FileImports } from './file-imports.ts'
import type { ImportPayload } from './payload.ts'

/** What a bulk import does for its documents that are files of a repository; for others, and in a dry run, nothing. */
export interface BulkFiles {
  /** Reads what is to be kept of a file, before anything is written. */
  readonly read: (path: string, file: { tree: Tree; others: readonly string[]; head: Subject }) => Promise<void>
  /** Writes how the import of a file ended, in the transaction that writes its item. */
  readonly recordEnd: (tx: Transaction, path: string, end: Pick<EndedFile, 'stored' | 'error'>) => Promise<void>
}

export function bulkFiles<Facts>(
  deps: Pick<Deps, 'clock'>,
  payload: ImportPayload,
  files: FileImports<Facts>,
): BulkFiles {
  const { request, tenant, actor } = payload
  const origins = new Map((payload.origins ?? []).map((origin) => [origin.path, origin]))
  const originOf = (path: string) => (request.dry_run === true ? undefined : origins.get(path))
  const known = new Map<string, Facts>()
  return {
    read: async (path, file) => {
      const origin = originOf(path)
      if (origin !== undefined) known.set(path, await files.read(tenant.id, origin, file))
    },
    recordEnd: async (tx, path, end) => {
      const origin = originOf(path)
      if (origin === undefined) return
      const at = deps.clock.iso()
      await files.recordEnd(tx, { tenantId: tenant.id, origin, request, actor, at, ...end }, known.get(path) ?? null)
    },
  }
}
