/** What is done behind the requests: everything that follows from events, and everything that is done on a schedule. */
import { deletionKind } from './deletion/due.ts'
import { gatewayCompileKind, gatewayCompilerKind, gatewaySilentKind } from './gateway/due.ts'
import { gatewayReleaseReader } from './gateway/readers.ts'
import { retentionKind } from './gateway-policy/due-retention.ts'
import { gatewayNoticeReader } from './gateway-policy/readers.ts'
import { rangesKind } from './hooks/due.ts'
import { verifyAccountKind } from './linked-accounts/daily.ts'
import { observeKind } from './mcp-servers/due.ts'
import { mcpNoticeReader } from './mcp-servers/notice-reader.ts'
import { sendNewsKind } from './news/due.ts'
import { notificationReader } from './notifications/reader.ts'
import type { OutboxReader } from './outbox/define.ts'
import type { ReaderName } from './outbox/readers.ts'
import { reportsKind } from './pull-requests/due.ts'
import { pollKind, pushKind, scanKind } from './repository-sync/due.ts'
import type { DueKind, DueName } from './schedule/define.ts'
import { sweepKind } from './sweep.ts'
import { webhookReader } from './webhooks/reader.ts'

/** Everything that follows from events. */
export const outboxReaders: { readonly [N in ReaderName]: OutboxReader<N> } = {
  webhooks: webhookReader,
  notifications: notificationReader,
  'mcp-notices': mcpNoticeReader,
  'gateway-releases': gatewayReleaseReader,
  'gateway-notices': gatewayNoticeReader,
}

/** Everything that is done on a schedule. */
export const dueKinds: { readonly [N in DueName]: DueKind<N> } = {
  sweep: sweepKind,
  'account.verify': verifyAccountKind,
  'repository.scan': scanKind,
  'repository.poll': pollKind,
  'repository.push': pushKind,
  'repository.reports': reportsKind,
  'provider.ranges': rangesKind,
  'mcp.observe': observeKind,
  'gateway.compile': gatewayCompileKind,
  'gateway.compiler': gatewayCompilerKind,
  'gateway.silent': gatewaySilentKind,
  'gateway.retention': retentionKind,
  'news.send': sendNewsKind,
  deletion: deletionKind,
}
