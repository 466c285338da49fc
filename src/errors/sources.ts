import { entry } from './entry.ts'

/** What an import reads: archives, files, repositories. */
export const sources = {
  'archive-unreadable': entry({
    status: 422,
    exit: 6,
    message: 'Cannot read the archive {source}: {reason}.',
    hint: 'Create it again as zip, tar or tar.gz.',
  }),
  'archive-path-unsafe': entry({
    status: 422,
    exit: 6,
    message: 'The archive {source} has an entry with an unsafe path: "{entry}".',
    hint: 'Create the archive again with relative paths, without "..", drive letters or backslashes.',
  }),
  'archive-link': entry({
    status: 422,
    exit: 6,
    message: 'The archive {source} contains a link or a device: "{entry}".',
    hint: 'Replace links by the files they refer to (tar --dereference).',
    browserHint: 'Replace links by the files they refer to.',
  }),
  'archive-encrypted': entry({
    status: 422,
    exit: 6,
    message: 'The archive {source} is encrypted: "{entry}" requires a password.',
    hint: 'Create it again without a password.',
  }),
  'archive-nested': entry({
    status: 422,
    exit: 6,
    message: 'The archive {source} contains another archive: "{entry}".',
    hint: 'Extract the inner archive, or import it separately.',
  }),
  'archive-ratio': entry({
    status: 422,
    exit: 6,
    message: '"{entry}" in the archive {source} decompresses to more than {limit:number}× its compressed size.',
    hint: 'Remove the file from the archive.',
  }),
  'archive-too-large': entry({
    status: 422,
    exit: 6,
    message: 'The archive {source} decompresses to more than {limit_bytes:number} bytes.',
    hint: 'Include only the folder with the documents.',
  }),
  'archive-entries': entry({
    status: 422,
    exit: 6,
    message: 'The archive {source} has more than {limit:number} entries.',
    hint: 'Include only the folder with the documents.',
  }),
  'reference-outside-root': entry({
    status: 422,
    exit: 6,
    message: 'The reference "{reference}" at {place} points outside the root folder.',
    hint: 'Import the folder that contains all files, and select the document with --root.',
    browserHint: 'Import the folder that contains all files, and select the document in it.',
  }),
  'source-link': entry({
    status: 422,
    exit: 6,
    message: '"{path}" is a symbolic link; links are not followed.',
    hint: 'Replace the link by the file, or refer to the file directly.',
  }),
  'source-too-large': entry({
    status: 422,
    exit: 6,
    message: '{source} is too large: more than {limit:number} {what}.',
    hint: 'Select the folder with the documents (--root, or --path for a repository).',
    browserHint: 'Select the folder with the documents.',
  }),
  'source-empty': entry({
    status: 422,
    exit: 6,
    message: 'No document to import in {source}: {looked}.',
    hint: 'Use files that end in .json, .yaml or .yml; "svc import --list" lists the formats.',
    browserHint: 'Use files that end in .json, .yaml or .yml.',
  }),
  'source-ambiguous': entry({
    status: 422,
    exit: 6,
    message: '{source} contains several documents: {candidates}.',
    hint: 'Select one of them (--root, or --path for a repository), or import all of them with --bulk.',
    browserHint: 'Select one of them, or import all of them.',
  }),
  'source-path-missing': entry({
    status: 422,
    exit: 6,
    message: 'There is no "{path}" in {source}.',
    hint: 'Use a path relative to the top of the archive, folder or repository.',
  }),
  'source-refused': entry({
    status: 422,
    exit: 2,
    message: 'Cannot import {source}: {reason}.',
    hint: 'Run "svc import --help" to see what can be imported.',
    browserHint: 'Choose another source.',
  }),
  'override-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Invalid override of "{key}": {reason}.',
    hint: 'Write KEY=new, KEY=existing or KEY=existing:PROJECT_ID, each optionally followed by @VERSION.',
  }),
  'git-failed': entry({
    status: 422,
    exit: 6,
    message: 'Cannot read the repository {url}: {reason}.',
    hint: 'Check the address, the ref and the access rights of the repository.',
  }),
} as const
