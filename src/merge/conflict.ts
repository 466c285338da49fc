import type { Json } from '../kernel/json.ts'

/** One place that both sides changed, each otherwise. A side is null where it does not have it. */
export interface MergeConflict {
  /** Names it among the conflicts of a merge: by the names of items, where the pointers have positions. */
  readonly id: string
  /** The place in mine; where mine does not have it, in theirs; where that does not either, in base. */
  readonly pointer: string
  /** The place in each document; null where a document does not have it. */
  readonly pointers: { readonly base: string | null; readonly mine: string | null; readonly theirs: string | null }
  /** What the place belongs to: "GET /pets", "parameter limit of GET /pets", "schema Pet", "info". */
  readonly subject: string
  readonly base: Json | null
  readonly mine: Json | null
  readonly theirs: Json | null
  /** Why both cannot be as they are, where they changed different places: a conflict of meaning. */
  readonly reason?: string
}
