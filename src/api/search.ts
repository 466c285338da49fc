import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { oneOf, orNull, titled } from '../kernel/shapes.ts'
import { may, tenantParams, tenantPath, listed } from './kit.ts'

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
    projects: Type.Array(Type.Object({ slug: Type.String(), name: Type.String() }), {
      description: 'By name, slug, description and owner; those that are named so come first.',
    }),
    operations: Type.Array(
      Type.Object({
        ...inVersion,
        ref: Type.String(),
        summary: Type.String(),
        deprecated: Type.Boolean(),
        similarity: Type.Optional(Type.Number({ description: 'Of a semantic search: 1 is the same.' })),
      }),
      {
        description:
          'Of the latest version of each project, or of its greatest where that is a draft; of earlier ones where these have nothing. A semantic search finds those of published versions.',
      },
    ),
    schemas: Type.Array(Type.Object({ ...inVersion, name: Type.String() })),
    types: Type.Array(
      Type.Object({ id: Type.String(), namespace: Type.String(), name: Type.String(), similarity: Type.Number() }),
      { description: 'Of a semantic search alone: `GET /v1/primitives/{tenant_slug}` finds types by words.' },
    ),
    consumers: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        handle: Type.String(),
        project_slug: Type.String(),
        project_name: Type.String(),
      }),
    ),
    style_guides: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    rules: Type.Array(
      Type.Object({
        id: Type.String(),
        description: orNull(Type.String()),
        projects: orNull(
          Type.Integer({ description: 'Number of projects whose latest version has findings of the rule.' }),
        ),
        findings: orNull(Type.Integer({ description: 'Number of findings in all of these versions.' })),
      }),
      {
        description:
          'Builtin rules of lint, by their ids and descriptions. The numbers are of the three whose ids match best; null: it has no findings, or was not counted.',
      },
    ),
    findings: Type.Array(Type.Object({ ...inVersion, rule: Type.String(), count: Type.Integer() }), {
      description:
        'Where the three rules whose ids match best, those of the organization too, have findings: latest versions of projects, most findings first.',
    }),
    members: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String(), email: Type.String() })),
    semantic_available: Type.Boolean({ description: 'Whether semantic search is configured.' }),
    not_indexed: Type.Integer({
      description: 'How many versions were stored before the index had all that it has now, and wait to be indexed.',
    }),
  }),
)
export type CatalogSearch = Static<typeof CatalogSearch>

/** One search over everything of an organization that has a name. */
export const searchApi = {
  find: endpoint({
    id: 'search.find',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/search`,
    summary:
      'Search projects, operations, schemas, consumers, style guides, rules with their findings, and members of an organization',
    description:
      'Drafts are searched too. A semantic search finds operations and types that are about the same, where it is configured; the other lists are empty then. Consumers need the permission to view them, members a signed-in person; without it those lists are empty. Types and repositories have searches of their own.',
    access: listed(may('versions:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200 }),
      mode: Type.Optional(
        oneOf(['words', 'semantic'], 'By words (default), or by embeddings where they are configured.'),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Of each list.' })),
    }),
    response: CatalogSearch,
    errors: ['semantic-search-unavailable', 'embedding-failed', 'egress-denied'],
  }),
} as const
