import type { Resolution } from '../../../src/contracts/contract.ts'
import { resolveSelection, type Selection } from '../../../src/contracts/selection.ts'
import type { Desk } from '../desk.ts'
import { specificationsOf } from '../specification.ts'

/** Looks what a person selected up in a document; the documents behind it are those that were published before. */
export function run(selection: Selection, desk: Desk): Resolution {
  const { now, earlier } = specificationsOf(desk)
  return resolveSelection(selection, now, earlier)
}
