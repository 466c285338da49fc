import { entry } from './entry.ts'

/** Notifications, threads and reviews. */
export const reviews = {
  'notification-type-unknown': entry({
    status: 400,
    exit: 2,
    message: '"{type}" is not a type of notification.',
    hint: 'Use one of: mention, review_requested, review_decision, thread_resolved, version_published.',
    browserHint: 'Choose a type from the list.',
  }),
} as const
