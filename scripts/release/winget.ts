/** The winget manifests of a release: version, installer and texts, by the schemas 1.6.0 of winget-cli. */
import { stringify } from 'yaml'
import { description, downloadOf, summary, type Identity } from './identity.ts'
import { archiveOf, digestIn, targetOf } from './targets.ts'

const schemaVersion = '1.6.0'
const locale = 'en-US'

const manifest = (kind: string, fields: object): string =>
  `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${kind.toLowerCase()}.${schemaVersion}.schema.json\n\n${stringify(
    { ...fields, ManifestType: kind, ManifestVersion: schemaVersion },
    { lineWidth: 0 },
  )}`

/**
 * The manifests by their paths, as winget-pkgs has them below `manifests`.
 * @param winget the identifier of the package, as "Acme.Svc"
 * @param digests SHA-256 of the archives, by their names
 * @param time the time of the release, in seconds since 1970
 * @throws Error where the archive of Windows is missing
 */
export function wingetManifests(
  identity: Identity,
  winget: string,
  digests: ReadonlyMap<string, string>,
  time: number,
): ReadonlyMap<string, string> {
  const { version, homepage, repository, maintainer } = identity
  const archive = archiveOf(targetOf('windows-x64'), version)
  const named = { PackageIdentifier: winget, PackageVersion: version }
  const folder = ['manifests', winget.charAt(0).toLowerCase(), ...winget.split('.'), version].join('/')
  return new Map([
    [`${folder}/${winget}.yaml`, manifest('version', { ...named, DefaultLocale: locale })],
    [
      `${folder}/${winget}.installer.yaml`,
      manifest('installer', {
        ...named,
        InstallerType: 'zip',
        NestedInstallerType: 'portable',
        NestedInstallerFiles: [{ RelativeFilePath: 'svc.exe', PortableCommandAlias: 'svc' }],
        ReleaseDate: new Date(time * 1000).toISOString().slice(0, 10),
        Installers: [
          {
            Architecture: 'x64',
            InstallerUrl: downloadOf(identity, archive),
            InstallerSha256: digestIn(digests, archive, 'The winget manifest').toUpperCase(),
          },
        ],
      }),
    ],
    [
      `${folder}/${winget}.locale.${locale}.yaml`,
      manifest('defaultLocale', {
        ...named,
        PackageLocale: locale,
        Publisher: maintainer.name,
        PublisherSupportUrl: `${repository}/issues`,
        PackageName: 'svc',
        PackageUrl: homepage,
        License: 'Apache-2.0',
        LicenseUrl: `${repository}/blob/v${version}/LICENSE`,
        ShortDescription: summary,
        Description: description,
        Moniker: 'svc',
        Tags: ['arazzo', 'cli', 'diff', 'json-schema', 'lint', 'mcp', 'openapi', 'swagger'],
        ReleaseNotesUrl: `${repository}/releases/tag/v${version}`,
      }),
    ],
  ])
}
