import { SvcError } from '../../../src/errors.ts'
import type { PayloadSource } from '../payload.ts'
import type { Tree } from './tree.ts'

/** Where a repository lies and what of it is asked for. */
export interface RepositoryRequest {
  readonly url: string
  readonly ref?: string | undefined
  readonly path?: string | undefined
}

/** Brings the files of a commit as a tree, at the cost of those that are read. */
export type OpenRepository = (request: RepositoryRequest, signal: AbortSignal) => Promise<Tree>

/** The repositories that a service reads. */
export interface Repositories {
  /** Judges an address before it is kept. Raises `source-refused`. */
  check(source: PayloadSource): void
  readonly open: OpenRepository
}

/** Repositories are not read yet. */
export function repositories(): Repositories {
  const refuse = (url: string) =>
    new SvcError('source-refused', { source: url, reason: 'this service reads no repositories' })
  return {
    check: (source) => {
      if (source.kind === 'git') throw refuse(source.url)
    },
    open: ({ url }) => Promise.reject(refuse(url)),
  }
}
