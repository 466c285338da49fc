/** Reads the base of a container image from a file: an image that a program saved, or the files of a system. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from './checksums.ts'
import { gzip } from './gzip.ts'
import { output } from './run.ts'

/** What refers to bytes of an image (OCI Image Format 1.1, "OCI Content Descriptors"). */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly platform?: { readonly architecture: string; readonly os: string; readonly variant?: string }
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Layer {
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** The digest of the layer without compression. */
  readonly diffId: string
}

export interface BaseImage {
  /** From the lowest to the uppermost. */
  readonly layers: readonly Layer[]
  /** The text of /etc/passwd and /etc/group; null where no layer has one. */
  readonly passwd: string | null
  readonly group: string | null
}

interface ImageConfig {
  readonly architecture?: string
  readonly os?: string
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

const gzipLayer = 'application/vnd.oci.image.layer.v1.tar+gzip'
const mediaTypes: Readonly<Record<string, string>> = {
  'application/vnd.docker.image.rootfs.diff.tar.gzip': gzipLayer,
  'application/vnd.docker.image.rootfs.diff.tar': 'application/vnd.oci.image.layer.v1.tar',
}

/** A layer of a tar archive without compression. */
export const layerOf = async (tar: Uint8Array): Promise<Layer> => ({
  mediaType: gzipLayer,
  bytes: await gzip(tar),
  diffId: `sha256:${digestOf(tar)}`,
})

/** The blob of a digest, whose bytes are checked. */
async function blobOf(folder: string, digest: string): Promise<Uint8Array> {
  const [, name] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? []
  if (name === undefined) throw new Error(`The base has the digest "${digest}", which is not one of SHA-256.`)
  const bytes = await readFile(join(folder, 'blobs', 'sha256', name))
  if (digestOf(bytes) !== name) throw new Error(`The bytes of the base do not have their digest ${digest}.`)
  return bytes
}

const parsed = async <T>(folder: string, digest: string): Promise<T> =>
  JSON.parse(new TextDecoder().decode(await blobOf(folder, digest))) as T

interface Found {
  readonly platform: string
  readonly layers: readonly Descriptor[]
  readonly config: ImageConfig
}

/** All images of a layout, those in indexes within indexes too. */
async function imagesIn(folder: string, descriptors: readonly Descriptor[], depth = 0): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const { digest } of descriptors) {
    const it = await parsed<{ manifests?: Descriptor[]; config?: Descriptor; layers?: Descriptor[] }>(folder, digest)
    if (it.manifests !== undefined && depth < 4) found.push(...(await imagesIn(folder, it.manifests, depth + 1)))
    if (it.config === undefined || it.layers === undefined) continue
    const config = await parsed<ImageConfig>(folder, it.config.digest)
    found.push({ platform: `${config.os}/${config.architecture}`, layers: it.layers, config })
  }
  return found
}

async function readLayout(folder: string, source: string, platform: string): Promise<readonly Layer[]> {
  const { manifests } = (await Bun.file(join(folder, 'index.json')).json()) as { manifests: Descriptor[] }
  const images = await imagesIn(folder, manifests)
  const image = images.find((it) => it.platform === platform)
  if (image === undefined)
    throw new Error(`${source} has no image for ${platform}; it has ${images.map((it) => it.platform).join(', ')}.`)
  const layers = image.layers.map(async ({ mediaType, digest }, at) => ({
    mediaType: mediaTypes[mediaType] ?? mediaType,
    bytes: await blobOf(folder, digest),
    diffId: image.config.rootfs.diff_ids[at] ?? '',
  }))
  return Promise.all(layers)
}

/** What `docker save` wrote before it wrote layouts. */
async function readSaved(folder: string, source: string, platform: string): Promise<readonly Layer[]> {
  const [saved] = (await Bun.file(join(folder, 'manifest.json')).json()) as { Config: string; Layers: string[] }[]
  if (saved === undefined) throw new Error(`${source} has no image.`)
  const { os, architecture } = (await Bun.file(join(folder, saved.Config)).json()) as ImageConfig
  if (`${os}/${architecture}` !== platform)
    throw new Error(`${source} has no image for ${platform}; it has ${os}/${architecture}.`)
  const layers: Layer[] = []
  for (const path of saved.Layers) layers.push(await layerOf(await readFile(join(folder, path))))
  return layers
}

async function readSystem(source: string, names: ReadonlySet<string>): Promise<readonly Layer[]> {
  if (![...names].some((it) => /^(?:\.\/)?(?:usr\/)?lib(?:64)?\/.*ld-(?:linux|musl)/.test(it)))
    throw new Error(
      `${source} is neither an image (OCI layout or docker save) nor a system with a dynamic linker, so svc would not start in it.`,
    )
  const bytes = await readFile(source)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return [await layerOf(isPacked ? Bun.gunzipSync(bytes) : bytes)]
}

/** The text of a file in the uppermost layer that has it. */
async function textIn(layers: readonly Layer[], scratch: string, path: string): Promise<string | null> {
  for (const [at, { bytes }] of [...layers.entries()].toReversed()) {
    const file = join(scratch, `layer-${at}`)
    await Bun.write(file, bytes)
    for (const name of [path, `./${path}`]) {
      const text = await output(['tar', '-xOf', file, name]).catch(() => null)
      if (text !== null) return text
    }
  }
  return null
}

/**
 * Reads a base.
 * @param source a tar archive: an OCI layout, what `docker save` writes, or the files of a system as debootstrap and mmdebstrap make them
 * @param platform as "linux/amd64"
 * @param scratch an empty folder for what is unpacked on the way
 * @throws Error for a base of another platform, and for files that no program could start in
 */
export async function readBase(source: string, platform: string, scratch: string): Promise<BaseImage> {
  const names = new Set((await output(['tar', '-tf', source])).split('\n'))
  const has = (name: string): boolean => names.has(name) || names.has(`./${name}`)
  const folder = join(scratch, 'base')
  await mkdir(folder, { recursive: true })
  let layers: readonly Layer[]
  if (has('oci-layout') || has('manifest.json')) {
    await output(['tar', '-xf', source, '-C', folder])
    layers = await (has('oci-layout') ? readLayout : readSaved)(folder, source, platform)
  } else layers = await readSystem(source, names)
  return {
    layers,
    passwd: await textIn(layers, scratch, 'etc/passwd'),
    group: await textIn(layers, scratch, 'etc/group'),
  }
}
