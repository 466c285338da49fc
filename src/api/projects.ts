import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import {
  bodyOf,
  dateTime,
  orNull,
  pageOf,
  pageQueryOptional,
  projectParams,
  slugShape,
  tenantParams,
  titled,
} from './shapes.ts'
import { VersionRecord } from './versions.ts'

export const ProjectRecord = titled(
  'ProjectRecord',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    created_at: dateTime(),
    updated_at: dateTime(),
    versions_count: Type.Integer(),
    published_versions_count: Type.Integer(),
    latest_version: orNull(VersionRecord),
  }),
)
export type ProjectRecord = Static<typeof ProjectRecord>

const callers = ['user', 'api-key'] as const
const base = '/v1/tenants/{tenant_slug}/projects'
const name = Type.String({ minLength: 1, maxLength: 200 })
const description = orNull(Type.String({ maxLength: 10_000 }))

/** Projects; each holds the versions of one specification. */
export const projectsApi = {
  list: endpoint({
    id: 'projects.list',
    method: 'GET',
    path: base,
    summary: 'List the projects of an organization, newest first',
    access: { credentials: callers, permission: 'projects:view' },
    params: Type.Object(tenantParams),
    query: Type.Object({
      ...pageQueryOptional,
      q: Type.Optional(Type.String({ description: 'Part of a name or slug, in any case.' })),
    }),
    response: pageOf(ProjectRecord),
    errors: [],
  }),
  create: endpoint({
    id: 'projects.create',
    method: 'POST',
    path: base,
    summary: 'Create a project',
    access: { credentials: callers, permission: 'projects:create' },
    params: Type.Object(tenantParams),
    body: bodyOf({ name, slug: Type.Optional(slugShape), description: Type.Optional(description) }),
    response: ProjectRecord,
    status: 201,
    errors: ['project-slug-taken', 'quota-exceeded'],
  }),
  get: endpoint({
    id: 'projects.get',
    method: 'GET',
    path: `${base}/{project_ref}`,
    summary: 'Get a project by id or slug',
    access: { credentials: callers, permission: 'projects:view' },
    params: Type.Object(projectParams),
    response: ProjectRecord,
    errors: ['project-not-found'],
  }),
  update: endpoint({
    id: 'projects.update',
    method: 'PATCH',
    path: `${base}/{project_ref}`,
    summary: 'Change the name or description of a project',
    access: { credentials: callers, permission: 'projects:edit' },
    params: Type.Object(projectParams),
    body: bodyOf({ name: Type.Optional(name), description: Type.Optional(description) }),
    response: ProjectRecord,
    errors: ['project-not-found'],
  }),
  remove: endpoint({
    id: 'projects.remove',
    method: 'DELETE',
    path: `${base}/{project_ref}`,
    summary: 'Delete a project with all its versions',
    access: { credentials: callers, permission: 'projects:delete' },
    params: Type.Object(projectParams),
    response: Type.Null(),
    status: 204,
    errors: ['project-not-found'],
  }),
} as const
