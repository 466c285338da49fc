import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stablePageShape, stableQuery, slugShape } from './shapes.ts'
import { VersionRecord } from './versions.ts'
import { may, projectParams, projectPath, tenantParams, tenantPath, listed } from './kit.ts'

export const lifecycles = ['experimental', 'production', 'deprecated'] as const

export const projectOwner = orNull(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Who is responsible for it: the name of a team or a person.',
  }),
)
export const projectLifecycle = orNull(oneOf(lifecycles))
export const projectTag = Type.String({
  pattern: '^[a-z0-9+#:._-]{1,63}$',
  description: 'Lower-case letters, digits and +#:._-',
})
export const mostTags = 20
const tags = Type.Array(projectTag, { maxItems: mostTags, uniqueItems: true })
const links = Type.Array(
  bodyOf({
    title: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 200 }))),
    url: Type.String({ maxLength: 2000, pattern: '^https?://[^\\s]+$' }),
  }),
  { maxItems: 20, description: 'Its repository, its runbook and the like.' },
)

export const ProjectRecord = titled(
  'ProjectRecord',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    owner: projectOwner,
    lifecycle: projectLifecycle,
    tags: Type.Array(Type.String()),
    links: Type.Array(Type.Object({ title: orNull(Type.String()), url: Type.String() })),
    created_at: dateTime(),
    updated_at: dateTime(),
    versions_count: Type.Integer(),
    published_versions_count: Type.Integer(),
    latest_version: orNull(VersionRecord),
  }),
)
export type ProjectRecord = Static<typeof ProjectRecord>

const Counted = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }))

/** How many projects have each value; of one facet without its own filter, so that another value can be chosen. */
export const ProjectFacets = titled(
  'ProjectFacets',
  Type.Object({
    owner: Counted,
    lifecycle: Counted,
    tag: Counted,
    status: Counted,
    grade: Counted,
    format: Counted,
    draft: Counted,
  }),
)
export type ProjectFacets = Static<typeof ProjectFacets>

export const projectOrders = ['created', 'updated', 'name', 'grade'] as const

/** What a list of projects is narrowed by. */
export const projectFilter = {
  q: Type.Optional(
    Type.String({
      description: 'Words that the name, slug, description or owner contains, in any case and order.',
    }),
  ),
  owner: Type.Optional(Type.String()),
  lifecycle: Type.Optional(oneOf(lifecycles)),
  tag: Type.Optional(Type.String()),
  status: Type.Optional(
    oneOf(['draft', 'published', 'deprecated', 'retired', 'none'], 'Of the latest version; none: without versions.'),
  ),
  grade: Type.Optional(oneOf(['A', 'B', 'C', 'D', 'F', 'none'], 'Lint grade of the latest version; none: not graded.')),
  format: Type.Optional(Type.String({ description: 'Kind and version of the latest version, as "openapi 3.1".' })),
  draft: Type.Optional(oneOf(['yes', 'no'], 'Whether it has a draft.')),
}

export const projectOrder = oneOf(
  projectOrders,
  'created and updated: newest first; grade: worst first, those without a grade last.',
)

const name = Type.String({ minLength: 1, maxLength: 200 })
const description = orNull(Type.String({ maxLength: 10_000 }))
const metadata = {
  owner: Type.Optional(projectOwner),
  lifecycle: Type.Optional(projectLifecycle),
  tags: Type.Optional(tags),
  links: Type.Optional(links),
}

/** Projects; each holds the versions of one specification. */
export const projectsApi = {
  list: endpoint({
    id: 'projects.list',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/projects`,
    summary: 'List the projects of an organization, newest first unless sorted',
    access: listed(may('projects:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      ...stableQuery,
      ...projectFilter,
      sort: Type.Optional(projectOrder),
      include_facets: Type.Optional(Type.Boolean({ description: 'Also count the projects by each facet.' })),
    }),
    response: Type.Object({ ...stablePageShape(ProjectRecord).properties, facets: Type.Optional(ProjectFacets) }),
    errors: ['cursor-invalid'],
  }),
  create: endpoint({
    id: 'projects.create',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/projects`,
    summary: 'Create a project',
    access: may('projects:create'),
    params: Type.Object(tenantParams),
    body: bodyOf({ name, slug: Type.Optional(slugShape), description: Type.Optional(description), ...metadata }),
    response: ProjectRecord,
    status: 201,
    errors: ['project-slug-taken', 'quota-exceeded'],
  }),
  get: endpoint({
    id: 'projects.get',
    origin: 'own',
    method: 'GET',
    path: projectPath,
    summary: 'Get a project by id or slug',
    access: may('projects:view'),
    params: Type.Object(projectParams),
    response: ProjectRecord,
    errors: ['project-not-found'],
  }),
  update: endpoint({
    id: 'projects.update',
    origin: 'own',
    method: 'PATCH',
    path: projectPath,
    summary: 'Change the name, description, owner, lifecycle, tags or links of a project',
    access: may('projects:edit'),
    params: Type.Object(projectParams),
    body: bodyOf({ name: Type.Optional(name), description: Type.Optional(description), ...metadata }),
    response: ProjectRecord,
    errors: ['project-not-found'],
  }),
  remove: endpoint({
    id: 'projects.remove',
    origin: 'own',
    method: 'DELETE',
    path: projectPath,
    summary: 'Delete a project with all its versions',
    access: may('projects:delete'),
    params: Type.Object(projectParams),
    response: Type.Null(),
    status: 204,
    errors: ['project-not-found'],
  }),
} as const
