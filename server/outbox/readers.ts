import { type RecordedPayloads, recordedEventTypes } from '../../src/api/webhook-events.ts'
import type { OutboxEvent, OutboxEventType } from './events.ts'

/** An event of the outbox that webhooks receive; a test event is not in the outbox. */
export type PublicEvent = Extract<OutboxEvent, { readonly type: keyof RecordedPayloads }>

/**
 * The readers of events, each with the types of events that it gets. An event gets a task for each of these readers when
 * it is written. Tasks name their reader: a name must not change while tasks of it are kept.
 */
export const readerTypes = {
  webhooks: recordedEventTypes,
  notifications: ['version.published', 'comment.mentioned', 'thread.resolved', 'review.requested', 'review.decided'],
  'mcp-notices': ['mcp.surface_changed'],
  'gateway-releases': ['version.published', 'version.deprecated', 'version.undeprecated', 'version.retired'],
  'gateway-notices': [
    'gateway.silent',
    'gateway.release_failed',
    'gateway.approval_requested',
    'gateway.approval_given',
    'gateway.approval_not_applied',
  ],
} as const satisfies Readonly<Record<string, readonly OutboxEventType[]>>

export type ReaderName = keyof typeof readerTypes

/** The events that a reader gets. */
export type EventOf<N extends ReaderName> = Extract<OutboxEvent, { readonly type: (typeof readerTypes)[N][number] }>

/** What is written with an event: who gets it. */
export const declaredReaders: readonly { readonly name: string; readonly types: ReadonlySet<OutboxEventType> }[] =
  Object.entries(readerTypes).map(([name, types]) => ({ name, types: new Set<OutboxEventType>(types) }))
