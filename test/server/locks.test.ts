/** What is counted, exchanged once or decided by what others may change is locked first: replicas share one database. */
import { expect, test } from 'bun:test'
import { plansOf } from '../../server/license/plans.ts'
import { assertProjectRoom } from '../../server/license/quota.ts'
import { addMember, addTenant, outcome } from '../fixtures/accounts.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { addPerson, startIdentityService } from '../fixtures/identity-service.ts'
import { noteLocks } from '../fixtures/locks.ts'

onBothEngines('locks', (makeDb) => {
  test('of members, keys, sign-ins and quotas', async () => {
    const { db, locks } = noteLocks(await makeDb())
    const service = startIdentityService(db)
    const acme = await addTenant(db, 'acme')
    const [olga, eva, vic] = [await addPerson(db, 'olga'), await addPerson(db, 'eva'), await addPerson(db, 'vic')]
    await addMember(db, acme, olga, 'owner')
    for (const id of [eva, vic]) await addMember(db, acme, id, 'viewer')
    const headers = await service.browser(olga)
    const path = '/v1/tenants/acme'
    const ask = async (line: string, body?: object) => {
      locks.length = 0
      const answer = await service.ask(line, { headers, ...(body === undefined ? {} : { body }) })
      expect([line, answer.status < 300, answer.body?.detail]).toEqual([line, true, undefined])
      return { body: answer.body, locks: [...locks].filter((it) => !it.startsWith('auth-budget:')) }
    }
    const members = [`members:${acme}`]
    expect((await ask(`PATCH ${path}/members/${vic}`, { role: 'editor' })).locks).toEqual(members)
    expect((await ask(`DELETE ${path}/members/${vic}`)).locks).toEqual(members)
    const invited = await ask(`POST ${path}/invitations`, { email: 'new@example.com' })
    expect(invited.locks).toEqual([...members, 'address:new@example.com'])
    expect((await ask('POST /_app/tenants/acme/api-keys', { name: 'CI' })).locks).toEqual([`api-keys:${acme}`])
    expect((await ask(`POST ${path}/mcp-keys`, { label: 'host' })).locks).toEqual([`mcp-keys:${acme}`])
    const device = (await ask('POST /v1/auth/device/code')).body
    await ask('POST /_app/device/decision', { user_code: device.user_code, approve: true })
    const redeemed = await ask('POST /v1/auth/device/token', { device_code: device.device_code })
    expect(redeemed.locks).toEqual([expect.stringMatching(/^device:/)])
    const acceptance = { token: invited.body.token, name: 'New', password: 'another long secret' }
    // The person who accepts is signed in from then on.
    expect((await ask('POST /_app/invitation/accept', acceptance)).locks).toEqual(members)
    Object.assign(headers, await service.browser(olga))
    expect((await ask(`POST ${path}/ownership-transfer`, { user_id: eva })).locks).toEqual(members)
    Object.assign(headers, await service.browser(eva))
    // The first part of the deletion; what is left is removed under a lock of its own.
    expect((await ask(`DELETE ${path}`)).locks[0]).toBe(members[0])
  })

  test('of the projects of a plan that limits them, and of no other', async () => {
    const { db, locks } = noteLocks(await makeDb())
    const free = await addTenant(db, 'free', null)
    const big = await addTenant(db, 'big', 'enterprise')
    for (const tenantId of [free, big])
      await outcome(db.inTransaction((tx) => assertProjectRoom(tx, plansOf({}), tenantId)))
    expect(locks).toEqual([`projects:${free}`])
  })
})
