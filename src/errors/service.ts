import { entry } from './entry.ts'

/** The process, its configuration and its storage. */
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
  'service-stopping': entry({
    status: 503,
    exit: 1,
    message: 'The service is stopping.',
    hint: 'Repeat the request: another replica, or the service once it has started again, answers it.',
    browserHint: 'Try again in a moment.',
  }),
  'workspace-unusable': entry({
    status: 503,
    exit: 2,
    message: 'Cannot use the workspace {path}: {reason}.',
    hint: 'Choose a writable folder with --workspace or SVC_WORKSPACE.',
    browserHint: 'Ask the operator of the service.',
  }),
  'backup-unusable': entry({
    status: 422,
    exit: 2,
    message: 'Cannot use the backup {path}: {reason}.',
    hint: 'Check the backup with "svc backup verify FILE", or create a new one with "svc backup create FILE".',
    browserHint: 'Ask the operator of the service.',
  }),
  'database-not-empty': entry({
    status: 409,
    exit: 2,
    message: 'The database {database} is not empty; a backup can be restored into an empty database only.',
    hint: 'Choose a new folder with --workspace, or an empty Postgres database with SVC_DATABASE_URL.',
    browserHint: 'Ask the operator of the service.',
  }),
  'config-invalid': entry({
    status: 503,
    exit: 2,
    message: 'Invalid configuration:\n  {problems:lines}',
    hint: 'Correct each setting where it is set: the environment, svc.config.yaml or an option.',
  }),
  'port-unavailable': entry({
    status: 503,
    exit: 2,
    message: 'Cannot listen on {address}: {reason}.',
    hint: 'Stop the other process, or choose another address with --host and --port (0 selects a free port).',
    browserHint: 'Ask the operator of the service.',
  }),
  'output-failed': entry({
    status: 500,
    exit: 1,
    message: 'Standard output cannot be written: {reason}.',
    hint: 'Free some space, or write to another file.',
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
    hint: 'Compare "svc --version" on both sides; the service probably has another version than this command line.',
    browserHint: 'Reload the page, then try again.',
  }),
  usage: entry({
    status: 400,
    exit: 2,
    message: '{reason}',
    hint: 'Run the command with --help.',
    browserHint: 'Correct the input, then try again.',
  }),
  internal: entry({
    status: 500,
    exit: 70,
    message: 'Internal error (request {request_id}).',
    hint: 'Report it with the request id; the log of the service has the details.',
  }),
} as const
