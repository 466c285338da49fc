import { mkdirSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ListedObject, type ObjectName, type Objects, sha256Of } from '../../db/objects/store.ts'
import { replaceFile } from '../disk/door.ts'

interface CachedFile {
  readonly path: string
  readonly bytes: number
}

/** How full the folder is after the oldest files went. */
const lowMark = 0.9

/**
 * Objects with copies of those that were read on this machine, up to a size: the ones that were written first go first. A copy is compared
 * with its digest each time; one that changed is as good as none. Replicas and commands may share the folder.
 */
export class CachedObjects implements Objects {
  readonly place: string
  readonly #store: Objects
  readonly #folder: string
  readonly #mostBytes: number
  /** The files by age; null: the folder was not read yet. */
  #files: Map<string, CachedFile> | null = null
  #bytes = 0
  #reading: Promise<void> | null = null

  constructor(store: Objects, folder: string, mostBytes: number) {
    this.place = store.place
    this.#store = store
    this.#folder = folder
    this.#mostBytes = mostBytes
  }

  async put(name: ObjectName, bytes: Uint8Array): Promise<void> {
    await this.#store.put(name, bytes)
    await this.#keep(name, bytes)
  }

  async get(name: ObjectName, fresh = false): Promise<Uint8Array<ArrayBuffer> | null> {
    const copy = fresh ? null : await this.#copyOf(name)
    if (copy !== null) return copy
    const bytes = await this.#store.get(name)
    if (bytes !== null && !fresh) await this.#keep(name, bytes)
    return bytes
  }

  sizeOf(name: ObjectName): Promise<number | null> {
    return this.#store.sizeOf(name)
  }

  async remove(name: ObjectName): Promise<void> {
    await this.#forget(name)
    await this.#store.remove(name)
  }

  list(): AsyncIterable<ListedObject> {
    return this.#store.list()
  }

  #pathOf({ kind, tenantId, sha256 }: ObjectName): string {
    return join(this.#folder, sha256.slice(0, 2), `${kind}.${tenantId}.${sha256}`)
  }

  async #copyOf(name: ObjectName): Promise<Uint8Array<ArrayBuffer> | null> {
    const path = this.#pathOf(name)
    const read = await readFile(path).catch(() => null)
    if (read === null) return null
    const bytes = new Uint8Array(read)
    if (sha256Of(bytes) === name.sha256) return bytes
    await this.#forget(name)
    return null
  }

  async #forget(name: ObjectName): Promise<void> {
    const path = this.#pathOf(name)
    this.#bytes -= this.#files?.get(path)?.bytes ?? 0
    this.#files?.delete(path)
    await rm(path, { force: true }).catch(() => {})
  }

  /** Keeps a copy. A folder that cannot be written to makes reading slower, and stops nobody. */
  async #keep(name: ObjectName, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength > this.#mostBytes) return
    const path = this.#pathOf(name)
    try {
      await this.#known()
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      replaceFile(path, bytes, { mode: 0o600, folderMode: 0o700, flush: false })
    } catch {
      return
    }
    this.#bytes += bytes.byteLength - (this.#files?.get(path)?.bytes ?? 0)
    this.#files?.delete(path)
    this.#files?.set(path, { path, bytes: bytes.byteLength })
    if (this.#bytes > this.#mostBytes) await this.#makeRoom()
  }

  async #makeRoom(): Promise<void> {
    for (const [key, { path, bytes }] of this.#files ?? []) {
      if (this.#bytes <= this.#mostBytes * lowMark) return
      this.#files?.delete(key)
      this.#bytes -= bytes
      await rm(path, { force: true }).catch(() => {})
    }
  }

  /** Reads once what earlier processes left. */
  async #known(): Promise<void> {
    if (this.#files !== null) return
    this.#reading ??= this.#readFolder()
    await this.#reading
  }

  async #readFolder(): Promise<void> {
    const found: (CachedFile & { readonly at: number })[] = []
    const folders = await readdir(this.#folder).catch(() => [])
    for (const folder of folders)
      for (const name of await readdir(join(this.#folder, folder)).catch(() => [])) {
        const path = join(this.#folder, folder, name)
        const its = await stat(path).catch(() => null)
        if (its?.isFile() === true) found.push({ path, bytes: its.size, at: its.mtimeMs })
      }
    this.#files = new Map(found.toSorted((a, b) => a.at - b.at).map((it) => [it.path, it]))
    this.#bytes = found.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}
