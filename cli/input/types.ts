/** The registered types that documents refer to: of the service or the workspace, else those that come with svc. */
import type { Document } from '../../src/document/document.ts'
import { findLinks } from '../../src/document/links.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { withoutFragment } from '../../src/types/outward.ts'
import { readRef, refOf, typeScheme } from '../../src/kernel/type-ref.ts'
import type { Invocation } from '../declare.ts'

type Around = Pick<Invocation, 'connection' | 'globals' | 'env' | 'cwd' | 'io'>

/** A document and its types have so many types at most. */
const mostTypes = 2000
const atOnce = 8

/** Whether a text may refer to types: only then anything is asked. */
export const mayUseTypes = ({ text }: Pick<Document, 'text'>, baseUrl: string | undefined): boolean =>
  text.includes(typeScheme) || (baseUrl !== undefined && text.includes('/v1/types/'))

/** The schema of a reference as JSON text; null where there is no such type. */
type Find = (ref: string) => Promise<string | null>

const write = (schema: unknown): string => JSON.stringify(schema, null, 2)

async function findWith({ connection }: Pick<Around, 'connection'>, version: string | null): Promise<Find> {
  // Few documents refer to types: what asks for them is loaded where one does.
  const { primitivesApi } = await import('../../src/api/primitives.ts')
  const { call, tenant } = await connection()
  const params = { tenant_slug: await tenant() }
  return async (ref) => {
    const query = version === null ? { ref } : { ref, version_id: version }
    try {
      return write((await call(primitivesApi.resolve, { params, query })).schema)
    } catch (error) {
      if (error instanceof SvcError && error.status === 404) return null
      throw error
    }
  }
}

async function findBuiltin({ io }: Pick<Around, 'io'>): Promise<Find> {
  const { builtinByKey } = await import('../../src/types/builtin/builtin.ts')
  let isTold = false
  return async (ref) => {
    const read = readRef(ref)
    const found = read === null || (read.revision ?? 1) !== 1 ? undefined : builtinByKey(refOf(read))
    if (found !== undefined) return write(found.schema)
    if (!isTold)
      io.log.warn(
        `${ref} is not a type that comes with svc, and there is no workspace with others; name a service with --base-url.`,
      )
    isTold = true
    return null
  }
}

/** Whether there is a registry beside the types that come with svc: a workspace that does not exist yet has none, and a reference does not make it. */
export async function hasRegistry(around: Around): Promise<boolean> {
  const { globals, env, cwd } = around
  if (globals.baseUrl !== undefined) return true
  const { hasWorkspace } = await import('../connection/workspace.ts')
  const { loadConfig } = await import('../configuration.ts')
  return hasWorkspace(loadConfig(around).values, env, cwd)
}

const openRegistry = async (around: Around, version: string | null): Promise<Find> =>
  (await hasRegistry(around)) ? findWith(around, version) : findBuiltin(around)

/** Reads the types that documents refer to; one for each command, so that each type is read once. */
export class TypeReader {
  readonly #around: Around
  #find: Promise<Find> | null = null
  readonly #known = new Map<string, Promise<Document | null>>()
  #isUsed = false

  readonly #version: string | null

  /** @param version the id of a published version, whose references mean the revisions that publishing kept; otherwise the newest */
  constructor(around: Around, version: string | null = null) {
    this.#around = around
    this.#version = version
  }

  /** Whether any document referred to a type, whether or not there is one. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  /**
   * The types that documents refer to, directly or through each other, each with its reference as its `source`.
   * @throws SvcError what the service answers, other than that there is no such type
   */
  async read(documents: readonly Document[]): Promise<readonly Document[]> {
    const found = new Map<string, Document>()
    const asked = new Set<string>()
    for (let ring = documents; ring.length > 0 && asked.size < mostTypes;) {
      const wanted = [...new Set(ring.flatMap((it) => this.#refsIn(it)))].filter((ref) => !asked.has(ref))
      const next: Document[] = []
      for (let at = 0; at < wanted.length && asked.size < mostTypes; at += atOnce) {
        const part = wanted.slice(at, at + atOnce)
        for (const ref of part) asked.add(ref)
        const read = await Promise.all(part.map((ref) => this.#one(ref)))
        next.push(...read.filter((it) => it !== null))
      }
      for (const it of next) found.set(it.source, it)
      ring = next
    }
    return [...found.values()]
  }

  #refsIn(document: Document): string[] {
    const links = findLinks(document)
    if (links.length === 0) return []
    const { baseUrl } = this.#around.globals
    const base = baseUrl === undefined ? null : `${baseUrl.replace(/\/+$/, '')}/v1/types/`
    const refs = links
      .filter(({ isLoose }) => !isLoose)
      .map(({ ref }) => withoutFragment(ref))
      .filter((ref) => ref.startsWith(typeScheme) || (base !== null && ref.startsWith(base)))
    if (refs.length > 0) this.#isUsed = true
    return refs
  }

  #one(ref: string): Promise<Document | null> {
    const known = this.#known.get(ref)
    if (known !== undefined) return known
    const reading = (async () => {
      const find = await (this.#find ??= openRegistry(this.#around, this.#version))
      const text = await find(ref)
      return text === null ? null : parseDocument(text, { source: ref, syntax: 'json' })
    })()
    this.#known.set(ref, reading)
    return reading
  }
}
