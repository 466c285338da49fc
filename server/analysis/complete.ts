import { composeSource, type JoinedSource } from '../../src/import/compose.ts'
import { readForRendering } from '../../src/import/importer.ts'
import type { RenderSource } from '../../src/import/render-source.ts'
import { bundleTypes, type UsedTypes } from '../../src/types/bundle-types.ts'
import { inlineTypes } from '../../src/types/inline-types.ts'
import type { RefsMode } from './rendering.ts'
import type { Desk } from './desk.ts'
import { renderableOf } from './renderable.ts'

/** A version as it is rendered: its document is the first material, those that joined it follow. */
export interface Whole {
  /** The registered types that the version refers to. */
  readonly types: UsedTypes
  /** The kind of the document, and of those that joined it, in the order in which they are given. */
  readonly kind: string
  readonly joined: readonly JoinedSource['kind'][]
}

const written = { bundle: bundleTypes, inline: inlineTypes } as const

/** What a version is rendered from, with what joined it and its registered types; null where it cannot be read. */
export function completeSource({ types, kind, joined }: Whole, refs: RefsMode, desk: Desk): RenderSource | null {
  const [first] = desk.materials
  const base = first === undefined ? null : renderableOf(desk.engine, first, kind)
  const sources = joined.flatMap((one, at): JoinedSource[] => {
    const source = readForRendering(desk.engine.trusted(desk.materials[at + 1]!), one)
    return source === null ? [] : [{ kind: one, source }]
  })
  const whole = base === null || joined.length === 0 ? base : composeSource(base, sources)
  return whole === null || refs === 'keep' ? whole : written[refs](whole, types)
}
