/** Who publishes a release, and where: nothing of it is written in the sources, because every fork has its own. */

export interface Identity {
  readonly version: string
  /** The address of the repository, as https://github.com/OWNER/NAME. */
  readonly repository: string
  /** The name of the npm package, with its scope. */
  readonly npmName: string
}

interface Described {
  readonly version: string
  readonly repository?: unknown
}

const addressOf = (repository: unknown): string | undefined => {
  const url = typeof repository === 'object' && repository !== null ? (repository as { url?: unknown }).url : repository
  return typeof url === 'string' ? url : undefined
}

/**
 * Reads the identity of a release from variables and package.json.
 * @throws Error where the repository or the name of the npm package is missing or invalid, with what to set, and where a tag is that of
 *   another version
 */
export function readIdentity(env: Readonly<Record<string, string | undefined>>, described: Described): Identity {
  const hosted =
    env.GITHUB_REPOSITORY === undefined
      ? undefined
      : `${env.GITHUB_SERVER_URL ?? 'https://github.com'}/${env.GITHUB_REPOSITORY}`
  // A variable of a workflow that is not set is an empty text.
  const given = (env.SVC_RELEASE_REPOSITORY || undefined) ?? addressOf(described.repository) ?? hosted
  if (given === undefined)
    throw new Error(
      'The repository of the release is unknown. Set SVC_RELEASE_REPOSITORY to its address (https://github.com/OWNER/NAME), or "repository" in package.json.',
    )
  const repository = given.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, '')
  if (!/^https:\/\/[^/\s"'\\]+(?:\/[\w.-]+)+$/.test(repository))
    throw new Error(
      `The repository of the release must be an address such as https://github.com/OWNER/NAME, not "${given}".`,
    )
  const npmName = env.SVC_RELEASE_NPM_NAME || undefined
  if (npmName === undefined)
    throw new Error(
      'The name of the npm package is unknown. Set SVC_RELEASE_NPM_NAME to a name with a scope that you own, such as @OWNER/svc.',
    )
  if (!/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/.test(npmName))
    throw new Error(`SVC_RELEASE_NPM_NAME must be a name with a scope, such as @OWNER/svc, not "${npmName}".`)
  const { version } = described
  if (env.GITHUB_REF_TYPE === 'tag' && env.GITHUB_REF_NAME !== `v${version}`)
    throw new Error(
      `The tag is ${env.GITHUB_REF_NAME}, but package.json has the version ${version}; the tag must be v${version}.`,
    )
  return { version, repository, npmName }
}
