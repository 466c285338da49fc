/** The container image, the chart and the action of a release. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Ajv from 'ajv'
import { actionEntries } from '../../../scripts/release/action.ts'
import { writeArchive } from '../../../scripts/release/archives.ts'
import { chartEntries, packChart } from '../../../scripts/release/chart.ts'
import { digestOf } from '../../../scripts/release/checksums.ts'
import { file, type Entry } from '../../../scripts/release/entries.ts'
import { imageLayout, type ImageInput } from '../../../scripts/release/image.ts'
import { tarOf } from '../../../scripts/release/tar.ts'
import { identity, standIn, time } from '../../fixtures/release.ts'

const root = join(import.meta.dir, '..', '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'svc-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const passwd = 'root:x:0:0:root:/root:/bin/sh\n'
const system = tarOf(
  [file('etc/passwd', passwd), file('etc/group', 'root:x:0:\n'), file('lib64/ld-linux-x86-64.so.2', '')],
  {
    time,
  },
)

function saved(name: string, entries: readonly Entry[]): string {
  const path = join(folder, name)
  writeFileSync(path, tarOf(entries, { time }))
  return path
}

/** A layout with an index within its index, as registries give images of several platforms. */
function layout(architecture: string): string {
  const blobs: Entry[] = []
  const add = (content: Uint8Array | object) => {
    const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content))
    blobs.push(file(`blobs/sha256/${digestOf(bytes)}`, bytes))
    return { mediaType: 'application/json', digest: `sha256:${digestOf(bytes)}`, size: bytes.length }
  }
  const layer = {
    ...add(new Uint8Array(gzipSync(system))),
    mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  }
  const config = add({ os: 'linux', architecture, rootfs: { diff_ids: [`sha256:${digestOf(system)}`] } })
  const index = add({ manifests: [add({ config, layers: [layer] })] })
  const top = { manifests: [index] }
  return saved(`layout-${architecture}.tar`, [
    file('oci-layout', '{}'),
    file('index.json', JSON.stringify(top)),
    ...blobs,
  ])
}

const docker = (): string =>
  saved('docker.tar', [
    file('manifest.json', JSON.stringify([{ Config: 'c.json', Layers: ['l/layer.tar'] }])),
    file('c.json', JSON.stringify({ os: 'linux', architecture: 'amd64' })),
    file('l/layer.tar', system),
  ])

function bareSystem(): string {
  const path = join(folder, 'system.tar')
  writeFileSync(path, system)
  return path
}

const inputOf = (base: string): ImageInput => ({
  identity,
  commit: 'c0ffee',
  license: 'License\n',
  time,
  platforms: [{ target: { cpu: 'x64' }, base, executable: standIn() }],
})

/** What a registry would serve of a layout, with every digest checked. */
async function pulled(base: string) {
  const { entries, digest } = await imageLayout(inputOf(base))
  const files = new Map(entries.map((it) => [it.path, it.content ?? new Uint8Array()]))
  for (const [path, bytes] of files) if (path.startsWith('blobs/')) expect(path).toBe(`blobs/sha256/${digestOf(bytes)}`)
  const blob = (of: string): Uint8Array => files.get(`blobs/${of.replace(':', '/')}`) ?? new Uint8Array()
  const json = (of: string) => JSON.parse(new TextDecoder().decode(blob(of))) as Record<string, never>
  const index = json(digest) as unknown as { manifests: { digest: string; platform: object }[] }
  expect(index.manifests.map((it) => it.platform)).toEqual([{ architecture: 'amd64', os: 'linux' }])
  const manifest = json(index.manifests[0]?.digest ?? '') as unknown as {
    config: { digest: string }
    layers: { mediaType: string; digest: string; size: number }[]
  }
  const config = json(manifest.config.digest) as unknown as {
    config: { User: string; Entrypoint: string[]; Labels: Record<string, string> }
    rootfs: { diff_ids: string[] }
  }
  const layers = manifest.layers.map((it) => new Uint8Array(gunzipSync(blob(it.digest))))
  expect(config.rootfs.diff_ids).toEqual(layers.map((it) => `sha256:${digestOf(it)}`))
  return { digest, config, layers, types: manifest.layers.map((it) => it.mediaType) }
}

test('a base in each of its three forms gives the same image', async () => {
  const images = [await pulled(bareSystem()), await pulled(docker()), await pulled(layout('amd64'))]
  for (const { config, layers, types } of images) {
    expect(types).toEqual(Array.from({ length: 2 }, () => 'application/vnd.oci.image.layer.v1.tar+gzip'))
    expect(layers[0]).toEqual(new Uint8Array(system))
    const own = Buffer.from(layers[1] ?? [])
    expect(own.includes(`${passwd}svc:x:10001:10001::/data:/usr/sbin/nologin\n`)).toBe(true)
    expect(own.includes(Buffer.from(standIn()))).toBe(true)
    expect(config.config).toMatchObject({ User: '10001:10001', Entrypoint: ['svc'], Cmd: ['serve'] })
    expect(config.config.Labels['org.opencontainers.image.revision']).toBe('c0ffee')
  }
  expect((await pulled(docker())).digest).toBe(images[1]?.digest ?? '')
})

test('a base of another platform, and one in which nothing starts, are refused', async () => {
  const refused = (base: string) => imageLayout(inputOf(base)).then(() => '', String)
  expect(await refused(layout('arm64'))).toContain('has no image for linux/amd64; it has linux/arm64.')
  expect(await refused(saved('files.tar', [file('a', '')]))).toContain('so svc would not start in it')
  const changed = layout('amd64')
  const bytes = readFileSync(changed)
  const at = bytes.indexOf('"architecture"')
  bytes[at + 18] = 0x5a
  writeFileSync(changed, bytes)
  expect(await refused(changed)).toContain('do not have their digest sha256:')
})

test('the chart has the image and the version of the release, and its values fit their schema', async () => {
  const given = { ...identity, image: 'ghcr.io/acme/svc' }
  const entries = new Map(
    (await chartEntries(given)).map((it) => [it.path, new TextDecoder().decode(it.content ?? undefined)]),
  )
  expect(Bun.YAML.parse(entries.get('svc/Chart.yaml') ?? '')).toMatchObject({
    apiVersion: 'v2',
    name: 'svc',
    version: '1.2.3',
    appVersion: '1.2.3',
    maintainers: [{ name: 'Acme API team', email: 'api@acme.example' }],
  })
  const values = Bun.YAML.parse(entries.get('svc/values.yaml') ?? '') as Record<string, unknown>
  expect(values.image).toEqual({ repository: 'ghcr.io/acme/svc', tag: '', pullPolicy: 'IfNotPresent' })
  const fits = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(entries.get('svc/values.schema.json') ?? '') as object,
  )
  // Only the address is asked for.
  expect(fits(values)).toBe(false)
  expect(fits.errors?.map((it) => it.instancePath)).toEqual(['/publicUrl'])
  const url = { ...values, publicUrl: 'https://svc.example.com' }
  expect(fits(url)).toBe(true)
  expect(fits({ ...url, replicas: 2 })).toBe(false)
  expect(fits({ ...url, replicas: 2, existingSecret: 'svc' })).toBe(true)
  expect(fits({ ...url, env: { PATH: '/' } })).toBe(false)
  expect([fits({ ...url, workers: 2 }), fits({ ...url, workers: 2, existingSecret: 'svc' })]).toEqual([false, true])
  expect(fits({ ...url, existingSecret: 'svc', storageUrl: 'https://bucket' })).toBe(false)
  expect([...entries.keys()].filter((it) => it.startsWith('svc/templates/'))).toHaveLength(7)
  expect(await packChart(given, time)).toEqual(await packChart(given, time))
})

test.skipIf(process.platform === 'win32')(
  'the action installs the archive of its runner, and no other bytes',
  async () => {
    const archive = 'svc-1.2.3-linux-x64.tar.gz'
    const downloads = join(folder, 'downloads')
    mkdirSync(downloads)
    await writeArchive(join(downloads, archive), { target: { os: 'linux' }, entries: [], executable: standIn(), time })
    const digests = new Map([[archive, digestOf(readFileSync(join(downloads, archive)))]])
    const entries = new Map(
      (await actionEntries(root, { ...identity, action: 'acme/svc-action' }, digests)).map((it) => [it.path, it]),
    )
    expect([...entries.keys()]).toEqual(['action.yml', 'check-specification.sh', 'install.sh', 'LICENSE', 'README.md'])
    const action = Bun.YAML.parse(new TextDecoder().decode(entries.get('action.yml')?.content ?? undefined)) as {
      runs: { steps: { run: string }[] }
    }
    expect(action.runs.steps.map((it) => it.run)).toEqual([
      'sh "$GITHUB_ACTION_PATH/install.sh"',
      'sh "$GITHUB_ACTION_PATH/check-specification.sh"',
    ])
    // In the place of curl, a program that copies what would be downloaded.
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const copy = `#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = --output ] && out=$2; shift; done\n[ "$1" = "${identity.repository}/releases/download/v1.2.3/${archive}" ] || exit 22\ncp "${downloads}/${archive}" "$out"\n`
    writeFileSync(join(bin, 'curl'), copy, { mode: 0o755 })
    writeFileSync(join(bin, 'install.sh'), entries.get('install.sh')?.content ?? '')
    const install = (env: Record<string, string> = {}) =>
      Bun.spawnSync(['sh', join(bin, 'install.sh')], {
        env: {
          PATH: [bin, '/usr/bin', '/bin'].join(delimiter),
          RUNNER_OS: 'Linux',
          RUNNER_ARCH: 'X64',
          RUNNER_TEMP: folder,
          GITHUB_PATH: join(folder, 'path'),
          ...env,
        },
      })
    expect(install({ SVC: '/usr/local/bin/svc' }).exitCode).toBe(0)
    expect(existsSync(join(folder, 'path'))).toBe(false)
    expect(install().exitCode).toBe(0)
    const installed = readFileSync(join(folder, 'path'), 'utf8').trim()
    expect(readFileSync(join(installed, 'svc')).equals(standIn())).toBe(true)
    writeFileSync(join(downloads, archive), 'other')
    const changed = install()
    expect(changed.exitCode).toBe(2)
    expect(changed.stdout.toString()).toContain('does not have the digest of the release')
    const unknown = install({ RUNNER_ARCH: 'ARM64' })
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stdout.toString()).toContain('has no executable for Linux ARM64')
  },
)
