import type { Resolution } from '../../../src/contracts/contract.ts'
import { readPact, type Pact } from '../../../src/contracts/pact.ts'
import { resolvePact } from '../../../src/contracts/pact-import.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { SvcError } from '../../../src/errors.ts'
import type { Desk } from '../desk.ts'
import { specificationsOf } from '../specification.ts'

/** What a contract test says of itself, and what became of it. */
interface Resolved {
  readonly consumer: string | null
  readonly provider: string | null
  readonly specification: Pact['specification']
  readonly interactions: number
  readonly resolution: Resolution
}

function pactOf(text: string): Pact {
  let value: Json
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, '')) as Json
  } catch (error) {
    throw new SvcError('pact-invalid', { reason: `it is not JSON (${(error as Error).message})` })
  }
  const pact = readPact(value)
  if (typeof pact === 'string') throw new SvcError('pact-invalid', { reason: pact })
  return pact
}

/**
 * Looks what a contract test uses up in a document; the documents behind it are those that were published before.
 * @throws SvcError `pact-invalid`
 */
export function run(
  { pact: text, isNamed }: { readonly pact: string; readonly isNamed: boolean },
  desk: Desk,
): Resolved {
  const pact = pactOf(text)
  if (!isNamed && pact.consumer === null)
    throw new SvcError('pact-invalid', { reason: 'it has no consumer.name, and no consumer_slug was given' })
  const { now, earlier } = specificationsOf(desk)
  return {
    consumer: pact.consumer,
    provider: pact.provider,
    specification: pact.specification,
    interactions: pact.interactions.length + pact.unsupported.length,
    resolution: resolvePact(pact, now, earlier),
  }
}
