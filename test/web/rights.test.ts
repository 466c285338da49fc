/** What the application offers: by the role in the organization, and by the role on the project of the page. */
import { afterEach, expect, test } from 'bun:test'
import { projectPermissions } from '../../src/api/permissions.ts'
import { holds, type Membership, opens } from '../../web/src/session.ts'

const identityOf = (own: Partial<Membership>) => ({
  kind: 'user' as const,
  user: null,
  key: null,
  memberships: [
    {
      tenant_id: 't1',
      slug: 'acme',
      name: 'Acme',
      role: 'viewer' as const,
      status: 'active' as const,
      permissions: ['projects:view', 'versions:view'],
      ...own,
    },
  ],
})

const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
const standAt = (pathname: string): void =>
  void Object.defineProperty(globalThis, 'location', { value: { pathname }, configurable: true })
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, 'location')
  else Object.defineProperty(globalThis, 'location', before)
})

test('a role on a project offers what it allows on the pages of that project alone', () => {
  const identity = identityOf({ projects: [{ id: 'p1', slug: 'shop', role: 'editor' }] })
  const may = () => [holds(identity, 'acme', 'versions:edit'), holds(identity, 'acme', 'versions:publish_force')]
  for (const path of ['/app/t/acme/shop', '/app/t/acme/p1/1.0.0/edit', '/app/t/acme/shop/-/consumers']) {
    standAt(path)
    expect([path, may()]).toEqual([path, [true, false]])
  }
  for (const path of ['/app/t/acme', '/app/t/acme/bank', '/app/t/acme/-/shop', '/app/account']) {
    standAt(path)
    expect([path, may()]).toEqual([path, [false, false]])
  }
  standAt('/app/t/acme/bank')
  expect([holds(identity, 'acme', 'projects:view'), holds(identity, 'other', 'projects:view')]).toEqual([true, false])
})

test('a guest is offered the pages that show their projects, and no other', () => {
  const guest = identityOf({ role: 'guest', permissions: [...projectPermissions.viewer] })
  standAt('/app/t/acme')
  const list = { permission: 'projects:view' } as const
  expect([opens(guest, 'acme', { ...list, forGuests: true }), opens(guest, 'acme', list)]).toEqual([true, false])
  expect([opens(identityOf({}), 'acme', { ...list, forGuests: true }), opens(identityOf({}), 'acme', list)]).toEqual([
    true,
    true,
  ])
  expect(opens(undefined, 'acme', list)).toBe(false)
})
