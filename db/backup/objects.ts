/** The objects that the rows of a backup refer to: they are beside the file, in the storage, or copied into its rows. */
import { Database as Connection } from 'bun:sqlite'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { checkReferences, type CheckedObjects, type CheckOptions } from '../objects/check.ts'
import { readObject } from '../objects/objects.ts'
import { objectKinds, type ObjectKind, type ObjectName, type Objects } from '../objects/store.ts'
import { firstPart, writeParts } from '../parts.ts'
import type { BackupManifest } from './manifest.ts'

/** The table of a kind, and the one that has what follows the first part, with the columns by which both are found. */
const places = {
  contents: { table: 'contents', parts: 'content_parts', keys: ['tenant_id', 'digest'] },
  renderings: { table: 'renderings', parts: null, keys: ['tenant_id', 'digest', 'kind'] },
  uploads: { table: 'import_uploads', parts: 'import_upload_parts', keys: ['job_id', 'tenant_id'] },
} as const satisfies Record<ObjectKind, unknown>

/** Whether a file was made by a release that knows objects. */
const knowsObjects = (connection: Connection): boolean =>
  connection.query("select 1 from pragma_table_info('contents') where name = 'object'").get() !== null

/** The objects that the rows of a file refer to, each once, in the order of their keys. */
export function* objectsIn(connection: Connection): Generator<ObjectName> {
  if (!knowsObjects(connection)) return
  for (const kind of objectKinds) {
    const statement = connection.prepare(
      `select distinct tenant_id, object from ${places[kind].table} where object is not null order by tenant_id, object`,
    )
    const rows = statement.iterate() as Iterable<{ tenant_id: string; object: string }>
    for (const { tenant_id: tenantId, object: sha256 } of rows) yield { kind, tenantId, sha256 }
    statement.finalize()
  }
}

/** How many objects the rows of a file refer to. */
export const countObjects = (connection: Connection): number => objectsIn(connection).reduce((sum) => sum + 1, 0)

/** Writes the bytes of an object into the rows that refer to it. */
async function fill(connection: Connection, { kind, tenantId, sha256 }: ObjectName, bytes: Uint8Array): Promise<void> {
  const { table, parts, keys } = places[kind]
  const columns = keys.join(', ')
  const rows = connection
    .query(`select ${columns} from ${table} where tenant_id = ? and object = ?`)
    .values(tenantId, sha256) as string[][]
  const marks = keys.map(() => '?').join(', ')
  for (const values of rows) {
    const first = parts === null ? bytes : firstPart(bytes)
    const its = keys.map((key) => `${key} = ?`).join(' and ')
    connection.query(`update ${table} set compressed = ?, object = null where ${its}`).run(first, ...values)
    if (parts === null) continue
    await writeParts(bytes, async (part, ordinal) =>
      connection
        .query(`insert into ${parts} (${columns}, ordinal, part) values (${marks}, ?, ?)`)
        .run(...values, ordinal, part),
    )
  }
}

/**
 * Copies every object into the rows of a file that refer to it, so that the file needs no storage.
 * @throws SvcError `storage-unavailable`, `document-damaged`
 */
export async function copyObjects(
  path: string,
  objects: Objects | null,
  onProgress: (copied: number, total: number) => void,
): Promise<void> {
  const connection = new Connection(path, { readwrite: true, create: false })
  try {
    const names = [...objectsIn(connection)]
    for (const [at, name] of names.entries()) {
      const bytes = await readObject({ objects }, name, `sha256:${name.sha256}`)
      connection.run('begin')
      await fill(connection, name, bytes)
      connection.run('commit')
      onProgress(at + 1, names.length)
    }
    // The rows of the file refer to none: nothing of it is to be collected anywhere.
    if (names.length > 0) connection.run('delete from object_removals')
  } finally {
    connection.close()
  }
}

const none: CheckedObjects = {
  referred: 0,
  bytes: 0,
  compared: 0,
  missing: [],
  damaged: [],
  orphans: 0,
  orphanBytes: 0,
}

/**
 * Looks for the objects of a backup in the storage.
 * @throws SvcError `storage-unavailable` also where it refers to objects and no storage is configured
 */
export async function checkBackupObjects(
  path: string,
  { objects: count = 0 }: Pick<BackupManifest, 'objects'>,
  objects: Objects | null,
  options: CheckOptions,
): Promise<CheckedObjects> {
  if (count === 0) return none
  if (objects === null)
    throw new SvcError('storage-unavailable', {
      reason: `the backup refers to ${plural(count, 'object')}, and SVC_STORAGE_URL does not name where they are`,
      retry_after: 60,
    })
  const connection = new Connection(path, { readonly: true })
  try {
    return await checkReferences(objectsIn(connection), objects, options)
  } finally {
    connection.close()
  }
}
