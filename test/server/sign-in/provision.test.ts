import { expect, test } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { externalIdentities, memberships, users } from '../../../db/tables.gen.ts'
import type { ExternalPerson } from '../../../server/sign-in/external-identity.ts'
import { accountOf } from '../../../server/sign-in/provision.ts'
import type { ProvisionRule } from '../../../server/sign-in/oidc-settings.ts'
import { addMember, addTenant, addUser, outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startIdentityService } from '../../fixtures/identity-service.ts'
import { noteLocks } from '../../fixtures/locks.ts'

const person = (name: string, more: Partial<ExternalPerson> = {}): ExternalPerson => ({
  issuer: 'https://issuer.example',
  subject: name,
  verifiedEmail: `${name}@example.com`,
  name: null,
  ...more,
})
const everybody: ProvisionRule = { provision: 'all', allowedDomains: [] }
const unknown = { code: 'oidc-account-unknown' }

/** A database whose first `count` transactions begin together: what was read before them was read before each of them. */
function beginTogether(db: Database, count: number): Database {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'inTransaction') return Reflect.get(target, name, target) as unknown
      const inTransaction: Database['inTransaction'] = async (work) => {
        waiting += 1
        if (waiting >= count) resolve()
        await promise
        return target.inTransaction(work)
      }
      return inTransaction
    },
  })
}

onBothEngines('accounts of people who sign in elsewhere', (makeDb) => {
  const setUp = async ({ together = 1 } = {}) => {
    const { db, locks } = noteLocks(beginTogether(await makeDb(), together))
    const service = startIdentityService(db)
    const ask = (who: ExternalPerson, rule: ProvisionRule) => outcome(accountOf(service.identity, who, rule))
    return { ...service, locks, ask }
  }

  test('which identities get an account', async () => {
    const { ask } = await setUp()
    const made = (email: string) => ({ email })
    const cases: [ProvisionRule['provision'], readonly string[], string, object][] = [
      ['none', [], 'a', unknown],
      ['none', ['example.com'], 'b', unknown],
      ['domains', [], 'c', unknown],
      ['domains', ['other.example'], 'd', unknown],
      ['domains', ['example.com'], 'e', made('e@example.com')],
      ['all', [], 'f', made('f@example.com')],
      ['all', ['other.example'], 'g', unknown],
    ]
    for (const [provision, allowedDomains, name, expected] of cases)
      expect([name, await ask(person(name), { provision, allowedDomains })]).toEqual([
        name,
        expect.objectContaining(expected),
      ])
    expect(await ask(person('h', { verifiedEmail: null }), everybody)).toEqual(unknown)
  })

  test('an address whose account belongs to another subject is not handed over', async () => {
    const { ask, db } = await setUp()
    await ask(person('ann'), everybody)
    expect(await ask(person('mallory', { verifiedEmail: 'ann@example.com' }), everybody)).toEqual(unknown)
    expect((await db.read.select().from(externalIdentities)).map((it) => it.subject)).toEqual(['ann'])
  })

  test('a new account is made under locks of the subject and of the address', async () => {
    const { ask, locks } = await setUp()
    await ask(person('ann'), everybody)
    expect(locks).toEqual(['identity:https://issuer.example ann', 'address:ann@example.com'])
  })

  test('who signs in twice at once gets one account', async () => {
    // Both find no account before either of them makes one.
    const { ask, db, locks } = await setUp({ together: 2 })
    const [one, two] = (await Promise.all([ask(person('ann'), everybody), ask(person('ann'), everybody)])) as {
      id: string
    }[]
    expect(one?.id).toBe(two?.id ?? '')
    expect(await db.read.select().from(users)).toHaveLength(1)
    expect((await db.read.select().from(externalIdentities)).map((it) => it.subject)).toEqual(['ann'])
    const [address, identity] = ['address:ann@example.com', 'identity:https://issuer.example ann'] as const
    expect(locks.toSorted()).toEqual([address, address, identity, identity])
  })

  test('who signs in again while the account is being made gets the same account', async () => {
    const { ask, db, identity, locks } = await setUp()
    const made = await ask(person('ann'), everybody)
    // The second sign-in looked for the subject before the account was there, and for the address after.
    let before: Database | undefined = await makeDb()
    const changing = new Proxy(db, {
      get(target, name) {
        const from = name === 'read' ? (before ?? target) : target
        if (name === 'read') before = undefined
        return Reflect.get(from, name, from) as unknown
      },
    })
    locks.length = 0
    expect(await outcome(accountOf({ ...identity, db: changing }, person('ann'), everybody))).toEqual(made)
    expect(locks).toEqual([`identity:${(made as { id: string }).id}`])
    expect((await db.read.select().from(externalIdentities)).map((it) => it.subject)).toEqual(['ann'])
  })

  test('an account that is found by its address is linked under a lock of its own', async () => {
    const { ask, db, locks } = await setUp()
    const ann = await addUser(db, 'ann')
    expect(await ask(person('ann'), everybody)).toMatchObject({ id: ann })
    expect(locks).toEqual([`identity:${ann}`])
  })

  test('linking ends the password of an account that an invitation made, and keeps that of any other', async () => {
    const { ask, db } = await setUp()
    const acme = await addTenant(db, 'acme')
    await addUser(db, 'ann', 'hash of ann')
    await addUser(db, 'bob', 'hash of bob', { boundTo: acme })
    for (const name of ['ann', 'bob']) await ask(person(name), everybody)
    const rows = await db.read.select().from(users)
    expect(Object.fromEntries(rows.map((it) => [it.name, it.passwordHash]))).toEqual({ ann: 'hash of ann', bob: null })
  })

  test('only the invitations of the own address become memberships', async () => {
    const { ask, db, bearer, ...service } = await setUp()
    const acme = await addTenant(db, 'acme')
    const boss = await addUser(db, 'boss')
    await addMember(db, acme, boss, 'owner')
    for (const [email, role] of [
      ['eva@example.com', 'editor'],
      ['bob@example.com', 'admin'],
    ]) {
      const invited = await startIdentityService(db).ask('POST /v1/tenants/acme/invitations', {
        headers: await bearer(boss),
        body: { email, role },
      })
      expect(invited.status).toBe(201)
    }
    expect(service.faults).toEqual([])
    await ask(person('eva'), everybody)
    const rows = (await db.read.select().from(memberships)).map((it) => it.role)
    expect(rows.toSorted()).toEqual(['editor', 'owner'])
  })
})
