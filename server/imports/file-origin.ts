/** What an import job keeps of the file of a repository that it reads, so that its end is written to that file. */
export interface FileOrigin {
  readonly repositoryId: string
  readonly branch: string
  readonly path: string
  readonly commit: string
  readonly committedAt: string | null
  readonly blob: string
  readonly autoRefresh: boolean
  /** Null: a person imported the file; otherwise why it was refreshed. */
  readonly trigger: 'manual' | 'webhook' | 'poll' | 'retry' | null
  /** The draft is another one than before: that one was edited here, or published. */
  readonly isBranched: boolean
  readonly fromCommit: string | null
  readonly startedAt: string
}
