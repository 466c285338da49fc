import { renderVersion, type Labelled, type Rendering } from '../rendering.ts'
import { completeSource, type Whole } from '../complete.ts'
import type { Desk } from '../desk.ts'

interface Asked extends Whole {
  readonly rendering: Rendering
  readonly labelled: Labelled
}

/**
 * A document in another form, with what joined it.
 * @throws SvcError `class-not-found`, `no-workflows`, `document-invalid`
 */
export function run({ rendering, labelled, ...whole }: Asked, desk: Desk): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(renderVersion(completeSource(whole, rendering.refs, desk), rendering, labelled))
}
