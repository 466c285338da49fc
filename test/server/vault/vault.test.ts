import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { secrets, tenants } from '../../../db/tables.gen.ts'
import { KeyRing, readKeys } from '../../../server/vault/keys.ts'
import { assertKeyForSecrets, Vault } from '../../../server/vault/vault.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const root = join(import.meta.dir, '../../..')
const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
const given = (...bytes: number[]): KeyRing => new KeyRing({ kind: 'given', keys: bytes.map(keyOf).join(',') })
const vaultOf = (ring: KeyRing): Vault =>
  new Vault(
    ring,
    clockOf(() => 0),
  )
const purpose = 'webhook-signing'

async function addTenant(db: Database, id: string): Promise<void> {
  const at = new Date(0).toISOString()
  await db.inTransaction((tx) =>
    tx.insert(tenants).values({ id, slug: id, name: id, settings: {}, createdAt: at, updatedAt: at }),
  )
}

onBothEngines('the vault', (makeDb) => {
  const seal = (db: Database, vault: Vault, tenantId: string | null, secret: string) =>
    db.inTransaction((tx) => vault.seal(tx, { tenantId, purpose, secret }))
  const open = async (db: Database, vault: Vault, tenantId: string | null, id: string) =>
    (await vault.open(db.read, tenantId, purpose, [id])).get(id)

  test('a secret comes back, and nothing in its row tells it', async () => {
    const db = await makeDb()
    await addTenant(db, 'a')
    const vault = vaultOf(given(1))
    const { id, fingerprint } = await seal(db, vault, 'a', 'opensesame')
    const twice = await seal(db, vault, 'a', 'opensesame')
    const other = await seal(db, vault, null, 'swordfish')
    expect(await open(db, vault, 'a', id)).toBe('opensesame')
    expect(await open(db, vault, null, other.id)).toBe('swordfish')
    expect([twice.fingerprint === fingerprint, other.fingerprint === fingerprint]).toEqual([true, false])
    expect(fingerprint).toMatch(/^[0-9a-f]{8}$/)
    const rows = await db.read.select().from(secrets)
    for (const { ciphertext } of rows) expect(Buffer.from(ciphertext).toString('latin1')).not.toContain('sesame')
    expect(new Set(rows.map(({ ciphertext }) => Buffer.from(ciphertext).toString('hex'))).size).toBe(3)
  })

  test('another tenant finds nothing, and a row that was moved or altered does not open', async () => {
    const db = await makeDb()
    await addTenant(db, 'a')
    await addTenant(db, 'b')
    const vault = vaultOf(given(1))
    const { id } = await seal(db, vault, 'a', 'opensesame')
    expect(await open(db, vault, 'b', id)).toBeUndefined()
    expect(await open(db, vault, null, id)).toBeUndefined()
    await db.inTransaction((tx) => tx.update(secrets).set({ tenantId: 'b' }).where(eq(secrets.id, id)))
    const moved = { code: 'secret-unreadable', purpose, reason: 'it was altered in the database, or moved there' }
    expect(await outcome(open(db, vault, 'b', id))).toEqual(moved)
    const altered = new Uint8Array(64)
    await db.inTransaction((tx) =>
      tx.update(secrets).set({ tenantId: 'a', ciphertext: altered }).where(eq(secrets.id, id)),
    )
    expect(await outcome(open(db, vault, 'a', id))).toEqual(moved)
    await db.inTransaction((tx) => vault.remove(tx, 'a', id))
    expect(await open(db, vault, 'a', id)).toBeUndefined()
  })

  test('rotation encrypts everything again, and the earlier key is needed until then', async () => {
    const db = await makeDb()
    const sealed = []
    for (let n = 0; n < 150; n++) sealed.push(await seal(db, vaultOf(given(1)), null, `secret ${n}`))
    const both = vaultOf(given(2, 1))
    expect(await both.check(db.read)).toEqual({ failure: null, unreadable: 0, count: 150, old: 150 })
    expect([await both.rotate(db), await both.rotate(db)]).toEqual([150, 0])
    expect(await both.check(db.read)).toEqual({ failure: null, unreadable: 0, count: 150, old: 0 })
    const after = vaultOf(given(2))
    expect(await open(db, after, null, sealed[149]?.id ?? '')).toBe('secret 149')
    const before = vaultOf(given(1))
    const [key] = readKeys(keyOf(2)) ?? []
    const reason = `the key ${key?.id} that encrypted it is not configured`
    expect(await outcome(open(db, before, null, sealed[0]?.id ?? ''))).toEqual({
      code: 'secret-unreadable',
      purpose,
      reason,
    })
    expect((await before.check(db.read)).failure?.code).toBe('secret-unreadable')
  })

  test('the check opens every secret, not the newest of each purpose', async () => {
    const db = await makeDb()
    await addTenant(db, 'a')
    const vault = vaultOf(given(1))
    const ids: string[] = []
    for (let n = 0; n < 600; n++) ids.push((await seal(db, vault, n % 2 === 0 ? 'a' : null, `secret ${n}`)).id)
    const [first = '', second = ''] = ids
    const [other] = await db.read.select().from(secrets).where(eq(secrets.id, second))
    await db.inTransaction(async (tx) => {
      // That of another organization, with its nonce; and one with a byte that is different.
      await tx
        .update(secrets)
        .set({ nonce: other?.nonce ?? new Uint8Array(), ciphertext: other?.ciphertext ?? new Uint8Array() })
        .where(eq(secrets.id, first))
      const spoiled = new Uint8Array(other?.ciphertext ?? [])
      spoiled[3] = (spoiled[3] ?? 0) ^ 1
      await tx
        .update(secrets)
        .set({ ciphertext: spoiled })
        .where(eq(secrets.id, ids[599] ?? ''))
    })
    const { failure, ...found } = await vault.check(db.read)
    expect([failure?.code, found]).toEqual(['secret-unreadable', { unreadable: 2, count: 600, old: 0 }])
  })

  test('without a key nothing is stored, and a service with stored secrets does not start', async () => {
    const db = await makeDb()
    const none = new KeyRing({ kind: 'none' })
    expect(await outcome(seal(db, vaultOf(none), null, 'x'))).toEqual({ code: 'secret-key-missing' })
    await assertKeyForSecrets(db, none)
    await seal(db, vaultOf(given(1)), null, 'x')
    expect(await outcome(assertKeyForSecrets(db, none))).toEqual({ code: 'secret-key-missing' })
    await assertKeyForSecrets(db, given(1))
  })
})

test('a workspace makes its own key, which only its owner can read, and another process learns of a new one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-key-'))
  const path = join(folder, 'secret.key')
  try {
    const ring = new KeyRing({ kind: 'file', path })
    const other = new KeyRing({ kind: 'file', path })
    expect(ring.all()).toEqual([])
    const first = ring.encrypting()
    expect([other.encrypting().id, statSync(path).mode & 0o777]).toEqual([first.id, 0o600])
    ring.addKey()
    const second = ring.encrypting()
    expect([other.find(second.id)?.id, other.find(first.id)?.id, other.find('none')]).toEqual([
      second.id,
      first.id,
      undefined,
    ])
    expect([readFileSync(path, 'utf8').trim().split('\n').length, statSync(path).mode & 0o777]).toEqual([2, 0o600])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('keys that are none are refused by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-key-'))
  const path = join(folder, 'keys')
  const refusal = (ring: KeyRing) => outcome((async () => ring.all())())
  try {
    expect(await refusal(new KeyRing({ kind: 'file', path: folder }))).toEqual({
      code: 'secret-key-unusable',
      place: folder,
      reason: 'it cannot be read (EISDIR)',
    })
    const reason = 'each key must be base64 of exactly 32 bytes'
    for (const text of ['', 'c2hvcnQ=', `${keyOf(1)},x`, `${keyOf(1).slice(0, 42)}!=`]) {
      writeFileSync(path, text)
      const file = new KeyRing({ kind: 'file', path })
      expect(await refusal(file)).toEqual({ code: 'secret-key-unusable', place: path, reason })
    }
    writeFileSync(path, `${keyOf(1)}\n${keyOf(2).replace('=', '')}\n`)
    expect(new KeyRing({ kind: 'file', path }).all()).toHaveLength(2)
    const configured = new KeyRing({ kind: 'given', keys: keyOf(1) })
    expect(await outcome((async () => configured.addKey())())).toMatchObject({ code: 'usage' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('only the vault reads and writes the table of secrets', async () => {
  const found: string[] = []
  for (const layer of ['server', 'mcp', 'cli', 'commands'])
    for await (const file of new Bun.Glob(`${layer}/**/*.ts`).scan(root)) {
      const text = await Bun.file(join(root, file)).text()
      const imports = [...text.matchAll(/import [^'"]*from '[^']*db\/tables[^']*'/g)].map(([it]) => it)
      if (imports.some((it) => /\bsecrets\b/.test(it))) found.push(file)
    }
  expect(found).toEqual(['server/vault/vault.ts'])
})
