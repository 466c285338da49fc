import { entry } from './entry.ts'

/** What was deleted and can be restored. */
export const bin = {
  'bin-entry-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The bin has no entry "{entry}".',
    hint: 'List it with "svc bin list". What was deleted more than 30 days ago, or was restored already, is not in it.',
    browserHint: 'List the bin again: it was restored already, or deleted permanently.',
  }),
  'bin-entry-unfinished': entry({
    status: 409,
    exit: 2,
    message: 'The {kind} "{name}" is still being deleted.',
    hint: 'Try again in some seconds: large deletions are made in parts, and go on after a restart of the server.',
  }),
  'bin-name-taken': entry({
    status: 409,
    exit: 2,
    message: 'The {kind} "{name}" cannot be restored: there is another one of that name.',
    hint: 'Rename or delete the other one. A project, draft, consumer or style guide can also be restored under another name: "svc bin restore ID --as NAME".',
    browserHint: 'Restore it under another name, or rename or delete the other one first.',
  }),
  'bin-name-invalid': entry({
    status: 422,
    exit: 2,
    message: 'The {kind} cannot be restored as "{name}": {reason}.',
    hint: 'Choose another name, or leave it out to restore it under its own.',
  }),
  'bin-project-missing': entry({
    status: 409,
    exit: 2,
    message: 'The {kind} "{name}" cannot be restored: its project "{project}" was deleted.',
    hint: 'Restore the project first, as long as it is in the bin: "svc bin list --kind project".',
    browserHint: 'Restore its project first, as long as it is in the bin.',
  }),
} as const
