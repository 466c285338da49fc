import { expect, test } from 'bun:test'
import { users } from '../../../db/tables.gen.ts'
import { isLike } from '../../../server/auth/password.ts'
import { setPassword } from '../../../server/users/set-password.ts'
import { ofAddress } from '../../../server/users/find.ts'
import { createUser } from '../../../server/users/service.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson, startIdentityService } from '../../fixtures/identity-service.ts'

/** Passwords are slow on purpose. */
const slowMs = 60_000
const alice = 'alice@example.com'
const areAlike = (hashes: (string | null)[]) => hashes.every((it) => isLike(it ?? '', hashes[0] ?? ''))

onBothEngines('the accounts of one address', (makeDb) => {
  test(
    'share the salt of their passwords, so that one computation tries them all',
    async () => {
      const { db, ask, bearer, identity } = startIdentityService(await makeDb())
      const stored = async (email: string) =>
        (await db.read.select().from(users).where(ofAddress(email))).map((it) => it.passwordHash)
      const join = async (slug: string, email: string, password: string) => {
        const owner = await addPerson(db, `owner-of-${slug}`)
        await addMember(db, await addTenant(db, slug), owner, 'owner')
        const invited = { headers: await bearer(owner), body: { email, role: 'viewer' } }
        const { token } = (await ask(`POST /v1/tenants/${slug}/invitations`, invited)).body
        const { status } = await ask('POST /_app/invitation/accept', { body: { token, password, name: 'A' } })
        expect(status).toBe(201)
      }
      const statusOf = async (password: string) =>
        (await ask('POST /v1/auth/login', { body: { email: alice, password } })).status
      await join('evil', alice, 'chosen by mallory')
      await join('acme', alice, 'chosen by the owner')
      const own = { email: 'Alice@example.com', name: '', password: 'made by the operator', membership: null }
      const { id: userId } = (await createUser(identity, own)).user
      const before = await stored(alice)
      expect([before.length, new Set(before).size, areAlike(before)]).toEqual([3, 3, true])
      await setPassword(identity, { userId, email: alice, password: 'changed by its owner', keepSession: null })
      const all = [...before, ...(await stored(alice))]
      expect([new Set(all).size, areAlike(all)]).toEqual([4, true])
      for (const password of ['chosen by mallory', 'chosen by the owner', 'changed by its owner'])
        expect([password, await statusOf(password)]).toEqual([password, 200])
      expect(await statusOf('made by the operator')).toBe(401)
      // An address of its own has a salt of its own.
      await join('other', 'bob@example.com', 'chosen by him')
      expect(areAlike([...all, ...(await stored('bob@example.com'))])).toBe(false)
    },
    slowMs,
  )
})
