/** The decision on what someone may do on a project, compared with a model that says it another way. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import {
  type Permission,
  permissionGrid,
  projectPermissions,
  projectRoles,
  type ProjectRole,
  type Role,
  roles,
} from '../../../src/api/permissions.ts'
import { decideOnProject, projectIn, projectWayOf } from '../../../src/api/project-access.ts'

const permissions = Object.keys(permissionGrid) as Permission[]
const ways = ['project', 'listed', 'closed'] as const

/** What a role on a project brings, written out. */
const brings: Record<ProjectRole, readonly Permission[]> = {
  viewer: ['projects:view', 'versions:view', 'consumer_contracts:view', 'style_guides:view', 'comments:create'],
  editor: [
    'projects:view',
    'versions:view',
    'consumer_contracts:view',
    'style_guides:view',
    'comments:create',
    'projects:edit',
    'versions:edit',
    'versions:publish',
    'consumer_contracts:create',
    'consumer_contracts:edit',
    'reviews:decide',
  ],
  owner: [
    'projects:view',
    'versions:view',
    'consumer_contracts:view',
    'style_guides:view',
    'comments:create',
    'projects:edit',
    'versions:edit',
    'versions:publish',
    'consumer_contracts:create',
    'consumer_contracts:edit',
    'reviews:decide',
    'consumer_contracts:delete',
    'versions:publish_force',
    'projects:share',
  ],
}

const inOrganization = (role: Role, permission: Permission): boolean => permissionGrid[permission].includes(role)

/** Whether something is allowed, in the words of the documentation. */
function isAllowed(role: Role, way: (typeof ways)[number], own: ProjectRole | null, permission: Permission | null) {
  if (role !== 'guest')
    return (
      permission === null ||
      inOrganization(role, permission) ||
      (way === 'project' && own !== null && brings[own].includes(permission))
    )
  if (way === 'closed') return false
  if (way === 'listed') return permission === null || brings.viewer.includes(permission)
  return own !== null && (permission === null || brings[own].includes(permission))
}

const cases = roles.flatMap((role) =>
  ways.flatMap((way) =>
    [null, ...projectRoles].flatMap((projectRole) =>
      [null, ...permissions].map((permission) => ({ role, way, projectRole, permission })),
    ),
  ),
)

test('every role, in every way, with every role on the project, may do what the model says', () => {
  for (const question of cases) {
    const { role, way, projectRole, permission } = question
    const decision = decideOnProject(question)
    expect([question, decision.refused === null]).toEqual([question, isAllowed(role, way, projectRole, permission)])
    if (decision.refused !== null) continue
    // What is not of the organization is only ever had where the request sees the project alone.
    for (const held of decision.permissions)
      if (!inOrganization(role, held))
        expect([question, held, decision.sees === 'organization']).toEqual([question, held, false])
    if (role === 'guest') expect(decision.sees).not.toBe('organization')
  }
})

test('a stronger role on the project never allows less, and none never more than the role in the organization', () => {
  const ranks = [null, 'viewer', 'editor', 'owner'] as const
  fc.assert(
    fc.property(
      fc.constantFrom(...roles),
      fc.constantFrom(...permissions),
      fc.nat({ max: 3 }),
      fc.nat({ max: 3 }),
      (role, permission, a, b) => {
        const allowedWith = (rank: number): boolean =>
          decideOnProject({ role, way: 'project', projectRole: ranks[rank] ?? null, permission }).refused === null
        if (a <= b && allowedWith(a)) expect(allowedWith(b)).toBe(true)
        expect(allowedWith(0)).toBe(inOrganization(role, permission))
      },
    ),
  )
})

test('a guest learns of a project without a role on it no more than of one that is not there', () => {
  for (const permission of [null, ...permissions]) {
    const { refused, permissions: held } = decideOnProject({
      role: 'guest',
      way: 'project',
      projectRole: null,
      permission,
    })
    const isBrought = permission === null || projectPermissions.owner.has(permission)
    expect([permission, refused, held.size]).toEqual([
      permission,
      isBrought ? 'project-not-found' : 'permission-denied',
      0,
    ])
  }
})

test('operations say which projects they are about by their path or their contract', () => {
  const access = { credentials: ['user'], permission: null } as const
  expect(projectWayOf({ access, path: '/v1/tenants/{tenant_slug}/projects/{project_ref}' })).toBe('project')
  expect(projectWayOf({ access, path: '/v1/versions/{tenant_slug}/{project_id}/x' })).toBe('project')
  expect(projectWayOf({ access, path: '/v1/tenants/{tenant_slug}/members' })).toBe('closed')
  expect(projectWayOf({ access: { ...access, guests: 'listed' }, path: '/v1/tenants/{tenant_slug}/projects' })).toBe(
    'listed',
  )
  expect(projectWayOf({ access: { ...access, guests: 'closed' }, path: '/v1/x/{project_ref}' })).toBe('closed')
  expect(projectIn({ tenant_slug: 'acme', project_slug: 'shop' })).toBe('shop')
  expect(projectIn({ tenant_slug: 'acme' })).toBeNull()
})

test('what guests reach without a project in the path is listed here: each was looked at', () => {
  const idsOf = (way: 'listed' | 'closed') =>
    endpoints.filter(({ access }) => access.anonymous !== true && access.guests === way).map(({ id }) => id)
  expect(idsOf('listed').toSorted()).toEqual([
    'dependencies.get',
    'diff.classified',
    'diff.pages',
    'diff.rule',
    'home.show',
    'inbox.list',
    'members.remove',
    'migration-plans.counts',
    'migration-plans.get',
    'migration-plans.proposals',
    'notifications.list',
    'notifications.mark-read',
    'notifications.mark-unread',
    'notifications.unread-count',
    'project-watches.list',
    'projects.list',
    'reviews.mine',
    'search.find',
    'tenants.get',
  ])
  expect(idsOf('closed').toSorted()).toEqual(['bindings.compare', 'bindings.create', 'primitives.repin'])
})
