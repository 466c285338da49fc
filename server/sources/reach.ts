import type { Fetch } from '../egress/door.ts'
import type { OpenRepository } from './git/repository.ts'

/** How sources are reached. */
export interface Reach {
  readonly fetch: Fetch
  readonly openRepository: OpenRepository
}
