/**
 * Object storage against a real S3: `node scripts/bun.mjs run scripts/storage-proof.ts ENDPOINT BUCKET`, with AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY of a key that may do everything in the bucket, which must exist. It writes below the prefix svc-proof and removes that.
 * Documents are stored, read, moved, checked, backed up, restored and collected, directly and through a proxy that answers 503, cuts
 * connections, changes bytes and waits. For example with versitygw:
 *
 *     go install github.com/versity/versitygw/cmd/versitygw@latest
 *     mkdir -p /tmp/s3/svc-proof && ROOT_ACCESS_KEY=key ROOT_SECRET_KEY=secret-key versitygw --port 127.0.0.1:7070 posix /tmp/s3
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBackup } from '../db/backup/create.ts'
import { restoreBackup } from '../db/backup/restore.ts'
import { prepareContent, readContent, storeContent } from '../db/content.ts'
import type { Database } from '../db/database.ts'
import { checkObjects } from '../db/objects/check.ts'
import { collectObjects } from '../db/objects/collect.ts'
import { moveObjects } from '../db/objects/move.ts'
import { tryStorage } from '../db/objects/probe.ts'
import type { Objects } from '../db/objects/store.ts'
import { openDatabase } from '../db/open.ts'
import { contents, tenants } from '../db/tables.gen.ts'
import { S3Objects } from '../server/storage/s3-objects.ts'

const [endpoint = '', bucket = ''] = process.argv.slice(2)
const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env
if (!URL.canParse(endpoint) || bucket === '' || accessKeyId === '' || secretAccessKey === '') {
  console.error('usage: AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… scripts/storage-proof.ts ENDPOINT BUCKET')
  process.exit(2)
}

const tenantId = '01a1fdb6-5607-74ce-8102-e0af632fd4cf'
const at = '2026-05-05T00:00:00.000Z'
const dayMs = 26 * 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'svc-storage-proof-'))

const objectsAt = (url: string): Objects =>
  new S3Objects({
    bucket,
    prefix: 'svc-proof/',
    endpoint: url,
    region: process.env['AWS_REGION'] ?? null,
    timeoutMs: 20_000,
    credentials: () => ({ accessKeyId, secretAccessKey, sessionToken: process.env['AWS_SESSION_TOKEN'] ?? null }),
  })

let asked = 0

/** What goes wrong with every fifth request, by turns. */
async function disturbed(answer: Response): Promise<Response> {
  const turn = ++asked % 20
  if (turn === 5) return new Response('<Error><Code>SlowDown</Code></Error>', { status: 503 })
  const bytes = await answer.bytes()
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  if (turn === 10) await Bun.sleep(700)
  if (turn === 15 && bytes.byteLength > 10) return new Response(bytes.subarray(0, bytes.byteLength / 2), { headers })
  const isObject = bytes.byteLength > 10_000
  return new Response(turn === 0 && isObject ? bytes.map((byte) => byte ^ 1) : bytes, {
    status: answer.status,
    headers,
  })
}

/** Hands requests on as they are signed, and disturbs the answers; those to HEAD stay, whose length is all they have. */
const proxy = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const body = method === 'PUT' ? await request.bytes() : null
    const answer = await fetch(endpoint + pathname + search, { method, headers, body })
    return method === 'HEAD' ? answer : disturbed(answer)
  },
})

const failures: string[] = []
const expect = (what: string, isRight: boolean, found: unknown = ''): void => {
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what} ${isRight ? '' : JSON.stringify(found)}`.trimEnd())
  if (!isRight) failures.push(what)
}

const documents = Array.from({ length: 30 }, (_, n) =>
  crypto.getRandomValues(new Uint8Array(n % 2 === 0 ? 20_000 : 60_000)),
)

async function fill(db: Database): Promise<void> {
  const row = { id: tenantId, slug: 'proof', name: 'Proof', settings: {}, createdAt: at, updatedAt: at }
  await db.inTransaction((tx) => tx.insert(tenants).values(row))
  for (const bytes of documents) {
    const prepared = await prepareContent(db, tenantId, bytes)
    await db.inTransaction((tx) => storeContent(tx, prepared, at))
  }
}

/** Whether every document is what was stored. */
async function isWhole(db: Database): Promise<boolean> {
  const digests = await db.read.select({ digest: contents.digest }).from(contents)
  const all = new Set(documents.map((bytes) => Buffer.from(bytes).toString('base64')))
  for (const { digest } of digests) all.delete(Buffer.from(await readContent(db, tenantId, digest)).toString('base64'))
  return all.size === 0
}

async function prove(name: string, url: string): Promise<void> {
  const objects = objectsAt(url)
  expect(`${name}: an object is put, read, measured and removed`, (await tryStorage(objects)) === null)
  const target = { kind: 'sqlite' as const, path: join(folder, `${name}.db`), objects }
  const db = await openDatabase(target)
  await fill(db)
  expect(`${name}: documents are what was stored`, await isWhole(db))
  const signal = new AbortController().signal
  const move = (to: 'store' | 'database') => moveObjects(db, { to, signal, onProgress: () => {} })
  const [back, again] = [await move('database'), await move('store')]
  expect(`${name}: they move back and forth`, back.moved === 30 && again.moved === 30, [back, again])
  expect(`${name}: documents are what was stored after that`, await isWhole(db))
  const found = await checkObjects(db, objects, { sample: 30, onProgress: () => {} })
  expect(
    `${name}: a check finds all`,
    found.referred === 30 && found.missing.length + found.damaged.length === 0,
    found,
  )
  const path = join(folder, `${name}.svcbackup`)
  await createBackup(target, path, Date.now(), { objects: 'copy', onProgress: () => {} })
  const rows = { kind: 'sqlite' as const, path: join(folder, `${name}-restored.db`) }
  await restoreBackup(path, rows)
  const restored = await openDatabase(rows)
  expect(`${name}: a backup with copies restores them`, await isWhole(restored))
  await restored.close()
  await db.inTransaction((tx) => tx.delete(contents))
  const { removed } = await collectObjects(db, Date.now() + dayMs)
  const left = await Array.fromAsync(objects.list())
  expect(`${name}: what nothing refers to is removed`, removed === 30 && left.length === 0, [removed, left.length])
  await db.close()
}

try {
  await prove('direct', endpoint.replace(/\/$/, ''))
  await prove('disturbed', `http://127.0.0.1:${proxy.port}`)
  expect('the proxy disturbed requests', asked > 40, asked)
} finally {
  for await (const { name } of objectsAt(endpoint).list()) await objectsAt(endpoint).remove(name)
  await proxy.stop(true)
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failures.length > 0 ? 1 : 0)
