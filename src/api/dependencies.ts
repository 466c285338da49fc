import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { dateTime, oneOf, titled } from '../kernel/shapes.ts'
import { may, tenantParams, tenantPath, listed } from './kit.ts'

/** What depends, and what is depended on, from where documents come to where they are enforced. */
export const dependencyKinds = ['repository', 'type', 'project', 'consumer', 'environment'] as const
export type DependencyKind = (typeof dependencyKinds)[number]

/** Each kind of fact that connects two of them. */
export const dependencySources = [
  'binding',
  'repository-import',
  'contract',
  'published-version',
  'type',
  'environment',
  'positive-security',
] as const

export const Dependencies = titled(
  'Dependencies',
  Type.Object({
    nodes: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Unique in the answer: KIND:REF.' }),
        kind: oneOf(dependencyKinds),
        name: Type.String(),
        ref: Type.String({
          description: 'Slug of a project or environment, id of a repository or type, handle of a consumer.',
        }),
      }),
    ),
    edges: Type.Array(
      Type.Object({
        from: Type.String({ description: 'The node that depends.' }),
        to: Type.String({ description: 'The node that it depends on.' }),
        source: oneOf(dependencySources, 'The fact that the edge is made of.'),
        detail: Type.String({ description: 'The fact in words, as "contract, revision 3".' }),
        ref: Type.String({
          description: 'Id of the consumer, version or binding that declares the edge; "" if the two nodes declare it.',
        }),
        at: dateTime('When it was recorded.'),
      }),
    ),
    truncated: Type.Boolean({ description: 'True: there are more than the 5,000 edges that are listed.' }),
  }),
)
export type Dependencies = Static<typeof Dependencies>

/** Who depends on what in an organization. */
export const dependenciesApi = {
  get: endpoint({
    id: 'dependencies.get',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/dependencies`,
    summary:
      'List who depends on what: projects, consumers, types, repositories and gateways, each edge with its source',
    description:
      'A project depends on the repository that its documents come from and on the types that its newest published version refers to, a consumer on the projects that its contracts are about, an environment of gateways on the projects that it serves. What the caller cannot view is left out.',
    access: listed(may('projects:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      project: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Slug: only edges of this project and of its types.',
        }),
      ),
    }),
    response: Dependencies,
    errors: ['project-not-found'],
  }),
} as const
