/** The Scoop manifest of a release. */
import { downloadOf, summary, type Identity } from './identity.ts'
import { archiveOf, digestIn, targetOf } from './targets.ts'

/**
 * The manifest, by Scoop's schema.json.
 * @param digests SHA-256 of the archives, by their names
 * @throws Error where the archive of Windows is missing
 */
export function scoopManifest(identity: Identity, digests: ReadonlyMap<string, string>): object {
  const { version, homepage, repository } = identity
  const archive = archiveOf(targetOf('windows-x64'), version)
  const next = downloadOf({ repository, version: '$version' }, archiveOf(targetOf('windows-x64'), '$version'))
  return {
    version,
    description: summary,
    homepage,
    license: 'Apache-2.0',
    architecture: {
      '64bit': { url: downloadOf(identity, archive), hash: digestIn(digests, archive, 'The Scoop manifest') },
    },
    bin: 'svc.exe',
    checkver: { github: repository },
    autoupdate: { architecture: { '64bit': { url: next } }, hash: { url: '$baseurl/SHA256SUMS' } },
  }
}
