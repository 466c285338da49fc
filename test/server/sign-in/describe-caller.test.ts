import { expect, test } from 'bun:test'
import type { Principal } from '../../../server/auth/principal.ts'
import { describeCaller } from '../../../server/sign-in/describe-caller.ts'
import { authenticateKey } from '../../../server/sign-in/authenticate.ts'
import { keyPermissions, readPermissions } from '../../../src/api/permissions.ts'
import {
  addAgentKey,
  addApiKey,
  addMcpKey,
  addTenant,
  depsOver,
  handClock,
  outcome,
  tokensOf,
} from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'

onBothEngines('the description of the caller', (makeDb) => {
  const setUp = async () => {
    const db = await makeDb()
    const clock = handClock()
    const tenantId = await addTenant(db, 'acme')
    const describe = (principal: Principal | null) =>
      outcome(
        describeCaller(depsOver(db, clock), { principal, tenant: null, role: null, permissions: new Set() }),
      ) as Promise<{ code?: string; memberships: { permissions: string[] }[] }>
    const ofKey = async (key: string) => {
      const principal = await authenticateKey({ ...depsOver(db, clock), tokens: tokensOf(db, clock) }, key)
      return (await describe(principal)).memberships.map((it) => it.permissions)
    }
    return { db, tenantId, describe, ofKey }
  }

  test('a key of full access holds all that keys can, every other key reads', async () => {
    const { db, tenantId, ofKey } = await setUp()
    const [full, read] = [[...keyPermissions].sort(), [...readPermissions].sort()]
    expect(await ofKey(await addApiKey(db, tenantId))).toEqual([full])
    expect(await ofKey(await addApiKey(db, tenantId, { scopes: ['diff:read'] }))).toEqual([read])
    expect(await ofKey(await addAgentKey(db, tenantId))).toEqual([read])
    expect(await ofKey(await addMcpKey(db, tenantId))).toEqual([read])
  })

  test('nobody, and a key or an organization that is gone since it was read', async () => {
    const { tenantId, describe, db } = await setUp()
    expect(await describe(null)).toEqual({ code: 'credentials-missing' } as never)
    const gateway: Principal = { kind: 'gateway-key', keyId: 'k', tenantId }
    expect(await describe(gateway)).toEqual({ code: 'scope-denied', scopes: ['gateway-key'] } as never)
    const gone = { code: 'credentials-invalid', reason: 'unknown key' } as never
    expect(await describe({ kind: 'mcp-key', keyId: 'gone', tenantId })).toEqual(gone)
    const key = await addMcpKey(db, tenantId)
    const clock = handClock()
    const principal = await authenticateKey({ ...depsOver(db, clock), tokens: tokensOf(db, clock) }, key)
    expect(await describe({ ...principal, tenantId: 'gone' } as Principal)).toEqual(gone)
  })
})
