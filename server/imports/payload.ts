import type { ImportItem, ImportJob, ImportRequest } from '../../src/api/imports.ts'
import type { ClaimedJob } from '../../db/jobs.ts'
import type { GrantedTenant, Principal } from '../auth/door.ts'
import { defineJob, type JobOf, type JobWork } from '../jobs/door.ts'
import type { FileOrigin } from './file-origin.ts'

/** Where a job reads from; what came with the request is stored beside the job (`stored-uploads.ts`). */
export type PayloadSource =
  | { readonly kind: 'text'; readonly name: string }
  | { readonly kind: 'archive'; readonly name: string }
  | { readonly kind: 'files'; readonly name: string }
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'git'
      readonly url: string
      readonly ref?: string | undefined
      readonly path?: string | undefined
      /** The linked account that reads it; null and undefined: none. */
      readonly account?: string | null | undefined
    }

/** What the job's row keeps of the request. */
export interface ImportPayload {
  readonly request: Omit<ImportRequest, 'source'>
  readonly source: PayloadSource
  readonly tenant: GrantedTenant
  /** For created_by. */
  readonly actor: string | null
  /** For the audit trail. */
  readonly principal: Principal | null
  /** The file of a registered repository that is read. */
  readonly origin?: FileOrigin
  /** The same of a bulk import of several files of a repository: these are its documents. */
  readonly origins?: readonly FileOrigin[]
}

/** What became of one document. */
export type ImportOutcome = Omit<ImportItem, 'path' | 'slug' | 'format' | 'status' | 'error'>

/** What the run of a job leaves in its row; the items of a bulk import have rows of their own. */
export type JobResult = ImportOutcome & Pick<ImportJob, 'summary'>

/** The jobs that import. */
export const importJob = defineJob<ImportPayload, JobResult>('import')

/** One of them while it runs. */
export type ImportWork = JobWork<JobOf<ImportPayload, JobResult, ClaimedJob>>

/** A row of theirs. */
export type ImportJobRow = JobOf<ImportPayload, JobResult>

/** The name of a source as people gave it. */
export const sourceName = (source: PayloadSource): string =>
  source.kind === 'url' || source.kind === 'git' ? source.url : source.name
