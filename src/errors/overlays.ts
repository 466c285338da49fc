import { entry } from './entry.ts'

/** Overlays: documents that change descriptions. */
export const overlays = {
  'overlay-invalid': entry({
    status: 422,
    exit: 6,
    message: '{source} is not a valid overlay:\n  {problems:lines}',
    hint: 'Correct these places. "svc overlay validate" checks an overlay without applying it.',
    browserHint: 'Correct these places of the overlay.',
  }),
  'overlay-failed': entry({
    status: 422,
    exit: 6,
    message: '{source}: action {action} cannot be applied: {reason}.',
    hint: 'Correct the action, or apply the overlay to the document that it was made for.',
    browserHint: 'Correct the action, or use the overlay that was made for this document.',
  }),
  'lineage-text-not-found': entry({
    status: 404,
    exit: 6,
    message: 'No base document or overlay of version {version} has the digest "{digest}".',
    hint: 'Run "svc version show" to see the base and the overlays of the version.',
    browserHint: 'Open the version to see its base and its overlays.',
  }),
} as const
