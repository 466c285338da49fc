import { entry } from './entry.ts'

/** What was deleted and can be restored. */
export const bin = {
  'bin-entry-not-found': entry({
    status: 404,
    exit: 2,
    message: 'The bin has no entry "{entry}".',
    hint: 'Run "svc bin list" to list the bin. Entries are removed after 30 days and when they are restored.',
    browserHint: 'Reload the bin: the entry was already restored or permanently deleted.',
  }),
  'bin-entry-unfinished': entry({
    status: 409,
    exit: 2,
    message: 'The {kind} "{name}" is still being deleted.',
    hint: 'Try again in a few seconds. Large deletions run in parts and continue after a restart of the service.',
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
    hint: 'Restore the project first, while it is still in the bin: "svc bin list --kind project".',
    browserHint: 'Restore its project first, while it is still in the bin.',
  }),
} as const
