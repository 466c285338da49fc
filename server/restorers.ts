import type { Restorers } from './bin/restoring.ts'
import { restoreConsumer } from './consumers/restore.ts'
import { restoreMcpServer } from './mcp-servers/restore.ts'
import { restoreType } from './primitives/restore.ts'
import { restoreProject } from './projects/restore.ts'
import { restoreGuide } from './style-guides/restore.ts'
import { restoreVersion } from './versions/restore.ts'
import { restoreWebhook } from './webhooks/restore.ts'

/** How each kind comes back from the bin: the room that deletes it restores it. */
export const restorers: Restorers = {
  project: restoreProject,
  version: restoreVersion,
  consumer: restoreConsumer,
  'style-guide': restoreGuide,
  type: restoreType,
  webhook: restoreWebhook,
  'mcp-server': restoreMcpServer,
}
