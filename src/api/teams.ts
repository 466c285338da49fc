import { Type, type Static } from '@sinclair/typebox'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { endpoint } from './endpoint.ts'
import { idParam, may, person, projectParams, projectPath, tenantParams, tenantPath } from './kit.ts'
import { projectRoles, roles } from './permissions.ts'
import { slugShape, stablePageShape, stableQuery } from './shapes.ts'

export const TeamRecord = titled(
  'TeamRecord',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    directory_group: orNull(
      Type.String({
        description: 'The group of the directory (SCIM) whose members the team has; null: chosen by hand.',
      }),
    ),
    members: Type.Integer(),
    projects: Type.Integer({ description: 'How many projects the team has a role on.' }),
    created_at: dateTime(),
  }),
)
export type TeamRecord = Static<typeof TeamRecord>

export const TeamMember = titled(
  'TeamMember',
  Type.Object({
    user_id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: oneOf(roles, 'In the organization.'),
  }),
)
export type TeamMember = Static<typeof TeamMember>

export const ProjectAccess = titled(
  'ProjectAccess',
  Type.Object({
    id: Type.String(),
    role: oneOf(projectRoles),
    kind: oneOf(['person', 'team']),
    user_id: orNull(Type.String()),
    team_id: orNull(Type.String()),
    team_slug: orNull(Type.String()),
    name: Type.String({ description: 'Of the person or the team.' }),
    email: orNull(Type.String({ description: 'Of the person.' })),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
  }),
)
export type ProjectAccess = Static<typeof ProjectAccess>

const base = `${tenantPath}/teams` as const
const teamParams = { ...tenantParams, team_ref: Type.String({ minLength: 1, description: 'Id or slug of a team.' }) }
const memberParams = { ...teamParams, user_id: idParam }
const name = Type.String({ minLength: 1, maxLength: 100 })
const directoryGroup = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The name of a group of the directory (SCIM): its members are those of the team, at every moment.',
})

/** Teams of an organization: members who have roles on projects together. */
export const teamsApi = {
  list: endpoint({
    id: 'teams.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the teams of an organization, newest first',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    query: Type.Object(stableQuery),
    response: stablePageShape(TeamRecord),
    errors: [],
  }),
  create: endpoint({
    id: 'teams.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Create a team',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({ name, slug: Type.Optional(slugShape), directory_group: Type.Optional(orNull(directoryGroup)) }),
    response: TeamRecord,
    status: 201,
    errors: ['team-slug-taken'],
  }),
  get: endpoint({
    id: 'teams.get',
    origin: 'own',
    method: 'GET',
    path: `${base}/{team_ref}`,
    summary: 'Get a team',
    access: may('projects:view'),
    params: Type.Object(teamParams),
    response: TeamRecord,
    errors: ['team-not-found'],
  }),
  update: endpoint({
    id: 'teams.update',
    origin: 'own',
    method: 'PATCH',
    path: `${base}/{team_ref}`,
    summary: 'Rename a team, or change the group of the directory that it follows',
    description:
      'A team that begins to follow a group loses the members that were chosen by hand; one that stops has none until some are added.',
    access: person('members:edit'),
    params: Type.Object(teamParams),
    body: bodyOf({ name: Type.Optional(name), directory_group: Type.Optional(orNull(directoryGroup)) }),
    response: TeamRecord,
    errors: ['team-not-found'],
  }),
  remove: endpoint({
    id: 'teams.delete',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{team_ref}`,
    summary: 'Delete a team, and the roles that it has on projects',
    access: person('members:edit'),
    params: Type.Object(teamParams),
    response: Type.Null(),
    status: 204,
    errors: ['team-not-found'],
  }),
  members: endpoint({
    id: 'teams.members',
    origin: 'own',
    method: 'GET',
    path: `${base}/{team_ref}/members`,
    summary: 'List the members of a team, by name',
    access: may('projects:view'),
    params: Type.Object(teamParams),
    response: Type.Object({ items: Type.Array(TeamMember) }),
    errors: ['team-not-found'],
  }),
  add: endpoint({
    id: 'teams.add',
    origin: 'own',
    method: 'PUT',
    path: `${base}/{team_ref}/members/{user_id}`,
    summary: 'Put a member of the organization in a team',
    access: person('members:edit'),
    params: Type.Object(memberParams),
    response: Type.Null(),
    status: 204,
    errors: ['team-not-found', 'member-not-found', 'team-follows-directory'],
  }),
  drop: endpoint({
    id: 'teams.remove',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{team_ref}/members/{user_id}`,
    summary: 'Take a member out of a team',
    access: person('members:edit'),
    params: Type.Object(memberParams),
    response: Type.Null(),
    status: 204,
    errors: ['team-not-found', 'member-not-found', 'team-follows-directory'],
  }),
} as const

const accessPath = `${projectPath}/access` as const

/** Who has a role on a project. */
export const projectAccessApi = {
  list: endpoint({
    id: 'project-access.list',
    origin: 'own',
    method: 'GET',
    path: accessPath,
    summary: 'List the people and teams that have a role on a project, newest first',
    description: 'Roles in the organization hold on every project and are not listed.',
    access: person('projects:view'),
    params: Type.Object(projectParams),
    query: Type.Object(stableQuery),
    response: stablePageShape(ProjectAccess),
    errors: ['project-not-found'],
  }),
  grant: endpoint({
    id: 'project-access.grant',
    origin: 'own',
    method: 'PUT',
    path: accessPath,
    summary: 'Give a person or a team a role on a project, or change it',
    description:
      'Send either `user_id` or `team`. It needs the role Owner on the project, or Admin of the organization.',
    access: person('projects:share'),
    params: Type.Object(projectParams),
    body: bodyOf({
      role: oneOf(projectRoles),
      user_id: Type.Optional(Type.String({ minLength: 1, description: 'Id of a member of the organization.' })),
      team: Type.Optional(Type.String({ minLength: 1, description: 'Id or slug of a team.' })),
    }),
    response: ProjectAccess,
    errors: ['project-not-found', 'member-not-found', 'team-not-found', 'project-access-unclear'],
  }),
  revoke: endpoint({
    id: 'project-access.revoke',
    origin: 'own',
    method: 'DELETE',
    path: `${accessPath}/{access_id}`,
    summary: 'Take a role on a project from a person or a team',
    access: person('projects:share'),
    params: Type.Object({ ...projectParams, access_id: idParam }),
    response: Type.Null(),
    status: 204,
    errors: ['project-not-found', 'project-access-not-found'],
  }),
} as const
