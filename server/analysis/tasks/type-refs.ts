import { outwardRefs, type OutwardRefs } from '../../../src/types/outward.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** The references of a document that it does not resolve itself. */
export function run(_: object, desk: Desk): OutwardRefs {
  const material = onlyOne(desk)
  // What is made of several files is not stored yet.
  return outwardRefs(material.parts === null ? desk.engine.trusted(material) : desk.engine.untyped(material))
}
