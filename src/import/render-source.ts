import type { Json, JsonObject } from '../kernel/json.ts'

/** What a version is rendered from: the parts of an imported spec that the renderers read. */
export interface RenderSource {
  readonly title: string
  readonly version: string
  readonly description: string | null
  /** OpenAPI 3.1.0. */
  readonly openapi: JsonObject
  /** Arazzo 1.0.1 or 1.1.0, or null. */
  readonly arazzo: JsonObject | null
  /** Named schemas that refer to each other by `#/components/schemas/NAME`. */
  readonly classes: Readonly<Record<string, Json>>
}
