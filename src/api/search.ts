import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { orNull, tenantParams, titled } from './shapes.ts'

const inVersion = {
  project_slug: Type.String(),
  project_name: Type.String(),
  version_slug: Type.String(),
  version_label: Type.String(),
}

/** What was found in the catalog of an organization, by kind; each list is short, the best first. */
export const CatalogSearch = titled(
  'CatalogSearch',
  Type.Object({
    operations: Type.Array(
      Type.Object({ ...inVersion, ref: Type.String(), summary: Type.String(), deprecated: Type.Boolean() }),
      { description: 'Of the greatest version of each project that has it.' },
    ),
    schemas: Type.Array(Type.Object({ ...inVersion, name: Type.String() })),
    consumers: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), project_slug: Type.String(), project_name: Type.String() }),
    ),
    style_guides: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    rules: Type.Array(Type.Object({ id: Type.String(), description: orNull(Type.String()) }), {
      description: 'Builtin rules of lint, by their ids.',
    }),
    members: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String(), email: Type.String() })),
  }),
)
export type CatalogSearch = Static<typeof CatalogSearch>

/** One search over everything of an organization that has a name. */
export const searchApi = {
  find: endpoint({
    id: 'search.find',
    method: 'GET',
    path: '/v1/tenants/{tenant_slug}/search',
    summary: 'Search operations, schemas, consumers, style guides and members of an organization by words',
    description:
      'Drafts are searched too. Consumers need the permission to view them, members a signed-in person; without it those lists are empty. Projects, types and repositories have searches of their own.',
    access: { credentials: ['user', 'api-key'], permission: 'versions:view' },
    params: Type.Object(tenantParams),
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Of each list.' })),
    }),
    response: CatalogSearch,
    errors: [],
  }),
} as const
