/** How the fake service answers what the pages of change governance ask: consumers, change reports, migration rules. */
import type { ConsumerContractRecord, ConsumerRecord } from '../../src/api/consumer-shapes.ts'
import type { ChangeReport } from '../../src/api/change-reports.ts'
import type { MigrationProposal } from '../../src/api/migration-plans.ts'
import { SvcError } from '../../src/errors.ts'
import type { Answerer, State } from './fake-answers.ts'
import { at } from './fake-data.ts'

const consumer = (id: string, handle: string, name: string, more: Partial<ConsumerRecord> = {}): ConsumerRecord => ({
  id,
  project_id: 'p1',
  handle,
  name,
  description: null,
  owner: null,
  contact: null,
  metadata: {},
  created_by: 'user:u1',
  created_at: at,
  updated_at: at,
  retired_at: null,
  ...more,
})

const shop = consumer('c1', 'ticket-app', 'Ticket app', {
  description: 'Sells tickets on phones.',
  owner: 'Sales',
  contact: '#sales',
  metadata: { tier: 'gold' },
})
export const consumers = [shop, consumer('c2', 'kiosk', 'Kiosk')]

const unresolved: ConsumerContractRecord['unresolved'] = [
  {
    reason: 'field-removed',
    interaction: 'a request for stations',
    method: 'GET',
    path: '/stations',
    status: '200',
    location: 'response',
    field: 'data[].zone',
    message: 'GET /stations 200 no longer has `data[].zone`.',
  },
  {
    reason: 'operation-not-found',
    interaction: 'a request for trains',
    method: 'GET',
    path: '/trains',
    status: null,
    location: null,
    field: null,
    message: 'There is no operation GET /trains.',
  },
]

export const contract: ConsumerContractRecord = {
  id: 'r2',
  consumer_id: 'c1',
  revision: 2,
  source: 'pact',
  origin: { specification: '3.0.0', interactions: 3 },
  version_record_id: 'v-1.1.0',
  version_label: '1.1.0',
  operations_count: 1,
  fields_count: 2,
  parameters_count: 1,
  unresolved_count: 2,
  created_by: 'user:u1',
  created_at: at,
  operations: [
    {
      method: 'get',
      path: '/stations',
      pointer: '/paths/~1stations/get',
      body: false,
      request: [],
      responses: [
        {
          status: '200',
          declared: '200',
          pointer: '/paths/~1stations/get/responses/200',
          fields: [
            { field: 'data', pointers: ['/a'] },
            { field: 'data[].name', pointers: ['/b'] },
          ],
        },
      ],
      parameters: [{ name: 'page', in: 'query', pointer: '/c' }],
    },
  ],
  unresolved,
  warnings: [
    {
      code: 'parameter-type',
      interaction: 'a request for stations',
      method: 'GET',
      path: '/stations',
      field: 'page',
      message: 'The value "one" of `page` is no integer.',
    },
  ],
}

const { operations: _, unresolved: __, warnings: ___, ...head } = contract

export const surfaceOperations = [
  {
    method: 'GET',
    path: '/stations',
    operation_id: 'get-stations',
    summary: 'Get a list of train stations',
    deprecated: false,
    request: [],
    responses: [
      {
        status: '200',
        fields: ['data', 'data[].id', 'data[].name', 'links', 'links.self'].map((field) => ({
          field,
          type: field === 'data' ? 'array of object' : 'string',
          required: field === 'data',
          deprecated: false,
          description: null,
          pointers: ['/x'],
        })),
      },
    ],
    parameters: [{ name: 'page', in: 'query', type: 'integer', required: false, deprecated: false }],
    truncated: true,
  },
  {
    method: 'POST',
    path: '/bookings',
    operation_id: 'create-booking',
    summary: 'Create a booking',
    deprecated: true,
    request: [
      { field: 'trip_id', type: 'string', required: true, deprecated: false, description: null, pointers: ['/y'] },
    ],
    responses: [{ status: '201', fields: [] }],
    parameters: [],
    truncated: false,
  },
]

const consumerOf = (ref: string | undefined): ConsumerRecord => {
  const found = consumers.find((it) => it.handle === ref || it.id === ref)
  if (!found) throw new SvcError('consumer-not-found', { consumer: ref ?? '', project: 'train-travel' })
  return found
}

const report: ChangeReport = {
  id: 'cr1',
  tenantId: 't1',
  projectId: 'p1',
  publishedRevisionId: 'v-1.1.0',
  changeModelJson: { from: { revisionId: 'v-1.0.0', label: '1.0.0' }, to: { revisionId: 'v-1.1.0', label: '1.1.0' } },
  baselineRevisionId: 'v-1.0.0',
  renderedBody: '**1 breaking change.** <b>Look</b>\n\n- `Trip.seat` was removed\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  headerSnapshot: '# What is new in 1.1.0',
  footnoteSnapshot: 'Compared with 1.0.0.',
  editedRenderedBody: 'Seats are *gone*. [Evil](javascript:alert(1))',
  editedHeaderSnapshot: null,
  editedFootnoteSnapshot: null,
  effectiveRenderedBody: 'Seats are *gone*. [Evil](javascript:alert(1))',
  effectiveHeaderSnapshot: '# What is new in 1.1.0',
  effectiveFootnoteSnapshot: 'Compared with 1.0.0.',
  editedAt: at,
  editedBy: 'user:u1',
  templateVersionId: 'system-1.0.0',
  renderedAt: at,
  regeneratedAt: null,
  createdAt: at,
  updatedAt: at,
}

const proposals: Omit<MigrationProposal, 'accepted'>[] = [
  {
    key: 'migration-edge-prop-age',
    rule: {
      kind: 'type-change',
      source_property: 'age',
      target_properties: ['age'],
      source_type: 'integer',
      target_type: 'string',
    },
    reason: 'age was integer and is string.',
    confidence: 1,
  },
  {
    key: 'migration-edge-prop-name',
    rule: {
      kind: 'split',
      source_property: 'name',
      target_properties: ['first_name', 'last_name'],
      source_type: 'string',
      target_type: 'string',
    },
    reason: 'The names of first_name and last_name start with name, and they have its type.',
    confidence: 0.8,
  },
  {
    key: 'migration-edge-prop-seat',
    rule: {
      kind: 'drop',
      source_property: 'seat',
      target_properties: [],
      source_type: 'string',
      target_type: null,
    },
    reason: 'No new property is similar to seat.',
    confidence: 0.5,
  },
]

/** Their answers, by operation. */
export const governance: Record<string, Answerer> = {
  'diff.rule': (_, { params }) => ({
    id: params['rule_id'],
    title: 'Required property removed',
    explanation: 'In a response clients wait for it in vain.',
    concerns: 'responses',
    opposite: 'schema-required-property-added',
    aliases: ['response-required-property-removed'],
  }),
  'consumers.list': (_, { query }) => ({
    consumers: consumers.map((it) => ({ ...it, contract: it === shop ? head : null })),
    count: consumers.length,
    total: consumers.length,
    limit: Number(query.get('limit')),
    offset: Number(query.get('offset')),
  }),
  'consumers.get': (_, { params }) => {
    const found = consumerOf(params['consumer_ref'])
    return { consumer: found, contract: found === shop ? contract : null, revisions_count: found === shop ? 2 : 0 }
  },
  'consumers.contract': () => ({ ...contract, id: 'r1', revision: 1, source: 'selection' }),
  'consumers.revisions': () => ({
    revisions: [head, { ...head, id: 'r1', revision: 1, source: 'selection', unresolved_count: 0 }],
    count: 2,
    total: 2,
  }),
  'consumers.surface': (_, { query }) => {
    const items = surfaceOperations.filter((it) => `${it.path} ${it.summary}`.includes(query.get('q') ?? ''))
    return {
      version_record_id: 'v-1.1.0',
      version_label: '1.1.0',
      operations: items,
      total: items.length,
      limit: 50,
      offset: 0,
    }
  },
  'consumers.can-i-deploy': (_, { params, query }) => ({
    answer: 'unknown',
    consumer: params['consumer_ref'],
    revision: 2,
    version_record_id: 'v',
    version_label: query.get('version'),
    declared_against: '1.1.0',
    reasons: [],
    changes: [],
    missing: 'a verdict on "The pattern changed"',
    message: 'It cannot be said whether 2.0.0 keeps what ticket-app uses.',
  }),
  'change-reports.get': () => report,
  'change-reports.edit': () => ({ ...report, editedRenderedBody: null, editedAt: null, editedBy: null }),
  'change-reports.regenerate': () => report,
  'change-reports.publish-preview': () => ({
    headerSnapshot: '# Train Travel API 2.0.0',
    renderedBody: 'Nothing broke.',
    footnoteSnapshot: '',
    fromVersionLabel: '1.1.0',
    toVersionLabel: '2.0.0',
    changeModelJson: {},
    baselineRevisionId: 'v-1.1.0',
    templateVersionId: 'system-1.0.0',
    initialPublication: false,
  }),
  'change-reports.list-templates': () => ({
    items: [
      {
        id: 'system-1.0.0',
        scope: 'system',
        projectId: null,
        version: '1.0.0',
        name: 'System',
        header: '',
        body: '',
        footnote: '',
        isDefault: true,
        createdBy: null,
        createdAt: null,
      },
    ],
    total: 1,
  }),
  'documents.json-schema': (_, { params }) => ({
    $defs: {
      Passenger: {
        type: 'object',
        properties:
          params['version_slug'] === '2.0.0'
            ? {
                id: { type: 'string' },
                first_name: { type: 'string' },
                last_name: { type: 'string' },
                age: { type: 'string' },
              }
            : { id: { type: 'string' }, name: { type: 'string' }, age: { type: 'integer' }, seat: { type: 'string' } },
      },
      Station: { type: 'object', properties: { id: { type: 'string' } } },
    },
  }),
  'migration-plans.get': (state, { query }) => ({
    project_id: 'p1',
    from_version_id: 'v-1.1.0',
    to_version_id: 'v-2.0.0',
    class_name: query.get('className'),
    rules: query.get('className') === 'Passenger' ? state.rules : {},
    updated_by: null,
    updated_at: Object.keys(state.rules).length === 0 ? null : at,
  }),
  'migration-plans.put': (state, { body }) => {
    state.rules = body['rules'] as State['rules']
    return { ...body, updated_by: 'user:u1', updated_at: at }
  },
  'migration-plans.counts': (state) => {
    const own = Object.keys(state.rules).length
    return { counts: own === 0 ? {} : { Passenger: own } }
  },
  'migration-plans.proposals': (state) => ({
    proposals: {
      Passenger: proposals.map((it) => ({ ...it, accepted: state.rules[it.key] !== undefined })),
    },
  }),
}
