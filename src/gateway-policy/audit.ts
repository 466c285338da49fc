/** The audit trail of an environment as a chain: each row holds the digest of the one before. */
import { digestOf } from './digest.ts'

export interface AuditContent {
  readonly environmentId: string
  /** Counts the rows of an environment, from 1. */
  readonly seq: number
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly target: string | null
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
  readonly policyVersion: number
}
export interface AuditRow extends AuditContent {
  readonly prevHash: string
  readonly hash: string
}

/** What the first row has in place of the digest of one before. */
export const noHash = `sha256:${'0'.repeat(64)}`

export const hashOfRow = (content: AuditContent, prevHash: string): string => {
  const { environmentId, seq, id, at, actor, action, target, before, after, reason, policyVersion } = content
  return digestOf({ environmentId, seq, id, at, actor, action, target, before, after, reason, policyVersion, prevHash })
}

/** A row that continues the chain. */
export const chained = (content: AuditContent, prevHash: string): AuditRow => ({
  ...content,
  prevHash,
  hash: hashOfRow(content, prevHash),
})

/** What is known of a chain from elsewhere: how many rows were written, and the digest of the last one. */
export interface ChainHead {
  readonly count: number
  readonly hash: string
}

/** Follows a chain row by row, so that a long one is never held as a whole. */
export class ChainCheck {
  private expected = { seq: 1, hash: noHash }
  /** The first thing that is wrong, in words; null: nothing so far. */
  problem: string | null = null

  /** @param row the next one, in the order of `seq` */
  add(row: AuditRow): void {
    if (this.problem !== null) return
    const { seq, hash } = this.expected
    if (row.seq !== seq)
      this.problem = row.seq > seq ? `row ${seq} is missing` : `row ${row.seq} was added to the chain later`
    else if (row.prevHash !== hash) this.problem = `row ${row.seq} does not continue the row before it`
    else if (row.hash !== hashOfRow(row, row.prevHash)) this.problem = `row ${row.seq} was changed`
    this.expected = { seq: seq + 1, hash: row.hash }
  }

  /** Call it after the last row. @param head null where it is not known any more */
  end(head: ChainHead | null): string | null {
    if (this.problem !== null || head === null) return this.problem
    const count = this.expected.seq - 1
    if (count !== head.count) this.problem = `${count} of ${head.count} rows are there`
    else if (this.expected.hash !== head.hash) this.problem = `row ${count} is not the last one that was written`
    return this.problem
  }
}
