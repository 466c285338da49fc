import { outwardRefs, type OutwardRefs } from '../../../src/types/outward.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** The references of a stored document that it does not resolve itself. */
export function run(_: object, desk: Desk): OutwardRefs {
  return outwardRefs(desk.engine.trusted(onlyOne(desk)))
}
