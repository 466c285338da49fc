import { entry } from './entry.ts'

/** The drivers that git runs. */
export const gitDrivers = {
  'git-refused': entry({
    status: 422,
    exit: 6,
    message: 'git refused: {reason}.',
    hint: 'Check that git is installed and that its configuration can be written.',
    browserHint: 'Check the configuration of git.',
  }),
  'merge-failed': entry({
    status: 422,
    exit: 6,
    message: '{path} cannot be merged: {reason}.',
    hint: 'The file is as it was on your side; choose one with "git checkout --ours" or "--theirs".',
    browserHint: 'Choose the file of one side.',
  }),
} as const
