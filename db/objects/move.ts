/** Moves stored bytes between rows and the store, beside a service that reads and writes both. Where it ends, another run goes on. */
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { after, inTenant } from '../conditions.ts'
import type { Database } from '../database.ts'
import { firstPart, readParts, writeParts } from '../parts.ts'
import { contentParts, contents, renderings } from '../tables.gen.ts'
import { claimObject, leastObjectBytes, putObject, readObject } from './objects.ts'

/** What is moved: uploads go by themselves, when their import has ended. */
type MovedKind = 'contents' | 'renderings'

/** How far a move is. */
export interface Moved {
  readonly moved: number
  readonly bytes: number
  /** Rows that changed meanwhile, or whose bytes are damaged: they stay where they are. */
  readonly left: number
  readonly total: number
}

export interface MoveOptions {
  readonly to: 'store' | 'database'
  readonly onProgress: (moved: Moved) => void
  readonly signal: AbortSignal
}

interface Row {
  readonly tenantId: string
  readonly digest: string
  readonly kind: string
}

const rowsAtOnce = 100

const tableOf = { contents, renderings } as const

/** What is to be moved. */
const pending = (kind: MovedKind, to: MoveOptions['to']): SQL | undefined => {
  const table = tableOf[kind]
  return to === 'database'
    ? isNotNull(table.object)
    : and(isNull(table.object), sql`length(${table.compressed}) >= ${leastObjectBytes}`)
}

const keyIn = (kind: MovedKind, row: Row): SQL => {
  const table = tableOf[kind]
  const more = kind === 'renderings' ? eq(renderings.kind, row.kind) : undefined
  return inTenant(table, row.tenantId, eq(table.digest, row.digest), more)
}

async function* rowsOf(db: Database, kind: MovedKind, to: MoveOptions['to']): AsyncGenerator<Row> {
  const table = tableOf[kind]
  const which = kind === 'renderings' ? renderings.kind : contents.digest
  for (let last: Row | undefined; ;) {
    const place = last && after([table.tenantId, last.tenantId], [table.digest, last.digest], [which, last.kind])
    const rows: Row[] = await db.read
      .select({ tenantId: table.tenantId, digest: table.digest, kind: which })
      .from(table)
      .where(and(pending(kind, to), place))
      .orderBy(table.tenantId, table.digest, which)
      .limit(rowsAtOnce)
    yield* rows
    last = rows.at(-1)
    if (rows.length < rowsAtOnce) return
  }
}

/** The frame of a row; null where it is gone. */
async function frameOf(db: Database, kind: MovedKind, row: Row) {
  const table = tableOf[kind]
  const [found] = await db.read
    .select({ compressed: table.compressed, object: table.object })
    .from(table)
    .where(keyIn(kind, row))
  if (found === undefined) return null
  if (found.object !== null) {
    const name = { kind, tenantId: row.tenantId, sha256: found.object }
    return { object: found.object, frame: await readObject(db, name, row.digest) }
  }
  if (kind === 'renderings') return { object: null, frame: new Uint8Array(found.compressed) }
  const frame = await readParts(found.compressed, async (ordinal) => {
    const its = and(eq(contentParts.digest, row.digest), eq(contentParts.ordinal, ordinal))
    const [more] = await db.read
      .select({ part: contentParts.part })
      .from(contentParts)
      .where(inTenant(contentParts, row.tenantId, its))
    return more?.part
  })
  return { object: null, frame }
}

/** Whether a frame unpacks: what is damaged is not moved, so that its place says where to look. */
const isWhole = (frame: Uint8Array<ArrayBuffer>): Promise<boolean> =>
  Bun.zstdDecompress(frame).then(
    () => true,
    () => false,
  )

async function toStore(db: Database, kind: MovedKind, row: Row): Promise<number | null> {
  const { tenantId, digest } = row
  const found = await frameOf(db, kind, row)
  if (found === null || found.object !== null || !(await isWhole(found.frame))) return null
  const object = await putObject(db.objects, { kind, tenantId }, found.frame)
  if (object === null) return null
  const table = tableOf[kind]
  const isMoved = await db.inTransaction(async (tx) => {
    if (!(await claimObject(tx, { kind, tenantId, sha256: object }))) return false
    const changed = await tx
      .update(table)
      .set({ compressed: new Uint8Array(), object })
      .where(and(keyIn(kind, row), isNull(table.object)))
      .returning({ digest: table.digest })
    if (changed.length === 0) return false
    if (kind === 'contents')
      await tx.delete(contentParts).where(inTenant(contentParts, tenantId, eq(contentParts.digest, digest)))
    return true
  })
  return isMoved ? found.frame.byteLength : null
}

async function toDatabase(db: Database, kind: MovedKind, row: Row): Promise<number | null> {
  const { tenantId, digest } = row
  const found = await frameOf(db, kind, row)
  if (found === null || found.object === null) return null
  const { frame, object } = found
  const table = tableOf[kind]
  const isMoved = await db.inTransaction(async (tx) => {
    const changed = await tx
      .update(table)
      .set({ compressed: kind === 'contents' ? firstPart(frame) : frame, object: null })
      .where(and(keyIn(kind, row), eq(table.object, object)))
      .returning({ digest: table.digest })
    if (changed.length === 0) return false
    if (kind === 'contents')
      await writeParts(frame, (part, ordinal) => tx.insert(contentParts).values({ tenantId, digest, ordinal, part }))
    return true
  })
  return isMoved ? frame.byteLength : null
}

/**
 * Moves contents and renderings, one at a time: each is in one place or the other at every moment, and readers find it.
 * @throws SvcError `storage-unavailable`, `document-damaged` where an object is not what a row refers to
 */
export async function moveObjects(db: Database, { to, onProgress, signal }: MoveOptions): Promise<Moved> {
  const kinds: readonly MovedKind[] = ['contents', 'renderings']
  let total = 0
  for (const kind of kinds) total += await db.read.$count(tableOf[kind], pending(kind, to))
  let done: Moved = { moved: 0, bytes: 0, left: 0, total }
  for (const kind of kinds)
    for await (const row of rowsOf(db, kind, to)) {
      if (signal.aborted) return done
      const bytes = await (to === 'store' ? toStore(db, kind, row) : toDatabase(db, kind, row))
      done =
        bytes === null
          ? { ...done, left: done.left + 1 }
          : { ...done, moved: done.moved + 1, bytes: done.bytes + bytes }
      onProgress(done)
    }
  return done
}
