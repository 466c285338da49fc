import type { Reader } from '../../db/database.ts'
import type { Json } from '../../src/document/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SizedCache } from '../sized-cache.ts'
import { readContent } from '../versions/content.ts'
import type { VersionRow } from '../versions/record.ts'

// Counted in bytes of source; parsed values take a few times that.
const cacheBytes = 32 * 1024 * 1024

/** Reads stored documents as values, the last ones from memory. Nothing is analysed: what is published was already. */
export class SpecDocuments {
  readonly #cache = new SizedCache<Promise<Json>>(cacheBytes)

  /** The value of a version's own document. */
  valueOf(read: Reader, version: Pick<VersionRow, 'tenantId' | 'digest' | 'syntax' | 'sizeBytes'>): Promise<Json> {
    const key = `${version.tenantId} ${version.digest}`
    const known = this.#cache.get(key)
    if (known) return known
    const value = this.#load(read, version)
    this.#cache.set(key, value, version.sizeBytes)
    return value
  }

  async #load(
    read: Reader,
    { tenantId, digest, syntax }: Pick<VersionRow, 'tenantId' | 'digest' | 'syntax'>,
  ): Promise<Json> {
    const text = new TextDecoder().decode(await readContent(read, tenantId, digest))
    // Stored JSON was parsed before it was stored; the native parser is the fastest way back to its value.
    return syntax === 'json' ? (JSON.parse(text) as Json) : parseDocument(text, { source: digest, syntax }).value
  }
}
