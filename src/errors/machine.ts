import { entry } from './entry.ts'

/** The machine of the service or of a command: folders, backups, configuration, ports, output. No operation answers them. */
export const machine = {
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
  'backup-objects-missing': entry({
    status: 422,
    exit: 1,
    message:
      'The rows of the backup {path} are whole, but objects that they refer to are missing or damaged in the object storage: {objects}.',
    hint: 'Restore these objects from a copy of the bucket, or keep an older backup. "svc backup create --objects copy" makes files that need no object storage.',
    browserHint: 'Ask the operator of the service.',
  }),
  'backup-documents-damaged': entry({
    status: 422,
    exit: 1,
    message:
      'The backup {path} has every row that was backed up, but documents in it changed before that, and cannot be read: {documents}.',
    hint: 'Import the same bytes again into the service and create a new backup, or keep an older backup that has them. "svc backup restore" restores everything else.',
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
    hint: 'Stop the other process, or choose another address with --host and --port, or for agents with SVC_MCP_HTTP_HOST and SVC_MCP_HTTP_PORT (0 selects a free port).',
    browserHint: 'Ask the operator of the service.',
  }),
  'output-failed': entry({
    status: 500,
    exit: 1,
    message: 'Standard output cannot be written: {reason}.',
    hint: 'Free some disk space, or write to another file.',
  }),
} as const
