import { entry } from './entry.ts'

/** The drivers that git runs. */
export const gitDrivers = {
  'git-refused': entry({
    status: 422,
    exit: 6,
    message: 'git failed: {reason}.',
    hint: 'Check that git is installed and that you can write its configuration.',
    browserHint: 'Check the configuration of git.',
  }),
  'merge-failed': entry({
    status: 422,
    exit: 6,
    message: '{path} cannot be merged: {reason}.',
    hint: 'The file still has your side; choose a side with "git checkout --ours" or "--theirs".',
    browserHint: 'Choose the file of one side.',
  }),
} as const
