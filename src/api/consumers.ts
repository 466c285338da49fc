import { Type, type Static } from '@sinclair/typebox'
import { locations, reasonCodes } from '../contracts/contract.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, pageQueryOptional, projectParams, slugShape, titled } from './shapes.ts'

const UnresolvedItem = titled(
  'UnresolvedItem',
  Type.Object({
    reason: oneOf(reasonCodes, 'Stable: clients may depend on it.'),
    interaction: orNull(Type.String({ description: 'Description of the interaction in the contract test.' })),
    method: orNull(Type.String()),
    path: orNull(Type.String()),
    status: orNull(Type.String()),
    location: orNull(oneOf(locations)),
    field: orNull(Type.String({ description: 'A data path, or the name of a parameter.' })),
    message: Type.String(),
  }),
)
const Warning = titled(
  'Warning',
  Type.Object({
    code: oneOf(['parameter-type']),
    interaction: orNull(Type.String()),
    method: Type.String(),
    path: Type.String(),
    field: Type.String(),
    message: Type.String(),
  }),
)
const UsedField = titled(
  'UsedField',
  Type.Object({
    field: Type.String(),
    pointers: Type.Array(Type.String({ description: 'JSON Pointer into the stored specification.' })),
  }),
)
const UsedOperation = titled(
  'UsedOperation',
  Type.Object({
    method: Type.String(),
    path: Type.String(),
    pointer: Type.String(),
    body: Type.Boolean({ description: 'Whether it sends a body.' }),
    request: Type.Array(UsedField),
    responses: Type.Array(
      Type.Object({
        status: Type.String(),
        declared: Type.String({ description: 'The key under which the specification declares the status.' }),
        pointer: Type.String(),
        fields: Type.Array(UsedField),
      }),
    ),
    parameters: Type.Array(Type.Object({ name: Type.String(), in: Type.String(), pointer: Type.String() })),
  }),
)

const Metadata = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { maxProperties: 100 })

export const ConsumerRecord = titled(
  'ConsumerRecord',
  Type.Object({
    id: Type.String(),
    project_id: Type.String(),
    handle: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    owner: orNull(Type.String()),
    contact: orNull(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    created_by: orNull(Type.String()),
    created_at: dateTime(),
    updated_at: dateTime(),
    retired_at: orNull(dateTime()),
  }),
)
export type ConsumerRecord = Static<typeof ConsumerRecord>

const revisionFields = {
  id: Type.String(),
  consumer_id: Type.String(),
  revision: Type.Integer(),
  source: oneOf(['selection', 'pact']),
  origin: Type.Record(Type.String(), Type.Unknown()),
  version_record_id: Type.String(),
  version_label: Type.String(),
  operations_count: Type.Integer(),
  fields_count: Type.Integer(),
  parameters_count: Type.Integer(),
  unresolved_count: Type.Integer(),
  created_by: orNull(Type.String()),
  created_at: dateTime(),
}
export const ContractRevision = titled('ContractRevision', Type.Object(revisionFields))
export type ContractRevision = Static<typeof ContractRevision>

export const ConsumerContractRecord = titled(
  'ConsumerContractRecord',
  Type.Object({
    ...revisionFields,
    operations: Type.Array(UsedOperation),
    unresolved: Type.Array(UnresolvedItem),
    warnings: Type.Array(Warning),
  }),
)
export type ConsumerContractRecord = Static<typeof ConsumerContractRecord>

export const ContractResponse = titled(
  'ContractResponse',
  Type.Object({
    consumer: ConsumerRecord,
    contract: ConsumerContractRecord,
    unresolved: Type.Array(UnresolvedItem),
    warnings: Type.Array(Warning),
  }),
)

const AvailableField = titled(
  'AvailableField',
  Type.Object({
    field: Type.String({
      description: 'Data path: "owner.name", "lines[].price", "[].id"; "*" stands for any key of a map.',
    }),
    type: Type.String(),
    required: Type.Boolean(),
    deprecated: Type.Boolean(),
    description: orNull(Type.String()),
    pointers: Type.Array(Type.String()),
  }),
)
export const AvailableSurface = titled(
  'AvailableSurfaceResponse',
  Type.Object({
    version_record_id: Type.String(),
    version_label: Type.String(),
    operations: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        operation_id: orNull(Type.String()),
        summary: Type.String(),
        deprecated: Type.Boolean(),
        request: Type.Array(AvailableField),
        responses: Type.Array(Type.Object({ status: Type.String(), fields: Type.Array(AvailableField) })),
        parameters: Type.Array(
          Type.Object({
            name: Type.String(),
            in: Type.String(),
            type: Type.String(),
            required: Type.Boolean(),
            deprecated: Type.Boolean(),
          }),
        ),
        truncated: Type.Boolean({
          description: 'The list of fields is incomplete; fields that are not listed can still be declared.',
        }),
      }),
    ),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
)

const DataPath = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Data path: "owner.name", "lines[].price".',
})
export const SurfaceSelection = titled(
  'SurfaceSelection',
  bodyOf({
    operations: Type.Array(
      bodyOf({
        method: Type.String({ minLength: 1, maxLength: 20 }),
        path: Type.String({ minLength: 1, maxLength: 2000, description: 'Path template: "/pets/{id}".' }),
        request: Type.Optional(Type.Array(DataPath, { maxItems: 5000, description: 'Fields it sends.' })),
        responses: Type.Optional(
          Type.Record(Type.String(), Type.Array(DataPath, { maxItems: 5000 }), {
            description: 'By status ("200", "2XX", "default"), the fields it reads.',
          }),
        ),
        parameters: Type.Optional(
          Type.Array(
            Type.Union([
              Type.String({ minLength: 1, maxLength: 500 }),
              bodyOf({
                name: Type.String({ minLength: 1, maxLength: 500 }),
                in: Type.Optional(oneOf(['query', 'header', 'path', 'cookie'])),
              }),
            ]),
            { maxItems: 1000 },
          ),
        ),
      }),
      { maxItems: 5000 },
    ),
  }),
)

const name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const optionalText = Type.Optional(orNull(Type.String({ maxLength: 4000 })))
const details = {
  description: optionalText,
  owner: optionalText,
  contact: optionalText,
  metadata: Type.Optional(Metadata),
}

export const answers = ['yes', 'no', 'unknown'] as const
export const CanIDeploy = titled(
  'CanIDeployAnswer',
  Type.Object({
    answer: oneOf(answers),
    consumer: Type.String(),
    revision: orNull(Type.Integer()),
    /** The version that would be deployed. */
    version_record_id: Type.String(),
    version_label: Type.String(),
    declared_against: orNull(Type.String()),
    reasons: Type.Array(UnresolvedItem, { description: 'What it uses that the version does not have.' }),
    changes: Type.Array(
      Type.Object({
        id: Type.String(),
        classification: oneOf(['safe', 'breaking', 'unknown']),
        message: Type.String(),
        operations: Type.Array(Type.String()),
        fingerprint: Type.String(),
      }),
      { description: 'Changes since the version it was declared against that break, or may break, what it uses.' },
    ),
    missing: orNull(Type.String({ description: 'For an unknown answer: what is missing to decide.' })),
    message: Type.String(),
  }),
)
export type CanIDeploy = Static<typeof CanIDeploy>

/** What a comparison means for the consumers of a project. */
export const ConsumerImpactReport = titled(
  'ConsumerImpactReport',
  Type.Object({
    counts: Type.Object({
      broken: Type.Integer(),
      unknown: Type.Integer(),
      touched: Type.Integer(),
      unaffected: Type.Integer(),
    }),
    consumers: Type.Array(
      Type.Object({
        handle: Type.String(),
        name: Type.String(),
        revision: Type.Integer(),
        declared_against: Type.String(),
        status: oneOf(
          ['broken', 'unknown', 'touched', 'unaffected'],
          'broken: something it uses breaks or is gone; unknown: something it uses could not be decided; touched: what it uses changed and still holds.',
        ),
        reasons: Type.Array(UnresolvedItem, { description: 'What it uses of the base that the head does not have.' }),
        changes: Type.Array(Type.String(), { description: 'Fingerprints of the changes that affect what it uses.' }),
      }),
    ),
  }),
)
export type ConsumerImpactReport = Static<typeof ConsumerImpactReport>

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

/** Consumer contracts (spec sections 2.5 and 4.5): who uses what of a project. */
export const consumersApi = {
  importPact: endpoint({
    id: 'consumers.import-pact',
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
    bodyLimit: 64 * 1024 * 1024,
    status: 201,
    response: ContractResponse,
    errors: ['project-not-found', 'version-not-found', 'pact-invalid', 'consumer-handle-invalid', 'consumer-retired'],
  }),
  surface: endpoint({
    id: 'consumers.surface',
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
    errors: ['project-not-found', 'version-not-found'],
  }),
  list: endpoint({
    id: 'consumers.list',
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
    method: 'POST',
    path: `${base}/consumers`,
    summary: 'Register a consumer',
    access: create,
    params: Type.Object(projectParams),
    body: titled('ConsumerInput', bodyOf({ name, handle: Type.Optional(orNull(slugShape)), ...details })),
    status: 201,
    response: ConsumerRecord,
    errors: ['project-not-found', 'consumer-handle-taken', 'consumer-handle-invalid'],
  }),
  get: endpoint({
    id: 'consumers.get',
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
    method: 'PATCH',
    path: one,
    summary: 'Change the name and details of a consumer; its handle cannot change',
    access: edit,
    params: Type.Object(consumerParams),
    body: titled('ConsumerPatch', bodyOf({ name: Type.Optional(name), ...details })),
    response: ConsumerRecord,
    errors: [...missing, 'consumer-retired'],
  }),
  retire: endpoint({
    id: 'consumers.retire',
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
    method: 'PUT',
    path: `${one}/contract`,
    summary: 'Declare what a consumer uses; each declaration is a new revision',
    access: edit,
    params: Type.Object(consumerParams),
    query: Type.Object({ version }),
    body: SurfaceSelection,
    status: 201,
    response: ContractResponse,
    errors: [...missing, 'version-not-found', 'consumer-retired'],
  }),
  revisions: endpoint({
    id: 'consumers.revisions',
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
    method: 'GET',
    path: `${one}/can-i-deploy`,
    summary: 'Check whether a version keeps what a consumer uses: yes, no or unknown',
    access: view,
    params: Type.Object(consumerParams),
    query: Type.Object({ version }),
    response: CanIDeploy,
    errors: [...missing, 'version-not-found'],
  }),
} as const
