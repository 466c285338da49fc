/** Makes a container image without a daemon: the layers of a base and one of svc, as an image layout (OCI Image Format 1.1). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layerOf, readBase, type BaseImage, type Descriptor, type Layer } from './base-image.ts'
import { digestOf } from './checksums.ts'
import { file, type Entry } from './entries.ts'
import { summary, type Identity } from './identity.ts'
import { tarOf } from './tar.ts'
import { architectureOf, type Target } from './targets.ts'

const user = 10001
const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
} as const

export interface ImageInput {
  readonly identity: Pick<Identity, 'version' | 'repository' | 'homepage'>
  readonly commit: string
  readonly license: string
  /** The time of the image, in seconds since 1970. */
  readonly time: number
  /** What the image is made of on each platform; the base is the path of a file. */
  readonly platforms: readonly {
    readonly target: Pick<Target, 'cpu'>
    readonly base: string
    readonly executable: Uint8Array
  }[]
}

/** A layout: its files, and the digest that the image has in a registry. */
export interface ImageLayout {
  readonly entries: readonly Entry[]
  readonly digest: string
}

const labelsOf = ({ identity, commit }: ImageInput): Readonly<Record<string, string>> => ({
  'org.opencontainers.image.title': 'svc',
  'org.opencontainers.image.description': summary,
  'org.opencontainers.image.licenses': 'Apache-2.0',
  'org.opencontainers.image.revision': commit,
  'org.opencontainers.image.source': identity.repository,
  'org.opencontainers.image.url': identity.homepage,
  'org.opencontainers.image.version': identity.version,
})

/** The layer above the base: the executable, a user of its own for it, and the folder of its data. */
function ownLayer({ license, time }: ImageInput, executable: Uint8Array, { passwd, group }: BaseImage): Promise<Layer> {
  // ssh, which git calls, refuses a user without a line here.
  const users: Entry[] = [
    ...(passwd === null ? [] : [file('etc/passwd', `${passwd}svc:x:${user}:${user}::/data:/usr/sbin/nologin\n`)]),
    ...(group === null ? [] : [file('etc/group', `${group}svc:x:${user}:\n`)]),
  ]
  const entries: Entry[] = [
    ...users,
    file('usr/local/bin/svc', executable, 0o755),
    file('usr/local/share/doc/svc/LICENSE', license),
    { path: 'data', mode: 0o700, owner: user, content: null },
  ]
  return layerOf(tarOf(entries, { time }))
}

function configOf(input: ImageInput, architecture: string, layers: readonly Layer[]): object {
  const created = new Date(input.time * 1000).toISOString()
  return {
    created,
    architecture,
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      ExposedPorts: { '8080/tcp': {} },
      Env: [
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        'SVC_WORKSPACE=/data',
        'SVC_HOST=0.0.0.0',
        'SVC_PORT=8080',
      ],
      Entrypoint: ['svc'],
      Cmd: ['serve'],
      Volumes: { '/data': {} },
      WorkingDir: '/data',
      Labels: labelsOf(input),
      StopSignal: 'SIGTERM',
      // Docker and Podman read it; times are in nanoseconds.
      Healthcheck: { Test: ['CMD', 'svc', 'health'], Interval: 15e9, Timeout: 3e9, StartPeriod: 10e9, Retries: 3 },
    },
    rootfs: { type: 'layers', diff_ids: layers.map((it) => it.diffId) },
    history: layers.map((_, at) => ({ created, created_by: at === layers.length - 1 ? 'svc' : 'base' })),
  }
}

/** The files of a layout, each blob once. */
class Blobs {
  readonly #files = new Map<string, Entry>()

  add(mediaType: string, content: Uint8Array | object): Descriptor {
    const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content))
    const name = digestOf(bytes)
    this.#files.set(name, file(`blobs/sha256/${name}`, bytes))
    return { mediaType, digest: `sha256:${name}`, size: bytes.byteLength }
  }

  entries(): readonly Entry[] {
    return [...this.#files.values()]
  }
}

async function addImage(
  blobs: Blobs,
  input: ImageInput,
  { target, base, executable }: ImageInput['platforms'][number],
): Promise<Descriptor> {
  const architecture = architectureOf(target)
  const scratch = await mkdtemp(join(tmpdir(), 'svc-base-'))
  try {
    const read = await readBase(base, `linux/${architecture}`, scratch)
    const layers = [...read.layers, await ownLayer(input, executable, read)]
    const manifest = {
      schemaVersion: 2,
      mediaType: types.manifest,
      config: blobs.add(types.config, configOf(input, architecture, layers)),
      layers: layers.map(({ mediaType, bytes }) => blobs.add(mediaType, bytes)),
      annotations: labelsOf(input),
    }
    return { ...blobs.add(types.manifest, manifest), platform: { architecture, os: 'linux' } }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Makes the layout of an image for one platform or several, under the version as its name.
 * @throws Error for a base that does not fit its platform
 */
export async function imageLayout(input: ImageInput): Promise<ImageLayout> {
  const blobs = new Blobs()
  const manifests: Descriptor[] = []
  for (const platform of input.platforms) manifests.push(await addImage(blobs, input, platform))
  const index = blobs.add(types.index, {
    schemaVersion: 2,
    mediaType: types.index,
    manifests,
    annotations: labelsOf(input),
  })
  const named = { ...index, annotations: { 'org.opencontainers.image.ref.name': input.identity.version } }
  const top = { schemaVersion: 2, mediaType: types.index, manifests: [named] }
  return {
    entries: [
      file('oci-layout', '{"imageLayoutVersion":"1.0.0"}'),
      file('index.json', JSON.stringify(top)),
      ...blobs.entries(),
    ],
    digest: index.digest,
  }
}
