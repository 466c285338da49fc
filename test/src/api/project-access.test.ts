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
import { decideOnProject, projectIn, type ProjectQuestion, projectWayOf } from '../../../src/api/project-access.ts'

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

/** What an Editor has on projects that are not theirs, where Editors edit only those. */
const ofAnEditorElsewhere = (permission: Permission): boolean =>
  inOrganization('viewer', permission) || permission === 'projects:create' || permission === 'reviews:decide'

/** What somebody has everywhere in the organization. */
const everywhere = (role: Role, editorsEditOwn: boolean, permission: Permission): boolean =>
  role === 'editor' && editorsEditOwn ? ofAnEditorElsewhere(permission) : inOrganization(role, permission)

/** Whether something is allowed, in the words of the documentation. */
function isAllowed({ role, editorsEditOwn, way, projectRole: own, permission }: ProjectQuestion) {
  if (role !== 'guest')
    return (
      permission === null ||
      everywhere(role, editorsEditOwn, permission) ||
      (way === 'project' && own !== null && brings[own].includes(permission))
    )
  if (way === 'closed') return false
  if (way === 'listed') return permission === null || brings.viewer.includes(permission)
  return own !== null && (permission === null || brings[own].includes(permission))
}

const cases = roles.flatMap((role) =>
  ways.flatMap((way) =>
    [null, ...projectRoles].flatMap((projectRole) =>
      [null, ...permissions].flatMap((permission) =>
        [false, true].map((editorsEditOwn) => ({ role, editorsEditOwn, way, projectRole, permission })),
      ),
    ),
  ),
)

test('every role, in every way, with every role on the project, may do what the model says', () => {
  for (const question of cases) {
    const { role, editorsEditOwn } = question
    const decision = decideOnProject(question)
    expect([question, decision.refused === null]).toEqual([question, isAllowed(question)])
    if (decision.refused !== null) continue
    // What is not of the organization is only ever had where the request sees the project alone.
    for (const held of decision.permissions)
      if (!everywhere(role, editorsEditOwn, held))
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
      fc.boolean(),
      (role, permission, a, b, editorsEditOwn) => {
        const asked = { role, editorsEditOwn, way: 'project', permission } as const
        const allowedWith = (rank: number): boolean =>
          decideOnProject({ ...asked, projectRole: ranks[rank] ?? null }).refused === null
        if (a <= b && allowedWith(a)) expect(allowedWith(b)).toBe(true)
        expect(allowedWith(0)).toBe(everywhere(role, editorsEditOwn, permission))
      },
    ),
  )
})

test('where Editors edit what is theirs nobody may do more than before, and nobody but Editors less', () => {
  for (const question of cases.filter((it) => it.editorsEditOwn)) {
    const before = decideOnProject({ ...question, editorsEditOwn: false })
    const after = decideOnProject(question)
    if (question.role !== 'editor') expect([question, after]).toEqual([question, before])
    if (before.refused !== null) expect([question, after.refused]).toEqual([question, before.refused])
  }
})

test('an Editor of a project writes it where Editors edit what is theirs, and one who only views it does not', () => {
  const ask = (projectRole: ProjectRole | null) =>
    decideOnProject({ role: 'editor', editorsEditOwn: true, way: 'project', projectRole, permission: 'versions:edit' })
  expect([null, 'viewer', 'editor', 'owner'].map((it) => ask(it as ProjectRole | null).refused)).toEqual([
    'permission-denied',
    'permission-denied',
    null,
    null,
  ])
})

test('a guest learns of a project without a role on it no more than of one that is not there', () => {
  for (const permission of [null, ...permissions]) {
    const { refused, permissions: held } = decideOnProject({
      role: 'guest',
      editorsEditOwn: false,
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
