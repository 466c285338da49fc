/**
 * Longer than 400 lines: one closed list, which two files could not keep closed.
 * The error catalogue: the only place where a code, its HTTP status, its exit code and its words are written.
 * Expected failures are thrown as `SvcError`; anything else that is thrown is a bug and answered as `internal`.
 */

/** Exit codes of the command line: 0 success, 1 transport, 2 usage or refusal, 3 policy, 4 threshold, 5 nothing gradable, 6 job failed, 7 wait timed out, 70 internal, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 70 | 130

interface Entry<D extends object> {
  readonly status: number
  readonly exit: ExitCode
  /** One sentence for the person who reads it: what was wrong and where. */
  readonly message: (detail: D) => string
  /** What to do next. */
  readonly hint: string
}

// An identity function: it only pins the type of the detail.
const entry = <D extends object = object>(it: Entry<D>): Entry<D> => it

export const catalogue = {
  // Credentials and permission
  'credentials-missing': entry({
    status: 401,
    exit: 2,
    message: () => 'This operation needs credentials and the request carries none.',
    hint: 'Send an API key in X-API-Key (SVC_API_KEY for the command line) or a JWT as "Authorization: Bearer …"; "svc auth login" signs the command line in.',
  }),
  'credentials-invalid': entry<{ reason: string }>({
    status: 401,
    exit: 2,
    message: (d) => `The credentials were refused: ${d.reason}.`,
    hint: 'Check that the key was copied whole, is enabled and has not expired; sign in again for a new token.',
  }),
  'permission-denied': entry<{ permission: string }>({
    status: 403,
    exit: 2,
    message: (d) => `This needs the permission ${d.permission}, which your role does not include.`,
    hint: 'Ask an Owner or Admin of the tenant for a role that includes it.',
  }),
  'scope-denied': entry<{ scopes: readonly string[] }>({
    status: 403,
    exit: 2,
    message: (d) => `The API key's scopes (${d.scopes.join(' ')}) do not reach this operation.`,
    hint: 'Use a key with full access, or one whose scope covers this operation; scopes of a key never change.',
  }),
  'person-required': entry({
    status: 403,
    exit: 2,
    message: () => 'This operation is for people: API keys and agent keys cannot call it.',
    hint: 'Sign in ("svc auth login" or the application) and repeat it with that session.',
  }),
  'tenant-access-denied': entry<{ tenant: string }>({
    status: 403,
    exit: 2,
    message: (d) => `You have no access to the tenant "${d.tenant}".`,
    hint: 'List the tenants you can reach with "svc auth tenants" (GET /v1/tenants/me).',
  }),
  'tenant-not-found': entry<{ tenant: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no tenant "${d.tenant}".`,
    hint: 'List the tenants you can reach with "svc auth tenants" (GET /v1/tenants/me).',
  }),
  'membership-suspended': entry({
    status: 403,
    exit: 2,
    message: () => 'Your membership of this tenant is suspended.',
    hint: 'An Owner or Admin of the tenant can reinstate it; signing in again does not.',
  }),
  'auth-rate-limited': entry<{ retry_after: number }>({
    status: 429,
    exit: 1,
    message: (d) => `Too many sign-in attempts; the next one is accepted in ${d.retry_after} seconds.`,
    hint: 'Wait as long as Retry-After says.',
  }),

  // Signing in elsewhere: on another device (the words of RFC 8628), at an issuer
  authorization_pending: entry({
    status: 400,
    exit: 2,
    message: () => 'Nobody has approved this sign-in yet.',
    hint: 'Ask again after the interval.',
  }),
  slow_down: entry<{ interval: number }>({
    status: 400,
    exit: 2,
    message: (d) => `Tokens were asked for too soon; the interval is ${d.interval} seconds from now on.`,
    hint: 'Wait the interval out before every further question.',
  }),
  access_denied: entry({
    status: 400,
    exit: 2,
    message: () => 'The sign-in was denied in the application.',
    hint: 'Begin again with "svc auth login" if that was a mistake.',
  }),
  expired_token: entry({
    status: 400,
    exit: 2,
    message: () => 'Nobody approved the sign-in in time.',
    hint: 'Begin again with "svc auth login".',
  }),
  invalid_grant: entry({
    status: 400,
    exit: 2,
    message: () => 'The device code is not valid: it was used already, is too old, or was not copied whole.',
    hint: 'Begin again with "svc auth login".',
  }),
  unsupported_grant_type: entry({
    status: 400,
    exit: 2,
    message: () => 'Here only the grant of a device (RFC 8628) gives tokens.',
    hint: 'Send grant_type=urn:ietf:params:oauth:grant-type:device_code, or sign in with POST /v1/auth/login.',
  }),
  'device-code-unknown': entry({
    status: 404,
    exit: 2,
    message: () => 'No sign-in waits under this code: it was mistyped, is too old, or was decided already.',
    hint: 'Compare it with what the program shows; "svc auth login" makes a new one.',
  }),
  'oidc-not-configured': entry({
    status: 404,
    exit: 2,
    message: () => 'This service has no issuer to sign in at.',
    hint: 'Sign in with a password, or ask the operator to set SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID.',
  }),
  'oidc-unavailable': entry<{ reason: string }>({
    status: 503,
    exit: 1,
    message: (d) => `The issuer cannot be asked at the moment: ${d.reason}.`,
    hint: 'Try again in a while; the log of the service says more.',
  }),
  'oidc-refused': entry<{ reason: string }>({
    status: 403,
    exit: 2,
    message: (d) => `The sign-in at the issuer came to nothing: ${d.reason}.`,
    hint: 'Begin again on the sign-in page, in one window and within ten minutes.',
  }),
  'oidc-account-unknown': entry({
    status: 403,
    exit: 2,
    message: () => 'The issuer knows you, but you have no account here and none is made for your address.',
    hint: 'Ask an Owner or Admin for an invitation, or the operator to allow the domain of your address.',
  }),
  'issuer-unavailable': entry({
    status: 503,
    exit: 1,
    message: () => 'The issuer of these credentials cannot be asked at the moment.',
    hint: 'Try again in a while; the log of the service says more.',
  }),

  // Accounts, tenants, members
  'password-weak': entry<{ reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `The password is not good enough: ${d.reason}.`,
    hint: 'Take 12 to 256 characters that do not contain your account name; a few random words do well.',
  }),
  'email-invalid': entry<{ email: string }>({
    status: 400,
    exit: 2,
    message: (d) => `"${d.email}" is not an e-mail address.`,
    hint: 'Give it as name@host.',
  }),
  'email-taken': entry<{ email: string }>({
    status: 409,
    exit: 2,
    message: (d) => `There is already an account for ${d.email}.`,
    hint: 'Sign in with it, or use another address.',
  }),
  'csrf-token-invalid': entry({
    status: 403,
    exit: 2,
    message: () => 'The request changes something in a browser session but does not carry its CSRF token.',
    hint: 'Send the token of GET /_app/session in X-CSRF-Token; reload the page if it is old.',
  }),
  'browser-session-required': entry({
    status: 403,
    exit: 2,
    message: () => 'This is done in the application alone: a browser session is needed.',
    hint: 'Open the application, sign in, and do it there.',
  }),
  'cross-site-request': entry({
    status: 403,
    exit: 2,
    message: () => 'The request came from a page of another site.',
    hint: 'Open the application itself and sign in there.',
  }),
  'setup-token-invalid': entry({
    status: 403,
    exit: 2,
    message: () => 'The set-up link is not valid: it was used, is older than 30 minutes, or was not copied whole.',
    hint: 'Start "svc serve" again for a new link, or create the first user with "svc user create".',
  }),
  'setup-done': entry({
    status: 409,
    exit: 2,
    message: () => 'This service has an owner already.',
    hint: 'Sign in; an Owner or Admin can invite you.',
  }),
  'organization-name-invalid': entry<{ reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `The organization name cannot be used: ${d.reason}.`,
    hint: 'Give a name of 1 to 120 characters with at least one letter or digit.',
  }),
  'tenant-slug-invalid': entry<{ slug: string }>({
    status: 400,
    exit: 2,
    message: (d) => `"${d.slug}" cannot be the slug of a tenant.`,
    hint: 'Take 2 to 63 lower-case letters, digits and single hyphens, beginning with a letter; a few words are reserved.',
  }),
  'tenant-slug-taken': entry<{ slug: string }>({
    status: 409,
    exit: 2,
    message: (d) => `Another organization has the slug "${d.slug}".`,
    hint: 'Choose another slug.',
  }),
  'tenant-cap-reached': entry<{ used: number; max: number }>({
    status: 403,
    exit: 3,
    message: (d) => `You own ${d.used} of the ${d.max} organizations that your plan allows.`,
    hint: 'Work in one of them, or ask the operator to raise the limit.',
  }),
  'tenant-protected': entry<{ tenant: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The tenant "${d.tenant}" belongs to the workspace itself and cannot be deleted.`,
    hint: 'Delete its projects instead.',
  }),
  'transfer-invalid': entry<{ reason: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The ownership cannot go there: ${d.reason}.`,
    hint: 'Name another member whose membership is active.',
  }),
  'tenant-id-invalid': entry({
    status: 400,
    exit: 2,
    message: () => 'tenant_id is missing or is not a UUID.',
    hint: 'Take the id from GET /v1/tenants/me.',
  }),
  'membership-not-found': entry<{ tenant: string }>({
    status: 404,
    exit: 2,
    message: (d) => `You have no membership of the tenant ${d.tenant}.`,
    hint: 'Ask one of its administrators for an invitation.',
  }),
  'wizard-step-unknown': entry<{ step: string }>({
    status: 400,
    exit: 2,
    message: (d) => `The wizard has no step "${d.step}".`,
    hint: 'Its steps are welcome, organization, summary and done.',
  }),
  'user-not-found': entry<{ user: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no account for ${d.user}.`,
    hint: '"svc user list" shows the accounts.',
  }),
  'member-not-found': entry<{ member: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The tenant has no member "${d.member}".`,
    hint: 'The list of members names their ids.',
  }),
  'member-exists': entry<{ email: string }>({
    status: 409,
    exit: 2,
    message: (d) => `${d.email} is a member or is invited already.`,
    hint: 'Change the role of that member instead.',
  }),
  'last-owner': entry({
    status: 409,
    exit: 2,
    message: () => 'This is the last Owner of the tenant, and a tenant is never without one.',
    hint: 'Make another member Owner first.',
  }),
  'owner-required': entry({
    status: 403,
    exit: 2,
    message: () => 'Only an Owner may make somebody Owner or change an Owner.',
    hint: 'Ask an Owner of the tenant.',
  }),
  'invitation-invalid': entry({
    status: 403,
    exit: 2,
    message: () => 'The invitation is not valid: it was used, withdrawn, is too old, or was not copied whole.',
    hint: 'Ask for a new one.',
  }),
  'invitation-not-found': entry<{ invitation: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The tenant has no open invitation "${d.invitation}".`,
    hint: 'The list of invitations names their ids.',
  }),
  'member-pending': entry<{ member: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The member "${d.member}" has not accepted the invitation yet.`,
    hint: 'Only the invited person can activate a pending membership; remove it to withdraw the invitation.',
  }),
  'api-key-not-found': entry<{ key: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The tenant has no key "${d.key}".`,
    hint: 'The list of keys names their ids.',
  }),
  'api-key-expired': entry<{ key: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The key "${d.key}" has expired and cannot be enabled again.`,
    hint: 'Make a replacement with the same scopes, switch its callers, then delete this one.',
  }),
  'scopes-invalid': entry<{ scopes: readonly string[] }>({
    status: 400,
    exit: 2,
    message: (d) => `These scopes cannot be given to a key: ${d.scopes.join(' ')}.`,
    hint: 'Take "*" alone, or diff:read, lint:read, or both.',
  }),
  'tools-invalid': entry<{ tools: readonly string[]; reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `These tools cannot be given: ${d.tools.join(' ')} (${d.reason}).`,
    hint: 'Take a subset of the tools that the toolset, or the ceiling of the tenant, contains.',
  }),

  // Agents and published specifications
  capability_disabled: entry<{ tool: string }>({
    status: 403,
    exit: 2,
    message: (d) => `The tool ${d.tool} is not enabled for this key.`,
    hint: 'An administrator of the tenant decides which tools its keys may call (mcp-capabilities).',
  }),
  'spec-not-found': entry<{ spec: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no published specification "${d.spec}" that you can see.`,
    hint: 'spec.list (GET /v1/specs) names them, as tenant/project/version; drafts are never among them.',
  }),
  'operation-not-found': entry<{ operation: string; spec: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The specification "${d.spec}" has no operation "${d.operation}".`,
    hint: 'Name it as in "GET /pets/{id}", or by its operationId; the list of operations has both.',
  }),
  'cursor-invalid': entry({
    status: 400,
    exit: 2,
    message: () => 'The cursor is not one that this list gave.',
    hint: 'Take next_cursor of the page before, unchanged, with the same filters; leave it out for the first page.',
  }),
  'semantic-search-unavailable': entry({
    status: 503,
    exit: 2,
    message: () => 'Search by meaning is not set up: the service has no key for an embedding provider.',
    hint: 'spec.search finds operations by their words; the operator sets SVC_EMBEDDINGS_URL and SVC_EMBEDDINGS_KEY.',
  }),
  'embedding-failed': entry<{ reason: string }>({
    status: 502,
    exit: 1,
    message: (d) => `The embedding provider did not answer as it should: ${d.reason}.`,
    hint: 'Try again later; spec.search finds operations by their words meanwhile.',
  }),

  // The request itself
  'route-not-found': entry<{ path: string }>({
    status: 404,
    exit: 2,
    message: (d) => `Nothing is served at ${d.path}.`,
    hint: 'GET /v1/openapi.json lists every operation.',
  }),
  'method-not-allowed': entry<{ method: string; path: string; allow: readonly string[] }>({
    status: 405,
    exit: 2,
    message: (d) => `${d.method} is not possible on ${d.path}; it takes ${d.allow.join(', ')}.`,
    hint: 'Use one of the methods in the Allow header.',
  }),
  'request-malformed': entry<{ reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `The request cannot be read: ${d.reason}.`,
    hint: 'Send a JSON body in UTF-8 with "Content-Type: application/json".',
  }),
  'request-invalid': entry({
    status: 422,
    exit: 2,
    message: () => 'The request does not fit the schema of this operation.',
    hint: 'Each entry of detail names the place (loc) and what is expected there.',
  }),
  'body-too-large': entry<{ limit_bytes: number }>({
    status: 413,
    exit: 2,
    message: (d) => `The body is larger than this operation takes (${d.limit_bytes} bytes).`,
    hint: 'Send less, or split the document.',
  }),
  'media-type-unsupported': entry<{ media_type: string; accepted: readonly string[] }>({
    status: 415,
    exit: 2,
    message: (d) => `A body of type "${d.media_type}" is not accepted here; send ${d.accepted.join(' or ')}.`,
    hint: 'Set the Content-Type header to one of the accepted types.',
  }),

  // Projects, versions, documents
  'project-not-found': entry<{ project: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no project "${d.project}" in this tenant.`,
    hint: '"svc project list" shows the projects you can see.',
  }),
  'project-slug-taken': entry<{ slug: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The tenant already has a project with the slug "${d.slug}".`,
    hint: 'Choose another slug, or import into the existing project with --project-id.',
  }),
  'style-guide-not-found': entry<{ guide: string; near?: string | null }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no style guide "${d.guide}"${d.near ? `; did you mean "${d.near}"?` : '.'}`,
    hint: 'List them with "svc style-guide list" (GET /v1/style-guides/{tenant}).',
  }),
  'style-guide-read-only': entry<{ guide: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The builtin guide "${d.guide}" cannot be changed.`,
    hint: 'Duplicate it ("svc style-guide create NAME --from GUIDE") and change the duplicate.',
  }),
  'style-guide-name-taken': entry<{ name: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The tenant already has a style guide named "${d.name}".`,
    hint: 'Choose another name, or change the guide that has it.',
  }),
  'rule-not-found': entry<{ rule: string; guide: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The guide "${d.guide}" has no rule "${d.rule}".`,
    hint: 'List its rules with "svc style-guide rules GUIDE"; rules of your own come from its custom-rules document.',
  }),
  'policy-version-not-found': entry<{ policy_version: string; guide: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The guide "${d.guide}" has no policy pack "${d.policy_version}".`,
    hint: 'List them with "svc style-guide packs GUIDE".',
  }),
  'analysis-stopped': entry<{ what: string; under: string; reason: string; rules: readonly string[] }>({
    status: 422,
    exit: 6,
    message: (d) => `${d.what}${d.under} was stopped: ${d.reason}.`,
    hint: 'Simplify the rules that are named, or make the document smaller. Whoever runs the service can raise SVC_ANALYSIS_DEADLINE and SVC_ANALYSIS_MEMORY_MB.',
  }),
  'custom-rules-invalid': entry<{
    reason: string
    pointer: string
    line: number
    column: number
    problems: readonly object[]
  }>({
    status: 422,
    exit: 2,
    message: (d) => `The custom rules cannot be used, line ${d.line}, column ${d.column}: ${d.reason}`,
    hint: 'Each problem names its place. A ruleset kept by the service may extend builtin rulesets only, and has no functions of its own.',
  }),
  'preview-target-unclear': entry({
    status: 422,
    exit: 2,
    message: () => 'A preview takes either "content", or "project" and "version" together.',
    hint: 'Leave all three out to have the rules read only.',
  }),
  'version-not-found': entry<{ version: string; project: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The project "${d.project}" has no version "${d.version}".`,
    hint: '"svc version list PROJECT" shows its versions.',
  }),
  'version-label-taken': entry<{ version: string; project: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The project "${d.project}" already has a version "${d.version}" with other content.`,
    hint: 'Raise the version in the document, or name another one with --version.',
  }),
  'version-published': entry<{ version: string }>({
    status: 409,
    exit: 2,
    message: (d) => `Version "${d.version}" is published, and published content never changes.`,
    hint: 'Make a new version.',
  }),
  'version-transition': entry<{ version: string; from: string; to: string }>({
    status: 409,
    exit: 2,
    message: (d) => `Version "${d.version}" is ${d.from} and cannot become ${d.to}.`,
    hint: 'A version goes draft, published, deprecated, retired, in this order.',
  }),
  'version-exists': entry<{ version: string; project: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The project "${d.project}" already has a version with the label or slug "${d.version}".`,
    hint: 'Choose another label, or change the document of that version while it is a draft.',
  }),
  'version-label-invalid': entry<{ label: string; reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `"${d.label}" cannot be the label of a version: ${d.reason}.`,
    hint: 'Take a semantic version such as 1.4.0, or any other short name.',
  }),
  'baseline-invalid': entry<{ reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `The version cannot be compared with that baseline: ${d.reason}.`,
    hint: 'Name the id of a published version of the same project, or leave the mode "auto".',
  }),
  'precondition-required': entry<{ header: string }>({
    status: 428,
    exit: 2,
    message: (d) => `This change needs the header ${d.header}, so that nobody's work is overwritten unseen.`,
    hint: 'Read the document, and send its ETag in If-Match with the change.',
  }),
  'document-changed': entry<{ expected: string; actual: string }>({
    status: 412,
    exit: 2,
    message: (d) => `The document is not the one you expected: its digest is ${d.actual}, not ${d.expected}.`,
    hint: 'Read it again, look at what changed, and repeat.',
  }),
  'document-invalid': entry<{ reason: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The document cannot be used: ${d.reason}.`,
    hint: '"svc lint FILE" shows every problem with its line and column.',
  }),
  'format-unknown': entry<{ source: string }>({
    status: 422,
    exit: 6,
    message: (d) => `${d.source} is none of the formats that svc imports.`,
    hint: '"svc import --list" names them; give one explicitly, as in "svc import openapi FILE".',
  }),
  'no-workflows': entry<{ version: string }>({
    status: 404,
    exit: 2,
    message: (d) => `Version "${d.version}" has no Arazzo workflows.`,
    hint: 'Import an Arazzo document into the version first.',
  }),
  'class-taken': entry<{ class_name: string; version: string }>({
    status: 409,
    exit: 2,
    message: (d) => `Another schema that joined version "${d.version}" has a class "${d.class_name}".`,
    hint: 'Give the schema another name with --name, or import the other one again without that class.',
  }),
  'class-not-found': entry<{ class_name: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The version has no class (named schema) "${d.class_name}".`,
    hint: 'The JSON Schema document of the version lists all classes under $defs.',
  }),
  'publish-gates-failed': entry<{ gates: readonly unknown[] }>({
    status: 409,
    exit: 3,
    message: () => 'The version was not published: at least one gate failed.',
    hint: 'Look at the failed gates; --force with a reason skips those that may be skipped.',
  }),
  'force-needs-reason': entry({
    status: 400,
    exit: 2,
    message: () => 'Publishing by force needs a reason.',
    hint: 'Say why in force_reason; it is kept in the audit trail.',
  }),
  'relint-failed': entry<{ job: string; reason: string }>({
    status: 422,
    exit: 6,
    message: (d) => `Linting the stored versions again failed: ${d.reason}`,
    hint: 'What was linted until then is kept; "svc style-guide relint" begins again.',
  }),
  'job-not-found': entry<{ job: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no job "${d.job}" here.`,
    hint: 'Finished jobs are kept 30 days.',
  }),
  'import-job-not-found': entry<{ job: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no import job "${d.job}".`,
    hint: 'Finished jobs are kept 30 days.',
  }),
  'idempotency-key-reused': entry<{ key: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The Idempotency-Key "${d.key}" was used within 24 hours for a different request.`,
    hint: 'Use a fresh key for a different request.',
  }),
  'quota-exceeded': entry<{ quota: string; used: number; max: number }>({
    status: 403,
    exit: 3,
    message: (d) => `The plan's ${d.quota} are used up: ${d.used} of ${d.max}.`,
    hint: 'Remove some, or ask the operator to raise the limit.',
  }),

  // Migration plans
  'migration-rule-invalid': entry<{ key: string; reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => `The rule "${d.key}" cannot be: ${d.reason}.`,
    hint: 'Rules are keyed "migration-edge-prop-<source_property>"; GET …/proposals shows some.',
  }),

  // Change reports
  'change-report-not-found': entry<{ version: string }>({
    status: 404,
    exit: 2,
    message: (d) => `Version "${d.version}" has no change report.`,
    hint: 'A report is written when a version is published; a draft has a preview (publish-preview).',
  }),
  'creator-required': entry<{ version: string }>({
    status: 403,
    exit: 2,
    message: (d) => `Only who made version "${d.version}", or an administrator of the tenant, may change its report.`,
    hint: 'Ask an Owner or Admin of the tenant.',
  }),
  'template-not-found': entry<{ template: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no template version "${d.template}" for this project.`,
    hint: '"svc change-report template list" (GET /v1/tenants/{tenant_slug}/change-report-templates) lists those of the tenant; --project (?project=) adds those of a project.',
  }),
  'template-invalid': entry<{ reason: string; problems: readonly unknown[] }>({
    status: 400,
    exit: 2,
    message: (d) => `The template cannot be used: ${d.reason}.`,
    hint: 'A template names fields of the change model; every problem stands under problems, with its line and column.',
  }),

  // Compatibility
  'change-rule-not-found': entry<{ rule: string }>({
    status: 404,
    exit: 2,
    message: (d) => `There is no rule about changes with the id "${d.rule}".`,
    hint: 'The id of a change names the rule that explains it; "svc explain ID" knows the same ones.',
  }),
  'rule-unknown': entry<{ rule: string }>({
    status: 400,
    exit: 2,
    message: (d) => `There is no rule about changes with the id "${d.rule}".`,
    hint: 'docs/changes lists the rules; ruleId of a finding names the one that explains it.',
  }),
  'evidence-not-found': entry<{ version: string }>({
    status: 404,
    exit: 2,
    message: (d) => `No compatibility evidence was recorded for version "${d.version}".`,
    hint: '"svc compat evidence PROJECT BASE HEAD" records it.',
  }),

  // Consumers and their contracts
  'consumer-not-found': entry<{ consumer: string; project: string }>({
    status: 404,
    exit: 2,
    message: (d) => `The project "${d.project}" has no consumer "${d.consumer}".`,
    hint: '"svc consumer list PROJECT" names them; a retired consumer is found by its id alone.',
  }),
  'consumer-handle-taken': entry<{ handle: string; project: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The project "${d.project}" already has a consumer with the handle "${d.handle}".`,
    hint: 'Choose another handle, or declare a new revision for the consumer that has it.',
  }),
  'consumer-handle-invalid': entry<{ name: string }>({
    status: 400,
    exit: 2,
    message: (d) => `No handle can be made of the name "${d.name}".`,
    hint: 'Give a handle of lower-case letters, digits and single hyphens.',
  }),
  'consumer-retired': entry<{ consumer: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The consumer "${d.consumer}" is retired: nothing was written, and its revisions are as they were.`,
    hint: 'Register a consumer again; the handle is free.',
  }),
  'contract-not-found': entry<{ consumer: string; revision: number | null }>({
    status: 404,
    exit: 2,
    message: (d) =>
      d.revision === null
        ? `The consumer "${d.consumer}" never declared what it uses.`
        : `The contract of the consumer "${d.consumer}" has no revision ${d.revision}.`,
    hint: '"svc consumer revisions PROJECT CONSUMER" lists the revisions; "svc consumer declare" writes one.',
  }),
  'pact-invalid': entry<{ reason: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The document cannot be read as a Pact: ${d.reason}.`,
    hint: "Send the JSON file that the consumer's contract tests wrote (Pact specification 1 to 4).",
  }),

  // Outbound connections
  'egress-denied': entry<{ url: string; reason: string }>({
    status: 422,
    exit: 2,
    message: (d) => `The address ${d.url} may not be fetched: ${d.reason}.`,
    hint: 'Only public addresses may be fetched; the operator can permit networks with SVC_EGRESS_ALLOW.',
  }),
  'fetch-failed': entry<{
    url: string
    reason: string
    /** The status, where the address did answer. */
    answered?: number
  }>({
    status: 502,
    exit: 6,
    message: (d) => `${d.url} could not be fetched: ${d.reason}.`,
    hint: 'Check that the address answers, and try again.',
  }),

  // What an import reads
  'archive-unreadable': entry<{ source: string; reason: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} cannot be read: ${d.reason}.`,
    hint: 'Pack it again as zip, tar or tar.gz.',
  }),
  'archive-path-unsafe': entry<{ source: string; entry: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} has an entry whose path leads out of it: "${d.entry}".`,
    hint: 'Entries must have relative paths without "..", a drive letter or a backslash; pack the folder again.',
  }),
  'archive-link': entry<{ source: string; entry: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} holds a link or a device: "${d.entry}".`,
    hint: 'Pack the files that links lead to instead (tar --dereference).',
  }),
  'archive-encrypted': entry<{ source: string; entry: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} is encrypted: "${d.entry}" needs a password.`,
    hint: 'Pack it again without a password.',
  }),
  'archive-nested': entry<{ source: string; entry: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} holds another archive: "${d.entry}".`,
    hint: 'Unpack the inner archive, or import it by itself.',
  }),
  'archive-ratio': entry<{ source: string; entry: string; limit: number }>({
    status: 422,
    exit: 6,
    message: (d) => `"${d.entry}" of the archive ${d.source} unfolds to more than ${d.limit} times its packed size.`,
    hint: 'Documents never pack that well: leave the file out.',
  }),
  'archive-too-large': entry<{ source: string; limit_bytes: number }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} unfolds to more than ${d.limit_bytes} bytes.`,
    hint: 'Pack only the folder with the documents.',
  }),
  'archive-entries': entry<{ source: string; limit: number }>({
    status: 422,
    exit: 6,
    message: (d) => `The archive ${d.source} has more than ${d.limit} entries.`,
    hint: 'Pack only the folder with the documents.',
  }),
  'reference-outside-root': entry<{ reference: string; place: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The reference "${d.reference}" at ${d.place} leads out of the root, where nothing is read.`,
    hint: 'Give the folder that holds all the files, and name the document in it with --root.',
  }),
  'source-link': entry<{ path: string }>({
    status: 422,
    exit: 6,
    message: (d) => `"${d.path}" is a symbolic link, and links are not followed.`,
    hint: 'Put the file itself there, or refer to the file that the link leads to.',
  }),
  'source-too-large': entry<{ source: string; what: string; limit: number }>({
    status: 422,
    exit: 6,
    message: (d) => `${d.source} is too large to read: more than ${d.limit} ${d.what}.`,
    hint: 'Narrow it to the folder with the documents (--root, or --path of a repository).',
  }),
  'source-empty': entry<{ source: string; looked: string }>({
    status: 422,
    exit: 6,
    message: (d) => `Nothing in ${d.source} can be imported: ${d.looked}.`,
    hint: 'Documents are files ending in .json, .yaml or .yml; "svc import --list" names the formats.',
  }),
  'source-ambiguous': entry<{ source: string; candidates: string }>({
    status: 422,
    exit: 6,
    message: (d) => `${d.source} holds several documents: ${d.candidates}.`,
    hint: 'Name one of them (--root, or --path of a repository), or import each with --bulk.',
  }),
  'source-path-missing': entry<{ source: string; path: string }>({
    status: 422,
    exit: 6,
    message: (d) => `There is no "${d.path}" in ${d.source}.`,
    hint: 'Paths are relative to the top of the archive, folder or repository.',
  }),
  'source-refused': entry<{ source: string; reason: string }>({
    status: 422,
    exit: 2,
    message: (d) => `${d.source} cannot be a source: ${d.reason}.`,
    hint: '"svc import --help" shows what can be imported from where.',
  }),
  'override-invalid': entry<{ key: string; reason: string }>({
    status: 422,
    exit: 2,
    message: (d) => `The override of "${d.key}" cannot be used: ${d.reason}.`,
    hint: 'Write KEY=new, KEY=existing or KEY=existing:PROJECT_ID, each optionally with @VERSION at its end.',
  }),
  'git-failed': entry<{ url: string; reason: string }>({
    status: 422,
    exit: 6,
    message: (d) => `The repository ${d.url} could not be read: ${d.reason}.`,
    hint: 'Check the address, the ref, and that the repository may be read from here.',
  }),

  // The process and its storage
  'database-newer': entry<{ migration: string }>({
    status: 503,
    exit: 2,
    message: (d) =>
      `The database was made by a newer svc: it has the migration ${d.migration}, which this one does not know.`,
    hint: 'Use the newer svc, or restore a backup made by this one.',
  }),
  'database-unavailable': entry<{ reason: string }>({
    status: 503,
    exit: 1,
    message: (d) => `The database cannot be used: ${d.reason}.`,
    hint: '"svc doctor" looks at the database, the workspace folder and the configuration.',
  }),
  'workspace-unusable': entry<{ path: string; reason: string }>({
    status: 503,
    exit: 2,
    message: (d) => `The workspace ${d.path} cannot be used: ${d.reason}.`,
    hint: 'Give a folder you can write to with --workspace or SVC_WORKSPACE.',
  }),
  'backup-unusable': entry<{ path: string; reason: string }>({
    status: 422,
    exit: 2,
    message: (d) => `The backup ${d.path} cannot be used: ${d.reason}.`,
    hint: '"svc backup verify FILE" checks a backup; "svc backup create FILE" makes a new one.',
  }),
  'database-not-empty': entry<{ database: string }>({
    status: 409,
    exit: 2,
    message: (d) => `The database ${d.database} has data already, and a backup is restored into an empty one only.`,
    hint: 'Name a new folder with --workspace, or an empty Postgres database with SVC_DATABASE_URL.',
  }),
  'config-invalid': entry<{ problems: readonly string[] }>({
    status: 503,
    exit: 2,
    message: (d) => `The configuration cannot be used:\n  ${d.problems.join('\n  ')}`,
    hint: '"svc config print" shows every setting, its value and where it comes from.',
  }),
  'port-unavailable': entry<{ address: string; reason: string }>({
    status: 503,
    exit: 2,
    message: (d) => `${d.address} cannot be listened on: ${d.reason}.`,
    hint: 'End the other process, or choose another address with --host and --port (0 takes any free port).',
  }),
  'transport-failed': entry<{ url: string; reason: string }>({
    status: 502,
    exit: 1,
    message: (d) => `The service at ${d.url} did not answer: ${d.reason}.`,
    hint: 'Check --base-url and that the service runs ("curl URL/healthz").',
  }),
  'service-refused': entry<{ status: number; reason: string }>({
    status: 502,
    exit: 2,
    message: (d) => `The service refused with ${d.status}: ${d.reason}`,
    hint: 'The service is of another version than this command line; compare "svc --version" on both sides.',
  }),
  usage: entry<{ reason: string }>({
    status: 400,
    exit: 2,
    message: (d) => d.reason,
    hint: 'Run the command with --help.',
  }),
  internal: entry<{ request_id: string }>({
    status: 500,
    exit: 70,
    message: (d) => `This is a fault of svc (request ${d.request_id}).`,
    hint: 'Report it with the request id; the log has the rest.',
  }),
} as const

/** Every error code: a closed enumeration. */
export type Code = keyof typeof catalogue

/** The context that an error of a code carries. */
export type Detail<C extends Code> = Parameters<(typeof catalogue)[C]['message']>[0]

/** An expected failure. `detail` stands beside code and message in the answer, so it must hold no secret. */
export class SvcError<C extends Code = Code> extends Error {
  readonly code: C
  readonly detail: Detail<C>
  constructor(code: C, ...[detail]: object extends Detail<C> ? [detail?: Detail<C>] : [detail: Detail<C>]) {
    const given = (detail ?? {}) as Detail<C>
    super((catalogue[code].message as (detail: Detail<C>) => string)(given))
    this.name = 'SvcError'
    this.code = code
    this.detail = given
  }
  get status(): number {
    return catalogue[this.code].status
  }
  get exitCode(): ExitCode {
    return catalogue[this.code].exit
  }
  get hint(): string {
    return catalogue[this.code].hint
  }
}
