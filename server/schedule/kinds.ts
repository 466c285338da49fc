import { gatewayCompileKind, gatewaySilentKind } from '../gateway/due.ts'
import { retentionKind } from '../gateway/due-retention.ts'
import { pushKind, rangesKind } from '../hooks/due.ts'
import { observeKind } from '../mcp-servers/due.ts'
import { verifyAccountKind } from '../linked-accounts/daily.ts'
import { reportsKind } from '../pull-requests/due.ts'
import { pollKind, scanKind } from '../repositories/due.ts'
import type { DueKind } from './define.ts'
import { sweepKind } from './sweep.ts'

/** Everything that is done on a schedule. */
export const dueKinds: readonly DueKind[] = [
  sweepKind,
  verifyAccountKind,
  scanKind,
  pollKind,
  pushKind,
  reportsKind,
  rangesKind,
  observeKind,
  gatewayCompileKind,
  gatewaySilentKind,
  retentionKind,
]
