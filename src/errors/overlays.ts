import { entry } from './entry.ts'

/** Overlays: documents that change descriptions. */
export const overlays = {
  'overlay-invalid': entry({
    status: 422,
    exit: 6,
    message: '{source} is no valid overlay:\n  {problems:lines}',
    hint: 'Correct these places; "svc overlay validate" checks an overlay alone.',
    browserHint: 'Correct these places of the overlay.',
  }),
  'overlay-failed': entry({
    status: 422,
    exit: 6,
    message: '{source}: action {action} cannot be applied: {reason}.',
    hint: 'Correct the action, or apply the overlay to the document that it was made for.',
    browserHint: 'Correct the action, or take the overlay that was made for this document.',
  }),
} as const
