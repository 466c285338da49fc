import { readForRendering } from '../../src/import/importer.ts'
import type { RenderSource } from '../../src/import/render-source.ts'
import type { Engine } from './engine.ts'
import type { Material } from './subject.ts'

/**
 * What a stored document is rendered from: what was read of it where that is available, else it is read again without validating
 * what was validated before it was stored. Null where it cannot be read.
 */
export function renderableOf(engine: Engine, material: Material, kind: string): RenderSource | null {
  const reading = engine.known(material.key)
  return reading === undefined ? readForRendering(engine.trusted(material), kind) : reading.spec
}
