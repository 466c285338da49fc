/**
 * `bun scripts/release/smoke.ts [FOLDER]` tries a release of this platform (dist/release by default): it installs the npm packages from a
 * registry on loopback into an empty folder, runs svc there and with npx, and runs the executable of the archive; on Debian it installs the deb into a root
 * of its own too.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { sha512Of } from './checksums.ts'
import { output } from './run.ts'
import { executableOf, targets } from './targets.ts'

const release = resolve(process.argv[2] ?? join(import.meta.dir, '..', '..', 'dist', 'release'))
const npm = join(release, 'npm')

interface Packed {
  readonly file: string
  readonly bytes: Uint8Array
  readonly described: { readonly name: string; readonly version: string; readonly optionalDependencies?: object }
}

async function readPackages(): Promise<Packed[]> {
  const files = [...new Bun.Glob('*.tgz').scanSync(npm)]
  if (files.length === 0) throw new Error(`There are no packages in ${npm}; run npm run release first.`)
  return Promise.all(
    files.map(async (file) => ({
      file,
      bytes: await readFile(join(npm, file)),
      described: JSON.parse(
        await output(['tar', '-xzOf', join(npm, file), 'package/package.json']),
      ) as Packed['described'],
    })),
  )
}

/** A registry that has these packages and no others. */
function serve(packages: readonly Packed[]): { readonly url: string; stop(): void } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request): Response {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1)
      const archive = packages.find((it) => path === `-/${it.file}`)
      if (archive !== undefined) return new Response(archive.bytes.slice())
      const found = packages.find((it) => it.described.name === path)
      if (found === undefined) return Response.json({ error: 'not found' }, { status: 404 })
      const { described, file, bytes } = found
      const integrity = `sha512-${new Bun.CryptoHasher('sha512').update(bytes).digest('base64')}`
      if (sha512Of(integrity).length !== 128) throw new Error('The digest is not one of SHA-512.')
      const version = { ...described, dist: { tarball: `${url}-/${file}`, integrity } }
      return Response.json({
        name: described.name,
        'dist-tags': { latest: described.version },
        versions: { [described.version]: version },
      })
    },
  })
  const url: string = `http://127.0.0.1:${server.port}/`
  return { url, stop: () => void server.stop(true) }
}

const document = 'openapi: 3.1.0\ninfo: {title: Smoke, version: 1.0.0}\npaths: {}\n'

/** Installs the deb of this machine into an empty root; returns the executable, or null where there is no dpkg. */
async function installDeb(folder: string): Promise<string | null> {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const [deb] = [...new Bun.Glob(`svc_*_${architecture}.deb`).scanSync(join(release, 'files'))]
  if (deb === undefined || Bun.which('dpkg') === null) return null
  const root = join(folder, 'root')
  await mkdir(join(root, 'var/lib/dpkg/info'), { recursive: true })
  await mkdir(join(root, 'var/lib/dpkg/updates'))
  await writeFile(join(root, 'var/lib/dpkg/status'), '')
  // The libraries that it depends on are those of this machine.
  const force = '--force-not-root,bad-path,depends'
  const log = `--log=${join(folder, 'dpkg.log')}`
  await output(['dpkg', `--root=${root}`, log, force, '--install', join(release, 'files', deb)])
  return join(root, 'usr/bin/svc')
}

const packages = await readPackages()
const main = packages.find((it) => it.described.optionalDependencies !== undefined)
if (main === undefined) throw new Error('The package with the launcher is missing.')
const { name, version } = main.described
const registry = serve(packages)
const folder = await mkdtemp(join(tmpdir(), 'svc-smoke-'))
try {
  const env = {
    ...process.env,
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'npm-cache'),
    HOME: folder,
  }
  const run = (command: readonly string[], cwd: string): Promise<string> => output(command, { cwd, env })
  const expectText = (told: string, text: string, wanted: string): void => {
    if (!text.includes(wanted)) throw new Error(`${told} printed this without "${wanted}":\n${text}`)
    console.log(`passed  ${told}`)
  }
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  await writeFile(join(folder, 'api.yaml'), document)
  await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], folder)
  const installed = JSON.parse(await run(['npm', 'ls', '--json', '--all'], folder)) as {
    dependencies: Record<string, { dependencies?: object }>
  }
  const platforms = Object.keys(installed.dependencies[name]?.dependencies ?? {}).filter((it) => it.startsWith(name))
  const present = []
  for (const it of platforms)
    if (await Bun.file(join(folder, 'node_modules', it, 'package.json')).exists()) present.push(it)
  expectText('npm install takes the package of one platform', `${present.length} package`, '1 package')
  const svc = join(folder, 'node_modules', '.bin', 'svc')
  expectText('svc --version', await run([svc, '--version'], folder), `svc ${version}`)
  expectText('svc lint', await run([svc, 'lint', 'api.yaml', '--fail-on', 'none'], folder), 'Grade')
  const refused = Bun.spawnSync([svc, 'lint', 'missing.yaml'], { cwd: folder, env })
  expectText('the exit code of svc', `exit ${refused.exitCode}`, 'exit 2')
  const empty = await mkdtemp(join(folder, 'empty-'))
  expectText('npx', await run(['npx', '--yes', `${name}@${version}`, '--version'], empty), `svc ${version}`)

  const libc = process.platform === 'linux' ? (present[0]?.endsWith('-musl') === true ? 'musl' : 'glibc') : undefined
  const target = targets.find((it) => it.os === process.platform && it.cpu === process.arch && it.libc === libc)
  const archive = [...new Bun.Glob(`svc-${version}-${target?.id}.{tar.gz,zip}`).scanSync(join(release, 'files'))][0]
  if (target === undefined || archive === undefined) throw new Error('The archive of this platform is missing.')
  const unpacked = await mkdtemp(join(folder, 'archive-'))
  await output(['tar', '-xf', join(release, 'files', archive), '-C', unpacked])
  const executable = join(unpacked, executableOf(target))
  expectText(
    `the executable of ${archive}`,
    await run([executable, '--version'], dirname(executable)),
    `svc ${version}`,
  )
  const debian = await installDeb(folder)
  if (debian !== null) {
    expectText('the deb', await run([debian, '--version'], folder), `svc ${version}`)
    expectText('svc lint of the deb', await run([debian, 'lint', 'api.yaml', '--fail-on', 'none'], folder), 'Grade')
  }
  if (process.platform !== 'win32')
    await output(['sha256sum', '--check', '--quiet', '--ignore-missing', 'SHA256SUMS'], { cwd: join(release, 'files') })
  console.log('passed  SHA256SUMS')
} finally {
  registry.stop()
  await rm(folder, { recursive: true, force: true })
}
