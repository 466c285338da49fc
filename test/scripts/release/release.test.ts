/** What a release consists of, as far as no build is needed for it. */
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { checksums, digestOfFile, sha512Of } from '../../../scripts/release/checksums.ts'
import { readLock, runtimeOf } from '../../../scripts/release/executables.ts'
import { formula } from '../../../scripts/release/formula.ts'
import { manPage, roff } from '../../../scripts/release/man.ts'
import { launcher, mainPackage, platformPackage } from '../../../scripts/release/npm.ts'
import { builderOf, provenance } from '../../../scripts/release/provenance.ts'
import { bundledPackages, packagePathOf, sbom } from '../../../scripts/release/sbom.ts'
import { checkSignature } from '../../../scripts/release/signature.ts'
import { scoopManifest } from '../../../scripts/release/scoop.ts'
import { wingetManifests } from '../../../scripts/release/winget.ts'
import { identity, time } from '../../fixtures/release.ts'
import { archiveOf, executableOf, readTargets, targetOf as target, targets } from '../../../scripts/release/targets.ts'

const root = join(import.meta.dir, '..', '..', '..')

test('the platforms, their executables and archives', () => {
  expect(targets.map((it) => `${it.id} ${it.runtime} ${executableOf(it)} ${archiveOf(it, '1.2.3')}`)).toEqual([
    'linux-x64 @oven/bun-linux-x64 svc svc-1.2.3-linux-x64.tar.gz',
    'linux-x64-musl @oven/bun-linux-x64-musl svc svc-1.2.3-linux-x64-musl.tar.gz',
    'linux-arm64 @oven/bun-linux-aarch64 svc svc-1.2.3-linux-arm64.tar.gz',
    'linux-arm64-musl @oven/bun-linux-aarch64-musl svc svc-1.2.3-linux-arm64-musl.tar.gz',
    'darwin-x64 @oven/bun-darwin-x64 svc svc-1.2.3-darwin-x64.tar.gz',
    'darwin-arm64 @oven/bun-darwin-aarch64 svc svc-1.2.3-darwin-arm64.tar.gz',
    'windows-x64 @oven/bun-windows-x64 svc.exe svc-1.2.3-windows-x64.zip',
  ])
  expect(readTargets(undefined)).toEqual(targets)
  expect(readTargets('darwin-arm64, linux-x64').map((it) => it.id)).toEqual(['darwin-arm64', 'linux-x64'])
  expect(() => readTargets('linux')).toThrow('Unknown platform "linux"; there are linux-x64, ')
})

test('the lock file has the runtime of every platform, with its digest', async () => {
  const locked = await readLock(root)
  const versions = targets.map((it) => runtimeOf(it, locked)).map(({ version, sha512 }) => [version, sha512.length])
  expect(versions).toEqual(targets.map(() => [Bun.version, 128]))
  expect(() => runtimeOf(target('linux-x64'), {})).toThrow('package-lock.json has no @oven/bun-linux-x64')
})

test('one package for each platform, which npm installs there only, and a small one that refers to them', () => {
  expect(platformPackage(identity, target('linux-arm64-musl'))).toEqual({
    name: '@acme/svc-linux-arm64-musl',
    description: 'The svc executable for linux-arm64-musl',
    version: '1.2.3',
    license: 'Apache-2.0',
    repository: { type: 'git', url: 'git+https://git.example.com/acme/svc.git' },
    homepage: 'https://acme.example/svc',
    os: ['linux'],
    cpu: ['arm64'],
    libc: ['musl'],
    files: ['bin'],
    preferUnplugged: true,
  })
  expect(platformPackage(identity, target('windows-x64'))).not.toHaveProperty('libc')
  expect(mainPackage(identity)).toMatchObject({
    name: '@acme/svc',
    bin: { svc: 'bin/svc.js' },
    optionalDependencies: Object.fromEntries(targets.map(({ id }) => [`@acme/svc-${id}`, '1.2.3'])),
  })
  expect(mainPackage(identity)).not.toHaveProperty('scripts')
})

test('the launcher starts the executable of the platform with its exit code, and says what is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-launcher-'))
  try {
    const start = async (ids: readonly string[], ...argv: string[]) => {
      writeFileSync(join(folder, 'svc.cjs'), launcher(identity, ids.map(target)))
      const child = Bun.spawn(['node', 'svc.cjs', ...argv], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { out, err, exit: await child.exited }
    }
    const os = process.platform === 'win32' ? 'windows' : process.platform
    const here = targets.filter(({ id }) => id.startsWith(`${os}-${process.arch}`))
    const ids = here.map((it) => it.id)
    const missing = await start(ids)
    expect(missing.exit).toBe(2)
    expect(missing.err).toContain('is not installed (@acme/svc-')
    const other = await start([os === 'windows' ? 'linux-x64' : 'windows-x64'])
    expect(other.exit).toBe(2)
    expect(other.err).toStartWith('svc has no executable for ')
    if (process.platform === 'win32') return
    for (const it of here) {
      const bin = join(folder, 'node_modules', `@acme/svc-${it.id}`, 'bin')
      mkdirSync(bin, { recursive: true })
      writeFileSync(join(bin, executableOf(it)), '#!/bin/sh\necho "got $*"\nexit 6\n', { mode: 0o755 })
    }
    expect(await start(ids, 'lint', 'a b.yaml')).toEqual({ out: 'got lint a b.yaml\n', err: '', exit: 6 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the formula has the digests of the archives of macOS and Linux', () => {
  const ids = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']
  const digests = new Map(ids.map((id, at) => [archiveOf(target(id), '1.2.3'), String(at).repeat(64)]))
  const text = formula(identity, digests)
  const downloads = [...text.matchAll(/url "(.*)"\n\s+sha256 "(.*)"/g)].map(([, url, digest]) => [url, digest])
  const from = 'https://git.example.com/acme/svc/releases/download/v1.2.3'
  expect(downloads).toEqual(ids.map((id, at) => [`${from}/svc-1.2.3-${id}.tar.gz`, String(at).repeat(64)]))
  expect(text).toStartWith('class Svc < Formula\n')
  expect(text).toContain('  homepage "https://acme.example/svc"\n  version "1.2.3"\n')
  digests.delete('svc-1.2.3-linux-x64.tar.gz')
  expect(() => formula(identity, digests)).toThrow(
    'The formula needs svc-1.2.3-linux-x64.tar.gz, which is not in the release',
  )
})

const ofWindows = new Map([[archiveOf(target('windows-x64'), '1.2.3'), 'ab'.repeat(32)]])

test('the Scoop manifest has the archive of Windows, and where its next versions are', () => {
  const from = 'https://git.example.com/acme/svc/releases/download'
  expect(scoopManifest(identity, ofWindows)).toEqual({
    version: '1.2.3',
    description: 'Import, lint, diff, catalogue, govern and publish API specifications',
    homepage: 'https://acme.example/svc',
    license: 'Apache-2.0',
    architecture: { '64bit': { url: `${from}/v1.2.3/svc-1.2.3-windows-x64.zip`, hash: 'ab'.repeat(32) } },
    bin: 'svc.exe',
    checkver: { github: 'https://git.example.com/acme/svc' },
    autoupdate: {
      architecture: { '64bit': { url: `${from}/v$version/svc-$version-windows-x64.zip` } },
      hash: { url: '$baseurl/SHA256SUMS' },
    },
  })
  expect(() => scoopManifest(identity, new Map())).toThrow('The Scoop manifest needs svc-1.2.3-windows-x64.zip')
})

test('three winget manifests in the folder of the version, all of one package and schema', () => {
  const manifests = wingetManifests(identity, 'Acme.Svc', ofWindows, time)
  const folder = 'manifests/a/Acme/Svc/1.2.3'
  expect([...manifests.keys()]).toEqual([
    `${folder}/Acme.Svc.yaml`,
    `${folder}/Acme.Svc.installer.yaml`,
    `${folder}/Acme.Svc.locale.en-US.yaml`,
  ])
  const read = [...manifests.values()].map((text) => Bun.YAML.parse(text) as Record<string, unknown>)
  const named = { PackageIdentifier: 'Acme.Svc', PackageVersion: '1.2.3', ManifestVersion: '1.6.0' }
  expect(read).toEqual([
    { ...named, DefaultLocale: 'en-US', ManifestType: 'version' },
    expect.objectContaining({
      ...named,
      ManifestType: 'installer',
      InstallerType: 'zip',
      NestedInstallerFiles: [{ RelativeFilePath: 'svc.exe', PortableCommandAlias: 'svc' }],
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: 'https://git.example.com/acme/svc/releases/download/v1.2.3/svc-1.2.3-windows-x64.zip',
          InstallerSha256: 'AB'.repeat(32),
        },
      ],
    }),
    expect.objectContaining({ ...named, ManifestType: 'defaultLocale', Publisher: 'Acme API team', Moniker: 'svc' }),
  ])
  expect(() => wingetManifests(identity, 'Acme.Svc', new Map(), time)).toThrow('The winget manifest needs svc-1.2.3-')
})

test('checksums as sha256sum reads them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-checksums-'))
  try {
    writeFileSync(join(folder, 'a'), 'abc')
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(await digestOfFile(join(folder, 'a'))).toBe(digest)
    expect(
      checksums(
        new Map([
          ['b', '2'],
          ['a', digest],
        ]),
      ),
    ).toBe(`${digest}  a\n2  b\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  expect(sha512Of(`sha1-x sha512-${Buffer.from('ab').toString('base64')}`)).toBe('6162')
  expect(() => sha512Of('sha1-x')).toThrow('has no SHA-512')
})

test('the manual page has every command with its options, and nothing that roff reads as its own', async () => {
  expect(roff(".a\\b -c\n'd ~^`e – ü")).toBe('\\&.a\\eb \\-c\n\\(aqd \\(ti\\(ha\\(gae \\[u2013] \\[u00FC]')
  const page = await manPage(registry, '1.2.3', '2026-05-05')
  expect(page).toStartWith('.TH SVC 1 "2026-05-05" "svc 1.2.3" "User Commands"\n')
  const commands = [...page.matchAll(/^\.SS "svc (.*)"$/gm)].map(([, usage = '']) =>
    usage.replace(/ (?:\[|[A-Z]).*$/, ''),
  )
  const wanted = Object.entries(registry)
    .filter(([, it]) => it.load !== null)
    .map(([name]) => name)
  const shown = commands.map((it) => it.replaceAll('\\-', '-'))
  expect(shown.toSorted()).toEqual(wanted.toSorted())
  expect(page).toContain('.B \\-\\-ignore\\-suppressions\nreport findings although')
  const requests = new Set([...page.matchAll(/^\.([a-zA-Z]+)/gm)].map(([, name = '']) => name))
  expect([...requests].toSorted()).toEqual(['B', 'I', 'PP', 'RE', 'RS', 'SH', 'SS', 'TH', 'TP', 'br', 'fi', 'nf'])
  expect(page).toMatch(/^[\n -~]*$/)
  expect(page.split('\n').filter((line) => line.startsWith("'"))).toEqual([])
})

test('the bill of materials: what is in the executable is required, everything else excluded', () => {
  expect(packagePathOf('src/lint/lint.ts')).toBeNull()
  expect(packagePathOf('../x/node_modules/yaml/dist/a.js')).toBe('node_modules/yaml')
  expect(packagePathOf('node_modules/@a/b/node_modules/c/x.js')).toBe('node_modules/@a/b/node_modules/c')
  const locked = { 'node_modules/yaml': { version: '2.9.1' }, 'node_modules/@a/b/node_modules/c': { version: '3.0.0' } }
  const modules = [
    'cli/main.ts',
    'node_modules/yaml/a.js',
    'node_modules/yaml/b.js',
    'node_modules/@a/b/node_modules/c/x.js',
  ]
  const bundled = bundledPackages(modules, locked)
  expect([...bundled]).toEqual(['yaml@2.9.1', 'c@3.0.0'])
  expect(() => bundledPackages(['node_modules/other/x.js'], locked)).toThrow('node_modules/other is in the executable')
  const component = (name: string, version: string) => ({ 'bom-ref': `${name}@${version}`, name, version })
  const npm = {
    metadata: { tools: [{ version: '11.0.0' }], component: component('svc', '1.2.3') },
    components: [
      { ...component('yaml', '2.9.1'), type: 'library', scope: 'required', properties: [] },
      { ...component('oxlint', '1.0.0'), type: 'library', scope: 'optional' },
    ],
    dependencies: [{ ref: 'svc@1.2.3', dependsOn: ['yaml@2.9.1'] }, { ref: 'yaml@2.9.1' }],
  }
  expect(sbom({ identity, npm, bundled, runtime: { version: '1.4.5' }, timestamp: 't', serial: 's' })).toEqual({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: 'urn:uuid:s',
    version: 1,
    metadata: {
      timestamp: 't',
      tools: { components: [{ type: 'application', name: 'npm', version: '11.0.0' }] },
      component: {
        'bom-ref': 'svc@1.2.3',
        type: 'application',
        name: 'svc',
        version: '1.2.3',
        licenses: [{ license: { id: 'Apache-2.0' } }],
        externalReferences: [{ type: 'vcs', url: identity.repository }],
      },
    },
    components: [
      { ...component('yaml', '2.9.1'), type: 'library', scope: 'required' },
      { ...component('oxlint', '1.0.0'), type: 'library', scope: 'excluded' },
      expect.objectContaining({ name: 'bun', version: '1.4.5', scope: 'required' }),
    ],
    dependencies: [
      { ref: 'svc@1.2.3', dependsOn: ['yaml@2.9.1', 'bun-runtime@1.4.5'] },
      { ref: 'yaml@2.9.1', dependsOn: [] },
      { ref: 'bun-runtime@1.4.5', dependsOn: [] },
    ],
  })
})

test('the provenance names files, sources and runtimes with their digests', () => {
  const local = { builder: 'https://slsa.dev/provenance/v1#local', invocation: null }
  expect(builderOf({})).toEqual(local)
  const server = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'acme/svc', GITHUB_RUN_ID: '7' }
  const workflow = 'acme/svc/.github/workflows/release.yml@refs/tags/v1.2.3'
  expect(builderOf({ ...server, GITHUB_WORKFLOW_REF: workflow })).toEqual({
    builder: `https://git.example.com/${workflow}`,
    invocation: 'https://git.example.com/acme/svc/actions/runs/7',
  })
  expect(
    provenance({
      identity,
      digests: new Map([
        ['b', '2'],
        ['a', '1'],
      ]),
      commit: 'c0ffee',
      isDirty: false,
      targets: ['linux-x64'],
      runtimes: [{ uri: 'pkg:npm/%40oven/bun-linux-x64@1.4.5', sha512: 'ab' }],
      lock: 'cd',
      ...local,
    }),
  ).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'a', digest: { sha256: '1' } },
      { name: 'b', digest: { sha256: '2' } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://git.example.com/acme/svc/blob/v1.2.3/scripts/release.ts',
        externalParameters: { repository: identity.repository, version: '1.2.3', targets: ['linux-x64'] },
        internalParameters: { isDirty: false },
        resolvedDependencies: [
          { uri: 'git+https://git.example.com/acme/svc', digest: { gitCommit: 'c0ffee' } },
          { uri: 'package-lock.json', digest: { sha256: 'cd' } },
          { uri: 'pkg:npm/%40oven/bun-linux-x64@1.4.5', digest: { sha512: 'ab' } },
        ],
      },
      runDetails: {
        builder: { id: 'https://slsa.dev/provenance/v1#local' },
      },
    },
  })
})

/** A Mach-O file of one load command, some code, and a signature of it. */
function signed(code: Buffer, pageShift = 12): Buffer {
  const limit = 48 + code.length
  const slots = Math.ceil(limit / 2 ** pageShift)
  const directory = Buffer.alloc(44 + slots * 32)
  const signature = Buffer.alloc(20 + directory.length)
  const header = Buffer.alloc(48)
  header.writeUInt32LE(0xfeedfacf, 0)
  header.writeUInt32LE(1, 16)
  for (const [at, value] of [0x1d, 16, limit, signature.length].entries()) header.writeUInt32LE(value, 32 + at * 4)
  const body = Buffer.concat([header, code])
  directory.writeUInt32BE(0xfade0c02, 0)
  directory.writeUInt32BE(44, 16)
  directory.writeUInt32BE(slots, 28)
  directory.writeUInt32BE(limit, 32)
  directory.set([32, 2, 0, pageShift], 36)
  for (let slot = 0; slot < slots; slot++) {
    const page = body.subarray(slot * 2 ** pageShift, (slot + 1) * 2 ** pageShift)
    directory.set(createHash('sha256').update(page).digest(), 44 + slot * 32)
  }
  signature.writeUInt32BE(0xfade0cc0, 0)
  signature.writeUInt32BE(20, 16)
  signature.set(directory, 20)
  return Buffer.concat([body, signature])
}

test('a signature of macOS is valid for its own code only', () => {
  const code = Buffer.alloc(10_000, 7)
  const whole = signed(code)
  expect(checkSignature(whole)).toBe('valid')
  expect(checkSignature(signed(code, 14))).toBe('valid')
  const changed = Buffer.from(whole)
  changed[9000] = 8
  expect(checkSignature(changed)).toBe('invalid')
  // Code that was added after it was signed: the signature ends before it.
  const moved = Buffer.concat([whole.subarray(0, 48 + code.length), Buffer.alloc(64), whole.subarray(48 + code.length)])
  moved.writeUInt32LE(48 + code.length + 64, 40)
  expect(checkSignature(moved)).toBe('invalid')
  expect(checkSignature(Buffer.from(whole.subarray(0, 60)))).toBe('invalid')
  expect(checkSignature(Buffer.from('#!/bin/sh\n'))).toBe('absent')
  const unsigned = Buffer.from(whole)
  unsigned.writeUInt32LE(0x19, 32)
  expect(checkSignature(unsigned)).toBe('absent')
})
