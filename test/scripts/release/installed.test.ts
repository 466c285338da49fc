/** Packages are installed as people install them, and svc is used from there. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptRepository } from '../../../scripts/release/apt.ts'
import { writeArchive, writeEntries } from '../../../scripts/release/archives.ts'
import { debOf } from '../../../scripts/release/deb.ts'
import { file } from '../../../scripts/release/entries.ts'
import { packNpm } from '../../../scripts/release/npm-packages.ts'
import { output } from '../../../scripts/release/run.ts'
import { signApt } from '../../../scripts/release/sign-apt.ts'
import { architectureOf } from '../../../scripts/release/targets.ts'
import { identity, packageInput, standIn, texts, time } from '../../fixtures/release.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-installed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { version } = JSON.parse(readFileSync(join(import.meta.dir, '../../../package.json'), 'utf8')) as {
  version: string
}

beforeAll(() => {
  writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: {title: Test, version: 1.0.0}\npaths: {}\n')
})

/** What is asked of every installed svc: its version, and the grade of a document. */
async function use(svc: string): Promise<void> {
  expect(await output([svc, '--version'], { cwd: folder })).toStartWith(`svc ${version}`)
  expect(await output([svc, 'lint', 'api.yaml', '--fail-on', 'none'], { cwd: folder })).toContain('Grade')
}

const onDebian = process.platform === 'linux' && Bun.which('dpkg') !== null && Bun.which('apt-get') !== null

test.skipIf(!onDebian)('dpkg installs the deb into a root of its own, and removes it', async () => {
  const deb = await debOf(packageInput())
  const path = join(folder, deb.name)
  writeFileSync(path, deb.bytes)
  const root = join(folder, 'root')
  mkdirSync(join(root, 'var/lib/dpkg/info'), { recursive: true })
  mkdirSync(join(root, 'var/lib/dpkg/updates'))
  writeFileSync(join(root, 'var/lib/dpkg/status'), '')
  const dpkg = (...words: readonly string[]): Promise<string> =>
    output(['dpkg', `--root=${root}`, `--log=${join(folder, 'log')}`, '--force-not-root,bad-path', ...words])
  await dpkg('--install', path)
  await use(join(root, 'usr/bin/svc'))
  expect(await output(['gzip', '-dc', join(root, 'usr/share/man/man1/svc.1.gz')])).toBe(texts.man)
  // Every file has the sum that the package gives for it.
  expect(await dpkg('--verify', 'svc')).toBe('')
  await dpkg('--remove', 'svc')
  expect(existsSync(join(root, 'usr/bin/svc'))).toBe(false)
})

const apt = { url: 'https://apt.acme.example', origin: 'Acme', suite: 'stable' }

/** apt with a state of its own, which knows one repository. */
function aptOf(name: string, source: string): (program: string, ...words: readonly string[]) => Promise<string> {
  const own = join(folder, name)
  for (const path of ['state/lists/partial', 'cache/archives/partial', 'etc', 'download'])
    mkdirSync(join(own, path), { recursive: true })
  writeFileSync(join(own, 'etc/sources.list'), `${source}\n`)
  writeFileSync(join(own, 'status'), '')
  const settings = {
    'Dir::State': join(own, 'state'),
    'Dir::State::status': join(own, 'status'),
    'Dir::Cache': join(own, 'cache'),
    'Dir::Etc::sourcelist': join(own, 'etc/sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::Etc::preferencesparts': '-',
    'APT::Architecture': architectureOf(packageInput().target),
    // The user of apt's own cannot read a temporary folder.
    'APT::Sandbox::User': '',
    'APT::Update::Error-Mode': 'any',
  }
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])
  return (program, ...words) => output([program, ...options, ...words], { cwd: join(own, 'download') })
}

test.skipIf(!onDebian)('apt finds the package in the repository, and takes only what the index has', async () => {
  const deb = await debOf(packageInput())
  const repository = join(folder, 'apt')
  await writeEntries(repository, await aptRepository(apt, [deb], time))
  const run = aptOf('own', `deb [trusted=yes] file:${repository} stable main`)
  await run('apt-get', 'update')
  expect(await run('apt-cache', 'show', 'svc')).toContain('Version: 1.2.3\n')
  await run('apt-get', 'download', 'svc')
  expect(readFileSync(join(folder, 'own/download', deb.name)).equals(deb.bytes)).toBe(true)
  const list = join(repository, 'dists/stable/main', `binary-${architectureOf(packageInput().target)}`)
  rmSync(join(list, 'Packages.gz'))
  writeFileSync(join(list, 'Packages'), 'Package: other\n')
  rmSync(join(folder, 'own/state/lists'), { recursive: true })
  expect(await run('apt-get', 'update').catch(String)).toContain('failed with exit code 100')
})

test.skipIf(!onDebian || Bun.which('gpg') === null)(
  'apt trusts a repository that is signed with the key of the publisher, and no other',
  async () => {
    const home = join(folder, 'gnupg')
    mkdirSync(home, { mode: 0o700 })
    const env = { ...process.env, GNUPGHOME: home }
    const gpg = (...words: readonly string[]): Promise<string> => output(['gpg', '--batch', ...words], { env })
    const makeKey = async (name: string): Promise<string> => {
      await gpg('--passphrase', '', '--quick-generate-key', name, 'ed25519', 'sign', 'never')
      return /^fpr:+([0-9A-F]{40}):$/m.exec(await gpg('--with-colons', '--list-keys', name))?.[1] ?? ''
    }
    const repository = join(folder, 'signed')
    const deb = await debOf(packageInput())
    await writeEntries(repository, await aptRepository(apt, [deb], time))
    const suite = join(repository, 'dists/stable')
    const [key, other] = [await makeKey('Acme <api@acme.example>'), await makeKey('Other <other@acme.example>')]
    const sign = (fingerprint: string) => signApt(repository, { suite: 'stable', key: fingerprint }, env)
    const source = `deb [signed-by=${join(repository, 'key.asc')}] file:${repository} stable main`

    expect(await sign('0'.repeat(40))).toBe(false)
    expect(existsSync(join(suite, 'InRelease'))).toBe(false)
    expect(await aptOf('unsigned', source)('apt-get', 'update').catch(String)).toContain('is not signed')

    expect(await sign(key)).toBe(true)
    const run = aptOf('trusting', source)
    await run('apt-get', 'update')
    await run('apt-get', 'download', 'svc')
    expect(readFileSync(join(folder, 'trusting/download', deb.name)).equals(deb.bytes)).toBe(true)
    await output(['gpg', '--batch', '--verify', join(suite, 'Release.gpg'), join(suite, 'Release')], { env })

    const published = readFileSync(join(repository, 'key.asc'))
    await sign(other)
    writeFileSync(join(repository, 'key.asc'), published)
    expect(await aptOf('refusing', source)('apt-get', 'update').catch(String)).toContain('NO_PUBKEY')
    await output(['gpgconf', '--kill', 'all'], { env })
  },
)

test.skipIf(process.platform === 'win32')('npm installs the packages into an empty folder', async () => {
  const { target } = packageInput()
  const os = process.platform as 'linux' | 'darwin'
  const built = [{ ...target, os, bun: '', runtime: '' }]
  const packed = join(folder, 'npm')
  const input = { identity, built, executableOfTarget: () => Promise.resolve(standIn()), license: texts.license, time }
  await packNpm(packed, input)
  const names = [...new Bun.Glob('*.tgz').scanSync(packed)].toSorted()
  const bytes = names.map((it) => readFileSync(join(packed, it)))
  await packNpm(packed, input)
  expect(names.map((it) => readFileSync(join(packed, it)))).toEqual(bytes)
  const into = join(folder, 'project')
  mkdirSync(into)
  writeFileSync(join(into, 'package.json'), '{"private": true}')
  const how = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', `--cache=${join(folder, 'npm-cache')}`]
  await output(['npm', 'install', ...how, ...names.map((it) => join(packed, it))], { cwd: into })
  await use(join(into, 'node_modules/.bin/svc'))
})

test.skipIf(process.platform === 'win32')('the archive is unpacked and used', async () => {
  const archive = join(folder, 'svc.tar.gz')
  const entries = [file('svc.1', texts.man)]
  await writeArchive(archive, { target: { os: 'linux' }, entries, executable: standIn(), time })
  const into = join(folder, 'unpacked')
  mkdirSync(into)
  await output(['tar', '-xzf', archive, '-C', into, 'svc', 'svc.1'])
  await use(join(into, 'svc'))
})
