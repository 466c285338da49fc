import type { ChangeCounts } from '../../db/tables/version-changes.ts'
import type { ImportSummary } from '../../src/api/imports.ts'
import type { GitProvider } from '../../src/api/linked-accounts.ts'

interface AboutVersion {
  readonly project_id: string
  readonly version_id: string
}

interface OfVersion {
  readonly sequence: number
  readonly project_id: string
  readonly project_slug: string
  readonly version_id: string
  readonly label: string
}

/** What moved in a repository and waits for a person. */
interface OfCandidate {
  readonly ref: string
  readonly path: string
  readonly from_commit: string
  readonly to_commit: string
  readonly detected_by: 'check' | 'webhook' | 'poll'
  readonly selection_changed: boolean
  /** Null where it is not known: the selection is not one document, or it was not compared. */
  readonly max_severity: 'breaking' | 'non-breaking' | 'docs-only' | null
  readonly verdict: 'safe' | 'breaking' | 'unknown' | null
  /** Null: it was not merged. */
  readonly merge: 'fast-forward' | 'clean' | 'conflicts' | 'unreadable' | null
}

interface OfImport {
  readonly import_id: string
  readonly bulk: boolean
  readonly source: string
}

/** About gateways of an environment. */
interface OfEnvironment {
  readonly environment_id: string
  readonly environment_slug: string
  readonly environment_name: string
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
}

/** What each type of event says. A feature adds its types here; keys are kept as they are, so they only grow. */
export interface OutboxPayloads {
  'version.published': {
    /** Counts the events of the project. `recordEvent` sets it. */
    readonly sequence: number
    readonly project_id: string
    readonly project_slug: string
    readonly version_id: string
    readonly label: string
    readonly visibility: 'public' | 'private'
    readonly digest: string
    /** Null: nothing was published before that it could be compared with. */
    readonly baseline_version_id: string | null
    readonly baseline_label: string | null
    readonly max_severity: 'breaking' | 'non-breaking' | 'docs-only' | null
    readonly counts: ChangeCounts
    readonly forced: boolean
    /** "user:ID", or the kind and id of a key; null: the service itself. */
    readonly published_by: string | null
    readonly published_at: string
  }
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
  'review.decided': OfVersion & {
    readonly review_id: string
    readonly decision: 'approved' | 'changes_requested'
    readonly excerpt: string
    readonly requested_by: string | null
    /** Ids of users that the note mentions. */
    readonly mentions: readonly string[]
    readonly by: string | null
  }
  'binding.candidate': OfVersion &
    OfCandidate & {
      readonly binding_id: string
      readonly candidate_id: string
      /** Null: it is bound by an address. */
      readonly repository_id: string | null
      readonly provider: GitProvider
      /** OWNER/NAME. */
      readonly repository: string
    }
  'repository.sync_candidate': OfVersion &
    OfCandidate & {
      readonly repository_id: string
      readonly provider: GitProvider
      readonly repository: string
      readonly kind: 'binding' | 'import'
      /** Null for an imported file. */
      readonly binding_id: string | null
      readonly candidate_id: string | null
    }
  'version.deprecated': OfVersion & { readonly sunset_at: string | null; readonly replacement: string | null }
  'version.undeprecated': OfVersion
  'version.retired': OfVersion
  'contract.revised': {
    readonly sequence: number
    readonly project_id: string
    readonly project_slug: string
    readonly consumer_id: string
    readonly consumer_handle: string
    readonly revision: number
    readonly version_label: string
    /** How many declared items the version does not have. */
    readonly unresolved: number
  }
  'contract.broken': OfVersion & {
    readonly consumer_id: string
    readonly consumer_handle: string
    readonly revision: number
    /** How many declared items the version does not have any more. */
    readonly missing: number
    /** How many changes concern what the contract declares. */
    readonly changes: number
  }
  'import.completed': OfImport & {
    readonly status: 'completed' | 'completed_with_warnings'
    /** Null where it is about no single project. */
    readonly sequence: number | null
    readonly project_id: string | null
    readonly project_slug: string | null
    readonly version_id: string | null
    readonly label: string | null
    readonly unchanged: boolean
    /** Of a bulk import. */
    readonly documents: ImportSummary | null
  }
  'import.failed': OfImport & {
    readonly status: 'blocked' | 'failed'
    readonly error_code: string | null
  }
  'gateway.silent': OfEnvironment & {
    readonly enforcer_id: string
    readonly enforcer_label: string
    readonly last_seen_at: string
  }
  'gateway.release_failed': OfEnvironment & {
    readonly policy_version: number
    /** Null: it could not be made. */
    readonly release_id: string | null
    /** The gateway that could not use it; null where it could not be made. */
    readonly enforcer_id: string | null
    readonly enforcer_label: string | null
    readonly reason: string
  }
  /** Another person has to approve a change of a policy. */
  'gateway.approval_requested': OfEnvironment & OfApproval
  /** As many people approved a change as have to: who asked may make it. */
  'gateway.approval_given': OfEnvironment & OfApproval
  'mcp.surface_changed': {
    readonly endpoint_id: string
    readonly name: string
    readonly address: string | null
    readonly observed_by: 'service' | 'cli' | 'ci'
    readonly from_fingerprint: string
    readonly to_fingerprint: string
    readonly approved_fingerprint: string | null
    readonly max_severity: 'breaking' | 'non-breaking' | 'docs-only' | null
    /** Of the server after it. */
    readonly state: string
    readonly by: string | null
  }
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
