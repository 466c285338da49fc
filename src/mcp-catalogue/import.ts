import type { DeclaredServer, ImportDecision, KnownEndpoint } from './types.ts'

/** What of a declaration decides where it goes. */
export type Incoming = Pick<DeclaredServer, 'address' | 'keys'> & {
  /** The wire fingerprint of its surface; null where it declares none. */
  readonly fingerprint: string | null
}

const keysOf = ({ address, keys }: Pick<KnownEndpoint, 'address' | 'keys'>): readonly string[] =>
  address === null ? keys : [address, ...keys.filter((it) => it !== address)]

const isElsewhere = (endpoint: KnownEndpoint, address: string | null): boolean =>
  endpoint.address !== null && address !== null && endpoint.address !== address

const countOf = (count: number): string =>
  count === 0 ? '' : ` ${count === 1 ? 'Its earlier declaration is' : `${count} earlier declarations are`} superseded.`

/**
 * Decides where a declaration goes: to the endpoint with its normalized address, else to the one that declares
 * an identical surface; only a server that neither recognises becomes a new endpoint. So an import never makes a duplicate.
 *
 * @param known the endpoints of the organization, the oldest first
 * @returns `surfaceConflict` where an endpoint at another address declares the same surface
 */
export function decideImport(known: readonly KnownEndpoint[], incoming: Incoming): ImportDecision {
  const { address, fingerprint } = incoming
  const wanted = keysOf(incoming)
  // The address of an endpoint comes before the other keys of an older one.
  const byAddress = [
    address === null ? undefined : known.find((it) => it.address === address),
    ...wanted.map((key) => known.find((it) => keysOf(it).includes(key))),
  ].find((it): it is KnownEndpoint => it !== undefined)
  const alike = fingerprint === null ? [] : known.filter((it) => it.declared === fingerprint)
  const found = byAddress ?? alike[0]
  const elsewhere = alike.find((it) => it.id !== byAddress?.id && isElsewhere(it, address))
  const conflict = elsewhere === undefined ? '' : ` The same surface is declared at ${elsewhere.address}.`
  if (found === undefined)
    return {
      match: 'none',
      endpointId: null,
      surfaceConflict: false,
      observedFingerprint: null,
      supersededManifests: 0,
      reason: 'No endpoint has this address or declares this surface, so a new one was registered.',
      keys: wanted,
      address,
    }
  const where =
    byAddress === undefined ? 'declares an identical surface' : `is known by ${firstShared(byAddress, wanted)}`
  // An endpoint that was found by its surface stays where it is: another address is a conflict for a person to settle.
  const stays = found.address ?? address
  const added = byAddress === undefined && found.address !== null ? [] : wanted
  return {
    match: byAddress === undefined ? 'surface' : 'address',
    endpointId: found.id,
    surfaceConflict: elsewhere !== undefined,
    observedFingerprint: found.observed,
    supersededManifests: found.declarations,
    reason: `The endpoint ${where}.${countOf(found.declarations)}${conflict}`,
    keys: [...new Set([...keysOf(found), ...added])],
    address: stays,
  }
}

const firstShared = (endpoint: KnownEndpoint, wanted: readonly string[]): string =>
  wanted.find((key) => keysOf(endpoint).includes(key)) ?? ''

/** The declarations of an endpoint after an import: the new one is declared, every earlier one is superseded. */
export const declarationsAfter = <D extends { readonly id: string; readonly status: 'declared' | 'superseded' }>(
  earlier: readonly D[],
  added: D,
): readonly D[] => [...earlier.map((it): D => ({ ...it, status: 'superseded' })), { ...added, status: 'declared' }]
