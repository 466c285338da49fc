import { bringBack, type Adjust } from '../../db/bin/bring-back.ts'
import { mcpEndpoints } from '../../db/tables.gen.ts'
import { adjusting, type Restoring } from '../bin/door.ts'
import { schedule } from '../schedule/door.ts'

/**
 * Restores an MCP server from the bin, without the value of its header.
 */
export async function restoreMcpServer(restoring: Restoring): Promise<void> {
  const { deps, tx, entry, notes } = restoring
  const { id, tenantId } = entry
  const now = deps.clock.now()
  let isObserved = false
  const withoutSecret: Adjust = async (_, rows) =>
    rows.map((row) => {
      isObserved = row['dueAt'] !== null
      if (row['headerSecretId'] !== null)
        notes.push(`The value of its header "${String(row['headerName'])}" is not restored: set it again.`)
      return { ...row, headerName: null, headerSecretId: null }
    })
  await bringBack(tx, entry, adjusting(tx, [[mcpEndpoints, withoutSecret]]))
  if (isObserved) await schedule(tx, 'mcp.observe', { subjectId: id, tenantId, at: now })
}
