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
    hint: 'A reference may name a file of at most 64 MB inside the repository of the document, or inside its folder if there is no repository; --root allows a wider folder.',
    browserHint: 'Refer only to files of at most 64 MB inside the repository of the document.',
  }),
  'bundle-open': entry({
    status: 422,
    exit: 6,
    message: 'The bundle would still refer to other files: {references}.',
    hint: 'Correct these references, or keep them as they are with --allow-external.',
    browserHint: 'Correct these references, or include the files that they name.',
  }),
  'run-stopped': entry({
    status: 422,
    exit: 6,
    message: '{what} was stopped: {reason}.',
    hint: 'The document may be an attack. If you trust it, allow more with --deadline TIME or --max-memory MB.',
    browserHint: 'The document may be an attack. If it is not, make it smaller.',
  }),
  'file-unwritable': entry({
    status: 400,
    exit: 2,
    message: 'Cannot write "{name}": {reason}.',
    hint: 'Choose another path, or check that the folder is writable and the disk has free space.',
  }),
  'edit-outdated': entry({
    status: 409,
    exit: 2,
    message: '"{name}" changed since you read it: its digest is now {digest}.',
    hint: 'Read the file again, adapt the edit to its current text, and send the new digest as expected_digest.',
  }),
  'edit-refused': entry({
    status: 422,
    exit: 2,
    message: 'Edit {at:number} of "{name}" cannot be made: {reason}.',
    hint: 'Name a place that exists in the file: a JSON Pointer such as /info/title, or an anchor such as "GET /pets#responses/200".',
    browserHint: 'Name a place that exists in the file, by JSON Pointer or anchor.',
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
    hint: 'Run "svc init" to create one for the documents and settings of the repository.',
    browserHint: 'Add a svc.yaml to the repository.',
  }),
} as const
