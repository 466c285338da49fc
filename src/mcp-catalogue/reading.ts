import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { parseDocument } from '../document/parse.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { SvcError } from '../errors.ts'
import { normalizeAddress, variablesIn } from './address.ts'
import { isPlaceholder, looksSecret, secretName } from './secrets.ts'
import type { DeclaredInput, ManifestNotice, ManifestPlace, Transport } from './types.ts'

/** What a manifest may have at most: far above real ones, far below what harms. */
export const manifestLimits = {
  characters: 8 * 1024 * 1024,
  depth: 128,
  items: 2000,
  servers: 200,
  name: 256,
  text: 20_000,
  notices: 200,
} as const

const transportWords: Readonly<Record<string, Transport>> = {
  'streamable-http': 'streamable_http',
  streamablehttp: 'streamable_http',
  streamable: 'streamable_http',
  http: 'streamable_http',
  https: 'streamable_http',
  remote: 'streamable_http',
  sse: 'sse',
  'http-sse': 'sse',
  stdio: 'stdio',
  local: 'stdio',
}

const shown = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/**
 * Reads a text of a manifest within limits.
 * @param prefix what the reason of a refusal begins with, such as the name of a second file
 * @throws SvcError `manifest-invalid` for a text that is too long, too deep or not JSON or YAML, and for repeated keys
 */
export function parseManifest(text: string, source: string, prefix = ''): Document {
  const refuse = (reason: string, pointer: string, line: number | null, column: number | null): never => {
    throw new SvcError('manifest-invalid', { reason: `${prefix}${reason}`, pointer, line, column })
  }
  const { characters, depth } = manifestLimits
  if (text.length > characters) refuse(`it has ${text.length} characters; ${characters} are allowed`, '', null, null)
  const document = parseDocument(text, { source, limits: { maxDepth: depth, maxExpandedNodes: 500_000 } })
  const problem = document.problems.find((it) => it.severity === 'error')
  if (problem === undefined) return document
  const { line, character } = problem.range.start
  return refuse(problem.message.replace(/\.$/, ''), formatPointer(problem.path), line + 1, character + 1)
}

/** A manifest while it is read: its places, what is refused and what is noted. */
export class Reading {
  readonly document: Document
  readonly notices: ManifestNotice[] = []

  constructor(document: Document) {
    this.document = document
  }

  /** Where a node is, or its nearest ancestor that is written. */
  place(path: Path, key = false): ManifestPlace {
    const { start } = this.document.locate(path, { key })
    return { pointer: formatPointer(path), line: start.line + 1, column: start.character + 1 }
  }

  /** @throws SvcError `manifest-invalid` */
  fail(path: Path, reason: string): never {
    throw new SvcError('manifest-invalid', { reason, ...this.place(path) })
  }

  note(code: string, path: Path, message: string): void {
    if (this.notices.length < manifestLimits.notices) this.notices.push({ code, message, ...this.place(path) })
  }

  /** @throws SvcError `manifest-invalid` for another type */
  object(value: Json | undefined, path: Path, what: string): JsonObject {
    return isObject(value) ? value : this.fail(path, `${what} must be an object`)
  }

  /** @throws SvcError `manifest-invalid` if it is there and not a list */
  list(holder: JsonObject, keys: readonly string[], path: Path): readonly (readonly [Json, Path])[] {
    const key = keys.find((it) => holder[it] !== undefined && holder[it] !== null)
    const value = key === undefined ? [] : holder[key]
    if (!Array.isArray(value)) return this.fail([...path, key ?? ''], `"${key}" must be an array`)
    return (value as readonly Json[]).map((it, at) => [it, [...path, key ?? '', at]])
  }

  /**
   * The text of the first of some members that is there; null for none.
   * @throws SvcError `manifest-invalid` for other types and for texts that are too long
   */
  text(holder: JsonObject, keys: readonly string[], path: Path, most: number = manifestLimits.name): string | null {
    const key = keys.find((it) => holder[it] !== undefined && holder[it] !== null)
    if (key === undefined) return null
    const value = holder[key]
    if (typeof value !== 'string') return this.fail([...path, key], `"${key}" must be a string`)
    if (value.length > most)
      return this.fail([...path, key], `"${key}" has ${value.length} characters; ${most} are allowed`)
    return value.trim() === '' ? null : value
  }

  /**
   * A text that has to be there.
   * @throws SvcError `manifest-invalid`
   */
  required(holder: JsonObject, keys: readonly string[], path: Path, what: string): string {
    return this.text(holder, keys, path) ?? this.fail(path, `${what} has no "${keys[0]}"`)
  }

  /** @throws SvcError `transport-unknown` */
  transport(value: Json, path: Path): Transport {
    const word = typeof value === 'string' ? value.toLowerCase().replaceAll(/[_+]/g, '-') : ''
    const known = Object.hasOwn(transportWords, word) ? transportWords[word] : undefined
    if (known !== undefined) return known
    throw new SvcError('transport-unknown', { transport: shown(value), ...this.place(path) })
  }

  /**
   * The address that a request has beside the manifest.
   * @throws SvcError `endpoint-address-invalid`
   */
  requested(text: string): { readonly address: string; readonly variables: readonly string[] } {
    const address = normalizeAddress(text)
    return { address, variables: variablesIn(address) }
  }

  /** @throws SvcError `endpoint-address-invalid` with the place, and without the address */
  address(text: string, path: Path): { readonly address: string; readonly variables: readonly string[] } {
    try {
      const address = normalizeAddress(text)
      return { address, variables: variablesIn(address) }
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'endpoint-address-invalid') throw error
      const { reason } = error.detail as { readonly reason: string }
      throw new SvcError('endpoint-address-invalid', { reason, ...this.place(path) })
    }
  }

  /** Notes that a value was dropped, unless it only names something to be filled in. */
  dropped(value: Json | undefined, path: Path, what: string): void {
    if (value === undefined || value === null || (typeof value === 'string' && isPlaceholder(value))) return
    this.note('secret-dropped', path, `The value of ${what} was dropped: secrets are not stored.`)
  }

  /** Inputs as server.json lists them; a literal value of a secret is dropped with a notice, any other without. */
  inputs(holder: JsonObject, keys: readonly string[], path: Path, where: DeclaredInput['in']): DeclaredInput[] {
    return this.list(holder, keys, path).map(([it, at], index) => {
      const input = this.object(it, at, 'an input')
      const name =
        this.text(input, ['name', 'valueHint', 'value_hint'], at, manifestLimits.text) ?? `argument ${index + 1}`
      const isSecret = input.isSecret === true || input.is_secret === true || secretName(name)
      for (const key of ['value', 'default']) {
        const value = input[key]
        if (typeof value === 'string' && (isSecret || looksSecret(value)))
          this.dropped(value, [...at, key], `the ${where === 'environment' ? 'environment variable' : where} "${name}"`)
      }
      return {
        name: name.slice(0, manifestLimits.name),
        in: where,
        description: this.text(input, ['description'], at, manifestLimits.text),
        isRequired: input.isRequired === true || input.is_required === true,
        isSecret,
      }
    })
  }

  /** Variables or headers as a map from names to values: all values are dropped. */
  values(map: Json | undefined, path: Path, where: 'environment' | 'header'): DeclaredInput[] {
    if (map === undefined || map === null) return []
    return Object.entries(this.object(map, path, `"${path.at(-1)}"`)).map(([name, value]) => {
      this.dropped(value, [...path, name], `the ${where === 'header' ? 'header' : 'environment variable'} "${name}"`)
      const isSecret = where === 'header' ? secretName(name) || name.toLowerCase() === 'cookie' : secretName(name)
      return { name: name.slice(0, manifestLimits.name), in: where, description: null, isRequired: true, isSecret }
    })
  }
}
