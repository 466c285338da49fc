import { Type } from '@sinclair/typebox'
import { endpoint, type Access } from './endpoint.ts'
import { idParam, tenantParams } from './kit.ts'

const access: Access = {
  anonymous: true,
  reason: 'it shows what is published for everybody, and nothing else',
}
const text = <const P extends string, const M extends string>(id: string, path: P, summary: string, type: M) =>
  ({
    id,
    origin: 'own',
    method: 'GET',
    path,
    summary,
    access,
    response: Type.Unknown(),
    produces: [type],
    anyOrigin: true,
    answerHeaders: ['etag'],
  }) as const
const projectParams = { ...tenantParams, project_slug: idParam }
const errors = ['portal-not-found'] as const

/** What is public, for agents: indexes as https://llmstxt.org proposes, and operations as Markdown at addresses that stay. */
export const llmsApi = {
  index: endpoint({
    ...text('llms.index', '/llms.txt', 'Get the index of everything that is public, for agents', 'text/plain'),
    description: 'Lists at most 200 organizations whose portal is on and that published something for everybody.',
    errors: [],
  }),
  organization: endpoint({
    ...text(
      'llms.organization',
      '/p/{tenant_slug}/llms.txt',
      'Get the index of the public APIs of an organization, for agents',
      'text/plain',
    ),
    params: Type.Object(tenantParams),
    errors,
  }),
  project: endpoint({
    ...text(
      'llms.project',
      '/p/{tenant_slug}/{project_slug}/llms.txt',
      'Get the operations of the latest public version of a project, for agents',
      'text/plain',
    ),
    description: 'Lists at most 2,000 operations, each with the address of its Markdown.',
    params: Type.Object(projectParams),
    errors: [...errors, 'analysis-stopped'],
  }),
  operation: endpoint({
    ...text(
      'llms.operation',
      '/p/{tenant_slug}/{project_slug}/operations/{operation_name}',
      'Get an operation of the latest public version of a project as Markdown',
      'text/markdown',
    ),
    description:
      'The name is the method and the path, such as `get-pets-petId.md` for `GET /pets/{petId}`: the address stays the same for all versions.',
    params: Type.Object({ ...projectParams, operation_name: Type.String({ minLength: 4, maxLength: 500 }) }),
    errors: [...errors, 'documentation-part-not-found', 'analysis-stopped'],
  }),
} as const
