/** What other rooms use of outbox. */
export { defineOutboxReader } from './define.ts'
export type { OutboxEvent, OutboxPayloads } from './events.ts'
export { readerTypes, type EventOf, type PublicEvent } from './readers.ts'
export { recordEvent } from './record.ts'
