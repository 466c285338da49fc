import { gatewayNoticeReader, gatewayReleaseReader } from '../gateway/release-reader.ts'
import { notificationReader } from '../notifications/reader.ts'
import { mcpNoticeReader } from '../mcp-servers/notice-reader.ts'
import { webhookReader } from '../webhooks/reader.ts'
import type { OutboxReader } from './define.ts'

/** Everything that follows from events. An event gets a task for each reader that is listed when the event is written. */
export const outboxReaders: readonly OutboxReader[] = [
  webhookReader,
  notificationReader,
  mcpNoticeReader,
  gatewayReleaseReader,
  gatewayNoticeReader,
]
