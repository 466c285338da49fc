import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { projectFilter, projectOrder } from './projects.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { may, person, tenantParams, tenantPath } from './kit.ts'

/** Most views that a member keeps for themselves, and most that an organization shares. */
export const mostViews = { private: 50, shared: 100 } as const

const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const visibility = oneOf(['private', 'shared'], 'private: for the member alone; shared: for the whole organization.')

const short = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const filter = bodyOf({
  ...projectFilter,
  q: short,
  owner: short,
  tag: short,
  format: short,
  sort: Type.Optional(projectOrder),
})
export type ViewFilter = Static<typeof filter>

const ProjectView = titled(
  'ProjectView',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    visibility,
    filter: Type.Object(filter.properties),
    is_default: Type.Boolean({ description: 'Whether the list of projects opens with it for the caller.' }),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)
export type ProjectView = Static<typeof ProjectView>

const write = { ...may('projects:view'), writes: true } as const
const base = `${tenantPath}/project-views`
const oneParams = Type.Object({
  ...tenantParams,
  view_ref: Type.String({ minLength: 1, description: 'Id or name of a view; of two with one name your own.' }),
})
const sharing =
  'A member saves views for themselves; sharing a view, and changing or deleting a shared one, needs projects:edit. An API key has shared views only.'

/** Saved views: filters of the list of projects that have a name. */
export const projectViewsApi = {
  list: endpoint({
    id: 'project-views.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the saved views of the list of projects by name: your own and those shared with the organization',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    response: titled('ProjectViewList', Type.Object({ items: Type.Array(ProjectView) })),
    errors: [],
  }),
  create: endpoint({
    id: 'project-views.create',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Save a view of the list of projects',
    description: sharing,
    access: write,
    params: Type.Object(tenantParams),
    body: bodyOf({ name, visibility: Type.Optional(visibility), filter }),
    response: ProjectView,
    status: 201,
    errors: ['project-view-name-taken', 'too-many-project-views'],
  }),
  get: endpoint({
    id: 'project-views.get',
    origin: 'own',
    method: 'GET',
    path: `${base}/{view_ref}`,
    summary: 'Get a saved view by id or name',
    access: may('projects:view'),
    params: oneParams,
    response: ProjectView,
    errors: ['project-view-not-found'],
  }),
  update: endpoint({
    id: 'project-views.update',
    origin: 'own',
    method: 'PATCH',
    path: `${base}/{view_ref}`,
    summary: 'Change the name, the filter or the visibility of a saved view',
    description: `${sharing} A shared view that becomes private becomes the caller's own.`,
    access: write,
    params: oneParams,
    body: bodyOf({
      name: Type.Optional(name),
      visibility: Type.Optional(visibility),
      filter: Type.Optional(filter),
    }),
    response: ProjectView,
    errors: ['project-view-not-found', 'project-view-name-taken', 'too-many-project-views'],
  }),
  remove: endpoint({
    id: 'project-views.remove',
    origin: 'own',
    method: 'DELETE',
    path: `${base}/{view_ref}`,
    summary: 'Delete a saved view',
    description: sharing,
    access: write,
    params: oneParams,
    response: Type.Null(),
    status: 204,
    errors: ['project-view-not-found'],
  }),
  setDefault: endpoint({
    id: 'project-views.set-default',
    origin: 'own',
    method: 'PUT',
    path: `${tenantPath}/default-project-view`,
    summary: 'Choose your default view of the list of projects',
    access: { ...person('projects:view'), writes: true },
    params: Type.Object(tenantParams),
    body: bodyOf({ view: orNull(Type.String({ minLength: 1, description: 'Id or name; null: all projects.' })) }),
    response: titled('DefaultProjectView', Type.Object({ view: orNull(ProjectView) })),
    errors: ['project-view-not-found'],
  }),
} as const
