import { WrittenOverlay } from './version-shapes.ts'
import { Type, type Static } from '@sinclair/typebox'
import { anchorKinds } from '../anchors/kind.ts'
import { anchorStates } from '../anchors/reanchor.ts'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { pageQueryOptional, RangeShape } from './shapes.ts'
import { idParam, may, versionErrors, versionParams, versionPath } from './kit.ts'

/** Who wrote or decided something. */
export const Person = titled(
  'Person',
  Type.Object({
    id: Type.String({ description: 'Id of a user, or the kind and id of a key.' }),
    name: Type.String(),
  }),
)
export type Person = Static<typeof Person>

const Anchor = titled(
  'Anchor',
  Type.Object({
    kind: oneOf(anchorKinds),
    key: Type.String({ description: 'The place by what it means: "GET /pets#parameters/query:limit".' }),
    pointer: Type.String({ description: 'JSON Pointer in the document that the thread was opened on.' }),
    node_digest: Type.String(),
    excerpt: Type.String({ description: 'The beginning of what was there, at most 300 characters.' }),
    version_digest: Type.String({ description: 'Digest of the document that the thread was opened on.' }),
    range: orNull({ ...RangeShape, description: 'Its lines in that document; null for threads of earlier releases.' }),
  }),
)

const Place = titled(
  'AnchorPlace',
  Type.Object(
    {
      key: Type.String(),
      pointer: Type.String(),
      range: RangeShape,
      version_digest: Type.String({ description: 'Digest of the document in which this is the place.' }),
    },
    {
      description:
        'Where it is now, with the lines from its key; the nearest part that is left if the anchor is outdated.',
    },
  ),
)

const PatchShape = Type.Array(
  bodyOf({
    op: oneOf(['add', 'remove', 'replace', 'move']),
    path: Type.String({ maxLength: 2000 }),
    from: Type.Optional(
      Type.String({ maxLength: 2000, description: 'For move: the property, in the same object as `path`.' }),
    ),
    value: Type.Optional(Type.Unknown()),
  }),
  {
    minItems: 1,
    maxItems: 50,
    description: 'JSON Patch (RFC 6902) with add, remove, replace, and move for another name of a property.',
  },
)
const SuggestionInput = Type.Optional(bodyOf({ patch: PatchShape }))

export const Comment = titled(
  'Comment',
  Type.Object({
    id: Type.String(),
    thread_id: Type.String(),
    author: orNull(Person),
    body: Type.String({ description: 'Markdown; "" if the comment was deleted.' }),
    mentions: Type.Array(Type.String(), { description: 'Ids of the members that it mentions.' }),
    suggestion: orNull(
      Type.Object({
        patch: PatchShape,
        diff: Type.String({ description: 'The lines that it changes, as a hunk of a unified diff.' }),
        applied_at: orNull(dateTime()),
        applied_by: orNull(Person),
      }),
    ),
    edited_at: orNull(dateTime()),
    deleted: Type.Boolean(),
    created_at: dateTime(),
  }),
)
export type Comment = Static<typeof Comment>

export const Thread = titled(
  // Not `Thread`: generated clients in Java have one already.
  'ReviewThread',
  Type.Object({
    id: Type.String(),
    version_id: Type.String(),
    anchor: Anchor,
    anchor_state: oneOf(
      anchorStates,
      'anchored: the place is there. moved: it has another name or position of meaning. outdated: it is not certain any more.',
    ),
    place: Place,
    status: oneOf(['open', 'resolved']),
    comments: Type.Array(Comment, { description: 'In a list of threads, the first 50.' }),
    comments_count: Type.Integer(),
    participants: Type.Array(Person),
    created_by: orNull(Person),
    resolved_by: orNull(Person),
    resolved_at: orNull(dateTime()),
    created_at: dateTime(),
  }),
)
export type Thread = Static<typeof Thread>

const threadParams = { ...versionParams, thread_id: idParam }
const commentParams = { ...versionParams, comment_id: idParam }
const ofThread = [...versionErrors, 'thread-not-found', 'analysis-stopped'] as const
const body = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description: 'Markdown. `@[name](user:ID)` mentions a member.',
})

/** Threads on the document of a version: comments, suggestions, resolving. */
export const threadsApi = {
  list: endpoint({
    id: 'threads.list',
    origin: 'own',
    method: 'GET',
    path: `${versionPath}/threads`,
    summary: 'List the threads of a version with their current positions, oldest first',
    access: may('versions:view'),
    params: Type.Object(versionParams),
    query: Type.Object({
      ...pageQueryOptional,
      status: Type.Optional(oneOf(['open', 'resolved'])),
    }),
    response: titled(
      'ThreadListResponse',
      Type.Object({
        threads: Type.Array(Thread),
        count: Type.Integer(),
        total: Type.Integer(),
        open: Type.Integer({ description: 'How many open threads the version has.' }),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
    ),
    errors: [...versionErrors, 'analysis-stopped'],
  }),
  place: endpoint({
    id: 'threads.place',
    origin: 'own',
    method: 'GET',
    path: `${versionPath}/place`,
    summary: 'Get the value at a place of the document, to begin a suggestion with',
    access: may('versions:view'),
    params: Type.Object(versionParams),
    query: Type.Object({
      pointer: Type.String({ maxLength: 2000, description: 'JSON Pointer; "" is the whole document.' }),
    }),
    response: titled(
      'DocumentPlace',
      Type.Object({
        pointer: Type.String(),
        key: Type.String({ description: 'The place by what it means.' }),
        range: RangeShape,
        value: Type.Unknown({ description: 'Null also where it has more than 20,000 characters.' }),
        is_long: Type.Boolean({ description: 'Whether the value is left out because of its length.' }),
        is_named: Type.Boolean({ description: 'Whether it is a property, which `move` can give another name.' }),
      }),
    ),
    errors: [...versionErrors, 'anchor-invalid', 'analysis-stopped'],
  }),
  open: endpoint({
    id: 'threads.open',
    origin: 'own',
    method: 'POST',
    path: `${versionPath}/threads`,
    summary: 'Open a thread on a part of the document, with its first comment',
    access: may('comments:create'),
    params: Type.Object(versionParams),
    body: titled(
      'ThreadCreateRequest',
      bodyOf({
        anchor: bodyOf({
          pointer: Type.String({ maxLength: 2000, description: 'JSON Pointer; "" is the whole document.' }),
          version: Type.Optional(
            Type.String({
              minLength: 1,
              description:
                'Id, label or slug of an earlier version of the project that has the place, for something that was removed since.',
            }),
          ),
        }),
        body,
        suggestion: SuggestionInput,
      }),
    ),
    status: 201,
    response: Thread,
    errors: [
      ...versionErrors,
      'anchor-invalid',
      'threads-exceeded',
      'own-threads-exceeded',
      'inbox-full',
      'suggestion-invalid',
      'suggestion-breaks',
      'analysis-stopped',
    ],
  }),
  get: endpoint({
    id: 'threads.get',
    origin: 'own',
    method: 'GET',
    path: `${versionPath}/threads/{thread_id}`,
    summary: 'Get a thread with all its comments',
    access: may('versions:view'),
    params: Type.Object(threadParams),
    response: Thread,
    errors: ofThread,
  }),
  comment: endpoint({
    id: 'threads.comment',
    origin: 'own',
    method: 'POST',
    path: `${versionPath}/threads/{thread_id}/comments`,
    summary: 'Add a comment to an open thread',
    access: may('comments:create'),
    params: Type.Object(threadParams),
    body: titled('CommentCreateRequest', bodyOf({ body, suggestion: SuggestionInput })),
    status: 201,
    response: Comment,
    errors: [
      ...ofThread,
      'thread-resolved',
      'comments-exceeded',
      'inbox-full',
      'suggestion-invalid',
      'suggestion-breaks',
    ],
  }),
  resolve: endpoint({
    id: 'threads.resolve',
    origin: 'own',
    method: 'POST',
    path: `${versionPath}/threads/{thread_id}/resolve`,
    summary: 'Resolve a thread; allowed for its author and for editors of the version',
    access: may('comments:create'),
    params: Type.Object(threadParams),
    response: Thread,
    errors: [...ofThread, 'thread-resolved', 'permission-denied'],
  }),
  reopen: endpoint({
    id: 'threads.reopen',
    origin: 'own',
    method: 'POST',
    path: `${versionPath}/threads/{thread_id}/reopen`,
    summary: 'Open a resolved thread again; an open one stays as it is',
    access: may('comments:create'),
    params: Type.Object(threadParams),
    response: Thread,
    errors: [...ofThread, 'threads-exceeded', 'own-threads-exceeded'],
  }),
  editComment: endpoint({
    id: 'threads.edit-comment',
    origin: 'own',
    method: 'PATCH',
    path: `${versionPath}/comments/{comment_id}`,
    summary: 'Change the text of your comment',
    access: may('comments:create'),
    params: Type.Object(commentParams),
    body: titled('CommentUpdateRequest', bodyOf({ body })),
    response: Comment,
    errors: [...versionErrors, 'comment-not-found', 'comment-not-yours', 'inbox-full'],
  }),
  deleteComment: endpoint({
    id: 'threads.delete-comment',
    origin: 'own',
    method: 'DELETE',
    path: `${versionPath}/comments/{comment_id}`,
    summary: 'Delete your comment; Owners and Admins can delete any. The thread shows that a comment was deleted',
    access: may('comments:create'),
    params: Type.Object(commentParams),
    status: 204,
    response: Type.Null(),
    errors: [...versionErrors, 'comment-not-found', 'comment-not-yours'],
  }),
  applySuggestion: endpoint({
    id: 'threads.apply-suggestion',
    origin: 'own',
    method: 'POST',
    path: `${versionPath}/comments/{comment_id}/apply-suggestion`,
    summary: 'Apply a suggestion to the draft and resolve its thread; comments and format of the document stay',
    access: may('versions:edit'),
    params: Type.Object(commentParams),
    headers: Type.Object({
      'if-match': Type.Optional(
        Type.String({ description: 'ETag of the document that the suggestion is applied to.' }),
      ),
    }),
    response: Comment,
    answerHeaders: ['etag'],
    errors: [
      ...versionErrors,
      'comment-not-found',
      'suggestion-stale',
      'suggestion-breaks',
      'version-published',
      'precondition-required',
      'document-changed',
      'document-invalid',
      'format-unknown',
      'quota-exceeded',
      'analysis-stopped',
    ],
  }),
  suggestionOverlay: endpoint({
    id: 'threads.suggestion-overlay',
    origin: 'own',
    method: 'GET',
    path: `${versionPath}/comments/{comment_id}/overlay`,
    summary: 'Get a suggestion as an overlay for the document of the version, drafts and published ones alike',
    access: may('versions:view'),
    params: Type.Object(commentParams),
    response: WrittenOverlay,
    errors: [...versionErrors, 'comment-not-found', 'suggestion-stale', 'analysis-stopped'],
  }),
} as const
