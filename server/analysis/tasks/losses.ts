import type { Contract, Unresolved } from '../../../src/contracts/contract.ts'
import { lossesIn } from '../../../src/contracts/losses.ts'
import { retryUnresolved } from '../../../src/contracts/retry.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { specificationOf } from '../specification.ts'

interface Asked {
  readonly contract: Contract
  readonly unresolved: readonly Unresolved[]
}

/** What a contract names and a document lacks, and what cannot be decided. */
export function run({ contract, unresolved }: Asked, desk: Desk) {
  const specification = specificationOf(desk.engine.document(onlyOne(desk)))
  const again = retryUnresolved(specification, unresolved)
  return { reasons: [...lossesIn(specification, contract), ...again.missing], undecided: again.undecided }
}
