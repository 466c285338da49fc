import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { projectFilter, projectLifecycle, projectOwner, projectTag } from './projects.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { may, tenantParams, tenantPath } from './kit.ts'

/** Most projects of one request: the answer says where the next one begins. */
export const mostAtOnce = 200

const ref = Type.String({ minLength: 1 })
const selection = {
  projects: Type.Optional(
    Type.Array(ref, { minItems: 1, maxItems: mostAtOnce, uniqueItems: true, description: 'Ids or slugs.' }),
  ),
  matching: Type.Optional(bodyOf(projectFilter)),
  after: Type.Optional(
    Type.String({ minLength: 1, description: 'With `matching`: `next` of the answer before, to continue.' }),
  ),
}
const tagList = Type.Array(projectTag, { minItems: 1, maxItems: 20, uniqueItems: true })

export const bulkOutcomes = ['changed', 'unchanged', 'deleted', 'refused'] as const

const BulkResult = titled(
  'ProjectBulkResult',
  Type.Object({
    project_id: orNull(Type.String({ description: 'Null where there is no such project.' })),
    slug: Type.String({ description: 'The requested slug, if the project does not exist.' }),
    name: orNull(Type.String()),
    outcome: oneOf(bulkOutcomes),
    reason: orNull(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why it was refused; null otherwise.' },
      ),
    ),
  }),
)
export type BulkResult = Static<typeof BulkResult>

const next = orNull(Type.String({ description: 'Send it as `after` to continue; null: that was all.' }))

/** Changes and exports of many projects at once. */
export const projectBulkApi = {
  change: endpoint({
    id: 'project-bulk.change',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/project-bulk`,
    summary: 'Change or delete many projects: those named, or all that match a filter',
    description: `One request handles up to ${mostAtOnce} projects, each by itself: a project that is refused leaves the others as they are. The style guide needs style_guides:edit, deleting projects:delete.`,
    access: may('projects:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      ...selection,
      expected: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'With `matching`: how many projects there must be, else nothing is done. Needed to delete all that match.',
        }),
      ),
      change: Type.Object(
        {
          owner: Type.Optional(projectOwner),
          lifecycle: Type.Optional(projectLifecycle),
          add_tags: Type.Optional(tagList),
          remove_tags: Type.Optional(tagList),
          style_guide: Type.Optional(
            orNull(Type.String({ minLength: 1, description: 'Id of a style guide; null: the default one.' })),
          ),
          delete: Type.Optional(Type.Literal(true, { description: 'Alone: delete the projects.' })),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
      dry_run: Type.Optional(Type.Boolean({ description: 'Report what would change and change nothing.' })),
    }),
    response: titled(
      'ProjectBulkAnswer',
      Type.Object({
        dry_run: Type.Boolean(),
        total: Type.Integer({ description: 'How many projects are left from `after` on, with those of this answer.' }),
        results: Type.Array(BulkResult),
        next,
      }),
    ),
    errors: ['bulk-selection-unclear', 'bulk-change-unclear', 'bulk-count-differs', 'style-guide-not-found'],
  }),
  export: endpoint({
    id: 'project-bulk.export',
    origin: 'own',
    method: 'POST',
    path: `${tenantPath}/project-export`,
    summary: 'Write many projects as API entities for the catalogue of Backstage (catalog-info.yaml)',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    body: bodyOf(selection),
    response: titled(
      'ProjectExport',
      Type.Object({
        count: Type.Integer(),
        content: Type.String({ description: 'YAML, a document for each project.' }),
        next,
      }),
    ),
    errors: ['bulk-selection-unclear', 'project-not-found'],
  }),
} as const
