import { entry } from './entry.ts'

/** Notifications, threads and reviews. */
export const reviews = {
  'thread-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no thread "{thread}" on this version.',
    hint: 'Run "svc thread list PROJECT VERSION" to list its threads.',
    browserHint: 'Open the review page of the version to see its threads.',
  }),
  'comment-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no comment "{comment}" on this version.',
    hint: 'Run "svc thread show PROJECT VERSION THREAD" to list the comments of a thread; deleted comments cannot be changed.',
    browserHint: 'Reload the page: the comment may have been deleted.',
  }),
  'comment-not-yours': entry({
    status: 403,
    exit: 2,
    message: 'The comment "{comment}" was written by another person.',
    hint: 'Add a comment of your own. Owners and Admins can delete comments of others.',
  }),
  'thread-resolved': entry({
    status: 409,
    exit: 2,
    message: 'The thread "{thread}" is resolved.',
    hint: 'Reopen it first: "svc thread reopen PROJECT VERSION THREAD".',
    browserHint: 'Reopen the thread first.',
  }),
  'anchor-invalid': entry({
    status: 422,
    exit: 2,
    message: '"{pointer}" does not exist in version "{version}".',
    hint: 'Give the JSON Pointer of a place in the stored document, as "/paths/~1pets/get".',
    browserHint: 'Choose a place in the document.',
  }),
  'threads-exceeded': entry({
    status: 409,
    exit: 2,
    message: 'Version "{version}" has {max:number} open threads, which is the limit.',
    hint: 'Resolve threads that are settled.',
  }),
  'own-threads-exceeded': entry({
    status: 409,
    exit: 2,
    message:
      'You opened {max:number} threads of version "{version}" that are still open, which is the limit for one person.',
    hint: 'Resolve threads that are settled, or add to one that is open.',
  }),
  'inbox-full': entry({
    status: 409,
    exit: 2,
    message: '{name} has {max:number} unread notifications that you caused, which is the limit for one person.',
    hint: 'Write without mentioning them or asking for their review, or wait until some are read.',
  }),
  'comments-exceeded': entry({
    status: 409,
    exit: 2,
    message: 'The thread has {max:number} comments, which is the limit.',
    hint: 'Open a new thread on the same place.',
  }),
  'suggestion-invalid': entry({
    status: 422,
    exit: 2,
    message: 'The suggested patch cannot be applied to the document: {reason}.',
    hint: 'Send a JSON Patch (RFC 6902) with add, remove and replace that applies to the current document.',
    browserHint: 'Change the suggestion so that it applies to the current document.',
  }),
  'suggestion-stale': entry({
    status: 409,
    exit: 2,
    message: 'The suggestion cannot be applied: {reason}.',
    hint: 'Make the change in the document, or ask for a new suggestion.',
  }),
  'review-not-found': entry({
    status: 404,
    exit: 2,
    message: 'There is no review "{review}" of this version.',
    hint: 'Run "svc review list PROJECT VERSION" to list its reviews.',
    browserHint: 'Open the review page of the version to see its reviews.',
  }),
  'review-closed': entry({
    status: 409,
    exit: 2,
    message: 'The review "{review}" is closed: {reason}.',
    hint: 'Request a new review of a draft.',
  }),
  'reviewer-not-asked': entry({
    status: 403,
    exit: 2,
    message: 'You are not a reviewer of "{review}".',
    hint: 'Ask the person who requested the review to request yours too.',
  }),
  'reviewer-cannot-view': entry({
    status: 422,
    exit: 2,
    message: '"{user}" is not an active member of this organization.',
    hint: 'Choose reviewers among the members: "svc member list".',
    browserHint: 'Choose reviewers among the members.',
  }),
  'reviewer-cannot-decide': entry({
    status: 422,
    exit: 2,
    message: '{name} cannot decide reviews{role}.',
    hint: 'Choose an Editor, Admin or Owner, of the role that the policy requires.',
  }),
  'reviewer-is-author': entry({
    status: 422,
    exit: 2,
    message: '{name} wrote some of this version and cannot approve it.',
    hint: 'Ask a member who did not create or edit this draft.',
  }),
  'review-rule-invalid': entry({
    status: 422,
    exit: 2,
    message: 'Review rule {number} cannot be used: {reason}.',
    hint: 'Correct the rule; the guide on reviews explains them.',
    browserHint: 'Correct the rule, then save again.',
  }),
  'reviewers-missing': entry({
    status: 422,
    exit: 2,
    message: 'No reviewer was given[, and {reason}].',
    hint: 'Name 1 to 10 members with --reviewer.',
    browserHint: 'Choose at least one reviewer.',
  }),
} as const
