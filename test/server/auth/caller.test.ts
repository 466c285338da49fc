import { expect, test } from 'bun:test'
import { actorOf, assertBrowser, personOf, tenantOf } from '../../../server/auth/caller.ts'
import type { Grant } from '../../../server/auth/grant.ts'
import type { Principal } from '../../../server/auth/principal.ts'

const grantOf = (principal: Principal | null): Grant => ({
  principal,
  tenant: null,
  role: null,
  permissions: new Set(),
})
const nobody = grantOf(null)
const browser = grantOf({ kind: 'user', userId: 'u', via: 'session' })
const program = grantOf({ kind: 'user', userId: 'u', via: 'jwt' })
const key = grantOf({ kind: 'api-key', keyId: 'k', tenantId: 't', scopes: ['*'] })

const outcome = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message
  }
}

test('who did something, as records keep it', () => {
  expect([nobody, browser, program, key].map(actorOf)).toEqual([null, 'user:u', 'user:u', 'api-key:k'])
})

test('only a person is a person, and only one in a browser is in a browser', () => {
  const all = [nobody, key, program, browser]
  expect(all.map((it) => outcome(() => personOf(it)))).toEqual(['person-required', 'person-required', 'u', 'u'])
  const required = 'browser-session-required'
  expect(all.map((it) => outcome(() => assertBrowser(it)))).toEqual([required, required, required, undefined])
})

test('a grant without an organization has none to give', () => {
  expect(outcome(() => tenantOf(browser))).toBe('the grant of this route has no organization')
  const tenant = { id: 't', slug: 'acme', name: 'Acme', plan: null }
  expect(tenantOf({ ...browser, tenant })).toEqual(tenant)
})
