import { Type, type Static } from '@sinclair/typebox'
import { candidateStatuses, releaseReasons } from '../bindings/state.ts'
import { endpoint } from './endpoint.ts'
import { gitProviders } from './linked-accounts.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import { OverlayLineage } from './version-shapes.ts'
import { countedStablePage, idParam, may, projectParams, projectPath, versionErrors, versionParams } from './kit.ts'

const version = `${projectPath}/versions/{version_ref}/binding`

export const MergeConflict = titled(
  'MergeConflict',
  Type.Object({
    id: Type.String({ description: 'Id of the conflict, for a merge with chosen values.' }),
    pointer: Type.String({
      description: 'JSON Pointer of the place in the draft; where it was removed there, in the repository.',
    }),
    pointers: Type.Object(
      { base: orNull(Type.String()), mine: orNull(Type.String()), theirs: orNull(Type.String()) },
      { description: 'JSON Pointers of the place in each of the three documents; null where it is not there.' },
    ),
    subject: Type.String({ description: 'What the place belongs to: "GET /pets", "schema Pet".' }),
    base: Type.Unknown({ description: 'Its value when both began; null where there was none.' }),
    mine: Type.Unknown({ description: 'Its value in the draft; null where it was removed.' }),
    theirs: Type.Unknown({ description: 'Its value in the repository; null where it was removed.' }),
    reason: Type.Optional(
      Type.String({
        description:
          'Where both changed different places: why the document would not be whole with both. Absent where both changed this place.',
      }),
    ),
  }),
)

const mergeState = oneOf(
  ['fast-forward', 'clean', 'conflicts', 'unreadable'],
  'fast-forward: one side did not change. clean: both changed, in different places, and the document is whole. unreadable: the selection is not one document.',
)

const Candidate = titled(
  'SyncCandidate',
  Type.Object({
    id: Type.String(),
    binding_id: Type.String(),
    status: oneOf(candidateStatuses),
    from_commit: Type.String(),
    to_commit: Type.String(),
    source_digest: Type.String({ description: 'Of the selection at `to_commit`.' }),
    lineage: Type.Optional(OverlayLineage),
    selection_changed: Type.Boolean({ description: 'false: the ref moved without touching the selection.' }),
    changed_paths: Type.Array(Type.String(), { description: 'At most 200 paths of the selection.' }),
    detected_by: oneOf(['check', 'webhook', 'poll']),
    detected_at: dateTime(),
    summary: orNull(
      Type.Object(
        {
          severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'])),
          counts: Type.Object({
            breaking: Type.Integer(),
            'non-breaking': Type.Integer(),
            'docs-only': Type.Integer(),
          }),
          verdict: oneOf(['safe', 'breaking', 'unknown'], 'unknown: undecided.'),
          lint: Type.Object(
            { before: orNull(Type.String()), after: orNull(Type.String()) },
            { description: 'Grades.' },
          ),
          valid: Type.Boolean(),
          consumers: Type.Array(Type.String(), { description: 'Consumers that breaking changes affect.' }),
        },
        { description: 'What changed in the repository; null where the selection is not one document.' },
      ),
    ),
    merge: Type.Object({ state: mergeState }),
    resolved_at: orNull(dateTime()),
    resolved_by: orNull(Type.String()),
    note: orNull(Type.String()),
  }),
)
export type Candidate = Static<typeof Candidate>

const CandidateMerge = titled(
  'CandidateMerge',
  Type.Object({
    state: mergeState,
    conflicts: Type.Array(MergeConflict, { description: 'At most 50.' }),
    conflicts_total: Type.Integer(),
    document: orNull(Type.String({ description: 'The merged text; null where the state is unreadable.' })),
    theirs: orNull(Type.String({ description: 'The document in the repository.' })),
  }),
)

const Binding = titled(
  'DraftBindingRecord',
  Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    project_id: Type.String(),
    version_id: Type.String(),
    version_label: orNull(Type.String()),
    repository_id: orNull(Type.String({ description: 'Null: bound by an address, or the registration was removed.' })),
    provider: oneOf(gitProviders),
    repo_full_name: Type.String(),
    repo_url: Type.String(),
    ref: Type.String(),
    path: Type.String(),
    commit_sha: Type.String(),
    source_digest: Type.String({ description: '"sha256:" and 64 hexadecimal digits.' }),
    lineage: Type.Optional(OverlayLineage),
    synchronized_at: dateTime(),
    browse_url: orNull(Type.String()),
    active: Type.Boolean(),
    created_by: orNull(Type.String()),
    created_by_name: orNull(Type.String()),
    created_at: dateTime(),
    updated_at: dateTime(),
    released_at: orNull(dateTime()),
    released_by: orNull(Type.String()),
    release_reason: orNull(oneOf(releaseReasons)),
    pending_candidate_count: Type.Integer(),
  }),
)
export type Binding = Static<typeof Binding>

const Detail = titled(
  'DraftBindingDetail',
  Type.Object({
    binding: Binding,
    pending: Type.Array(Candidate, { description: 'Newest first.' }),
    history: Type.Array(Candidate, { description: 'Applied, dismissed and superseded ones, newest first.' }),
  }),
)
export type BindingDetail = Static<typeof Detail>

const BindingComparison = titled(
  'DraftBindingComparison',
  Type.Object({
    ref: Type.String(),
    commit: Type.String({ description: 'Commit of the ref that the file was read at.' }),
    document: orNull(
      Type.String({ description: 'The file; null where the selection is not one document of the kind of the draft.' }),
    ),
    differs: Type.Boolean({ description: 'Whether the draft differs from the file.' }),
    places: orNull(
      Type.Integer({ description: 'In how many places the draft differs from the file; null where nobody can say.' }),
    ),
    origin: orNull(
      Type.Object(
        {
          commit: Type.String(),
          draft_places: Type.Integer({ description: 'Places that changed in the draft since.' }),
          file_places: Type.Integer({ description: 'Places that changed in the file since.' }),
          merge: mergeState,
        },
        {
          description:
            'The commit that the draft was imported from, or that an earlier binding was at; null where none is known or it cannot be read.',
        },
      ),
    ),
    base: oneOf(['origin', 'file'], 'What the binding begins with where the request does not say.'),
  }),
)

const reading = [
  'repository-unreadable',
  'ref-not-found',
  'egress-denied',
  'binding-selection-empty',
  'binding-selection-too-large',
  'file-pattern-invalid',
  'secret-key-unusable',
  'secret-unreadable',
  'overlay-invalid',
  'overlay-failed',
  'project-file-invalid',
] as const
const finding = [...versionErrors, 'binding-not-found'] as const
const candidateParams = Type.Object({ ...versionParams, candidate_id: idParam })

/** What a draft is bound to. */
const target = {
  repository_id: Type.Optional(orNull(Type.String({ minLength: 1 }))),
  repo_url: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 2000 }))),
  ref: Type.Optional(
    orNull(
      Type.String({ minLength: 1, maxLength: 255, description: 'Branch or tag; the default branch when omitted.' }),
    ),
  ),
  path: Type.Optional(
    Type.String({ maxLength: 1024, description: 'A file, a folder or a glob; empty selects the whole tree.' }),
  ),
  linked_account_id: Type.Optional(
    orNull(Type.String({ minLength: 1, description: 'Your linked account that reads it.' })),
  ),
}
const targetErrors = [
  'repository-not-found',
  'linked-account-not-found',
  'provider-unsupported',
  'source-refused',
  ...reading,
] as const

/** Bindings of drafts to refs of repositories. */
export const bindingsApi = {
  list: endpoint({
    id: 'bindings.list',
    origin: 'spec',
    method: 'GET',
    path: `${projectPath}/bindings`,
    summary: 'List the bindings of a project, newest first',
    access: may('projects:view'),
    params: Type.Object(projectParams),
    query: Type.Object({
      version: Type.Optional(Type.String({ minLength: 1, description: 'Id, label or slug of a version.' })),
      active: Type.Optional(Type.Boolean()),
      ...stableQuery,
    }),
    response: titled(
      'BindingListResponse',
      Type.Object({
        bindings: Type.Array(Binding),
        ...countedStablePage,
      }),
    ),
    errors: versionErrors,
  }),
  get: endpoint({
    id: 'bindings.get',
    origin: 'spec',
    method: 'GET',
    path: `${projectPath}/bindings/{binding_id}`,
    summary: 'Get a binding with its candidates',
    access: may('projects:view'),
    params: Type.Object({ ...projectParams, binding_id: idParam }),
    response: Detail,
    errors: ['project-not-found', 'binding-not-found'],
  }),
  status: endpoint({
    id: 'bindings.status',
    origin: 'spec',
    method: 'GET',
    path: version,
    summary: 'Get the binding of a version, its open candidates and earlier bindings',
    access: may('projects:view'),
    params: Type.Object(versionParams),
    response: titled(
      'VersionBindingStatus',
      Type.Object({
        version_id: Type.String(),
        version_label: orNull(Type.String()),
        published: Type.Boolean({ description: 'Published versions cannot be bound.' }),
        bindable: Type.Boolean(),
        reason: orNull(Type.String({ description: 'Why it cannot be bound.' })),
        binding: orNull(Binding),
        pending: Type.Array(Candidate),
        previous: Type.Array(Binding),
      }),
    ),
    errors: versionErrors,
  }),
  create: endpoint({
    id: 'bindings.create',
    origin: 'spec',
    method: 'POST',
    path: version,
    summary: 'Bind a draft to a branch and a file of a repository',
    description:
      'The ref and the selection are read before anything is written: that read is the check of whether they may be read. Give repository_id or repo_url.',
    access: { ...may('versions:edit'), guests: 'closed' },
    params: Type.Object(versionParams),
    body: titled(
      'DraftBindingCreate',
      bodyOf({
        ...target,
        replace: Type.Optional(Type.Boolean({ description: 'Release the present binding.', default: false })),
        base: Type.Optional(
          oneOf(
            ['origin', 'file'],
            'What the draft and the file both come from. origin: the commit that the draft was imported from; what changed in the file since becomes a candidate. file: the file as it is now; what differs in the draft is its own edits. Without it: origin where the draft was imported from the file and the file changed since, else file.',
          ),
        ),
      }),
    ),
    response: Detail,
    status: 201,
    errors: [
      ...versionErrors,
      'binding-version-published',
      'binding-already-bound',
      'binding-origin-unknown',
      ...targetErrors,
    ],
  }),
  compare: endpoint({
    id: 'bindings.compare',
    origin: 'own',
    method: 'POST',
    path: `${version}/comparison`,
    summary: 'Compare a draft with a file of a repository before it is bound',
    description:
      'Nothing is written. The draft, the file and the commit that the draft was imported from are compared, so that you can choose the `base` of the binding.',
    access: { ...may('versions:edit'), guests: 'closed' },
    params: Type.Object(versionParams),
    body: titled('DraftBindingTarget', bodyOf(target)),
    response: BindingComparison,
    errors: [...versionErrors, 'binding-version-published', ...targetErrors],
  }),
  release: endpoint({
    id: 'bindings.delete',
    origin: 'spec',
    method: 'DELETE',
    path: version,
    summary: 'Stop syncing a draft with its branch; open candidates are closed',
    access: may('versions:edit'),
    params: Type.Object(versionParams),
    response: Binding,
    errors: [...finding],
  }),
  check: endpoint({
    id: 'bindings.check',
    origin: 'spec',
    method: 'POST',
    path: `${version}/check`,
    summary: 'Check the branch for new commits; a changed file becomes a candidate',
    access: may('versions:edit'),
    params: Type.Object(versionParams),
    response: Detail,
    errors: [...finding, 'binding-unchanged', ...reading],
  }),
  resolve: endpoint({
    id: 'bindings.resolve',
    origin: 'spec',
    method: 'POST',
    path: `${version}/candidates/{candidate_id}`,
    summary: 'Apply or dismiss a candidate; the draft does not change',
    description:
      'applied: the source is read again at the commit of the candidate, and the binding advances to it. Older pending candidates are superseded.',
    access: may('versions:edit'),
    params: candidateParams,
    body: titled(
      'SyncCandidateResolve',
      bodyOf({
        status: oneOf(['applied', 'dismissed']),
        note: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
      }),
    ),
    response: Detail,
    errors: [...finding, 'candidate-not-found', 'binding-candidate-resolved', 'candidate-commit-missing', ...reading],
  }),
  merge: endpoint({
    id: 'bindings.merge',
    origin: 'own',
    method: 'GET',
    path: `${version}/candidates/{candidate_id}/merge`,
    summary: 'Merge the draft with the document of a candidate, by operations, parameters and schemas',
    description:
      'Nothing is written: PUT the document of the draft to take it. With conflicts the document has the values of the draft there.',
    access: may('projects:view'),
    params: candidateParams,
    response: CandidateMerge,
    errors: [...finding, 'candidate-not-found'],
  }),
  mergeWith: endpoint({
    id: 'bindings.merge-with',
    origin: 'own',
    method: 'POST',
    path: `${version}/candidates/{candidate_id}/merge`,
    summary: 'Merge the draft with the document of a candidate, with the values of the repository at chosen conflicts',
    description:
      'Nothing is written. At conflicts that are not named the document has the values of the draft, or those of the repository with `all`: "theirs".',
    access: may('projects:view'),
    params: candidateParams,
    body: titled(
      'CandidateMergeRequest',
      bodyOf({
        theirs: Type.Array(Type.String({ maxLength: 4096 }), {
          maxItems: 1000,
          description:
            'The ids of conflicts, as the merge lists them, where the document has the values of the repository.',
        }),
        mine: Type.Optional(
          Type.Array(Type.String({ maxLength: 4096 }), {
            maxItems: 1000,
            description: 'The ids of conflicts where it has the values of the draft, whatever `all` says.',
          }),
        ),
        all: Type.Optional(oneOf(['mine', 'theirs'], 'Whose values it has at conflicts that are not named.')),
      }),
    ),
    response: CandidateMerge,
    errors: [...finding, 'candidate-not-found'],
  }),
} as const
