/** What reviews ask for often: unread notifications among a million, and a thousand threads after an edit of 13 MB. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { openDatabase, type DatabaseTarget } from '../db/open.ts'
import { notifications, tenants } from '../db/tables.gen.ts'
import { makeAnchor } from '../src/anchors/anchor.ts'
import { reanchor, type Sought } from '../src/anchors/reanchor.ts'
import { notificationTypes } from '../src/api/notifications.ts'
import { parseDocument } from '../src/document/parse.ts'
import { addMember, addUser } from '../test/fixtures/accounts.ts'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { startService } from '../test/fixtures/service.ts'
import { packedDocument } from './large-document.ts'
import { median, type Measurement } from './measure.ts'

const people = 100
const each = 10_000
const unreadOfEach = 1000
const asked = 300
const rowsAtOnce = 1000
const boundMs = 2
const threads = 1000

const day = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()

/** A million notifications, of which each person has a thousand that are unread. */
async function fill(db: Database, tenantId: string, users: readonly string[]): Promise<void> {
  for (const [person, userId] of users.entries())
    for (let from = 0; from < each; from += rowsAtOnce)
      await db.inTransaction(async (tx) => {
        const rows = Array.from({ length: rowsAtOnce }, (_, index) => {
          const n = from + index
          return {
            id: `${person}-${n}`,
            tenantId,
            userId,
            eventId: `event-${n}`,
            type: notificationTypes[n % notificationTypes.length] ?? 'mention',
            payload: { title: `You were mentioned in a comment on Pets 1.${n}.0`, url: `/app/t/local/pets/1.${n}.0` },
            actorId: 'u',
            actorName: 'Ada Lovelace',
            projectId: null,
            versionId: null,
            createdAt: day(n),
            readAt: n % (each / unreadOfEach) === 0 ? null : day(n),
          }
        })
        for (let at = 0; at < rows.length; at += 100) await tx.insert(notifications).values(rows.slice(at, at + 100))
      })
}

async function unread(name: string, target: DatabaseTarget): Promise<Measurement[]> {
  const db = await openDatabase(target)
  const it = await startService(db)
  try {
    const [tenant] = await db.read.select({ id: tenants.id }).from(tenants)
    const tenantId = tenant?.id ?? ''
    const users = [it.ownerId]
    while (users.length < people) users.push(await addUser(db, `person-${users.length}`))
    for (const userId of users.slice(1)) await addMember(db, tenantId, userId, 'viewer')
    await fill(db, tenantId, users)
    const path = `/v1/tenants/${it.tenant}/notifications/unread-count`
    const time = async (headers: Record<string, string>, status: number): Promise<number> => {
      const times: number[] = []
      for (let n = 0; n < asked; n++) {
        const begun = performance.now()
        const answer = await it.ask(path, { headers })
        await answer.arrayBuffer()
        times.push(performance.now() - begun)
        if (answer.status !== status) throw new Error(`${path}: ${answer.status}`)
      }
      return median(times)
    }
    const first = await it.ask(path, {})
    const { total } = (await first.json()) as { total: number }
    if (total !== unreadOfEach) throw new Error(`${total} are unread`)
    const bound = { reference: boundMs, referenceName: 'the bound', unit: 'ms' as const, goal: 'at most 2 ms' }
    return [
      { name: `unread-count at 1,000,000 notifications on ${name}, p50`, ours: await time({}, 200), ...bound },
      {
        name: `the same, unchanged (304), on ${name}`,
        ours: await time({ 'if-none-match': first.headers.get('etag') ?? '' }, 304),
        ...bound,
      },
    ]
  } finally {
    await it.service.stop(true)
    await db.close()
  }
}

/** A thousand places of the older document, spread over all of it. */
function placesOf(document: ReturnType<typeof parseDocument>): Sought[] {
  const pointers: string[] = []
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return
    pointers.push(pointer)
    for (const [step, child] of Object.entries(value))
      visit(child, `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  visit(document.value, '')
  const step = Math.floor(pointers.length / threads)
  return Array.from({ length: threads }, (_, n) => {
    const anchor = makeAnchor(document.value, pointers[n * step] ?? '')
    if (anchor === null) throw new Error(`no place ${pointers[n * step]}`)
    return { key: anchor.key, nodeDigest: anchor.nodeDigest, lastKey: anchor.key }
  })
}

async function anchors(): Promise<Measurement> {
  const read = async (version: string) => {
    const source = packedDocument(version)
    return parseDocument(await Bun.file(source).text(), { source })
  }
  const [older, newer] = [await read('16.0.0'), await read('23.0.2')]
  const sought = placesOf(older)
  const times: number[] = []
  let found: string[] = []
  for (let run = 0; run < 5; run++) {
    const begun = performance.now()
    const places = reanchor(older.value, newer.value, sought)
    times.push(performance.now() - begun)
    found = places.map(({ state }) => state)
  }
  const count = (state: string) => found.filter((it) => it === state).length
  return {
    name: `${threads} threads found again, 11 → 13 MB (${count('anchored')} anchored, ${count('moved')} moved, ${count('outdated')} outdated)`,
    ours: median(times),
    reference: 1000,
    referenceName: 'the bound',
    unit: 'ms',
    goal: 'at most 1 s',
  }
}

/** Both numbers. */
export async function reviews(): Promise<readonly Measurement[]> {
  const rows = [await anchors()]
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-reviews-'))
  try {
    rows.push(...(await unread('SQLite', { kind: 'sqlite', path: join(folder, 'svc.db') })))
    const server = await startPostgres()
    try {
      rows.push(...(await unread('Postgres', { kind: 'postgres', url: `${server.url}/postgres` })))
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return rows
}
