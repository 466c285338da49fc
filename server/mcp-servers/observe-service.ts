import { SvcError } from '../../src/errors.ts'
import type { ObservedSurface } from '../../src/mcp-catalogue/types.ts'
import type { Deps } from '../kit/door.ts'
import { ObservationFailed } from './observation/failure.ts'
import { observeHttp, type HttpTarget } from './observation/http.ts'
import type { Observed } from './observation/observe.ts'
import { findEndpoint, isObservable, type EndpointRow } from './record.ts'
import { recordFailure, recordObserved } from './record-observation.ts'
import { settle } from './settle.ts'

/** The header that observations of a server send, from the vault. @throws SvcError `secret-unreadable`, `secret-key-unusable` */
async function headerOf(deps: Deps, row: EndpointRow): Promise<HttpTarget['header']> {
  const { tenantId, headerName: name, headerSecretId: id } = row
  if (name === null || id === null) return null
  const value = (await deps.vault.open(deps.db.read, tenantId, 'mcp-observation', [id])).get(id)
  if (value === undefined)
    throw new ObservationFailed('auth-required', 'The value of its header is not stored any more.')
  return { name, value }
}

/** Asks a server, and reads what it answered in an analysis. @throws ObservationFailed; SvcError where the service itself fails */
async function ask(
  deps: Deps,
  row: EndpointRow,
  signal: AbortSignal,
): Promise<{ readonly observed: Observed; readonly seen: ObservedSurface }> {
  const { address, transport } = row
  if (address === null || transport === 'stdio') throw new ObservationFailed('refused', 'It has no address.')
  const target = { address, transport, header: await headerOf(deps, row) }
  const observed = await observeHttp(target, { allow: deps.egressAllow, signal })
  try {
    return { observed, seen: await deps.analysis.run(row.tenantId, 'mcp-surface', { answers: observed.answers }) }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'manifest-invalid')
      throw new ObservationFailed('protocol', error.message)
    if (error instanceof SvcError && error.code === 'analysis-stopped')
      throw new ObservationFailed('too-large', 'What it offers is too much to be read.')
    throw error
  }
}

/** Why a server counts as not observed; null for what is not about the server. */
function failureOf(error: unknown): ObservationFailed | null {
  if (error instanceof ObservationFailed) return error
  if (error instanceof SvcError && error.code === 'quota-exceeded')
    return new ObservationFailed('too-large', `What it offers cannot be stored: ${error.message}`)
  return null
}

/**
 * Observes a server that is due.
 * @returns when it is due again, in milliseconds since the epoch; null: the service does not observe it
 */
export async function observeDue(
  deps: Deps,
  tenantId: string,
  id: string,
  signal: AbortSignal,
): Promise<number | null> {
  let row: EndpointRow
  try {
    row = await findEndpoint(deps.db.read, tenantId, id)
  } catch (error) {
    if (error instanceof SvcError && error.code === 'mcp-endpoint-not-found') return null
    throw error
  }
  if (!isObservable(row)) return null
  const dueOf = ({ dueAt }: EndpointRow): number | null => (dueAt === null ? null : Date.parse(dueAt))
  try {
    const { observed, seen } = await ask(deps, row, signal)
    const { protocolVersion, bytes, pages } = observed
    const { row: next } = await recordObserved(deps, row, seen, {
      by: 'service',
      actor: null,
      protocolVersion,
      bytes,
      pages,
    })
    await settle(deps, tenantId, id)
    return dueOf(next)
  } catch (error) {
    // What the end of the process cut off is due again.
    signal.throwIfAborted()
    const failure = failureOf(error)
    if (failure === null) throw error
    return dueOf(await recordFailure(deps, row, failure))
  }
}
