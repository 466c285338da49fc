import type { RenderSource } from '../import/render-source.ts'
import type { JsonObject } from '../kernel/json.ts'

/** One kind of rendered document. Its id is the name of its file. */
export interface RenderFormat {
  readonly id: string
  readonly summary: string
  /** The document of the whole version; null where the version has nothing of this kind. */
  readonly whole: (source: RenderSource) => JsonObject | null
  /** The document of one class, which exists; null where nothing of this kind reaches it. */
  readonly ofClass: (source: RenderSource, className: string) => JsonObject | null
}
