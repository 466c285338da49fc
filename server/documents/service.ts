import { SvcError } from '../../src/errors.ts'
import type { Grant, GrantedTenant } from '../auth/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { digestOf } from '../../db/content.ts'
import { findVersion, type FoundVersion, type VersionRow } from '../records/door.ts'
import type { Deps } from '../kit/door.ts'
import { codedTag, type Coding, encodeBytes } from '../http/door.ts'
import { typesOf, type TypeUse } from '../used-types/door.ts'
import { DocumentParts } from './parts.ts'
import { admitReader, isAdmitted } from './reader.ts'
import { findLarge, keepRendering, readRendering, storedKind } from './stored.ts'
import type { Rendering } from '../analysis/door.ts'
import { stampOf, wholeOf } from './whole.ts'

/** A rendered document as it is sent. */
export interface EncodedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly mediaType: string
  readonly coding: Coding | null
  /** How many references name a type that the registry does not have. */
  readonly unresolved: number
}

export interface DocumentPlace {
  readonly projectSlug: string
  readonly versionSlug: string
}

const cacheBytes = 48 * 1024 * 1024
const preparedVersions = 20

/** Serves rendered documents: who may read one is decided each time, what it says is made once. */
export class DocumentService {
  readonly #deps: Deps
  readonly #onFault: (fault: unknown) => void
  readonly #cache = new SizedCache<EncodedDocument>(cacheBytes, 'documents')
  readonly #making = new Map<string, Promise<EncodedDocument>>()
  readonly #keeping = new Set<Promise<void>>()
  /** The documentation of versions, part by part. */
  readonly parts: DocumentParts

  constructor(deps: Deps, onFault: (fault: unknown) => void) {
    this.#deps = deps
    this.#onFault = onFault
    this.parts = new DocumentParts(deps, onFault)
  }

  /**
   * Finds a version for a reader. Published public versions are for everyone. Anyone who shows no credentials gets the same
   * 401 for everything else, so that no one learns what exists; a member of another tenant gets 404. A browser that opened
   * the page with a key in its link shows the cookie it was given for that version instead (`readerToken`).
   */
  async find(
    place: DocumentPlace,
    grant: Grant,
    readerToken: string | null = null,
  ): Promise<FoundVersion & { tenant: GrantedTenant }> {
    const { read } = this.#deps.db
    const { tenant, principal, permissions } = grant
    const find = (id: string) => findVersion(read, id, place.projectSlug, place.versionSlug)
    const found = tenant === null ? null : await find(tenant.id).catch(quiet)
    if (tenant && found && found.version.visibility === 'public' && found.version.status !== 'draft')
      return { ...found, tenant }
    if (principal === null && readerToken !== null && tenant && found) {
      if (await isAdmitted(read, readerToken, found.version, this.#deps.clock.iso())) return { ...found, tenant }
    }
    if (principal === null) throw new SvcError('credentials-missing')
    if (tenant === null || !permissions.has('versions:view'))
      throw new SvcError('version-not-found', { version: place.versionSlug, project: place.projectSlug })
    // Asked again for its own words: which of project and version is missing helps a member.
    return { ...(found ?? (await find(tenant.id))), tenant }
  }

  /** Set-Cookie headers for a browser that opened a private version with a key in the link. */
  admit(version: VersionRow, keyId: string, paths: readonly string[]): Promise<string[]> {
    const secure = this.#deps.publicUrl().startsWith('https:')
    return admitReader(this.#deps, version, keyId, { paths, secure })
  }

  /**
   * The rendered bytes of a version.
   * @throws SvcError `class-not-found`, `no-workflows`
   */
  async render(version: VersionRow, asked: Rendering): Promise<EncodedDocument> {
    const types = await typesOf(this.#deps, this.#deps.db.read, version)
    const rendering = types.used.length === 0 ? { ...asked, refs: 'bundle' as const } : asked
    const stamp = stampOf(types)
    const joined = (version.joined ?? []).map(({ provenance }) => provenance.digest).join(' ')
    const key = `${version.tenantId} ${version.id} ${version.digest} ${joined} ${stamp} ${JSON.stringify(rendering)}`
    const cached = this.#cache.get(key)
    if (cached) return cached
    // Those who ask while it is being made wait for the same one.
    let making = this.#making.get(key)
    if (!making) {
      making = this.#make(version, rendering, types).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    const encoded = await making
    this.#cache.set(key, encoded, encoded.bytes.byteLength)
    return encoded
  }

  async #make(version: VersionRow, rendering: Rendering, types: TypeUse): Promise<EncodedDocument> {
    const { db } = this.#deps
    const mediaType = `application/${rendering.syntax}`
    const kind = storedKind(version, rendering, stampOf(types))
    const kept = kind === null ? null : await readRendering(db, version, kind)
    if (kept !== null) return { ...kept, mediaType, coding: null, unresolved: types.missing.length + types.broken }
    const bytes = await this.#rendered(version, rendering, types)
    const encoded = {
      bytes,
      etag: `"${digestOf(bytes).slice('sha256:'.length)}"`,
      mediaType,
      coding: null,
      unresolved: types.missing.length + types.broken,
    }
    if (kind !== null) this.#keep(version, kind, encoded)
    return encoded
  }

  async #rendered(version: VersionRow, rendering: Rendering, types: TypeUse): Promise<Uint8Array<ArrayBuffer>> {
    const { label, provenance } = version
    const labelled = { label, nameField: provenance.project_name_field ?? null }
    const { whole, subjects } = wholeOf(this.#deps, version, types)
    return this.#deps.analysis.run(version.tenantId, 'render', { rendering, labelled, ...whole }, subjects)
  }

  // No one waits for it, and without it the document is only made again.
  #keep(version: VersionRow, kind: string, encoded: EncodedDocument): void {
    const work = keepRendering(this.#deps.db, version, kind, encoded, this.#deps.clock.iso())
      .catch(this.#onFault)
      .finally(() => this.#keeping.delete(work))
    this.#keeping.add(work)
  }

  /** Waits for what is being written, before the database is closed. */
  async settle(): Promise<void> {
    await Promise.all([...this.#keeping, this.parts.settle()])
  }

  /** Makes the OpenAPI documents and the documentation of the newest large versions, as far as they are not kept yet, before someone waits. */
  async prepare(signal: AbortSignal): Promise<void> {
    const rendering = { kind: 'openapi', className: null, syntax: 'json', refs: 'bundle' } as const
    for (const version of await findLarge(this.#deps.db, preparedVersions)) {
      if (signal.aborted) return
      const types = await typesOf(this.#deps, this.#deps.db.read, version)
      const kind = storedKind(version, rendering, stampOf(types))
      if (kind !== null && (await readRendering(this.#deps.db, version, kind)) === null)
        await this.render(version, rendering)
      await this.parts.prepare(version)
      // Requests come first.
      await Bun.sleep(50)
    }
  }

  /** A rendered document in a coding its reader takes. Each coding has a strong ETag of its own, as other bytes must. */
  async encode(document: EncodedDocument, coding: Coding | null): Promise<EncodedDocument> {
    if (coding === null) return document
    const key = `${document.etag} ${coding}`
    const cached = this.#cache.get(key)
    if (cached) return cached
    const bytes = await encodeBytes(document.bytes, coding)
    if (bytes === null) return document
    const encoded = { ...document, bytes, coding, etag: codedTag(document.etag, coding) }
    this.#cache.set(key, encoded, bytes.byteLength)
    return encoded
  }
}

function quiet(error: unknown): null {
  if (error instanceof SvcError && error.status === 404) return null
  throw error
}
