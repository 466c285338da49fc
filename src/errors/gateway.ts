import { entry } from './entry.ts'

/** What the refusal of a rule or an exception is about. */
const refused = <const M extends string>(message: M, hint: string) => entry({ status: 422, exit: 2, message, hint })

/** Environments of gateways and their security policies. */
export const gateway = {
  'environment-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no environment "{environment}" in this organization.',
    hint: 'Run "svc gateway environment list" to list the environments.',
    browserHint: 'Open the list of environments and choose one.',
  }),
  'environment-slug-taken': entry({
    status: 409,
    exit: 2,
    message: 'The organization already has an environment "{slug}".',
    hint: 'Choose another slug.',
  }),
  'environment-in-use': entry({
    status: 409,
    exit: 2,
    message: 'The environment "{environment}" is in use: {count:number} of its gateways reported in the last 24 hours.',
    hint: 'Stop these gateways, or remove them from the environment ("svc gateway enforcer delete"), then delete it.',
    browserHint: 'Stop these gateways, or remove them from the environment, then delete it.',
  }),
  'enforcer-label-taken': entry({
    status: 409,
    exit: 2,
    message: 'The environment already has a gateway "{label}".',
    hint: 'Choose another label.',
  }),
  'enforcer-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no gateway "{enforcer}" in this environment.',
    hint: 'Run "svc gateway enforcer list" to list the gateways.',
    browserHint: 'Open the list of gateways and choose one.',
  }),
  'release-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no {what}.',
    hint: 'Run "svc gateway release list" to list the releases. The first one is created when a gateway is added.',
    browserHint: 'Open the list of releases and choose one.',
  }),
  'release-unusable': entry({
    status: 409,
    exit: 2,
    message: 'Release {number:number} cannot be used again: {reason}.',
    hint: 'Run "svc gateway release list" and choose another release.',
    browserHint: 'Open the list of releases and choose another one.',
  }),
  'mode-unsupported': entry({
    status: 409,
    exit: 2,
    message: 'No gateway of this environment can do this: {reason}.',
    hint: 'Choose another mode.',
  }),
  'security-limit-reached': entry({
    status: 409,
    exit: 2,
    message: 'There are {max:number} {what}, which is the limit.',
    hint: 'Remove those that you no longer need.',
  }),
  'policy-version-conflict': entry({
    status: 409,
    exit: 2,
    message: 'The policy changed in the meantime: it is now at version {current:number}, not {expected:number}.',
    hint: 'Run "svc gateway policy show" to see the current policy, then repeat the change with its version.',
    browserHint: 'Reload the page to see the current policy, then repeat the change.',
  }),
  'security-version-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The policy has no version {version:number}.',
    hint: 'Run "svc gateway policy versions" to list the versions.',
    browserHint: 'Open the list of versions and choose one.',
  }),
  'managed-off-without-reason': entry({
    status: 400,
    exit: 2,
    message: '{setting} can be set to {mode} only with a reason.',
    hint: 'Give a reason, so that others can see why it does not block.',
  }),
  'group-unknown': entry({
    status: 404,
    exit: 2,
    message: 'There is no managed group "{group}"[; did you mean "{suggestion}"?]',
    hint: 'The groups are protocol, scanner, lfi, rfi, rce, php, java, generic, xss, sqli, session-fixation, data-leak and web-shell.',
  }),
  'approval-required': entry({
    status: 409,
    exit: 2,
    message: 'This change needs the approval of another person: {risks:list}',
    hint: 'Ask an Owner or Admin to run "svc gateway approve", then run "svc gateway apply" with the id of the approval.',
    browserHint: 'Ask another Owner or Admin to approve it. Then repeat the same change.',
    context: {} as {
      changeDigest: string
      approvalId: string
      policyVersion: number
      expiresAt: string
    },
  }),
  'approval-self': entry({
    status: 403,
    exit: 2,
    message: 'You cannot approve a change that you, or a key that you created, requested or added.',
    hint: 'Ask another Owner or Admin of the organization.',
  }),
  'approval-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no request for approval "{approval}" in this environment.',
    hint: 'Run "svc gateway approvals" to list the requests.',
    browserHint: 'Open the list of approvals and choose one.',
  }),
  'approval-stale': entry({
    status: 409,
    exit: 2,
    message: 'The approval is void: the policy changed after it was requested.',
    hint: 'Repeat the change without the approval to request a new one.',
  }),
  'approval-used': entry({
    status: 409,
    exit: 2,
    message: 'The approval was already used.',
    hint: 'An approval is for one change. Repeat the change without it to request a new one.',
  }),
  'approval-expired': entry({
    status: 409,
    exit: 2,
    message: 'The approval expired: a request is valid for 24 hours.',
    hint: 'Repeat the change without the approval to request a new one.',
  }),
  'approval-withdrawn': entry({
    status: 409,
    exit: 2,
    message: 'The request for approval was withdrawn or declined.',
    hint: 'Repeat the change without the approval to request a new one.',
  }),
  'approval-mismatch': entry({
    status: 409,
    exit: 2,
    message: 'The approval is for another change, or another caller requested it.',
    hint: 'Repeat exactly the change that was requested, with the credentials that requested it.',
  }),
  'approvals-need-people': entry({
    status: 409,
    exit: 2,
    message:
      'Too few members can approve: {people:number}, and {needed:number} besides the person who asks are required.',
    hint: 'Give more members the role Admin, or require fewer approvals.',
  }),
  'rule-invalid': refused('The rule cannot be stored: {reason}.', 'Correct the rule, then send it again.'),
  'rule-expression-invalid': refused(
    'The expression cannot be read[ at line {line}, column {column}][ at "{pointer}"]: {reason}.',
    'Write conditions such as: http.path starts "/admin" and not ip.src cidr "10.0.0.0/8".',
  ),
  'rule-expression-too-long': refused(
    'The expression is too long: {reason}.',
    'Use at most 4,096 characters; lists or several rules help.',
  ),
  'rule-too-complex': refused(
    'The expression is too complex: {reason}.',
    'Use at most 64 conditions; lists or several rules help.',
  ),
  'rule-matches-all': refused(
    'The rule applies to every request: {reason}.',
    'Limit it to a path, a route or addresses. To limit the rate of all requests, use the rate setting of the presets.',
  ),
  'rule-allow-unscoped': refused(
    'The rule lets requests pass from everywhere to everywhere: {reason}.',
    'Limit it to addresses (ip.src), a path or a route.',
  ),
  'rule-skip-all-managed': refused(
    'The rule skips all managed groups: {reason}.',
    'Name only the groups that cause false positives, or use an exception for one field.',
  ),
  'rule-cidr-any': refused(
    'The networks of the rule do not limit it: {reason}.',
    'Name narrower networks, or remove the condition.',
  ),
  'rule-untrusted-forwarded-ip': refused(
    'The rule trusts an address that clients write: {reason}.',
    'Use ip.src, and configure on the gateway which proxies it trusts.',
  ),
  'rule-regex-unsafe': refused(
    'A pattern of the rule is not safe: {reason}.',
    'Use starts, ends, contains or in, or a pattern without nested repetitions, lookarounds and back references.',
  ),
  'rule-reads-credential': refused(
    'The rule reads a credential: {reason}.',
    'Use "exists" to check that it was sent; its value must not appear in a policy or a log.',
  ),
  'rule-blocks-health': refused(
    'The rule stops health checks: {reason}.',
    'Exclude the path of the health check, or limit the rule to addresses.',
  ),
  'rule-challenge-on-api': refused(
    'The rule challenges clients that cannot solve a challenge: {reason}.',
    'Limit the challenge to browsers, or use block.',
  ),
  'exception-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no exception "{exception}" in this policy.',
    hint: 'Run "svc gateway exception list" to list the exceptions.',
    browserHint: 'Open the list of exceptions and choose one.',
  }),
  'exception-invalid': refused('The exception cannot be stored: {reason}.', 'Correct it, then send it again.'),
  'exception-unbounded': refused('The exception has no end: {reason}.', 'Give an end date, at most 30 days from now.'),
  'exception-too-long': refused(
    'The exception lasts too long: {reason}.',
    'Use at most 30 days. Fix the API or the rule in that time, or renew the exception.',
  ),
  'exception-unscoped': refused(
    'The exception is too wide: {reason}.',
    'Name one route or path, and the groups or rules to skip there.',
  ),
  'security-event-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no event "{event}" in this environment.',
    hint: 'Run "svc gateway events list" to list the events.',
    browserHint: 'Open the list of events and choose one.',
  }),
  'event-batch-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Line {line:number} of the events cannot be stored: {reason}.',
    hint: 'Each line is one JSON object; the guide on gateway policies lists its properties. Nothing was stored.',
  }),
  'events-throttled': entry({
    status: 429,
    exit: 2,
    message: 'The gateway sends events faster than the service accepts them; try again in {retry_after:seconds}.',
    hint: 'Wait for the time in Retry-After, then send the same lines again.',
  }),
  'coverage-unbound': entry({
    status: 409,
    exit: 2,
    message: 'No document to compare with is named[; choose one of {projects:list}].',
    hint: 'Name the project, or bind the policy to a document with "svc gateway positive update".',
    browserHint: 'Bind the policy to a document first.',
  }),
  'coverage-operation-invalid': entry({
    status: 422,
    exit: 2,
    message: '{operation} cannot be added to the document: {reason}.',
    hint: 'Choose an operation that "svc gateway coverage" lists as called but not declared.',
    browserHint: 'Choose an operation that the coverage lists as called but not declared.',
  }),
  'positive-unbound': entry({
    status: 422,
    exit: 2,
    message: 'The policy is not bound to a project yet.',
    hint: 'Name the project whose API description defines the allowed requests ("svc gateway positive update ENVIRONMENT --project PROJECT").',
    browserHint: 'Choose the project whose API description defines the allowed requests.',
  }),
  'positive-version-unusable': entry({
    status: 422,
    exit: 2,
    message: 'Requests cannot be compared with version "{version}" of "{project}": {reason}.',
    hint: 'Name a published version of an OpenAPI document, "latest" or "production".',
  }),
  'gateway-policy-invalid': entry({
    status: 400,
    exit: 2,
    message: 'Invalid gateway policy in {file}:\n  {problems:lines}',
    hint: 'Correct the file; the guide on compiling gateway policies describes every setting.',
  }),
  'exception-draft-impossible': entry({
    status: 409,
    exit: 2,
    message: 'No exception can be drafted from the event "{event}": {reason}.',
    hint: 'Write the exception yourself: "svc gateway exception create".',
    browserHint: 'Write the exception yourself.',
  }),
} as const
