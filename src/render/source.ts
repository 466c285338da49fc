import type { Json, JsonObject } from '../document/json.ts'

/** What a version is rendered from: the parts of an imported spec that the renderers read. */
export interface RenderSource {
  readonly title: string
  readonly version: string
  readonly description: string | null
  /** OpenAPI 3.1.0. */
  readonly openapi: JsonObject
  /** Arazzo 1.0.1, or null. */
  readonly arazzo: JsonObject | null
  /** Named schemas that refer to each other by `#/components/schemas/NAME`. */
  readonly classes: Readonly<Record<string, Json>>
}

/** One kind of rendered document. Its id is the name of its file. */
export interface RenderFormat {
  readonly id: string
  readonly summary: string
  /** The document of the whole version; null where the version has nothing of this kind. */
  readonly whole: (source: RenderSource) => JsonObject | null
  /** The document of one class, which exists; null where nothing of this kind reaches it. */
  readonly ofClass: (source: RenderSource, className: string) => JsonObject | null
}
