/** Where svc decides: who may do what, which gates pass, what a verdict is, what a process ends with. */
export interface Target {
  readonly file: string
  /** Test files or folders, the nearest and fastest first; the first that fails ends the trial. They run on SQLite. */
  readonly tests: readonly string[]
  /** Tests that also run on Postgres where the others pass: of decisions that the database takes part in. */
  readonly postgres?: readonly string[]
}

/** Files of one folder with the same tests. */
const named = (folder: string, tests: readonly string[], names: readonly string[]): readonly Target[] =>
  names.map((name) => ({ file: `${folder}/${name}.ts`, tests }))

const auth = (name: string): string => `test/server/auth/${name}.test.ts`
const signIn = (name: string): string => `test/server/sign-in/${name}.test.ts`
const users = (name: string): string => `test/server/users/${name}.test.ts`
const everyOperation = 'test/server/authorization.test.ts'
const identity = 'test/server/identity'
const secondStep = 'test/server/second-factors/sign-in.test.ts'

const locks = 'test/server/locks.test.ts'
const members = ['members', 'addresses', 'entitlement'].map((name) => `test/server/members/${name}.test.ts`)

/** Credentials: whose they are, how long they hold, how often they may be tried. */
const credentials: readonly Target[] = [
  {
    file: 'server/sign-in/authenticate.ts',
    tests: [
      signIn('authenticate'),
      signIn('external-tokens'),
      signIn('sign-in'),
      'test/server/gateway/ingest.test.ts',
      identity,
    ],
  },
  { file: 'server/auth/session.ts', tests: [auth('session'), signIn('authenticate'), signIn('sign-in'), identity] },
  { file: 'server/sign-in/sign-in.ts', tests: [signIn('sign-in'), secondStep, signIn('device'), identity] },
  { file: 'server/users/set-password.ts', tests: [signIn('sign-in'), signIn('shared-salt')] },
  { file: 'server/users/check-password.ts', tests: [users('check-password'), signIn('sign-in'), auth('delays')] },
  { file: 'server/auth/delays.ts', tests: [auth('delay-rows'), auth('delays'), signIn('sign-in')] },
  { file: 'server/auth/source.ts', tests: [auth('source')] },
  {
    file: 'server/sign-in/describe-caller.ts',
    tests: [signIn('describe-caller'), signIn('sign-in'), 'test/server/second-factors/policy.test.ts'],
  },
  { file: 'server/auth/budget.ts', tests: [auth('budget'), signIn('sign-in')], postgres: [auth('budget')] },
  { file: 'server/sign-in/tokens.ts', tests: [signIn('tokens'), signIn('account')] },
  { file: 'server/auth/refresh.ts', tests: [auth('refresh'), signIn('sign-in'), signIn('attacks')] },
  { file: 'server/sign-in/external-tokens.ts', tests: [signIn('external-claims'), signIn('external-tokens')] },
  {
    file: 'server/sign-in/external-identity.ts',
    tests: [signIn('provision'), signIn('external-tokens'), signIn('oidc')],
  },
  { file: 'server/sign-in/issuer-settings.ts', tests: [signIn('issuer-settings')] },
  { file: 'server/sign-in/oidc.ts', tests: [signIn('oidc')] },
  { file: 'server/sign-in/oidc-client.ts', tests: [signIn('oidc-client'), signIn('oidc')] },
  { file: 'server/sign-in/provision.ts', tests: [signIn('provision'), signIn('oidc')] },
  { file: 'server/auth/key-format.ts', tests: [auth('key-format')] },
  { file: 'server/auth/password.ts', tests: [auth('password')] },
  { file: 'server/sign-in/device.ts', tests: [signIn('device'), locks] },
  { file: 'server/sign-in/setup.ts', tests: [signIn('setup')] },
  { file: 'server/auth/caller.ts', tests: [auth('caller')] },
  { file: 'server/auth/address.ts', tests: [auth('address')] },
  { file: 'server/second-factors/totp.ts', tests: ['test/server/second-factors/totp.test.ts'] },
  { file: 'server/keys/service.ts', tests: ['test/server/keys', locks] },
  { file: 'server/agent-keys/service.ts', tests: ['test/server/keys'] },
  { file: 'server/mcp-keys/service.ts', tests: ['test/server/keys', locks] },
]

/** What a caller may do, where, and how much of it. */
const permissions: readonly Target[] = [
  { file: 'src/gateway-policy/approval.ts', tests: ['test/src/gateway-policy/approval.test.ts'] },
  {
    file: 'src/gateway-policy/path-reading.ts',
    tests: ['test/src/gateway-policy/path-reading.test.ts', 'test/src/gateway/compile/path-rules.test.ts'],
  },
  {
    file: 'src/gateway/compile/path-rules.ts',
    tests: ['test/src/gateway/compile/path-rules.test.ts', 'test/src/gateway/compile/compile.test.ts'],
  },
  {
    file: 'server/auth/authorize.ts',
    tests: [auth('authorize'), 'test/server/second-factors/policy.test.ts', everyOperation, identity],
  },
  { file: 'src/api/authorization.ts', tests: ['test/src/api/authorization.test.ts', everyOperation] },
  { file: 'src/api/permissions.ts', tests: ['test/src/api/authorization.test.ts', auth('authorize'), everyOperation] },
  {
    file: 'server/http/mount.ts',
    tests: [
      'test/server/mount.test.ts',
      'test/server/operations.test.ts',
      'test/server/http/elysia.test.ts',
      'test/server/serve.test.ts',
    ],
  },
  { file: 'server/http/operations.ts', tests: ['test/server/operations.test.ts', 'test/server/mount.test.ts'] },
  { file: 'server/http/read-request.ts', tests: ['test/server/read-request.test.ts', 'test/server/mount.test.ts'] },
  {
    file: 'db/conditions.ts',
    tests: ['test/db/conditions.test.ts', 'test/server/deletion', 'test/server/tenancy.test.ts', 'test/server/keys'],
  },
  { file: 'server/members/service.ts', tests: [locks, ...members] },
  { file: 'server/members/invitations.ts', tests: [locks, ...members, secondStep] },
  { file: 'server/tenants/ownership.ts', tests: [locks, 'test/server/tenants/ownership.test.ts'] },
  { file: 'server/tenants/service.ts', tests: ['test/server/tenants/tenants.test.ts', ...members] },
  { file: 'server/documents/reader.ts', tests: ['test/server/documents/reader.test.ts'] },
  {
    file: 'server/license/quota.ts',
    tests: [locks, 'test/server/quotas.test.ts', 'test/server/tenants/tenants.test.ts', ...members],
  },
  { file: 'server/license/plans.ts', tests: ['test/server/quotas.test.ts'] },
]

/** Which addresses the service connects to. */
const egress: readonly Target[] = [
  {
    file: 'server/egress/address.ts',
    tests: [
      'test/server/egress/address.test.ts',
      'test/server/egress/limits.test.ts',
      'test/server/egress/guard.test.ts',
    ],
  },
  {
    file: 'server/egress/guard.ts',
    tests: [
      'test/server/egress/address.test.ts',
      'test/server/egress/limits.test.ts',
      'test/server/egress/guard.test.ts',
      'test/server/egress/open.test.ts',
    ],
  },
  {
    file: 'server/egress/connection.ts',
    tests: [
      'test/server/egress/address.test.ts',
      'test/server/egress/limits.test.ts',
      'test/server/egress/guard.test.ts',
      'test/server/egress/open.test.ts',
    ],
  },
  { file: 'server/egress/kept.ts', tests: ['test/server/egress/kept.test.ts', 'test/server/webhooks/send.test.ts'] },
  { file: 'server/egress/fetch.ts', tests: ['test/server/egress/limits.test.ts'] },
  { file: 'server/egress/proxy.ts', tests: ['test/server/egress/proxy.test.ts', 'test/server/sources'] },
]

const gatesTest = 'test/server/publishing/gates.test.ts'
const publishing = ['publishing', 'meanwhile'].map((name) => `test/server/publishing/${name}.test.ts`)

const catalogue = (name: string): string => `test/src/mcp-catalogue/${name}.test.ts`

/** MCP servers: where a declaration goes, what is approved, and which secrets are kept out. */
const mcpServers: readonly Target[] = [
  { file: 'src/mcp-catalogue/import.ts', tests: [catalogue('import')] },
  { file: 'src/mcp-catalogue/state.ts', tests: [catalogue('state')] },
  { file: 'src/mcp-catalogue/address.ts', tests: [catalogue('address'), catalogue('server-json')] },
  { file: 'src/mcp-catalogue/secrets.ts', tests: [catalogue('client-configuration'), catalogue('address')] },
  {
    file: 'src/mcp-catalogue/declare.ts',
    tests: [catalogue('server-json'), catalogue('other-formats'), catalogue('client-configuration')],
  },
  ...named(
    'src/mcp-catalogue',
    [catalogue('compare'), catalogue('surface')],
    ['compare', 'surface', 'texts', 'fingerprints', 'semantic'],
  ),
  ...named('src/mcp-catalogue', [catalogue('launch'), catalogue('client-configuration')], ['command']),
]

/** What is published, imported and merged. */
const gates: readonly Target[] = [
  { file: 'server/publishing/gates.ts', tests: [gatesTest] },
  { file: 'src/reviews/rules.ts', tests: ['test/src/reviews'] },
  { file: 'src/reviews/last-answers.ts', tests: ['test/src/reviews/last-answers.test.ts'] },
  { file: 'src/reviews/documentation.ts', tests: ['test/src/reviews/documentation.test.ts'] },
  { file: 'src/reviews/approvals.ts', tests: ['test/src/reviews', gatesTest] },
  { file: 'server/publishing/lint-gates.ts', tests: [gatesTest] },
  { file: 'server/publishing/publish.ts', tests: [gatesTest, ...publishing, 'test/server/embeddings'] },
  {
    file: 'server/publishing/assess.ts',
    tests: [
      gatesTest,
      ...publishing,
      'test/server/reviews',
      'test/server/lint',
      'test/server/consumers/impact.test.ts',
      'test/server/gateway/positive.test.ts',
    ],
  },
  { file: 'server/http/etag.ts', tests: [gatesTest] },
  { file: 'server/imports/thresholds.ts', tests: ['test/server/imports/thresholds.test.ts'] },
  { file: 'server/style-guides/policy.ts', tests: ['test/server/style-guides/policy.test.ts'] },
  { file: 'server/style-guides/effective.ts', tests: ['test/server/style-guides', 'test/server/governance'] },
  {
    file: 'server/consumers/can-i-deploy.ts',
    tests: ['test/server/consumers/impact.test.ts', 'test/server/consumers'],
  },
  { file: 'server/compatibility/check.ts', tests: ['test/server/compatibility'] },
  { file: 'src/compat/second-opinion.ts', tests: ['test/src/compat', 'test/server/compatibility'] },
  { file: 'src/compat/gate-output.ts', tests: ['test/src/compat'] },
  { file: 'src/contracts/losses.ts', tests: ['test/src/contracts/losses.test.ts', 'test/src/contracts'] },
  { file: 'src/contracts/deploy-answer.ts', tests: ['test/src/contracts/deploy-answer.test.ts'] },
  { file: 'src/contracts/retry.ts', tests: ['test/src/contracts/retry.test.ts'] },
  { file: 'src/lint/grade.ts', tests: ['test/src/lint/grade.test.ts'] },
  { file: 'src/lint/severity.ts', tests: ['test/src/lint/grade.test.ts'] },
]

const concluding = 'test/src/diff/concluding.test.ts'
const diffNear = ['test/src/diff/deciding-cases.test.ts', 'test/src/diff/diff.test.ts', 'test/src/diff/rules.test.ts']
const diff = [...diffNear, 'test/src/diff']

/** What a comparison says. */
const verdicts: readonly Target[] = [
  { file: 'src/diff/conclude.ts', tests: [concluding, ...diff] },
  { file: 'src/diff/conclusion.ts', tests: [concluding] },
  { file: 'src/diff/ignore.ts', tests: [concluding, 'test/commands/diff'] },
  { file: 'src/diff/tally.ts', tests: [concluding, 'test/src/diff/scope.test.ts', ...diffNear] },
  { file: 'src/diff/profile.ts', tests: ['test/src/diff/profiles.test.ts', ...diff] },
  { file: 'src/diff/next-version.ts', tests: ['test/src/diff/next-version.test.ts', concluding] },
  { file: 'src/diff/scope.ts', tests: ['test/src/diff/scope.test.ts'] },
  { file: 'src/diff/witness.ts', tests: ['test/src/diff/witness.test.ts', ...diffNear] },
  { file: 'src/diff/marks.ts', tests: ['test/src/diff/witness.test.ts'] },
  { file: 'db/projects/summary.ts', tests: ['test/db/projects/summary.test.ts'] },
  { file: 'src/kernel/calendar-date.ts', tests: ['test/src/kernel/calendar-date.test.ts'] },
]

const merging = ['test/src/merge/merge.test.ts']

/** What becomes of bound drafts, which deliveries of providers are taken, and how documents merge. */
const repositories: readonly Target[] = [
  { file: 'server/bindings/selected-files.ts', tests: ['test/server/bindings/selected-files.test.ts'] },
  { file: 'src/bindings/state.ts', tests: ['test/src/bindings/state.test.ts'] },
  ...named('src/merge', merging, ['merge', 'order', 'patch-between']),
  { file: 'src/merge/places.ts', tests: ['test/src/merge/places.test.ts', ...merging] },
  ...named(
    'src/merge',
    ['test/src/merge/contradictions.test.ts', 'test/src/merge/meaning.test.ts'],
    ['meaning', 'broken-by'],
  ),
  { file: 'server/repository-sync/polling.ts', tests: ['test/server/repository-sync/polling.test.ts'] },
  {
    file: 'server/repository-sync/refresh-decision.ts',
    tests: ['test/server/repository-sync/refresh-decision.test.ts'],
  },
  { file: 'server/repositories/quota.ts', tests: ['test/server/repositories/quota.test.ts'] },
  { file: 'server/repositories/address.ts', tests: ['test/server/repositories/address.test.ts'] },
  { file: 'server/repositories/access.ts', tests: ['test/server/repositories/access.test.ts'] },
  { file: 'src/hooks/verify.ts', tests: ['test/src/hooks/verify.test.ts'] },
  { file: 'server/hooks/body.ts', tests: ['test/server/hooks/body.test.ts'] },
]

/** Which types are the same, and which a search finds. */
const types: readonly Target[] = [
  ...named('src/types', ['test/src/types/same.test.ts'], ['fold', 'same']),
  { file: 'src/types/compare.ts', tests: ['test/src/types/compare.test.ts'] },
  { file: 'src/types/slice.ts', tests: ['test/src/types/slice.test.ts'] },
]

const webhook = (name: string): string => `test/server/webhooks/${name}.test.ts`

/** Which deliveries a worker takes and sends, and what follows from an attempt. */
const webhooks: readonly Target[] = [
  { file: 'server/webhooks/state.ts', tests: [webhook('state')] },
  { file: 'server/webhooks/receiver.ts', tests: [webhook('receiver')] },
  { file: 'server/webhooks/record-attempt.ts', tests: [webhook('record-attempt')] },
  { file: 'server/webhooks/claim.ts', tests: [webhook('claim')] },
  { file: 'server/webhooks/fan-out.ts', tests: [webhook('fan-out')] },
  { file: 'server/webhooks/deliveries.ts', tests: [webhook('deliveries')] },
  { file: 'server/webhooks/send.ts', tests: [webhook('send')] },
  { file: 'server/webhooks/recorder.ts', tests: [webhook('recorder')] },
]

const policyTest = (name: string): string => `test/src/gateway-policy/${name}.test.ts`

/** What a policy of the gateway means, what makes it weaker, and what the engines get. */
const gateway: readonly Target[] = [
  { file: 'src/gateway-policy/narrowest.ts', tests: [policyTest('narrowest')] },
  { file: 'src/gateway-policy/compare.ts', tests: [policyTest('model')] },
  { file: 'src/gateway-policy/exception-check.ts', tests: [policyTest('exception')] },
  { file: 'src/gateway-policy/network.ts', tests: [policyTest('network')] },
  { file: 'src/gateway-policy/decide.ts', tests: [policyTest('decide'), policyTest('rule-check')] },
  { file: 'src/gateway/pattern.ts', tests: ['test/src/gateway/pattern.test.ts'] },
  ...named(
    'src/gateway/compile',
    ['deciding', 'settings', 'compile', 'document'].map((name) => `test/src/gateway/compile/${name}.test.ts`),
    ['condition', 'crs', 'exceptions', 'index', 'logic', 'rate', 'rules', 'seclang', 'setup', 'template'],
  ),
  ...named('src/gateway/coverage', ['test/src/gateway/coverage/coverage.test.ts'], ['coverage', 'additions']),
  { file: 'src/gateway/agent/state.ts', tests: ['test/src/gateway/agent/state.test.ts'] },
  { file: 'src/gateway/agent/bundle.ts', tests: ['test/src/gateway/agent/bundle.test.ts'] },
  { file: 'server/gateway-policy/retention.ts', tests: ['test/server/gateway-policy/retention.test.ts'] },
  {
    file: 'server/gateway/throttle.ts',
    tests: ['test/server/gateway/throttle.test.ts'],
    postgres: ['test/server/gateway/throttle.test.ts'],
  },
  ...named(
    'src/gateway/log',
    ['test/src/gateway/log/parts.test.ts'],
    ['seen', 'shape', 'routes', 'access', 'lines', 'field'],
  ),
  ...named('src/gateway/release', ['test/src/gateway/release.test.ts'], ['cause', 'difference']),
]

const webTest = (name: string): string => `test/web/${name}.test.ts`
const feature = (path: string, test: string): Target => ({
  file: `web/src/features/${path}.ts`,
  tests: [webTest(test)],
})

/** States of the application without a page: what is chosen, ordered, marked and proposed. */
const application: readonly Target[] = [
  feature('migration/try-rules', 'try-rules'),
  feature('migration/rules-state', 'rules-state'),
  { file: 'web/src/features/migration/rules.ts', tests: [webTest('rules-state'), webTest('governance-models')] },
  feature('types/review', 'type-models'),
  feature('types/comparison', 'type-models'),
  feature('types/schema-text', 'type-models'),
  feature('repositories/tree-rows', 'repository-models'),
  feature('comparison/excerpt', 'governance-models'),
  feature('import/read-files', 'import-models'),
  feature('import/chosen', 'import-models'),
  feature('comparison/counterexample', 'governance-models'),
  feature('comparison/changes', 'governance-models'),
  feature('consumers/selection', 'governance-models'),
  feature('gateway/rules/builder', 'gateway-models'),
  feature('gateway/rules/order', 'gateway-models'),
  feature('gateway/exceptions/scope', 'exception-words'),
  feature('reviews/marks', 'review-models'),
  feature('projects/selection', 'selection'),
  feature('projects/next-labels', 'next-labels'),
  feature('style-guides/policy-change', 'policy'),
  feature('style-guides/impact-run', 'impact-run'),
]

const exitCodes = 'test/cli/combine-exit-codes.test.ts'

/** What a process ends with, and what makes it end so. */
const exits: readonly Target[] = [
  { file: 'cli/combine-exit-codes.ts', tests: [exitCodes] },
  { file: 'cli/failure.ts', tests: [exitCodes, 'test/cli/run.test.ts'] },
  { file: 'cli/lint/outcome.ts', tests: ['test/cli/lint/outcome.test.ts', 'test/commands/lint.test.ts'] },
  { file: 'cli/lint/accepted.ts', tests: ['test/cli/lint/accepted.test.ts'] },
  {
    file: 'cli/lint/accept.ts',
    tests: [
      'test/cli/lint/accepted.test.ts',
      'test/commands/lint.test.ts',
      'test/cli/lint/unused.test.ts',
      'test/cli/lint/waivers.test.ts',
      'test/commands/lint-gates.test.ts',
    ],
  },
  { file: 'cli/import/outcome.ts', tests: [exitCodes, 'test/cli/import/outcome.test.ts'] },
  { file: 'cli/import/preflight-codes.ts', tests: [exitCodes] },
  { file: 'cli/diff/judging.ts', tests: [exitCodes, 'test/commands/diff/judging.test.ts'] },
  { file: 'cli/diff/gate.ts', tests: [exitCodes] },
  { file: 'cli/parse.ts', tests: ['test/cli/parse.test.ts', 'test/cli/run.test.ts'] },
  { file: 'cli/declare.ts', tests: ['test/cli/run.test.ts'] },
]

export const targets: readonly Target[] = [
  ...credentials,
  ...permissions,
  ...egress,
  ...gates,
  ...mcpServers,
  ...verdicts,
  ...repositories,
  ...types,
  ...webhooks,
  ...gateway,
  ...application,
  ...exits,
]
