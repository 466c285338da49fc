import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { gitProviders } from './linked-accounts.ts'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

const sequence = Type.Integer({
  description: 'Counts the events of the project: deliveries may arrive in another order.',
})
const inProject = {
  sequence,
  project_id: Type.String(),
  project_slug: Type.String(),
}
const ofVersion = {
  ...inProject,
  version_id: Type.String(),
  version_label: Type.String(),
}
const urls = Type.Object({
  version: Type.String({ description: 'The version in the API.' }),
  application: Type.String({ description: 'The version in the application.' }),
})
const importStatus = {
  import_id: Type.String(),
  bulk: Type.Boolean({ description: 'Whether each document was imported by itself.' }),
  source: Type.String({ description: 'Name or address of what was imported.' }),
}
const importUrls = Type.Object({ import: Type.String({ description: 'The import in the API.' }) })
const ofCandidate = {
  provider: oneOf(gitProviders),
  repository: Type.String({ description: 'OWNER/NAME in lower case.' }),
  ref: Type.String(),
  path: Type.String({ description: 'What is selected: a file, a folder or a glob; empty: the whole tree.' }),
  from_commit: Type.String(),
  to_commit: Type.String(),
  detected_by: oneOf(['check', 'webhook', 'poll']),
  selection_changed: Type.Boolean({ description: 'Whether the commits touched what is selected.' }),
  max_severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'], 'Of what changed in the repository.')),
  verdict: orNull(oneOf(['safe', 'breaking', 'unknown'], 'Null: it was not compared.')),
  merge: orNull(
    oneOf(
      ['fast-forward', 'clean', 'conflicts', 'unreadable'],
      'How the draft and the repository merge; null for an imported file.',
    ),
  ),
}
const candidateUrls = Type.Object({
  version: Type.String({ description: 'The version in the API.' }),
  application: Type.String({ description: 'The version in the application.' }),
  waiting: Type.String({ description: 'Where to decide, in the API: the binding of the version, or the repository.' }),
})
const ofLane = {
  environment_id: Type.String(),
  environment_slug: Type.String(),
  environment_name: Type.String(),
}
const laneUrls = Type.Object({
  environment: Type.String({ description: 'The environment in the API.' }),
  application: Type.String({ description: 'The gateways or the releases of the environment in the application.' }),
})
const maxSeverity = orNull(oneOf(['breaking', 'non-breaking', 'docs-only']))

const body = <T extends TSchema, const N extends string>(name: N, title: string, data: T) =>
  titled(
    title,
    Type.Object({
      type: Type.Literal(name),
      timestamp: dateTime('When it happened.'),
      data,
    }),
  )

/** The body of each event that webhooks receive, by its type. Properties are only ever added. */
export const webhookEvents = {
  'version.published': body(
    'version.published',
    'VersionPublishedEvent',
    Type.Object({
      ...ofVersion,
      visibility: oneOf(['public', 'private']),
      digest: Type.String({ description: 'SHA-256 of the document.' }),
      baseline_version_id: orNull(Type.String({ description: 'What it was compared with.' })),
      baseline_version_label: orNull(Type.String()),
      max_severity: maxSeverity,
      counts: Type.Object({
        breaking: Type.Integer(),
        non_breaking: Type.Integer(),
        docs_only: Type.Integer(),
        undecided: Type.Integer({ description: 'Of those: changes whose effect cannot be decided.' }),
      }),
      forced: Type.Boolean(),
      published_by: orNull(Type.String()),
      published_at: dateTime(),
      urls,
    }),
  ),
  'version.deprecated': body(
    'version.deprecated',
    'VersionDeprecatedEvent',
    Type.Object({
      ...ofVersion,
      sunset_at: orNull(dateTime()),
      replacement: orNull(Type.String()),
      urls,
    }),
  ),
  'version.undeprecated': body('version.undeprecated', 'VersionUndeprecatedEvent', Type.Object({ ...ofVersion, urls })),
  'version.retired': body('version.retired', 'VersionRetiredEvent', Type.Object({ ...ofVersion, urls })),
  'contract.revised': body(
    'contract.revised',
    'ContractRevisedEvent',
    Type.Object({
      ...inProject,
      consumer_id: Type.String(),
      consumer_handle: Type.String(),
      revision: Type.Integer(),
      version_label: Type.String({ description: 'The version that the declaration was resolved against.' }),
      unresolved: Type.Integer({ description: 'Declared items that the version does not have.' }),
    }),
  ),
  'contract.broken': body(
    'contract.broken',
    'ContractBrokenEvent',
    Type.Object({
      ...ofVersion,
      consumer_id: Type.String(),
      consumer_handle: Type.String(),
      revision: Type.Integer({ description: 'The revision of the contract that it breaks.' }),
      missing: Type.Integer({ description: 'Declared items that the version does not have any more.' }),
      changes: Type.Integer({ description: 'Changes that concern what the contract declares.' }),
      urls,
    }),
  ),
  'import.completed': body(
    'import.completed',
    'ImportCompletedEvent',
    Type.Object({
      sequence: orNull(sequence),
      ...importStatus,
      status: oneOf(['completed', 'completed_with_warnings']),
      project_id: orNull(Type.String({ description: 'Null for a bulk import.' })),
      project_slug: orNull(Type.String()),
      version_id: orNull(Type.String()),
      version_label: orNull(Type.String()),
      unchanged: Type.Boolean({ description: 'The same content was stored already; nothing was created.' }),
      documents: orNull(
        Type.Object(
          {
            created: Type.Integer(),
            updated: Type.Integer(),
            unchanged: Type.Integer(),
            blocked: Type.Integer(),
            failed: Type.Integer(),
          },
          { description: 'What became of the documents of a bulk import.' },
        ),
      ),
      urls: importUrls,
    }),
  ),
  'import.failed': body(
    'import.failed',
    'ImportFailedEvent',
    Type.Object({
      ...importStatus,
      status: oneOf(['blocked', 'failed']),
      error_code: orNull(
        Type.String({ description: 'A code of errors.md; null where a threshold of the request blocked it.' }),
      ),
      urls: importUrls,
    }),
  ),
  'review.decided': body(
    'review.decided',
    'ReviewDecidedEvent',
    Type.Object({
      ...ofVersion,
      review_id: Type.String(),
      decision: oneOf(['approved', 'changes_requested']),
      decided_by: orNull(Type.String()),
      requested_by: orNull(Type.String()),
      urls,
    }),
  ),
  'binding.candidate': body(
    'binding.candidate',
    'BindingCandidateEvent',
    Type.Object({
      ...ofVersion,
      ...ofCandidate,
      binding_id: Type.String(),
      candidate_id: Type.String(),
      repository_id: orNull(Type.String({ description: 'Null: the draft is bound by the address of a repository.' })),
      urls: candidateUrls,
    }),
  ),
  'repository.sync_candidate': body(
    'repository.sync_candidate',
    'RepositorySyncCandidateEvent',
    Type.Object({
      ...ofVersion,
      ...ofCandidate,
      repository_id: Type.String(),
      kind: oneOf(
        ['binding', 'import'],
        'binding: of a bound draft, which is also reported as binding.candidate. import: an imported file that was edited here and in the repository.',
      ),
      binding_id: orNull(Type.String({ description: 'Null for an imported file.' })),
      candidate_id: orNull(Type.String()),
      urls: candidateUrls,
    }),
  ),
  'gateway.silent': body(
    'gateway.silent',
    'GatewaySilentEvent',
    Type.Object({
      ...ofLane,
      enforcer_id: Type.String(),
      enforcer_label: Type.String(),
      last_seen_at: dateTime(),
      urls: laneUrls,
    }),
  ),
  'gateway.release_failed': body(
    'gateway.release_failed',
    'GatewayReleaseFailedEvent',
    Type.Object({
      ...ofLane,
      policy_version: Type.Integer(),
      release_id: orNull(Type.String({ description: 'Null: the release could not be made.' })),
      enforcer_id: orNull(
        Type.String({ description: 'The gateway that could not use it; null where it could not be made.' }),
      ),
      enforcer_label: orNull(Type.String()),
      reason: Type.String(),
      urls: laneUrls,
    }),
  ),
  'mcp.surface_changed': body(
    'mcp.surface_changed',
    'McpSurfaceChangedEvent',
    Type.Object({
      endpoint_id: Type.String(),
      name: Type.String(),
      address: orNull(Type.String({ description: 'Null for a server that a command starts.' })),
      observed_by: oneOf(['service', 'cli', 'ci']),
      from_fingerprint: Type.String(),
      to_fingerprint: Type.String(),
      approved_fingerprint: orNull(Type.String({ description: 'What was approved last; null where nothing was.' })),
      max_severity: maxSeverity,
      state: Type.String({ description: 'Of the server now: "drifted" where it differs from what was approved.' }),
      urls: Type.Object({
        endpoint: Type.String({ description: 'The server in the API.' }),
        diff: Type.String({ description: 'What changed, in the API.' }),
        application: Type.String({ description: 'The server in the application.' }),
      }),
    }),
  ),
  'webhook.test': body(
    'webhook.test',
    'WebhookTestEvent',
    Type.Object({ subscription_id: Type.String(), message: Type.String() }),
  ),
} as const

export type WebhookEventType = keyof typeof webhookEvents
export type WebhookEventBody = Static<(typeof webhookEvents)[WebhookEventType]>

/** What each type means, for lists and documents. */
export const webhookEventSummaries: Readonly<Record<WebhookEventType, string>> = {
  'version.published': 'A version was published. The only type that minSeverity filters.',
  'version.deprecated': 'A version was deprecated, or the sunset or replacement of a deprecated one changed.',
  'version.undeprecated': 'The deprecation of a version was withdrawn.',
  'version.retired': 'A version was retired.',
  'contract.revised': 'A consumer contract has a new revision.',
  'contract.broken': 'A published version breaks a consumer contract: something that it declares is gone or breaks.',
  'import.completed': 'An import ended and stored what it was asked to.',
  'import.failed': 'An import ended and stored nothing: it failed, or a gate blocked it.',
  'review.decided': 'A reviewer approved a draft, or requested changes.',
  'binding.candidate': 'The ref of a bound draft moved: a candidate waits for a person.',
  'repository.sync_candidate':
    'Something of a registered repository waits for a person: a candidate of a bound draft, or an imported file that both sides changed.',
  'gateway.silent': 'A gateway has sent nothing for two minutes.',
  'gateway.release_failed': 'A release of a gateway policy could not be made, or a gateway could not use it.',
  'mcp.surface_changed': 'An MCP server of the catalogue offers something else than before.',
  'webhook.test': 'A test that a person asked for.',
}

export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[]
