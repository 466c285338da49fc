import { entry } from './entry.ts'

/** Files that a command line names; exit code 2, as for every invalid argument. */
export const files = {
  'file-not-found': entry({
    status: 400,
    exit: 2,
    message: 'There is no file "{name}"[, which {at} names][; did you mean "{near}"?]',
    hint: 'Check the path; it is relative to the current folder. A "-" reads standard input.',
  }),
  'file-is-folder': entry({
    status: 400,
    exit: 2,
    message: '"{name}" is a folder[ that contains {files:list}].',
    hint: 'Give the path of a file in it.',
  }),
  'file-unreadable': entry({
    status: 400,
    exit: 2,
    message: 'Cannot read "{name}": {reason}.',
    hint: 'Check the permissions of the file and of the folders above it.',
  }),
  'file-refused': entry({
    status: 400,
    exit: 6,
    message: '"{name}" is not read: {reason}.',
    hint: 'References lead to files of at most 64 MB below the repository of the document, without one below its folder; --root names a wider folder.',
    browserHint: 'Refer to files of at most 64 MB below the repository of the document.',
  }),
  'bundle-open': entry({
    status: 422,
    exit: 6,
    message: 'The bundle would still refer to other files: {references}.',
    hint: 'Correct these references. --allow-external keeps them, also where they are only examples of references.',
    browserHint: 'Correct these references, or include the files that they name.',
  }),
  'run-stopped': entry({
    status: 422,
    exit: 6,
    message: '{what} was stopped: {reason}.',
    hint: 'A document that needs so much may be made to do harm. If you trust it, allow more with --deadline TIME or --max-memory MB.',
    browserHint: 'A document that needs so much may be made to do harm. Make it smaller.',
  }),
  'file-unwritable': entry({
    status: 400,
    exit: 2,
    message: 'Cannot write "{name}": {reason}.',
    hint: 'Choose another path, or make sure that the folder can be written to and that the disk has free space.',
  }),
  'edit-outdated': entry({
    status: 409,
    exit: 2,
    message: '"{name}" changed since it was read: its digest is {digest} now.',
    hint: 'Read the file again, make the edit for what it has now, and send that digest as expected_digest.',
  }),
  'edit-refused': entry({
    status: 422,
    exit: 2,
    message: 'Edit {at:number} of "{name}" cannot be made: {reason}.',
    hint: 'Name a place that the file has: a JSON Pointer such as /info/title, or an anchor such as "GET /pets#responses/200".',
    browserHint: 'Name a place that the file has: a JSON Pointer, or an anchor.',
  }),
  'input-unreadable': entry({
    status: 400,
    exit: 2,
    message: 'Cannot read {name}: {reason}',
    hint: 'Give a file, an address, REVISION:FILE of a git repository or PROJECT@VERSION; "-" reads standard input.',
  }),
  'project-file-missing': entry({
    status: 400,
    exit: 2,
    message: 'There is no svc.yaml in "{folder}" or a folder above it.',
    hint: 'Run "svc init" to write one from the documents and configurations of the repository.',
    browserHint: 'Write a svc.yaml into the repository.',
  }),
} as const
