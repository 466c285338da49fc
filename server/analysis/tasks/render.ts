import { composeSource, type JoinedSource } from '../../../src/import/compose.ts'
import { readForRendering } from '../../../src/import/importer.ts'
import { bundleTypes, type UsedTypes } from '../../../src/types/bundle-types.ts'
import { inlineTypes } from '../../../src/types/inline-types.ts'
import { renderVersion, type Labelled, type Rendering } from '../../documents/render.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { renderableOf } from '../renderable.ts'

interface Asked {
  /** The registered types that the version refers to. */
  readonly types: UsedTypes
  readonly rendering: Rendering
  readonly labelled: Labelled
  /** The kind of the document, and of those that joined it, in the order in which they are given. */
  readonly kind: string
  readonly joined: readonly JoinedSource['kind'][]
}

const written = { bundle: bundleTypes, inline: inlineTypes } as const

/**
 * A document in another form, with what joined it.
 * @throws SvcError `class-not-found`, `no-workflows`, `document-invalid`
 */
export function run({ rendering, labelled, kind, joined, types }: Asked, desk: Desk): Uint8Array<ArrayBuffer> {
  const base = renderableOf(desk.engine, onlyOne(desk), kind)
  const sources = joined.flatMap((one, at): JoinedSource[] => {
    const source = readForRendering(desk.engine.trusted(desk.materials[at + 1]!), one)
    return source === null ? [] : [{ kind: one, source }]
  })
  const whole = base === null || joined.length === 0 ? base : composeSource(base, sources)
  const complete = whole === null || rendering.refs === 'keep' ? whole : written[rendering.refs](whole, types)
  return new TextEncoder().encode(renderVersion(complete, rendering, labelled))
}
