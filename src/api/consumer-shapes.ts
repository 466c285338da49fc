import { Type, type Static } from '@sinclair/typebox'
import { locations, reasonCodes } from '../contracts/contract.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

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
    code: oneOf(
      ['parameter-type', 'value-mismatch'],
      'A parameter, or a body or response header, contradicts its schema.',
    ),
    interaction: orNull(Type.String()),
    method: Type.String(),
    path: Type.String(),
    location: Type.Optional(oneOf(locations)),
    status: Type.Optional(orNull(Type.String())),
    field: Type.String({ description: 'Data path of the value, or the name of the parameter or header.' }),
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
      description: 'Data path: "owner.name", "lines[].price", "[].id"; "*" matches any key of a map.',
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

/** The name of a consumer, in requests. */
export const consumerName = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const optionalText = Type.Optional(orNull(Type.String({ maxLength: 4000 })))
/** What a request may say about a consumer besides its name and handle. */
export const consumerDetails = {
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
    warnings: Type.Array(Warning, {
      description: 'Where example values contradict the specification: never with yes.',
    }),
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
