import { entry } from './entry.ts'

/** Descriptions that are joined. */
export const joins = {
  'join-conflict': entry({
    status: 422,
    exit: 6,
    message: 'The descriptions cannot be joined without another meaning:\n  {conflicts:lines}',
    hint: 'Remove one of them with an overlay, or put the paths of a file below a prefix: --path-prefix FILE=/PREFIX.',
    browserHint: 'Remove one of them, or put the paths of one description below a prefix.',
  }),
} as const
