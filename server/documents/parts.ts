import { SvcError } from '../../src/errors.ts'
import { digestText } from '../../src/document/serialize.ts'
import type { PackTable } from '../../src/reader/pack.ts'
import { typesOf } from '../used-types/door.ts'
import type { Deps } from '../kit/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { VersionRow } from '../records/door.ts'
import { keepRendering, readerKind, readRendering, storedFromBytes } from './stored.ts'
import { stampOf, wholeOf } from './whole.ts'

/** The parts of a version's documentation, as they were made. */
interface Pack {
  readonly stamp: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly table: PackTable
  /** Where the parts begin. */
  readonly start: number
}

/** A part as it is sent. */
export interface SentPart {
  /** Compressed with gzip. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly stamp: string
}

const cacheBytes = 48 * 1024 * 1024

const openPack = (bytes: Uint8Array<ArrayBuffer>, stamp: string): Pack => {
  const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const table = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start))) as PackTable
  return { stamp, bytes, table, start }
}

/**
 * The documentation of versions, part by part: made once by an analysis process, kept for large versions, and sent as
 * it is. Callers check first that the reader may see the version.
 */
export class DocumentParts {
  readonly #deps: Deps
  readonly #onFault: (fault: unknown) => void
  readonly #cache = new SizedCache<Pack>(cacheBytes, 'document_parts')
  readonly #making = new Map<string, Promise<Pack>>()
  readonly #keeping = new Set<Promise<void>>()

  constructor(deps: Deps, onFault: (fault: unknown) => void) {
    this.#deps = deps
    this.#onFault = onFault
  }

  /**
   * A part by its name: "index", "operation-0", "schema-0", "words-p".
   * @throws SvcError `documentation-part-not-found`, `document-invalid`, `analysis-stopped`
   */
  async part(version: VersionRow, name: string): Promise<SentPart> {
    const { stamp, bytes, table, start } = await this.#packOf(version)
    const place = Object.hasOwn(table, name) ? table[name] : undefined
    if (place === undefined) throw new SvcError('documentation-part-not-found', { part: name, version: version.label })
    const [offset, length] = place
    return { stamp, bytes: bytes.subarray(start + offset, start + offset + length) }
  }

  /**
   * The addresses of the servers that a version's document names; null where they are not known within `patienceMs`,
   * because the parts are still being made.
   */
  async serversOf(version: VersionRow, patienceMs: number): Promise<readonly string[] | null> {
    const found = this.part(version, 'servers').catch((error: unknown) => {
      if (error instanceof SvcError) return null
      throw error
    })
    const made = await Promise.race([found.then((part) => ({ part })), Bun.sleep(patienceMs).then(() => null)])
    // The page opens without it; a failure is answered to the request for a part.
    if (made === null) found.catch(this.#onFault)
    if (made === null) return null
    return made.part === null ? [] : (JSON.parse(new TextDecoder().decode(Bun.gunzipSync(made.part.bytes))) as string[])
  }

  /** Makes the parts of a large version, as far as they are not kept yet. */
  async prepare(version: VersionRow): Promise<void> {
    const types = await typesOf(this.#deps, this.#deps.db.read, version)
    const kind = readerKind(version, stampOf(types))
    if ((await readRendering(this.#deps.db, version, kind)) === null) await this.#packOf(version)
  }

  /** Waits for what is being written, before the database is closed. */
  async settle(): Promise<void> {
    await Promise.all(this.#keeping)
  }

  async #packOf(version: VersionRow): Promise<Pack> {
    const types = await typesOf(this.#deps, this.#deps.db.read, version)
    const kind = readerKind(version, stampOf(types))
    const key = `${version.tenantId} ${version.digest} ${kind}`
    const cached = this.#cache.get(key)
    if (cached) return cached
    // Those who ask while it is being made wait for the same one.
    let making = this.#making.get(key)
    if (!making) {
      making = this.#make(version, kind, types).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    const pack = await making
    this.#cache.set(key, pack, pack.bytes.byteLength)
    return pack
  }

  async #make(version: VersionRow, kind: string, types: Awaited<ReturnType<typeof typesOf>>): Promise<Pack> {
    const { db, analysis, clock } = this.#deps
    const stamp = digestText(`${version.digest} ${kind}`).slice('sha256:'.length, 'sha256:'.length + 16)
    const isLarge = version.sizeBytes >= storedFromBytes
    const kept = isLarge ? await readRendering(db, version, kind) : null
    if (kept !== null) return openPack(kept.bytes, stamp)
    const { whole, subjects } = wholeOf(this.#deps, version, types)
    const bytes = await analysis.run(version.tenantId, 'reader', { stamp, ...whole }, subjects)
    if (isLarge) {
      const work = keepRendering(db, version, kind, { bytes, etag: `"${stamp}"` }, clock.iso())
        .catch(this.#onFault)
        .finally(() => this.#keeping.delete(work))
      this.#keeping.add(work)
    }
    return openPack(bytes, stamp)
  }
}
