import { Type, type Static } from '@sinclair/typebox'
import { binDays, binKinds, type BinKind } from './bin-kinds.ts'
import { endpoint } from './endpoint.ts'
import type { Permission } from './permissions.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stablePageShape, stableQuery } from './shapes.ts'
import { idParam, may, person, tenantParams, tenantPath } from './kit.ts'

/** What restoring needs: the permission that deleting needed. */
export const binPermissions: Readonly<Record<BinKind, Permission>> = {
  project: 'projects:delete',
  version: 'versions:edit',
  consumer: 'consumer_contracts:delete',
  'style-guide': 'style_guides:edit',
  type: 'primitives:edit',
  webhook: 'webhooks:edit',
  'mcp-server': 'mcp:govern',
}

const BinEntry = titled(
  'BinEntry',
  Type.Object({
    id: Type.String({ description: 'The id of what was deleted.' }),
    kind: oneOf(binKinds),
    name: Type.String(),
    ref: Type.String({
      description: 'Slug of a project, label of a draft, handle of a consumer, reference of a type, URL of a webhook.',
    }),
    project_id: orNull(Type.String({ description: 'The project that it belonged to.' })),
    project_slug: orNull(Type.String()),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'What it contains: {"versions": 12}.' }),
    size_bytes: Type.Integer({ description: 'Compressed size in the bin, in bytes.' }),
    deleted_by: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
    deleted_at: dateTime(),
    expires_at: dateTime('When it is deleted permanently.'),
  }),
)
export type BinEntry = Static<typeof BinEntry>

const BinRestored = titled(
  'BinRestored',
  Type.Object({
    id: Type.String(),
    kind: oneOf(binKinds),
    name: Type.String(),
    ref: Type.String({ description: 'What it is called now.' }),
    project_slug: orNull(Type.String({ description: 'The project that it belongs to.' })),
    notes: Type.Array(Type.String(), { description: 'What could not be restored, and why.' }),
  }),
)
export type BinRestored = Static<typeof BinRestored>

const base = `${tenantPath}/bin`
const one = `${base}/{entry_id}`
const oneParams = Type.Object({ ...tenantParams, entry_id: idParam })

/** The bin: what was deleted and can be restored for some days. */
export const binApi = {
  list: endpoint({
    id: 'bin.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: `List what was deleted in the last ${binDays} days and can be restored, newest first`,
    description:
      'Lists what the caller may restore: restoring needs the permission that deleting needed. Keys, members, linked accounts and other credentials never go to the bin.',
    access: may('versions:edit'),
    params: Type.Object(tenantParams),
    query: Type.Object({
      kind: Type.Optional(oneOf(binKinds)),
      q: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name or ref.' })),
      ...stableQuery,
    }),
    response: stablePageShape(BinEntry),
    errors: [],
  }),
  restore: endpoint({
    id: 'bin.restore',
    origin: 'own',
    method: 'POST',
    path: `${one}/restore`,
    summary: 'Restore what was deleted, with everything that was deleted with it',
    description:
      'It has the same ids as before. Where its slug, label, handle or name is taken, give another one as `as`.',
    access: may('versions:edit'),
    params: oneParams,
    body: bodyOf({
      as: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Another slug (project), label (draft), handle (consumer) or name (style guide).',
        }),
      ),
    }),
    bodyOptional: true,
    response: BinRestored,
    errors: [
      'bin-entry-not-found',
      'bin-entry-unfinished',
      'bin-name-taken',
      'bin-name-invalid',
      'bin-project-missing',
      'version-label-invalid',
      'quota-exceeded',
    ],
  }),
  remove: endpoint({
    id: 'bin.delete',
    origin: 'own',
    method: 'DELETE',
    path: one,
    summary: 'Delete an entry of the bin permanently',
    access: person('bin:delete'),
    params: oneParams,
    status: 204,
    response: Type.Null(),
    errors: ['bin-entry-not-found', 'bin-entry-unfinished'],
  }),
  empty: endpoint({
    id: 'bin.empty',
    origin: 'own',
    method: 'DELETE',
    path: base,
    summary: 'Empty the bin: delete everything in it permanently',
    access: person('bin:delete'),
    params: Type.Object(tenantParams),
    response: titled('BinEmptied', Type.Object({ deleted: Type.Integer() })),
    errors: [],
  }),
} as const
