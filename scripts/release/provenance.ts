/** How a release was made: an in-toto statement with SLSA build provenance v1. It is not signed; the workflow attests the same files. */
import type { Identity } from './identity.ts'

export interface ProvenanceInput {
  readonly identity: Pick<Identity, 'repository' | 'version'>
  /** SHA-256 of the files of the release, by their names. */
  readonly digests: ReadonlyMap<string, string>
  readonly commit: string
  /** Whether the working tree had changes that are in no commit. */
  readonly isDirty: boolean
  readonly targets: readonly string[]
  /** The runtimes in the executables: addresses of packages with their SHA-512 in hexadecimal digits. */
  readonly runtimes: readonly { readonly uri: string; readonly sha512: string }[]
  /** SHA-256 of package-lock.json. */
  readonly lock: string
  /** Who ran the build. */
  readonly builder: string
  readonly invocation: string | null
}

/** The statement (in-toto Statement v1, SLSA Provenance v1). It has no times of the build, so that a second build writes the same bytes. */
export function provenance(input: ProvenanceInput): object {
  const { identity, digests, commit, isDirty, targets, runtimes, lock, builder, invocation } = input
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...digests]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${identity.repository}/blob/v${identity.version}/scripts/release.ts`,
        externalParameters: { repository: identity.repository, version: identity.version, targets },
        internalParameters: { isDirty },
        resolvedDependencies: [
          { uri: `git+${identity.repository}`, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lock } },
          ...runtimes.map(({ uri, sha512 }) => ({ uri, digest: { sha512 } })),
        ],
      },
      runDetails: {
        builder: { id: builder },
        ...(invocation === null ? {} : { metadata: { invocationId: invocation } }),
      },
    },
  }
}

/** The builder of a run: the workflow, or "local". */
export function builderOf(env: Readonly<Record<string, string | undefined>>): {
  readonly builder: string
  readonly invocation: string | null
} {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_RUN_ID: run, GITHUB_WORKFLOW_REF: workflow } = env
  if (server === undefined || name === undefined || run === undefined)
    return { builder: 'https://slsa.dev/provenance/v1#local', invocation: null }
  return {
    builder: workflow === undefined ? `${server}/${name}` : `${server}/${workflow}`,
    invocation: `${server}/${name}/actions/runs/${run}`,
  }
}
