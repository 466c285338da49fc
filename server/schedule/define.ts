import type { Deps } from '../kit/door.ts'

/** One piece of work that is due. */
export interface Due {
  readonly subjectId: string
  readonly tenantId: string | null
  readonly deps: Deps
  /** Aborted when another worker may take it over, and when the process ends. */
  readonly signal: AbortSignal
}

/** The kinds of due work. Rows name their kind: a name must not change while rows of it are kept. */
export type DueName =
  | 'sweep'
  | 'account.verify'
  | 'repository.scan'
  | 'repository.poll'
  | 'repository.push'
  | 'repository.reports'
  | 'provider.ranges'
  | 'mcp.observe'
  | 'gateway.compile'
  | 'gateway.compiler'
  | 'gateway.silent'
  | 'gateway.retention'
  | 'news.send'
  | 'deletion'

/** Light work that is done at instants: it waits for networks and never for imports. */
export interface DueKind<Name extends string = string> {
  readonly kind: Name
  /** How long it may take: so long its lease is renewed. After that another worker does it again. */
  readonly longestMs: number
  /** For work that is done once for the whole service: how long after its end it is due again. Others are put on the schedule by `schedule`. */
  readonly everyMs?: number
  /**
   * Does it. It may be done again after a crash. What fails is tried again after 1, 2, 4 … seconds, 5 minutes at most.
   * @returns when it is due again, in milliseconds since the epoch; null: never, its row is removed. Ignored with `everyMs`.
   */
  readonly run: (due: Due) => Promise<number | null>
}

/**
 * Defines a kind of due work that `DueName` declares; it is done once it is in `server/registries.ts`. `run` loads its code
 * when the first work is due, so that a command that does none starts faster.
 */
export const defineDue = <N extends DueName>(kind: DueKind<N>): DueKind<N> => kind
