import { Type } from '@sinclair/typebox'
import {
  AvailableSurface,
  CanIDeploy,
  ConsumerContractRecord,
  ConsumerRecord,
  ContractResponse,
  ContractRevision,
  SurfaceSelection,
  consumerDetails,
  consumerName,
} from './consumer-shapes.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, orNull, titled } from '../kernel/shapes.ts'
import { pageQueryOptional, projectParams, slugShape } from './shapes.ts'

const callers = ['user', 'api-key'] as const
const base = '/v1/tenants/{tenant_slug}/projects/{project_ref}'
const one = `${base}/consumers/{consumer_ref}`
const consumerParams = {
  ...projectParams,
  consumer_ref: Type.String({ minLength: 1, description: 'Handle or id of a consumer.' }),
}
const version = Type.Optional(Type.String({ minLength: 1, description: 'Label, id or "latest" (default).' }))
const view = { credentials: callers, permission: 'consumer_contracts:view' } as const
const create = { credentials: callers, permission: 'consumer_contracts:create' } as const
const edit = { credentials: callers, permission: 'consumer_contracts:edit' } as const
const missing = ['project-not-found', 'consumer-not-found'] as const

/** Consumer contracts: who uses what of a project. */
export const consumersApi = {
  importPact: endpoint({
    id: 'consumers.import-pact',
    origin: 'spec',
    method: 'POST',
    path: `${base}/consumer-pact-imports`,
    summary: 'Import a Pact document (1.x to 4.x) as the contract of a consumer',
    access: create,
    params: Type.Object(projectParams),
    body: titled(
      'PactImportRequest',
      bodyOf({
        pact: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String()], {
          description: 'The document, or its text.',
        }),
        consumer_slug: Type.Optional(orNull(slugShape)),
        version: Type.Optional(orNull(Type.String({ minLength: 1 }))),
      }),
    ),
    bodyLimit: 16 * 1024 * 1024,
    bodyValues: 1_000_000,
    status: 201,
    response: ContractResponse,
    errors: [
      'project-not-found',
      'version-not-found',
      'pact-invalid',
      'consumer-handle-invalid',
      'consumer-retired',
      'analysis-stopped',
    ],
  }),
  surface: endpoint({
    id: 'consumers.surface',
    origin: 'spec',
    method: 'GET',
    path: `${base}/consumer-surface`,
    summary: 'List the fields and parameters of each operation that consumers may declare',
    access: view,
    params: Type.Object(projectParams),
    query: Type.Object({
      version,
      q: Type.Optional(Type.String({ description: 'Words of the method, path, id or summary of operations.' })),
      ...pageQueryOptional,
    }),
    response: AvailableSurface,
    errors: ['project-not-found', 'version-not-found', 'analysis-stopped'],
  }),
  list: endpoint({
    id: 'consumers.list',
    origin: 'spec',
    method: 'GET',
    path: `${base}/consumers`,
    summary: 'List the consumers of a project with a summary of their contracts, newest first',
    access: view,
    params: Type.Object(projectParams),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 200 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
    }),
    response: titled(
      'ConsumerListResponse',
      Type.Object({
        consumers: Type.Array(Type.Intersect([ConsumerRecord, Type.Object({ contract: orNull(ContractRevision) })])),
        count: Type.Integer(),
        total: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
    ),
    errors: ['project-not-found'],
  }),
  create: endpoint({
    id: 'consumers.create',
    origin: 'spec',
    method: 'POST',
    path: `${base}/consumers`,
    summary: 'Register a consumer',
    access: create,
    params: Type.Object(projectParams),
    body: titled(
      'ConsumerInput',
      bodyOf({ name: consumerName, handle: Type.Optional(orNull(slugShape)), ...consumerDetails }),
    ),
    status: 201,
    response: ConsumerRecord,
    errors: ['project-not-found', 'consumer-handle-taken', 'consumer-handle-invalid'],
  }),
  get: endpoint({
    id: 'consumers.get',
    origin: 'spec',
    method: 'GET',
    path: one,
    summary: 'Get a consumer with its current contract',
    access: view,
    params: Type.Object(consumerParams),
    response: titled(
      'ConsumerDetailResponse',
      Type.Object({
        consumer: ConsumerRecord,
        contract: orNull(ConsumerContractRecord),
        revisions_count: Type.Integer(),
      }),
    ),
    errors: missing,
  }),
  update: endpoint({
    id: 'consumers.update',
    origin: 'spec',
    method: 'PATCH',
    path: one,
    summary: 'Change the name and details of a consumer; its handle cannot change',
    access: edit,
    params: Type.Object(consumerParams),
    body: titled('ConsumerPatch', bodyOf({ name: Type.Optional(consumerName), ...consumerDetails })),
    response: ConsumerRecord,
    errors: [...missing, 'consumer-retired'],
  }),
  retire: endpoint({
    id: 'consumers.retire',
    origin: 'spec',
    method: 'DELETE',
    path: one,
    summary: 'Retire a consumer; its revisions stay and its handle becomes free',
    access: { credentials: callers, permission: 'consumer_contracts:delete' },
    params: Type.Object(consumerParams),
    status: 204,
    response: Type.Null(),
    errors: missing,
  }),
  contract: endpoint({
    id: 'consumers.contract',
    origin: 'spec',
    method: 'GET',
    path: `${one}/contract`,
    summary: 'Get the contract of a consumer, current or of an earlier revision',
    access: view,
    params: Type.Object(consumerParams),
    query: Type.Object({ revision: Type.Optional(Type.Integer({ minimum: 1 })) }),
    response: ConsumerContractRecord,
    errors: [...missing, 'contract-not-found'],
  }),
  declare: endpoint({
    id: 'consumers.declare',
    origin: 'spec',
    method: 'PUT',
    path: `${one}/contract`,
    summary: 'Declare what a consumer uses; each declaration is a new revision',
    access: edit,
    params: Type.Object(consumerParams),
    query: Type.Object({ version }),
    body: SurfaceSelection,
    status: 201,
    bodyLimit: 8 * 1024 * 1024,
    response: ContractResponse,
    errors: [...missing, 'version-not-found', 'consumer-retired', 'analysis-stopped'],
  }),
  revisions: endpoint({
    id: 'consumers.revisions',
    origin: 'spec',
    method: 'GET',
    path: `${one}/contract-revisions`,
    summary: 'List the revisions of a consumer contract, newest first',
    access: view,
    params: Type.Object(consumerParams),
    query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })) }),
    response: titled(
      'ContractRevisionsResponse',
      Type.Object({ revisions: Type.Array(ContractRevision), count: Type.Integer(), total: Type.Integer() }),
    ),
    errors: missing,
  }),
  canIDeploy: endpoint({
    id: 'consumers.can-i-deploy',
    origin: 'own',
    method: 'GET',
    path: `${one}/can-i-deploy`,
    summary: 'Check whether a version still has everything that a consumer uses: yes, no or unknown',
    access: view,
    params: Type.Object(consumerParams),
    query: Type.Object({ version }),
    response: CanIDeploy,
    errors: [...missing, 'version-not-found', 'analysis-stopped'],
  }),
} as const
