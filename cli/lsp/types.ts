/** The registered types that documents of an editor refer to: of the workspace or the service, as `svc lint` reads them. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { replaceFile } from '../../server/disk/door.ts'
import { primitivesApi } from '../../src/api/primitives.ts'
import type { Document } from '../../src/document/document.ts'
import { readRef, typeScheme } from '../../src/kernel/type-ref.ts'
import { cacheFolder } from '../cache/cache.ts'
import { hasRegistry, mayUseTypes, TypeReader } from '../input/types.ts'
import type { Invocation } from '../declare.ts'

type Reading = Pick<Invocation, 'connection' | 'globals' | 'env' | 'cwd' | 'io'>

// How long types are kept: others change them, and no file tells.
const keptMs = 60_000
// A service that does not answer must not keep the editor waiting.
const mostWaitMs = 3000
// So many names are proposed.
const mostNames = 1000
const perPage = 100

/** A type that a reference may name. */
export interface TypeName {
  readonly ref: string
  readonly description: string
}

/** What is known of the types of some documents. */
export interface ReadTypes {
  readonly documents: readonly Document[]
  /** Why they could not be read: then nothing is said of references to types. */
  readonly failure: string | null
}

export const isTypeKey = (key: string): boolean => key.startsWith(typeScheme) || /^https?:/.test(key)

/** Whether a reference that may name a type is being typed: others need not wait for the names of types. */
export const asksForType = (text: string, offset: number): boolean =>
  /\$ref["']?\s*:\s*["']?[^"'\n]*$/.test(text.slice(Math.max(0, offset - 500), offset))

/** Ends with null where something takes too long; the work continues for the next one who asks. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), mostWaitMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads types, and writes those that an editor opens as files that it cannot change. */
export class EditorTypes {
  readonly #around: Reading
  #reader: TypeReader | null = null
  #names: Promise<readonly TypeName[]> | null = null
  #since = 0
  readonly #known = new Map<string, Document>()

  constructor(around: Reading) {
    this.#around = around
  }

  /** Everything is asked for again. */
  forget(): void {
    this.#reader = null
    this.#names = null
  }

  #refresh(): void {
    if (performance.now() - this.#since <= keptMs) return
    this.#since = performance.now()
    this.forget()
  }

  /** A type that a document was found to refer to. */
  get(key: string): Document | null {
    return this.#known.get(key) ?? null
  }

  /** The types that documents refer to, each with its reference as its `source`; never raises. */
  async read(documents: readonly Document[]): Promise<ReadTypes> {
    const { baseUrl } = this.#around.globals
    if (!documents.some((it) => mayUseTypes(it, baseUrl))) return { documents: [], failure: null }
    this.#refresh()
    const reader = (this.#reader ??= new TypeReader(this.#around))
    try {
      const found = await inTime(reader.read(documents))
      if (found === null) return { documents: [], failure: `no answer within ${mostWaitMs / 1000} seconds` }
      for (const it of found) this.#known.set(it.source, it)
      return { documents: found, failure: null }
    } catch (error) {
      // What failed is tried again with the next edit.
      this.#reader = null
      return { documents: [], failure: error instanceof Error ? error.message : String(error) }
    }
  }

  /** The types that references may name; none where they cannot be listed in time. */
  async names(): Promise<readonly TypeName[]> {
    this.#refresh()
    const listing = (this.#names ??= this.#list())
    try {
      return (await inTime(listing)) ?? []
    } catch {
      this.#names = null
      return []
    }
  }

  async #list(): Promise<readonly TypeName[]> {
    if (!(await hasRegistry(this.#around))) {
      const { builtinTypes } = await import('../../src/types/builtin/builtin.ts')
      return builtinTypes().map((it) => ({ ref: it.ref, description: it.description ?? '' }))
    }
    const { call, tenant } = await this.#around.connection()
    const params = { tenant_slug: await tenant() }
    const names: TypeName[] = []
    const page = async (cursor: string | null): Promise<void> => {
      const query = { limit: perPage, ...(cursor === null ? {} : { cursor }) }
      const found = await call(primitivesApi.list, { params, query })
      if (!('primitives' in found)) return
      names.push(...found.primitives.map(({ ref, description }) => ({ ref, description: description ?? '' })))
      if (found.next_cursor !== null && names.length < mostNames) await page(found.next_cursor)
    }
    await page(null)
    return names
  }

  /** Where the types of this editor are written as files. */
  get folder(): string {
    const { env, globals } = this.#around
    const of = createHash('sha256')
      .update(globals.baseUrl ?? this.#around.cwd)
      .digest('hex')
      .slice(0, 12)
    return join(cacheFolder(env), 'types', of).replaceAll('\\', '/')
  }

  /**
   * Writes a type as a file that can only be read, for an editor to open.
   * @returns its path
   * @throws Error where the file cannot be written
   */
  async fileOf({ source, text }: Document): Promise<string> {
    const ref = readRef(source)
    const name =
      ref === null ? source : `${ref.namespace}/${ref.name}${ref.revision === null ? '' : `@${ref.revision}`}`
    const steps = name.split('/').map((it) => encodeURIComponent(it).replace(/^\.+$/, '_'))
    const path = `${this.folder}/${steps.filter((it) => it !== '').join('/')}.json`
    // Another editor may read it at this moment.
    replaceFile(path, text, { mode: 0o444, flush: false })
    return path
  }
}
