import { availableSurface } from '../../../src/contracts/surface.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { specificationOf } from '../specification.ts'

type Page = Parameters<typeof availableSurface>[1]

/** What consumers can declare to use of a document. */
export function run(page: Page, desk: Desk): ReturnType<typeof availableSurface> {
  return availableSurface(specificationOf(desk.engine.document(onlyOne(desk))), page)
}
