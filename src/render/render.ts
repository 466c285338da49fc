import type { JsonObject } from '../kernel/json.ts'
import { serializeReadably, serializeYaml } from '../document/serialize.ts'
import { renderFormats, type RenderFormatId } from './formats.gen.ts'
import type { RenderSource } from '../import/render-source.ts'

export type { RenderFormatId } from './formats.gen.ts'
export type { RenderFormat } from './format.ts'
export type { RenderSource } from '../import/render-source.ts'

/** A rendered document, or the error code that says why there is none. */
export type Rendered =
  | { readonly value: JsonObject; readonly missing?: never }
  | { readonly value?: never; readonly missing: 'class-not-found' | 'no-workflows' }

/** Renders a version, or one class of it, as a document of a format. */
export const renderDocument = (source: RenderSource, format: RenderFormatId, className?: string): Rendered => {
  if (className !== undefined && !Object.hasOwn(source.classes, className)) return { missing: 'class-not-found' }
  const renderer = renderFormats[format]
  const value = className === undefined ? renderer.whole(source) : renderer.ofClass(source, className)
  return value === null ? { missing: 'no-workflows' } : { value }
}

/** A rendered document as text: equal values give equal bytes. */
export const writeDocument = (value: JsonObject, syntax: 'json' | 'yaml'): string =>
  syntax === 'json' ? serializeReadably(value) : serializeYaml(value)

/** The version as one OpenAPI 3.1.0 document. */
export const renderOpenapi = (source: RenderSource, className?: string): Rendered =>
  renderDocument(source, 'openapi', className)

/** The version's classes as one JSON Schema 2020-12 document. */
export const renderJsonSchema = (source: RenderSource, className?: string): Rendered =>
  renderDocument(source, 'json-schema', className)

/** The version's workflows as one Arazzo document. */
export const renderArazzo = (source: RenderSource, className?: string): Rendered =>
  renderDocument(source, 'arazzo', className)
