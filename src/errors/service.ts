import { entry } from './entry.ts'

/** The service, its storage and its secrets. */
export const service = {
  'database-newer': entry({
    status: 503,
    exit: 2,
    message: 'The database was created by a newer version of svc: it has the unknown migration {migration}.',
    hint: 'Use the newer svc, or restore a backup that was created by this version.',
    browserHint: 'Ask the operator of the service.',
  }),
  'database-unavailable': entry({
    status: 503,
    exit: 1,
    message: 'The database is unavailable: {reason}.',
    hint: 'Run "svc doctor" to check the database, the workspace folder and the configuration.',
    browserHint: 'Try again later, or ask the operator of the service.',
  }),
  'storage-unavailable': entry({
    status: 503,
    exit: 1,
    context: {} as { readonly retry_after: number },
    message: 'The object storage is unavailable: {reason}.',
    hint: 'Send the request again in a moment. If it stays, run "svc doctor", which puts, gets and deletes an object.',
    browserHint: 'Try again in a moment, or ask the operator of the service.',
  }),
  'document-damaged': entry({
    status: 500,
    exit: 1,
    message: 'The stored document {digest} is damaged: its bytes changed since they were stored.',
    hint: 'Run "svc doctor" to list the damaged documents and their versions. Then import the same bytes again, or restore a backup.',
    browserHint:
      'Import the same bytes again under the same label, or ask the operator of the service to restore a backup.',
  }),
  'service-stopping': entry({
    status: 503,
    exit: 1,
    message: 'The service is stopping.',
    hint: 'Send the request again; another replica or the restarted service answers it.',
    browserHint: 'Try again in a moment.',
  }),
  'secret-key-missing': entry({
    status: 503,
    exit: 2,
    message: 'No key is configured for stored secrets, such as the signing secrets of webhooks.',
    hint: 'Set SVC_SECRET_KEY to base64 of 32 random bytes ("openssl rand -base64 32"), or SVC_SECRET_KEY_FILE to a file with it; the same for all replicas.',
    browserHint: 'Ask the operator of the service.',
  }),
  'secret-key-unusable': entry({
    status: 503,
    exit: 2,
    message: 'Cannot use the keys of stored secrets in {place}: {reason}.',
    hint: 'Correct the key. "openssl rand -base64 32" creates a new one, but only the old key reads the secrets that are stored.',
    browserHint: 'Ask the operator of the service.',
  }),
  'secret-unreadable': entry({
    status: 503,
    exit: 2,
    message: 'A stored secret ({purpose}) cannot be read: {reason}.',
    hint: 'Add the earlier key after the current one in SVC_SECRET_KEY or in secret.key, or set the secret again.',
    browserHint: 'Set the secret again, or ask the operator of the service.',
  }),
  'transport-failed': entry({
    status: 502,
    exit: 1,
    message: 'The service at {url} did not answer: {reason}.',
    hint: 'Check the address (--base-url or SVC_BASE_URL) and that the service is running.',
    browserHint: 'Check your network connection, then try again.',
  }),
  'service-refused': entry({
    status: 502,
    exit: 2,
    message: 'The service answered with the status {status:number}: {reason}',
    hint: 'Compare "svc --version" on both sides; the service and this command line probably have different versions.',
    browserHint: 'Reload the page, then try again.',
  }),
  usage: entry({
    status: 400,
    exit: 2,
    message: '{reason}',
    hint: 'Run the command with --help.',
    browserHint: 'Correct the input, then try again.',
  }),
  'rules-skipped': entry({
    status: 422,
    exit: 2,
    message: 'Skipped {skipped}: the result is incomplete.',
    hint: 'Correct what the findings name; --allow-functions runs JavaScript, --allow-skipped accepts an incomplete result, "allowSkipped" of svc.yaml accepts rules by name.',
    browserHint: 'Correct what the findings name.',
  }),
  internal: entry({
    status: 500,
    exit: 70,
    message: 'Internal error (request {request_id}).',
    hint: 'Report it with the request id; the log of the service has the details.',
  }),
} as const
