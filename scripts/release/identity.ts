/** What a release is called: its version, and the names of who publishes it. */
import type { Publisher } from './publisher.ts'

export interface Identity extends Publisher {
  readonly version: string
}

/** In one line what svc is, without the name. */
export const summary = 'Import, lint, diff, catalogue, govern and publish API specifications'

/** In one paragraph what svc is, for package managers. */
export const description =
  'svc checks and compares OpenAPI, Swagger, Arazzo and JSON Schema documents and MCP servers: a command line, a check for pipelines, a service with a web application, and an MCP server for AI agents, in one executable.'

/**
 * The identity of a release.
 * @throws Error where the workflow runs for the tag of another version
 */
export function identityOf(
  publisher: Publisher,
  { version }: { readonly version: string },
  env: Readonly<Record<string, string | undefined>>,
): Identity {
  if (env.GITHUB_REF_TYPE === 'tag' && env.GITHUB_REF_NAME !== `v${version}`)
    throw new Error(
      `The tag is ${env.GITHUB_REF_NAME}, but package.json has the version ${version}; the tag must be v${version}.`,
    )
  return { ...publisher, version }
}

/** Where the files of a release are downloaded from. */
export const downloadOf = ({ repository, version }: Pick<Identity, 'repository' | 'version'>, file: string): string =>
  `${repository}/releases/download/v${version}/${file}`

/**
 * The version as deb and rpm write it: a pre-release comes before its release, which semantic versions mark with a hyphen and they with a tilde
 * (Debian Policy 5.6.12; rpm-version(7)).
 */
export const packageVersion = ({ version }: Pick<Identity, 'version'>): string => {
  const [release = '', ...rest] = version.replace(/\+.*$/, '').split('-')
  return rest.length === 0 ? release : `${release}~${rest.join('.')}`
}
