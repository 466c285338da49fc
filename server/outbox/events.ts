import type { OfEnvironment } from '../../src/api/events/gateway.ts'
import type { RecordedPayloads } from '../../src/api/webhook-events.ts'

interface AboutVersion {
  readonly project_id: string
  readonly version_id: string
}

/** A request for the approval of a change. */
interface OfApproval {
  readonly approval_id: string
  /** The change, in sentences. */
  readonly summary: readonly string[]
  /** Who asked, or the last who approved. */
  readonly by: string
  /** The people who asked, also by a key of theirs: they cannot approve it. */
  readonly requesters: readonly string[]
  /** Whether the approval makes the change; absent in events of before. */
  readonly apply_when_approved?: boolean
  /** Why the approval did not make the change. */
  readonly refusal?: string | null
}

/**
 * What each type of event says: those that webhooks receive are declared in `src/api/events`, the others here. Keys are kept as they are, so
 * they only grow.
 */
export interface OutboxPayloads extends RecordedPayloads {
  'comment.mentioned': AboutVersion & {
    readonly thread_id: string
    readonly comment_id: string
    /** Ids of users. */
    readonly people: readonly string[]
    readonly excerpt: string
    readonly by: string | null
  }
  'thread.resolved': AboutVersion & {
    readonly thread_id: string
    /** The key of the place that it is about. */
    readonly place: string
    /** "user:ID", or the kind and id of a key. */
    readonly participants: readonly string[]
    readonly by: string | null
  }
  'review.requested': AboutVersion & {
    readonly review_id: string
    /** Ids of users. */
    readonly reviewers: readonly string[]
    /** Ids of users that the note mentions. */
    readonly mentions: readonly string[]
    readonly excerpt: string
    readonly by: string | null
  }
  /** Another person has to approve a change of a policy. */
  'gateway.approval_requested': OfEnvironment & OfApproval
  /** As many people approved a change as have to: who asked may make it. */
  'gateway.approval_given': OfEnvironment & OfApproval
  /** The approval should have made the change, and could not. */
  'gateway.approval_not_applied': OfEnvironment & OfApproval
}

export type OutboxEventType = keyof OutboxPayloads

/** An event as a reader gets it; its type tells its payload. */
export type OutboxEvent = {
  readonly [T in OutboxEventType]: {
    readonly id: string
    readonly tenantId: string
    readonly type: T
    readonly subjectId: string
    readonly payload: OutboxPayloads[T]
    /** When it happened. */
    readonly createdAt: string
  }
}[OutboxEventType]
