/** Documents of one version or format as another. */
import type { Document, Problem } from '../document/document.ts'
import { isObject, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { findUnresolved } from '../document/reference.ts'
import { edit } from '../document/validate/rebuild.ts'
import { upgradeOpenapi30 } from '../import/convert/openapi-30.ts'
import { downgradeOpenapi32 } from '../import/convert/openapi-32.ts'
import { convertSwagger } from '../import/convert/swagger.ts'
import { readForRendering } from '../import/importer.ts'
import { Notes } from '../import/notes.ts'
import { renderJsonSchema } from '../render/render.ts'
import { modernize } from './schema/modern.ts'
import { withPartTypes } from './part-types.ts'
import { type OlderDraft, writeOlder } from './schema/older.ts'
import { downgradeOpenapi31 } from './to-30/document.ts'

/** What a document can be converted to. */
export const targets = [
  'openapi-3.0',
  'openapi-3.1',
  'openapi-3.2',
  'json-schema',
  'json-schema-2020-12',
  'json-schema-2019-09',
  'json-schema-draft-07',
] as const
export type Target = (typeof targets)[number]

/** A converted document, and what could not be said in the same way. */
export interface Converted {
  readonly value: JsonObject
  /** Each with its place in the document that was converted; of each code at most fifty. */
  readonly notes: readonly Problem[]
  /** How many more there are of a code. */
  readonly unlisted: ReadonlyMap<string, number>
}

const draftOf = (target: Target): string => (target === 'json-schema' ? '2020-12' : target.replace('json-schema-', ''))

const at = (document: Document, value: JsonObject, version: string): Document => ({
  ...document,
  value,
  format: { kind: 'openapi', version },
})

// Where a place of OpenAPI 3 was in Swagger 2.0, as far as it was written there.
const placeInSwagger = (path: Path): Path => {
  const [area, section, ...rest] = path
  if (area !== 'components') return path
  if (section === 'schemas') return ['definitions', ...rest]
  return section === 'securitySchemes' ? ['securityDefinitions', ...rest] : [String(section), ...rest]
}

/** The conversion of one document. */
class Conversion {
  readonly #document: Document
  readonly #notes: Notes
  readonly #later: Notes

  constructor(document: Document) {
    this.#document = document
    this.#notes = new Notes(document)
    // Places that the second step names are of the document that the first one made.
    const isSwagger = document.format?.kind === 'swagger'
    this.#later = isSwagger
      ? new Notes({ ...document, locate: (path, options) => document.locate(placeInSwagger(path), options) })
      : this.#notes
  }

  run(target: Target): Converted {
    const value = target.startsWith('openapi') ? this.#toOpenapi(target.slice(-3)) : this.#toSchema(draftOf(target))
    if (value !== this.#document.value) this.#noteLost(value)
    const seen = new Set<string>()
    const steps = this.#later === this.#notes ? [this.#notes] : [this.#notes, this.#later]
    // A part that is written in several places is noted once.
    const notes = steps
      .flatMap(({ listed }) => listed)
      .filter(({ code, message, path }) => {
        const key = `${code} ${formatPointer(path)} ${message}`
        return !seen.has(key) && seen.add(key)
      })
    const unlisted = new Map<string, number>()
    for (const [code, count] of steps.flatMap((it) => [...it.unlisted]))
      unlisted.set(code, (unlisted.get(code) ?? 0) + count)
    return { value, notes, unlisted }
  }

  #noteLost(value: JsonObject): void {
    for (const { path, message } of findUnresolved({ ...this.#document, value }))
      this.#later.add('reference-lost', message.replace(/\.$/, ' in the result.'), path)
  }

  #toOpenapi(version: string): JsonObject {
    const { format, value } = this.#document
    if (format?.kind === 'openapi' && format.version === version) return value as JsonObject
    const modern = this.#to31()
    if (version === '3.1') return modern
    if (version === '3.2') return { openapi: '3.2.0', ...edit(modern, ['openapi']) }
    return downgradeOpenapi31(at(this.#document, modern, '3.1'), this.#later)
  }

  #to31(): JsonObject {
    const { format, value } = this.#document
    const content = value as JsonObject
    if (format?.kind === 'swagger') return withPartTypes(convertSwagger(content, this.#notes))
    if (format?.kind === 'json-schema') return readForRendering(this.#document, 'json-schema')?.openapi as JsonObject
    if (format?.version === '3.0') return withPartTypes(upgradeOpenapi30(content, this.#notes))
    return format?.version === '3.2' ? downgradeOpenapi32(content, this.#notes) : content
  }

  #toSchema(draft: string): JsonObject {
    const modern = this.#toModern()
    return draft === '2020-12'
      ? modern
      : writeOlder(
          { ...this.#document, value: modern, format: { kind: 'json-schema', version: '2020-12' } },
          draft as OlderDraft,
          this.#later,
        )
  }

  #toModern(): JsonObject {
    const { format, value } = this.#document
    if (format?.kind === 'json-schema')
      return format.version === '2020-12' ? (value as JsonObject) : modernize(this.#document, this.#notes)
    this.#notes.add('schemas-only', 'Only the schemas are part of the result.', [])
    const source = readForRendering(this.#document, format?.kind ?? '')
    const rendered = source === null ? null : renderJsonSchema(source).value
    return isObject(rendered) ? rendered : {}
  }
}

/** Whether a document can be converted at all: it is of OpenAPI, Swagger 2.0 or JSON Schema. */
export const isConvertible = ({ format, value }: Document): boolean =>
  isObject(value) &&
  (format?.kind === 'json-schema' ||
    (format?.kind === 'swagger' && format.version === '2.0') ||
    (format?.kind === 'openapi' && ['3.0', '3.1', '3.2'].includes(format.version)))

/**
 * Converts a self-contained document. The result accepts the same values, and describes the same operations, unless a note says
 * that something was lost (`isLoss`); a document that has the version already stays as it is.
 *
 * @param document convertible (`isConvertible`)
 */
export const convertDocument = (document: Document, target: Target): Converted =>
  new Conversion({ ...document, value: document.exactValue() }).run(target)
