import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { auditMeans } from './audit-means.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { appTenantPath, person, tenantParams, listed } from './kit.ts'

/** What may need attention; each is a card of the page. */
export const attentionKinds = ['blocked', 'breaking', 'grades', 'gateways', 'sunsets', 'keys'] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** How many are listed of each kind, unless asked otherwise; all are counted. */
const fewItems = 3

const version = {
  project_slug: Type.String(),
  project_name: Type.String(),
  version_slug: Type.String(),
  label: Type.String(),
}
const card = <T extends TSchema>(item: T, description: string) =>
  orNull(Type.Object({ count: Type.Integer(), items: Type.Array(item) }, { description }))
const gradeOrNull = orNull(Type.String())

/** Null: not asked for, or the caller cannot view it. */
export const Attention = titled(
  'Attention',
  Type.Object({
    blocked: card(
      Type.Object({ ...version, failed: Type.Array(Type.Object({ id: Type.String(), message: Type.String() })) }),
      'Drafts that the gates of publishing stop.',
    ),
    breaking: card(
      Type.Object({
        ...version,
        base_label: Type.String(),
        breaking: Type.Integer(),
        affected: Type.Array(Type.String(), { description: 'Consumers that would break.' }),
      }),
      'Drafts that break clients of what is published.',
    ),
    grades: card(
      Type.Object({
        ...version,
        grade: Type.String(),
        before: orNull(Type.Object({ label: Type.String(), grade: Type.String() })),
        minimum: gradeOrNull,
      }),
      'Newest versions whose grade is worse than that of the version before (`before`), or than the policy asks for (`minimum`).',
    ),
    gateways: card(
      Type.Object({
        environment_slug: Type.String(),
        environment_name: Type.String(),
        enforcer_id: Type.String(),
        label: Type.String({ description: 'The label of the gateway.' }),
        last_seen_at: dateTime(),
      }),
      'Gateways that have not reported for two minutes.',
    ),
    sunsets: card(
      Type.Object({ ...version, sunset_at: dateTime() }),
      'Deprecated versions whose sunset is within 30 days or has passed.',
    ),
    keys: card(
      Type.Object({
        kind: oneOf(['api-key', 'agent-key']),
        id: Type.String(),
        name: Type.String(),
        expires_at: dateTime(),
      }),
      'Keys that expire within 30 days.',
    ),
  }),
)
export type Attention = Static<typeof Attention>

export const Activity = titled(
  'Activity',
  Type.Object({
    id: Type.String(),
    at: dateTime(),
    action: Type.String({ description: 'An action of the audit trail.' }),
    actor: Type.String({ description: 'The name of the person or key.' }),
    means: orNull(oneOf(auditMeans)),
    project_slug: Type.String(),
    project_name: Type.String(),
    version_slug: Type.String(),
    label: Type.String(),
    severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'], 'Of a publication: its strongest change.')),
    initial: Type.Boolean({ description: 'Whether it is a publication without a version before it.' }),
    others: Type.Integer({ description: 'How many others the same was done to right before.' }),
  }),
)
export type Activity = Static<typeof Activity>

const OwnVersion = Type.Object({ ...version, grade: gradeOrNull, updated_at: dateTime() })
const OwnProject = Type.Object({ project_slug: Type.String(), project_name: Type.String() })

export const FirstSteps = titled(
  'FirstSteps',
  Type.Object(
    {
      imported: Type.Boolean(),
      guided: Type.Boolean({ description: 'A style guide was chosen as the default or assigned to a project.' }),
      published: Type.Boolean(),
      consumed: Type.Boolean({ description: 'A consumer is registered.' }),
      keyed: Type.Boolean({ description: 'An API key was created.' }),
      gated: Type.Boolean({ description: 'An API key was used: a pipeline calls the service.' }),
    },
    { description: 'What was done once; the sample project does not count.' },
  ),
)
export type FirstSteps = Static<typeof FirstSteps>

export const Home = titled(
  'Home',
  Type.Object({
    attention: Attention,
    pending: Type.Integer({ description: 'Drafts that are being checked: they are not counted yet.' }),
    counted: Type.Object(
      {
        at: dateTime(),
        projects: Type.Integer(),
        unchecked: Type.Integer({
          description:
            'Drafts that are not checked: of those without a published version before them only the 500 that changed last are. They break nothing, and may be blocked.',
        }),
      },
      { description: 'When it was counted, and over what: all projects, and all drafts but those unchecked.' },
    ),
    activity: Type.Array(Activity),
    drafts: Type.Array(OwnVersion, { description: 'Newest drafts that the caller made or edited.' }),
    projects: Type.Array(OwnProject, { description: 'Projects that the caller created or owns.' }),
    steps: FirstSteps,
    has_projects: Type.Boolean(),
    has_sample: Type.Boolean(),
  }),
)
export type Home = Static<typeof Home>

/** The first page of an organization: what needs attention, what happened, what is the caller's. */
export const homeApi = {
  show: endpoint({
    id: 'home.show',
    origin: 'own',
    method: 'GET',
    path: `${appTenantPath}/home`,
    summary: 'Get what needs attention in an organization, recent activity and your own work',
    access: listed(person('projects:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      only: Type.Optional(oneOf(attentionKinds, 'Only this kind; the others are null.')),
      items: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 200, default: fewItems, description: 'Most that are listed of a kind.' }),
      ),
    }),
    response: Home,
    errors: [],
  }),
  sample: endpoint({
    id: 'home.sample',
    origin: 'own',
    method: 'POST',
    path: `${appTenantPath}/sample`,
    summary: 'Add the sample project to an organization',
    access: person('projects:create'),
    params: Type.Object(tenantParams),
    response: Type.Object({
      project_id: orNull(Type.String({ description: 'Null: it is there already.' })),
      project_slug: Type.String(),
    }),
    status: 201,
    errors: ['csrf-token-invalid', 'quota-exceeded'],
  }),
} as const
