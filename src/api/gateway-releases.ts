import { Type, type Static } from '@sinclair/typebox'
import { dialectNames, dialects, releaseTriggers, settingStates } from '../gateway/door.ts'
import { positiveChecks } from '../gateway-policy/door.ts'
import { endpoint } from './endpoint.ts'
import { SecurityNarrowing } from './gateway-positive.ts'
import { approvalErrors, approvalQuery } from './gateway-shapes.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import {
  countedStablePage,
  editSecurity,
  environmentErrors,
  environmentParams,
  inEnvironment,
  securityPath,
  tenantSlugQuery,
  viewSecurity,
} from './kit.ts'

const base = `${securityPath}/releases`
const one = {
  ...environmentParams,
  release_id: Type.String({ minLength: 1, description: 'Id or number of a release.' }),
}
const engine = oneOf(dialectNames, dialects.map(({ name, programs }) => `${name}: ${programs}.`).join(' '))

const fileDifference = {
  engine,
  path: Type.String(),
  change: oneOf(['added', 'removed', 'changed']),
  added: Type.Integer({ description: 'Lines that came.' }),
  removed: Type.Integer({ description: 'Lines that went.' }),
}
const FileDifference = titled('SecurityReleaseFileDifference', Type.Object(fileDifference))

const releaseFields = {
  id: Type.String(),
  number: Type.Integer({ description: 'Counts the releases of the environment.' }),
  policyVersion: Type.Integer({ description: 'The policy that it enforces.' }),
  projectId: orNull(Type.String()),
  versionId: orNull(Type.String({ description: 'The published version that positive security was made from.' })),
  versionLabel: orNull(Type.String()),
  digest: Type.String(),
  trigger: oneOf(
    releaseTriggers,
    'policy: the policy changed. publish: another version is bound. exception-expired: an exception ended. environment: its names or paths changed. enforcer: a gateway of another engine came. compiler: a newer svc writes the same policy otherwise. rollback: a person went back.',
  ),
  rolledBackTo: orNull(Type.String({ description: 'Of a rollback: the release whose files it has.' })),
  isLatest: Type.Boolean(),
  isStaged: Type.Boolean({
    description: 'It waits: gateways get it when a person takes it, and not before.',
  }),
  compiler: orNull(
    Type.Integer({ description: 'The number of the compiler that wrote its files; null: an svc that kept no number.' }),
  ),
  holds: Type.Boolean({
    description: 'A rollback that is the newest release: until the policy changes, no other release is made.',
  }),
  diff: Type.Object(
    { added: Type.Integer(), removed: Type.Integer() },
    { description: 'Lines that came and went against the release before it.' },
  ),
  targets: Type.Array(
    Type.Object({
      engine,
      digest: Type.String({ description: 'Contents of bundles for this engine.' }),
      files: Type.Integer(),
      bytes: Type.Integer(),
      operations: Type.Integer({ description: 'Operations that it knows.' }),
      bodies: Type.Integer({ description: 'Operations whose bodies it checks.' }),
      notEnforced: Type.Integer({ description: 'Parts of the document that it does not check.' }),
    }),
  ),
  activeOn: Type.Array(Type.String(), { description: 'The gateways that reported it as active.' }),
  createdAt: dateTime(),
  createdBy: orNull(Type.String({ description: 'Of a rollback: who made it.' })),
}
export const Release = titled('SecurityRelease', Type.Object(releaseFields))
export type Release = Static<typeof Release>

const settingState = oneOf(settingStates)
export const ReleaseDetail = titled(
  'SecurityReleaseDetail',
  Type.Object({
    ...releaseFields,
    files: Type.Array(Type.Object({ engine, path: Type.String(), sha256: Type.String(), bytes: Type.Integer() })),
    differences: Type.Array(FileDifference, { description: 'Differences from the previous release.' }),
    settings: Type.Array(
      Type.Object({ engine, setting: Type.String(), state: settingState, reason: orNull(Type.String()) }),
      { description: 'How each engine enforces each setting of the policy.' },
    ),
    notEnforced: Type.Array(
      Type.Object({ engine, pointer: Type.String(), check: oneOf(positiveChecks), reason: Type.String() }),
      { description: 'Parts of the document that an engine does not check; the first 1,000 of each.' },
    ),
  }),
)
export type ReleaseDetail = Static<typeof ReleaseDetail>

const Documents = titled(
  'SecurityReleaseDocuments',
  Type.Object(
    {
      from: orNull(Type.String({ description: 'The label of the version; null: none.' })),
      to: orNull(Type.String()),
      refused: orNull(SecurityNarrowing),
      allowed: orNull(SecurityNarrowing),
    },
    {
      description:
        'The documents that two releases compare requests with. `refused`: what only the first one accepts. `allowed`: what only the second one accepts, as a comparison from the second to the first. Null where they cannot be compared. No such object: both were made of the same document.',
    },
  ),
)
export type ReleaseDocuments = Static<typeof Documents>

const line = Type.Integer({ description: 'From 1.' })
const Comparison = titled(
  'SecurityReleaseComparison',
  Type.Object({
    from: Type.String(),
    to: Type.String(),
    added: Type.Integer(),
    removed: Type.Integer(),
    files: Type.Array(
      Type.Object({
        ...fileDifference,
        hunks: Type.Array(
          Type.Object({
            before: line,
            after: line,
            removed: Type.Array(Type.String()),
            added: Type.Array(Type.String()),
          }),
        ),
        isCut: Type.Boolean({ description: 'True if there are more differences than listed.' }),
      }),
    ),
    settings: Type.Array(
      Type.Object({
        engine,
        setting: Type.String(),
        before: orNull(settingState),
        after: orNull(settingState),
        reason: orNull(Type.String()),
      }),
      { description: 'Settings that an engine enforces otherwise.' },
    ),
    documents: orNull(Documents),
  }),
)
export type ReleaseComparison = Static<typeof Comparison>

/** What the gateways of an environment were given: immutable, signed, and to be taken back. */
export const releasesApi = {
  list: endpoint({
    id: 'releases.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the releases, newest first, or compare two of them',
    description: 'The newest 100 are kept, and those that a gateway uses.',
    access: viewSecurity,
    params: inEnvironment.params,
    query: Type.Object({
      ...tenantSlugQuery,
      ...stableQuery,
      from: Type.Optional(
        Type.String({ minLength: 1, description: 'With `to`: the comparison of two releases is answered too.' }),
      ),
      to: Type.Optional(Type.String({ minLength: 1 })),
    }),
    response: titled(
      'SecurityReleasesResponse',
      Type.Object({
        releases: Type.Array(Release),
        comparison: orNull(Comparison),
        failure: orNull(
          Type.Object(
            {
              at: dateTime(),
              reason: Type.String(),
              policyVersion: Type.Integer(),
              isReleased: Type.Boolean({
                description:
                  'Whether the policy is released all the same: with an earlier version of the document, or as an older svc compiled it.',
              }),
            },
            {
              description:
                'Why there is no release of the newest policy and document; null: there is one, or it is being made.',
            },
          ),
        ),
        ...countedStablePage,
      }),
    ),
    errors: [...environmentErrors, 'release-not-found', 'analysis-stopped'],
  }),
  get: endpoint({
    id: 'releases.get',
    origin: 'own',
    method: 'GET',
    path: `${base}/{release_id}`,
    summary: 'Show a release: its files, the state of each setting, and what changed',
    access: viewSecurity,
    params: Type.Object(one),
    query: inEnvironment.query,
    response: ReleaseDetail,
    errors: [...environmentErrors, 'release-not-found'],
  }),
  file: endpoint({
    id: 'releases.file',
    origin: 'own',
    method: 'GET',
    path: `${base}/{release_id}/files/{file_path}`,
    summary: 'Get a file of a release',
    access: viewSecurity,
    params: Type.Object({ ...one, file_path: Type.String({ minLength: 1, description: 'As "30-rules.conf".' }) }),
    query: Type.Object({
      ...tenantSlugQuery,
      engine: Type.Optional(oneOf(dialectNames, 'Where it is left out, the first engine of the release.')),
    }),
    response: titled(
      'SecurityReleaseFile',
      Type.Object({ engine, path: Type.String(), sha256: Type.String(), text: Type.String() }),
    ),
    errors: [...environmentErrors, 'release-not-found'],
  }),
  take: endpoint({
    id: 'releases.take',
    origin: 'own',
    method: 'POST',
    path: `${base}/{release_id}/take`,
    summary: 'Give gateways the release that waits for it',
    description:
      'A newer svc compiles the policies of all environments again. Where files or states of settings differ, that release waits here. A change of the policy, of the bound document, or of the names and paths of the environment takes its place.',
    access: editSecurity,
    params: Type.Object(one),
    query: inEnvironment.query,
    body: titled('SecurityReleaseTake', bodyOf({ reason: Type.Optional(Type.String({ maxLength: 1000 })) })),
    bodyOptional: true,
    response: titled('SecurityReleaseTakeResponse', Type.Object({ release: Release, message: Type.String() })),
    errors: [...environmentErrors, 'release-not-found', 'release-unusable'],
  }),
  rollback: endpoint({
    id: 'releases.rollback',
    origin: 'own',
    method: 'POST',
    path: `${base}/{release_id}/rollback`,
    summary: 'Roll gateways back to an older release',
    description:
      'It holds until the policy changes: until then nothing else makes a release. The policy itself stays as it is. Where the older release protects less, the rollback needs the approval of another person.',
    access: editSecurity,
    params: Type.Object(one),
    query: inEnvironment.query,
    body: titled(
      'SecurityReleaseRollback',
      bodyOf({
        reason: Type.Optional(Type.String({ maxLength: 1000 })),
        ...approvalQuery,
      }),
    ),
    bodyOptional: true,
    status: 201,
    response: titled(
      'SecurityReleaseRollbackResponse',
      Type.Object({
        release: Release,
        message: Type.String(),
        documents: orNull(Documents),
      }),
    ),
    errors: [...environmentErrors, 'release-not-found', 'release-unusable', 'analysis-stopped', ...approvalErrors],
  }),
} as const
