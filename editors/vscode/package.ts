/**
 * `bun run editors/vscode/package.ts`: bundles the extension and packs it as dist/svc-vscode.vsix, without a network.
 * A .vsix is a zip archive with a manifest (Open Packaging Conventions).
 */
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

const folder = import.meta.dir
const root = join(folder, '..', '..')
const outfile = process.argv[2] ?? join(root, 'dist', 'svc-vscode.vsix')

const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<Record<string, string>> & {
  readonly keywords: readonly string[]
  readonly categories: readonly string[]
  readonly engines: { readonly vscode: string }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${described.name}" Version="${described.version}" Publisher="${described.publisher}" />
    <DisplayName>${escaped(described.displayName ?? '')}</DisplayName>
    <Description xml:space="preserve">${escaped(described.description ?? '')}</Description>
    <Tags>${described.keywords.map(escaped).join(',')}</Tags>
    <Categories>${described.categories.map(escaped).join(',')}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(described.engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`

const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json" /><Default Extension=".vsixmanifest" ContentType="text/xml" /><Default Extension=".js" ContentType="application/javascript" /><Default Extension=".md" ContentType="text/markdown" /><Default Extension=".txt" ContentType="text/plain" /></Types>
`

const built = await Bun.build({
  entrypoints: [join(folder, 'extension.js')],
  target: 'node',
  format: 'cjs',
  minify: true,
  external: ['vscode'],
})
const [bundle] = built.outputs
if (bundle === undefined) throw new Error('the extension has no bundle')

const zip = new ZipFile()
// The same bytes whenever it is packed.
const mtime = new Date(Date.UTC(2000, 0, 1))
const add = (name: string, content: string | Uint8Array): void => zip.addBuffer(Buffer.from(content), name, { mtime })
add('[Content_Types].xml', types)
add('extension.vsixmanifest', manifest)
add('extension/package.json', readFileSync(join(folder, 'package.json')))
add('extension/README.md', readFileSync(join(folder, 'README.md')))
add('extension/LICENSE.txt', readFileSync(join(root, 'LICENSE')))
add('extension/extension.js', new Uint8Array(await bundle.arrayBuffer()))
mkdirSync(dirname(outfile), { recursive: true })
zip.end()
await pipeline(zip.outputStream, createWriteStream(outfile))
process.stdout.write(`${outfile}\n`)
