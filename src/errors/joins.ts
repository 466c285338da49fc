import { entry } from './entry.ts'

/** Descriptions that are joined. */
export const joins = {
  'join-conflict': entry({
    status: 422,
    exit: 6,
    message: 'The descriptions cannot be joined without changing what they mean:\n  {conflicts:lines}',
    hint: 'Remove one side of each conflict with an overlay, or put the paths of a file below a prefix: --path-prefix FILE=/PREFIX.',
    browserHint: 'Remove one side of each conflict, or put the paths of one description below a prefix.',
  }),
} as const
