import type { Deps } from '../deps.ts'

/** One piece of work that is due. */
export interface Due {
  readonly subjectId: string
  readonly tenantId: string | null
  readonly deps: Deps
  /** Aborted when another worker may take it over, and when the process ends. */
  readonly signal: AbortSignal
}

/** Light work that is done at instants: it waits for networks and never for imports. */
export interface DueKind {
  /** How its rows name it: it must not change while rows of it are kept. */
  readonly kind: string
  /** How long it may take. After that another worker does it again. */
  readonly longestMs: number
  /** For work that is done once for the whole service: how long after its end it is due again. Others are put on the schedule by `schedule`. */
  readonly everyMs?: number
  /**
   * Does it. It may be done again after a crash. What fails is tried again after 1, 2, 4 … seconds, 5 minutes at most.
   * @returns when it is due again, in milliseconds since the epoch; null: never, its row is removed. Ignored with `everyMs`.
   */
  readonly run: (due: Due) => Promise<number | null>
}

/** Declares a kind of due work; it is done once it is in the list of `kinds.ts`. `run` must load its code itself (`await import(…)`). */
export const defineDue = (kind: DueKind): DueKind => kind
