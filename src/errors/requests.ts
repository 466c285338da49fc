import { entry } from './entry.ts'

// The status of the answer, where there was one.
const answered: { readonly answered?: number } = {}

/** The HTTP request itself, agents, and published specifications. */
export const requests = {
  capability_disabled: entry({
    status: 403,
    exit: 2,
    message: 'The tool {tool} is not enabled for this key.',
    hint: 'Ask an administrator of the organization to enable it in the MCP tool settings.',
  }),
  'spec-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no published specification "{spec}" that you can see.',
    hint: 'Name it as tenant/project/version; drafts are not included.',
    browserHint: 'Check the address; only published versions are shown here.',
  }),
  'operation-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The specification "{spec}" has no operation "{operation}".',
    hint: 'Use a method and path such as "GET /pets/{id}", or an operationId.',
    browserHint: 'Choose an operation from the list.',
  }),
  'cursor-invalid': entry({
    status: 400,
    exit: 2,
    message: 'Invalid cursor.',
    hint: 'Send next_cursor of the previous page unchanged, with the same filters; omit it for the first page.',
    browserHint: 'Go back to the first page.',
  }),
  'checks-exceeded': entry({
    status: 429,
    exit: 2,
    message:
      'At most {max:number} checks of one organization, or of all callers without credentials, run at a time; try again in {retry_after:seconds}.',
    hint: 'Wait for the answer to one check before you ask for the next.',
  }),
  'semantic-search-unavailable': entry({
    status: 503,
    exit: 2,
    message: 'Semantic search is not configured.',
    hint: 'Search by keywords instead (spec.search, type.list), or ask the operator to set SVC_EMBEDDINGS_URL and SVC_EMBEDDINGS_KEY.',
    browserHint: 'Search by keywords, or ask the operator to configure semantic search.',
  }),
  'embedding-failed': entry({
    status: 502,
    exit: 1,
    message: 'The embedding provider failed: {reason}.',
    hint: 'Try again later, or search by keywords instead (spec.search, type.list).',
    browserHint: 'Try again later, or search by keywords.',
  }),
  'route-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no route {path}.',
    hint: 'The service probably has another version than this command line: compare "svc --version" on both sides.',
    browserHint: 'Check the address.',
  }),
  'not-served-here': entry({
    status: 404,
    exit: 2,
    message: 'This process of the service does not answer {path}.',
    hint: 'Send the request to a process with the role web: SVC_ROLES says which roles a process has.',
    browserHint: 'Check the address.',
  }),
  'method-not-allowed': entry({
    status: 405,
    exit: 2,
    message: '{method} is not allowed for {path}; use {allow:list}.',
    hint: 'Use one of the methods in the Allow header.',
  }),
  'request-malformed': entry({
    status: 400,
    exit: 2,
    message: 'The request cannot be read: {reason}.',
    hint: 'Send a JSON body in UTF-8 with "Content-Type: application/json".',
  }),
  'request-invalid': entry({
    status: 422,
    exit: 2,
    message: 'The request is invalid.',
    hint: 'Correct the value that the message names; the API reference lists the parameters and fields of the operation.',
    browserHint: 'Correct the field that the message names.',
  }),
  'body-too-large': entry({
    status: 413,
    exit: 2,
    message: 'The request body is larger than {limit_bytes:number} bytes.',
    hint: 'Send less data, or split the document into files.',
  }),
  'request-too-costly': entry({
    status: 422,
    exit: 2,
    message: 'The answer takes too long to compute: more than {steps:number} steps for {what}.',
    hint: 'Narrow the request: use a shorter pattern or search, or a filter that leaves less to compare.',
  }),
  'media-type-unsupported': entry({
    status: 415,
    exit: 2,
    message: 'Unsupported media type "{media_type}"; use {accepted:list}.',
    hint: 'Set the Content-Type header to one of the supported types.',
  }),
  'precondition-required': entry({
    status: 428,
    exit: 2,
    message: 'The header {header} is required, so that a change of another user is not overwritten.',
    hint: 'Read the document, then send its ETag in If-Match with the change.',
    browserHint: 'Reload the page, then make the change again.',
  }),
  'document-changed': entry({
    status: 412,
    exit: 2,
    message: 'The document was changed in the meantime: its digest is {actual}, not {expected}.',
    hint: 'Read it again, check the changes, then repeat yours.',
    browserHint: 'Reload the page, check the changes, then repeat yours.',
  }),

  // Outbound connections
  offline: entry({
    status: 422,
    exit: 2,
    message: '{url} was not requested, because of --offline.',
    hint: 'Run without --offline, or use a file of this machine.',
    browserHint: 'Use a file of this machine.',
  }),
  'host-not-allowed': entry({
    status: 422,
    exit: 2,
    message: '{url} was not requested: a file names it, and its host is not allowed on this machine.',
    hint: 'If you trust that host, allow it with --allow-hosts HOST, or with SVC_ALLOW_HOSTS=HOST for this machine. You can also name the address on the command line.',
    browserHint: 'Ask the owner of the machine to allow the host.',
  }),
  'egress-denied': entry({
    status: 422,
    exit: 2,
    message: 'Cannot fetch {url}: {reason}.',
    hint: 'Use a public address, or allow its network where svc runs, as in SVC_EGRESS_ALLOW=10.0.0.0/8.',
    browserHint: 'Use a public address, or ask the operator to allow the network.',
  }),
  'fetch-failed': entry({
    status: 502,
    exit: 6,
    message: 'Cannot fetch {url}: {reason}.',
    hint: 'Check the address, then try again.',
    context: answered,
  }),
} as const
