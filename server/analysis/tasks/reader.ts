import { SvcError } from '../../../src/errors.ts'
import { packReader } from '../../../src/reader/pack.ts'
import { renderOpenapi } from '../../../src/render/render.ts'
import { serverAddresses } from '../server-addresses.ts'
import { completeSource, type Whole } from '../complete.ts'
import type { Desk } from '../desk.ts'

/** So many addresses are looked at. */
const mostServers = 100

interface Asked extends Whole {
  /** Says which content it was, in each part. */
  readonly stamp: string
}

/**
 * The parts of a version's documentation, with the part "servers": the addresses that its page may call.
 * @throws SvcError `document-invalid`
 */
export function run({ stamp, ...whole }: Asked, desk: Desk): Uint8Array<ArrayBuffer> {
  const source = completeSource(whole, 'bundle', desk)
  const root = source === null ? undefined : renderOpenapi(source).value
  if (root === undefined) throw new SvcError('document-invalid', { reason: 'it cannot be read' })
  return packReader(root, stamp, { servers: serverAddresses(root).slice(0, mostServers) })
}
