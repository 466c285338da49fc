import { Type } from '@sinclair/typebox'
import { ConsumerImpactReport } from './consumers.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, ChangeShape, oneOf, orNull, tenantParams } from './shapes.ts'

const StoredSide = bodyOf({
  project: Type.String({ minLength: 1, description: 'Id or slug of a project.' }),
  version: Type.String({ minLength: 1, description: 'Id, label or slug of a version, or "latest".' }),
})
const ResolvedSide = Type.Object({
  kind: oneOf(['stored', 'inline']),
  project_id: orNull(Type.String()),
  version_id: orNull(Type.String()),
  label: Type.String(),
  digest: Type.String(),
})

/** The classified diff (spec sections 2.12 and 4.12). */
export const diffApi = {
  classified: endpoint({
    id: 'diff.classified',
    method: 'POST',
    path: '/v1/diff/{tenant_slug}/classified',
    summary: 'Compare two versions, or a stored one with a candidate; markdown where Accept asks for it',
    access: { credentials: ['user', 'api-key'], permission: 'versions:view', keyScope: 'diff:read' },
    params: Type.Object(tenantParams),
    body: bodyOf({
      base: StoredSide,
      head: Type.Union([StoredSide, bodyOf({ inline: Type.String(), name: Type.Optional(Type.String()) })]),
      consumers: Type.Optional(Type.Boolean()),
    }),
    // The inline head has a limit of its own, checked by the handler: 10 MB of UTF-8 after JSON's escapes are undone.
    bodyLimit: 64 * 1024 * 1024,
    response: Type.Object({
      changes: Type.Array(ChangeShape),
      counts: Type.Record(Type.String(), Type.Integer()),
      maxSeverity: orNull(Type.String()),
      base: ResolvedSide,
      head: ResolvedSide,
      consumers: orNull(ConsumerImpactReport),
    }),
    produces: ['application/json', 'text/markdown'],
    errors: ['project-not-found', 'version-not-found', 'document-invalid', 'body-too-large', 'permission-denied'],
  }),
} as const
