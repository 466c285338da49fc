/** Which documents of a backup are damaged: their rows are those that were backed up, and were damaged before. */
import type { Database as Connection } from 'bun:sqlite'
import { getTableName } from 'drizzle-orm'
import { joinBytes } from '../../src/kernel/bytes.ts'
import { digestOf } from '../content.ts'
import { tenants } from '../tables/tenants.ts'

const mostVersions = 5

/** The bytes of a frame; null for one that is damaged. */
function unpacked(frame: Uint8Array<ArrayBuffer>): Uint8Array | null {
  try {
    return Bun.zstdDecompressSync(frame)
  } catch {
    return null
  }
}

/**
 * The stored documents whose bytes are not those of their digest, by the versions that have them: ORGANIZATION/PROJECT/VERSION; by their
 * digest where no version does. Reads files of any release.
 */
export function damagedDocuments(connection: Connection): string[] {
  const hasParts = connection.query("select 1 from sqlite_master where name = 'content_parts'").get() !== null
  const partsOf = hasParts
    ? connection.prepare('select part from content_parts where tenant_id = ? and digest = ? order by ordinal')
    : null
  const versionsOf = connection.prepare(
    `select t.slug || '/' || p.slug || '/' || v.slug from versions v join projects p on p.id = v.project_id
     join ${getTableName(tenants)} t on t.id = v.tenant_id where v.tenant_id = ? and v.digest = ? order by v.created_at, v.id limit ${mostVersions}`,
  )
  // What is in objects is checked where they are.
  const hasObjects =
    connection.query("select 1 from pragma_table_info('contents') where name = 'object'").get() !== null
  const inRows = hasObjects ? 'where object is null' : ''
  const all = connection.prepare(
    `select tenant_id, digest, compressed from contents ${inRows} order by tenant_id, digest`,
  )
  const damaged: string[] = []
  const rows = all.iterate() as Iterable<{ tenant_id: string; digest: string; compressed: Uint8Array }>
  for (const { tenant_id: tenantId, digest, compressed } of rows) {
    const parts = (partsOf?.values(tenantId, digest) ?? []) as [Uint8Array][]
    const bytes = unpacked(joinBytes([compressed, ...parts.map(([part]) => part)]))
    if (bytes !== null && digestOf(bytes) === digest) continue
    const versions = (versionsOf.values(tenantId, digest) as [string][]).map(([name]) => name)
    damaged.push(...(versions.length === 0 ? [digest] : versions))
  }
  for (const statement of [partsOf, versionsOf, all]) statement?.finalize()
  return damaged
}
