/** What the operator of a service sees of it as a whole. */
import { Type, type Static } from '@sinclair/typebox'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { endpoint } from './endpoint.ts'
import { operator } from './kit.ts'
import { pageOf, pageQueryOptional } from './shapes.ts'

const base = '/_app/operator'
const number = (description: string) => Type.Integer({ minimum: 0, description })

export const queueNames = ['jobs', 'due-work', 'outbox', 'webhooks'] as const

export const ServiceOverview = titled(
  'ServiceOverview',
  Type.Object({
    version: Type.String(),
    started_at: dateTime('When the process that answers began.'),
    database: Type.Object({
      engine: oneOf(['sqlite', 'postgres']),
      size_bytes: number('The size of the whole database.'),
      statements_running: number('Statements of the process that answers that run, or wait for a connection.'),
    }),
    queues: Type.Array(
      Type.Object({
        queue: oneOf(queueNames),
        kind: Type.String({ description: 'Of the job, the work, the reader or the state of a delivery.' }),
        waiting: number('How many are due and not begun.'),
        running: number('How many are under way.'),
        oldest_seconds: Type.Number({ minimum: 0, description: 'How long the oldest has been due.' }),
      }),
    ),
    states: Type.Array(
      Type.Object({
        what: oneOf(['webhook-subscriptions', 'repositories', 'gateways']),
        state: Type.String(),
        count: number('How many are in this state.'),
      }),
    ),
    failing_jobs: Type.Array(
      Type.Object({
        kind: Type.String(),
        code: Type.String({ description: 'The error that they ended with.' }),
        count: number('How many ended with it in the last 24 hours.'),
        last: Type.Object({
          job_id: Type.String(),
          tenant_slug: Type.String(),
          at: dateTime(),
        }),
      }),
      {
        description:
          'Jobs that failed in the last 24 hours, the most frequent first: at most 20 kinds of failure. Their messages are left out: they may quote what an organization sent.',
      },
    ),
    slow: Type.Array(
      Type.Object({
        operation: Type.String({ description: 'Method and path template.' }),
        count: number('Requests that were answered.'),
        p50_ms: Type.Number({ description: 'Half of them took at most so long.' }),
        p95_ms: Type.Number({ description: '19 of 20 took at most so long.' }),
        max_ms: Type.Number(),
      }),
      {
        description:
          'The operations on which the process that answers spent most time within an hour, at most 20. Times are rounded up to a sixth.',
      },
    ),
  }),
)
export type ServiceOverview = Static<typeof ServiceOverview>

export const OrganizationUse = titled(
  'OrganizationUse',
  Type.Object({
    slug: Type.String(),
    name: Type.String(),
    members: number('Members that are not suspended.'),
    projects: number('Projects.'),
    versions: number('Versions of all projects.'),
    storage_bytes: number('Bytes of its documents, each counted once.'),
    jobs: number('Jobs that were made in the last 24 hours.'),
    last_import_at: orNull(dateTime('When its newest version was made.')),
  }),
)
export type OrganizationUse = Static<typeof OrganizationUse>

/** The service as a whole: for an owner of the organization "local", in a browser. */
export const operatorApi = {
  overview: endpoint({
    id: 'operator.overview',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'Show the health of the service',
    description: 'What waits, what fails and what is slow, over all organizations. It holds no content of any of them.',
    access: operator,
    response: ServiceOverview,
    errors: [],
  }),
  organizations: endpoint({
    id: 'operator.organizations',
    origin: 'own',
    method: 'GET',
    path: `${base}/organizations`,
    summary: 'List how much each organization uses',
    access: operator,
    query: Type.Object({
      ...pageQueryOptional,
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or the slug.' })),
    }),
    response: pageOf(OrganizationUse),
    errors: [],
  }),
}
