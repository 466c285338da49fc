import { Side } from '../../../src/diff/side.ts'
import { classesOf } from '../../../src/migration/propose.ts'
import type { Desk } from '../desk.ts'

/** The names of the classes of documents. */
export function run(_: object, desk: Desk): string[] {
  const names = desk.materials.flatMap((it) => [...classesOf(new Side('base', desk.engine.document(it))).keys()])
  return [...new Set(names)]
}
