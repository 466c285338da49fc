/** How the fake service answers what the pages of change governance ask: consumers, change reports, migration rules. */
import type { ConsumerContractRecord, ConsumerRecord } from '../../src/api/consumers.ts'
import { SvcError } from '../../src/errors.ts'
import type { Answerer } from './fake-answers.ts'
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

const surfaceOperations = [
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
}
