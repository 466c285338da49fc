/** What to do about errors, for callers of the HTTP API and for agents: no hint names a command or an option of one. */
import { catalogue, type Code, type SvcError } from '../errors.ts'
import type { Entry } from './entry.ts'

/** Where neither the hint of the command line nor that of the application fits. */
const own: Partial<Record<Code, string>> = {
  'credentials-missing': 'Send an API key in the header X-API-Key, or "Authorization: Bearer TOKEN".',
  'metrics-local-only': 'Set SVC_METRICS_TOKEN on the service and send the token as "Authorization: Bearer TOKEN".',
  'metrics-token-missing': 'Send the value of SVC_METRICS_TOKEN as "Authorization: Bearer TOKEN".',
  'person-required': 'Sign in as a person and repeat the request without the API key.',
  'tenant-access-denied': 'List your organizations with GET /v1/tenants/me.',
  'tenant-not-found': 'List your organizations with GET /v1/tenants/me.',
  'second-factor-required':
    'Send the ticket with "code" or "recovery_code" to POST /v1/auth/login/second-factor within five minutes.',
  'next-code-required':
    'Send the code again as "code", and the one that the app shows after it as "next_code", with the same ticket. A recovery code or a passkey is accepted too.',
  'document-damaged':
    'Import the same bytes again under the same label, or ask the operator of the service to restore a backup.',
  'sign-in-ticket-invalid': 'Sign in again with POST /v1/auth/login for a new ticket.',
  'second-factor-setup-required': 'Add an authenticator app with POST /v1/auth/second-factors/app.',
  'second-factor-own-missing': 'Add an authenticator app with POST /v1/auth/second-factors/app first.',
  'second-factor-not-found': 'Get your second factors with GET /v1/auth/second-factors.',
  access_denied: 'Start the sign-in again with a new device code.',
  expired_token: 'Start the sign-in again with a new device code.',
  invalid_grant: 'Start the sign-in again with a new device code.',
  unsupported_grant_type:
    'Send grant_type=urn:ietf:params:oauth:grant-type:device_code, or sign in with POST /v1/auth/login.',
  'scim-token-refused': 'An administrator creates a token with POST /v1/tenants/{tenant}/scim-tokens.',
  'scim-token-not-found': 'List the tokens with GET /v1/tenants/{tenant}/scim-tokens.',
  'role-rule-not-found': 'List the rules of the organization with GET /v1/tenants/{tenant}/role-rules.',
  'trust-not-found': 'List the trusts of the organization with GET /v1/tenants/{tenant}/trusts.',
  'trust-refused':
    'An administrator of the organization can send the token to POST /v1/tenants/{tenant}/trust-trials, which names each condition that does not fit.',
  'csrf-token-invalid': 'Send the token from GET /_app/session in the header X-CSRF-Token.',
  'tenant-id-invalid': 'Use an id from GET /v1/tenants/me.',
  'user-not-found': 'Check the email address.',
  'team-not-found': 'List the teams of the organization.',
  'team-follows-directory': 'Change the group at the identity provider, or set "directory_group" of the team to null.',
  'project-access-not-found': 'List who has a role on the project; the answer has the ids.',
  'member-not-found': 'List the members of the organization; the answer has their ids.',
  'invitation-not-found': 'List the open invitations of the organization.',
  'project-not-found': 'List the projects that you can see.',
  'style-guide-not-found': 'List the style guides with GET /v1/style-guides/{tenant}.',
  'style-guide-read-only': 'Create a style guide with it as the source, then change the copy.',
  'rule-not-found': 'List the rules of the style guide, or those of the security policy.',
  'policy-version-not-found': 'List the policy packs of the style guide.',
  'version-not-found': 'List the versions of the project.',
  'import-same-version': 'Send "overrides" with another project or version for one of them.',
  'version-label-taken': 'Increase the version in the document, or send another "version".',
  'class-taken': 'Send another "name", or import the other document again without that schema.',
  'publish-gates-failed':
    'Fix what the failed gates name, or send "force" and "force_reason" to skip the gates that can be skipped.',
  'force-needs-reason': 'Send a "force_reason"; it is kept in the audit log.',
  'template-not-found': 'List the templates of the organization and of the project.',
  'consumer-not-found': 'List the consumers of the project; use the id of a retired consumer.',
  'contract-not-found': 'List the revisions of the consumer, or declare what it uses.',
  'linked-account-not-found': 'List the linked accounts. Personal accounts of other members are not shown.',
  'linked-account-exists': 'Replace its token with PUT …/linked-accounts/{id}/token.',
  'account-in-use':
    'Assign the repositories to another account (PATCH …/repositories/{id}) or remove them first. You can replace the token without that.',
  'repository-not-found': 'List the repositories of the organization.',
  'spec-not-found': 'List them with spec.list (GET /v1/specs) as tenant/project/version; drafts are not included.',
  'operation-not-found':
    'Use a method and path such as "GET /pets/{id}", or an operationId; the list of operations has both.',
  'semantic-search-unavailable':
    'Search by keywords instead (spec.search, type.list), or ask the operator to set SVC_EMBEDDINGS_URL and SVC_EMBEDDINGS_KEY.',
  'route-not-found': 'See GET /v1/openapi.json for every operation.',
  'thread-not-found': 'List the threads with GET …/versions/{version}/threads.',
  'comment-not-found': 'Read the thread to list its comments; deleted comments cannot be changed.',
  'thread-resolved': 'Reopen it first with POST …/threads/{thread}/reopen.',
  'review-not-found': 'List the reviews with GET …/versions/{version}/reviews.',
  'reviewers-missing': 'Name 1 to 10 members in "reviewer_ids".',
  usage: 'Correct the request.',
  'reference-outside-root': 'Send the folder that contains all files, and select the document with "root".',
  'source-too-large': 'Send only the folder with the documents, or select it with "root".',
  'source-ambiguous': 'Select one of them with "root", or import all of them with "bulk".',
  'primitive-not-found': 'List the types with GET /v1/primitives/{tenant}.',
  'primitive-revision-not-found': 'List its revisions with GET /v1/primitives/{tenant}/{primitive_id}/revisions.',
  'stage-not-found': 'List the imports with GET /v1/primitives/{tenant}/imports.',
  'webhook-not-found': 'List the subscriptions of the organization.',
  'webhook-disabled': 'Activate it with PATCH {"active": true}, then try again.',
  'preference-unknown': 'GET …/notification-preferences lists the event types.',
  'hook-not-found': 'Create one with POST …/repositories/{id}/webhook. Polling works without it.',
  'hook-ip': 'An Admin can allow its network (POST …/repository-webhook-ip-allowlist/entries).',
  'allowlist-entry-not-found': 'GET …/repository-webhook-ip-allowlist lists the entries.',
  'import-spec-not-found': 'Import the file first (POST …/files/{id}/import).',
  'binding-not-found': 'Bind the draft first (POST …/versions/{version}/binding), or list the bindings.',
}

const namesCommand = (hint: string): boolean => /svc [a-z]|(?:^|[ "(])--[a-z]/.test(hint)

/** What a caller of the HTTP API does next about an error. */
export const apiHintOf = ({ code }: Pick<SvcError, 'code'>): string => {
  const { hint, browserHint = hint }: Entry = catalogue[code]
  return own[code] ?? (namesCommand(hint) ? browserHint : hint)
}
