import type { notificationSends } from '../../db/tables.gen.ts'
import type { TargetRow } from './target-rows.ts'

export type SendRow = typeof notificationSends.$inferSelect

/** What one message is about, and for whom. */
export interface Batch {
  readonly id: string
  readonly target: TargetRow
  readonly organization: { readonly slug: string; readonly name: string }
  /** Null: the target is of the organization. */
  readonly person: { readonly name: string; readonly email: string } | null
  /** Newest first. */
  readonly rows: readonly SendRow[]
  /** By id. */
  readonly projectNames: ReadonlyMap<string, string>
}
