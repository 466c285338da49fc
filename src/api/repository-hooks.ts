import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { gitProviders } from './linked-accounts.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { idParam, may, person, tenantParams, tenantPath } from './kit.ts'

/** Administrators, with an access token or a session. */
const hook = `${tenantPath}/repositories/{repository_id}/webhook`
const allowlist = `${tenantPath}/repository-webhook-ip-allowlist`
const repositoryParams = Type.Object({ ...tenantParams, repository_id: idParam })
const entryParams = Type.Object({ ...tenantParams, entry_id: idParam })
const success = Type.Boolean()
const secret = Type.String({ minLength: 16, maxLength: 200, description: 'Write-only; never answered.' })

const Subscription = titled(
  'RepositoryWebhookSubscription',
  Type.Object({
    id: Type.String(),
    provider: oneOf(gitProviders),
    url: Type.String({ description: 'Where the provider sends pushes to.' }),
    events: Type.Array(Type.String()),
    fingerprint: Type.String({ description: 'Of the secret: equal for equal secrets.' }),
    previousFingerprint: orNull(Type.String()),
    graceUntil: orNull(dateTime('Until then the previous secret verifies too.')),
    state: oneOf(
      ['pending', 'active', 'failing'],
      'pending: nothing arrived yet. failing: the provider did not take the present secret, or did not report a push that a poll found.',
    ),
    providerHookId: orNull(Type.String({ description: 'Null: it was made at the provider by hand.' })),
    lastDeliveryAt: orNull(dateTime()),
  }),
)
export type HookSubscription = Static<typeof Subscription>

const Status = titled(
  'RepositoryWebhookStatusResponse',
  Type.Object({
    success,
    subscription: orNull(Subscription),
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        at: dateTime(),
        event: Type.String(),
        delivery_id: orNull(Type.String()),
        outcome: oneOf([
          'accepted',
          'duplicate',
          'bad-signature',
          'ip-blocked',
          'ip-warned',
          'too-large',
          'too-slow',
          'ignored',
        ]),
        ref: orNull(
          Type.String({ description: 'The ref that the request names. The commits are read from the repository.' }),
        ),
      }),
      { description: 'The last 50, newest first.' },
    ),
  }),
)

const Rotation = titled(
  'RepositoryWebhookRotateSecretResponse',
  Type.Object({
    success,
    subscription: Subscription,
    graceSeconds: Type.Integer({ description: 'The applied value.' }),
    providerSecretSynced: Type.Boolean(),
    providerError: orNull(Type.String({ description: 'Why, and what to do next.' })),
  }),
)

const Secret = titled(
  'RepositoryWebhookSecretResponse',
  Type.Object({
    success,
    secret: Type.String({ description: 'Set it at the provider; it is not answered again.' }),
    fingerprint: Type.String(),
  }),
)

const Allowlist = titled(
  'RepositoryWebhookIpAllowlistResponse',
  Type.Object({
    success,
    enforcementEnabled: Type.Boolean({ description: 'Of the service (SVC_HOOK_IP_ENFORCEMENT).' }),
    strict: Type.Boolean({ description: 'Whether a provider without known networks is blocked instead of reported.' }),
    refreshIntervalSeconds: Type.Integer(),
    trustedProxyHops: Type.Integer({ description: '0: X-Forwarded-For is ignored.' }),
    tenantEnforcementEnabled: Type.Boolean(),
    bypassReason: orNull(Type.String()),
    policyUpdatedAt: orNull(dateTime()),
    providers: Type.Array(
      Type.Object({
        provider: oneOf(gitProviders),
        ranges: Type.Array(Type.String()),
        fetchedAt: orNull(dateTime()),
        lastError: orNull(Type.String()),
      }),
    ),
    entries: Type.Array(
      Type.Object({
        id: Type.String(),
        cidr: Type.String(),
        description: orNull(Type.String()),
        enabled: Type.Boolean(),
        created_by: orNull(Type.String()),
        created_at: dateTime(),
      }),
      { description: 'Oldest first.' },
    ),
  }),
)

const secretErrors = ['secret-key-missing', 'secret-key-unusable', 'secret-unreadable'] as const

/** Hooks by which providers report pushes, and the addresses that they are taken from. */
export const repositoryHooksApi = {
  status: endpoint({
    id: 'repository-hooks.status',
    origin: 'spec',
    method: 'GET',
    path: hook,
    summary: 'Get the webhook of a repository with its latest requests, and why any were refused',
    access: may('projects:view'),
    params: repositoryParams,
    response: Status,
    errors: ['repository-not-found'],
  }),
  create: endpoint({
    id: 'repository-hooks.create',
    origin: 'own',
    method: 'POST',
    path: hook,
    summary: 'Receive pushes of a repository',
    description:
      'provider: the linked account of the repository creates the webhook there. manual: create it yourself with the answered URL, the event push, JSON and the secret that you give here.',
    access: may('repositories:edit'),
    params: repositoryParams,
    body: bodyOf({ create: oneOf(['provider', 'manual']), secret: Type.Optional(orNull(secret)) }),
    response: titled('RepositoryWebhookResponse', Type.Object({ success, subscription: Subscription })),
    status: 201,
    errors: ['repository-not-found', 'hook-exists', 'hook-secret-required', 'hook-provider-failed', ...secretErrors],
  }),
  remove: endpoint({
    id: 'repository-hooks.delete',
    origin: 'own',
    method: 'DELETE',
    path: hook,
    summary: 'Stop receiving pushes; polling continues',
    access: may('repositories:edit'),
    params: repositoryParams,
    response: Type.Record(Type.String(), Type.Boolean()),
    errors: ['repository-not-found', 'hook-not-found'],
  }),
  rotate: endpoint({
    id: 'repository-hooks.rotate-secret',
    origin: 'spec',
    method: 'POST',
    path: `${hook}/rotate-secret`,
    summary: 'Rotate the secret of the webhook; the old one stays valid until the grace period ends',
    description:
      'Without "secret" the service makes one. It gives it to the provider where it made the webhook; for a webhook that was made by hand, read it once with POST …/webhook/secret and set it at the provider before graceUntil.',
    access: may('repositories:edit'),
    params: repositoryParams,
    body: titled(
      'RepositoryWebhookRotateSecretRequest',
      bodyOf({
        graceSeconds: Type.Optional(
          orNull(Type.Integer({ description: '24 hours by default; limited to 5 minutes up to 7 days.' })),
        ),
        secret: Type.Optional(orNull(secret)),
      }),
    ),
    bodyOptional: true,
    response: Rotation,
    errors: ['repository-not-found', 'hook-not-found', ...secretErrors],
  }),
  readSecret: endpoint({
    id: 'repository-hooks.read-secret',
    origin: 'own',
    method: 'POST',
    path: `${hook}/secret`,
    summary: 'Get the secret that a rotation made, once',
    description:
      'Only for a webhook that was made by hand, and only until it was read. Answers to other requests have fingerprints only.',
    access: { ...person('repositories:edit'), writes: true },
    params: repositoryParams,
    response: Secret,
    errors: ['repository-not-found', 'hook-not-found', 'hook-secret-unavailable', ...secretErrors],
  }),
  allowlist: endpoint({
    id: 'repository-hooks.ip-allowlist',
    origin: 'spec',
    method: 'GET',
    path: allowlist,
    summary: 'Get the addresses from which webhooks of repositories are accepted',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    response: Allowlist,
    errors: [],
  }),
  setPolicy: endpoint({
    id: 'repository-hooks.set-ip-policy',
    origin: 'spec',
    method: 'PUT',
    path: `${allowlist}/policy`,
    summary: 'Check the addresses that webhooks come from, or stop checking with a reason',
    access: person('webhooks:edit'),
    params: Type.Object(tenantParams),
    body: titled(
      'RepositoryWebhookIpPolicyUpdate',
      bodyOf({
        enforcementEnabled: Type.Boolean(),
        bypassReason: Type.Optional(orNull(Type.String({ maxLength: 500 }))),
      }),
    ),
    response: Allowlist,
    errors: ['bypass-reason-required'],
  }),
  addEntry: endpoint({
    id: 'repository-hooks.add-ip-entry',
    origin: 'spec',
    method: 'POST',
    path: `${allowlist}/entries`,
    summary: 'Accept webhooks from a network',
    access: person('webhooks:edit'),
    params: Type.Object(tenantParams),
    body: titled(
      'RepositoryWebhookIpEntryCreate',
      bodyOf({
        cidr: Type.String({ minLength: 1, maxLength: 50, description: 'A network, or a single address.' }),
        description: Type.Optional(orNull(Type.String({ maxLength: 500 }))),
      }),
    ),
    response: Allowlist,
    status: 201,
    errors: ['cidr-invalid', 'cidr-host-bits', 'allowlist-entry-exists'],
  }),
  setEntry: endpoint({
    id: 'repository-hooks.set-ip-entry',
    origin: 'spec',
    method: 'PATCH',
    path: `${allowlist}/entries/{entry_id}`,
    summary: 'Switch an entry on or off',
    access: person('webhooks:edit'),
    params: entryParams,
    body: titled('RepositoryWebhookIpEntryUpdate', bodyOf({ enabled: Type.Boolean() })),
    response: Allowlist,
    errors: ['allowlist-entry-not-found'],
  }),
  removeEntry: endpoint({
    id: 'repository-hooks.delete-ip-entry',
    origin: 'own',
    method: 'DELETE',
    path: `${allowlist}/entries/{entry_id}`,
    summary: 'Remove an entry',
    access: person('webhooks:edit'),
    params: entryParams,
    response: Allowlist,
    errors: ['allowlist-entry-not-found'],
  }),
  receive: endpoint({
    id: 'repository-hooks.receive',
    origin: 'own',
    method: 'POST',
    path: '/v1/hooks/{provider}/{token}',
    summary: 'Receive a webhook delivery from a git provider',
    description:
      'For providers: the body is verified with the secret of the webhook and not kept. What moved is read from the repository. GitHub: X-Hub-Signature-256. GitLab: webhook-signature or X-Gitlab-Token. Bitbucket: X-Hub-Signature.',
    access: {
      anonymous: true,
      reason: 'The address names the webhook, and the signature of the body is the credential.',
    },
    params: Type.Object({
      provider: idParam,
      token: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    response: Type.Object({ success, outcome: oneOf(['accepted', 'duplicate', 'ignored']) }),
    status: 202,
    errors: ['hook-unknown', 'hook-signature', 'hook-ip', 'body-too-large', 'hook-too-slow', 'refusals-exceeded'],
  }),
} as const
