import type { FileImports } from '../imports/door.ts'
import type { Deps } from '../kit/door.ts'
import type { FileFacts } from './file-facts.ts'

/** Keeps what refreshes need of each import of a file. Its code is loaded with the first of them. */
export const fileImports = (deps: Deps): FileImports<FileFacts> => ({
  read: async (tenantId, origin, file) => (await import('./file-facts.ts')).factsOf(deps, tenantId, origin, file),
  recordEnd: async (tx, ended, facts) => (await import('./record-import.ts')).recordFileImport(deps, tx, ended, facts),
})
