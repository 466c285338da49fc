import { expect, test } from 'bun:test'
import { knownSources } from '../../../db/tables.gen.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import {
  browserKey,
  findKnown,
  knownLifeMs,
  maxKnownSources,
  networkKey,
  rememberBrowser,
  rememberNetwork,
  sourceOf,
  sweepSources,
} from '../../../server/auth/source.ts'
import { addUser, start } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

const cookie = 'b'.repeat(43)

test('a request comes from the address of its caller and the browser of its cookie', () => {
  const of = (header: string) => sourceOf(new Request('http://localhost', { headers: { cookie: header } })).browser
  expect(of(`svc_browser=${cookie}`)).toBe(cookie)
  for (const other of ['', 'b'.repeat(42), 'b'.repeat(44), `${'b'.repeat(42)}-`])
    expect([other, of(`svc_browser=${other}`)]).toEqual([other, null])
  expect(sourceOf(new Request('http://localhost'))).toEqual({ address: null, browser: null })
  expect(sourceOf(noteAddress(new Request('http://localhost'), '192.0.2.1')).address).toBe('192.0.2.1')
})

onBothEngines('known sources', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const [ann, bob] = [await addUser(db, 'ann'), await addUser(db, 'bob')]
    const network = (userId: string, address: string | null, now = start) =>
      db.inTransaction((tx) => rememberNetwork(tx, userId, { address, browser: null }, now))
    /** The value of the cookie that the browser has afterwards. */
    const browser = async (userId: string, value: string | null, secure = false) => {
      const facts = { now: start, secure }
      const set = await db.inTransaction((tx) => rememberBrowser(tx, userId, { address: null, browser: value }, facts))
      return { value: /^svc_browser=(\w{43});/.exec(set)?.[1] ?? '', set }
    }
    const rows = () => db.read.select().from(knownSources)
    return { db, ann, bob, network, browser, rows }
  }

  test('are those that a person has signed in from, and of no other person', async () => {
    const { db, ann, bob, network } = await setUp()
    const [home, office] = [networkKey('192.0.2.1'), networkKey('192.0.2.2')]
    await network(ann, '192.0.2.1')
    await network(bob, '192.0.2.2')
    const found = (userIds: string[], sources: string[]) => findKnown(db.read, userIds, sources)
    expect(await found([ann, bob], [home, office])).toEqual(new Set([`${ann} ${home}`, `${bob} ${office}`]))
    expect(await found([ann], [home, office])).toEqual(new Set([`${ann} ${home}`]))
    expect(await found([ann, bob], [office])).toEqual(new Set([`${bob} ${office}`]))
    for (const nothing of [await found([], [home]), await found([ann], [])]) expect(nothing).toEqual(new Set())
  })

  test('a call in-process has no network to remember', async () => {
    const { ann, network, rows } = await setUp()
    await network(ann, null)
    expect(await rows()).toEqual([])
  })

  test('a browser keeps its value when it is known, and gets a new one when no one has signed in with it', async () => {
    const { ann, bob, browser, rows } = await setUp()
    const first = await browser(ann, null)
    expect(first.set).toBe(`svc_browser=${first.value}; Path=/; Max-Age=${knownLifeMs / 1000}; HttpOnly; SameSite=Lax`)
    expect((await browser(bob, first.value)).value).toBe(first.value)
    const planted = await browser(bob, cookie)
    expect([planted.value.length, planted.value === cookie]).toEqual([43, false])
    expect((await browser(bob, first.value, true)).set).toContain('; Secure;')
    expect((await rows()).map((it) => `${it.userId} ${it.source}`).toSorted()).toEqual(
      [
        `${ann} ${browserKey(first.value)}`,
        `${bob} ${browserKey(first.value)}`,
        `${bob} ${browserKey(planted.value)}`,
      ].toSorted(),
    )
  })

  test('fifty are kept of a person, those seen last; what others have stays', async () => {
    const { ann, bob, network, rows } = await setUp()
    await network(bob, '192.0.2.9', start - 1)
    for (let n = 0; n < maxKnownSources; n++) await network(ann, `10.0.1.${n}`, start + n)
    // Seen again, the oldest is the newest.
    await network(ann, '10.0.1.0', start + 100)
    for (const n of [101, 102]) await network(ann, `10.0.1.${n}`, start + n)
    const kept = await rows()
    const own = kept.filter((it) => it.userId === ann).map((it) => Date.parse(it.seenAt) - start)
    expect(own.toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: maxKnownSources - 3 }, (_, n) => n + 3),
      100,
      101,
      102,
    ])
    expect(kept.filter((it) => it.userId === bob)).toHaveLength(1)
  })

  test('are forgotten after ninety days without a sign-in', async () => {
    const { db, ann, network, rows } = await setUp()
    await network(ann, '192.0.2.1', start)
    await network(ann, '192.0.2.2', start - 1)
    await db.inTransaction((tx) => sweepSources(tx, start + knownLifeMs))
    expect((await rows()).map((it) => it.source)).toEqual([networkKey('192.0.2.1')])
  })
})
