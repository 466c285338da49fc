import ipaddr from 'ipaddr.js'
import { SvcError } from '../../src/errors.ts'

type Address = ReturnType<typeof ipaddr.parse>

/** A network that the operator permits beside the public internet: an address and the length of its prefix. */
export type Network = readonly [Address, number]

/** IPv6 space that is handed out for global use (RFC 4291, IANA): whatever is unassigned today stays closed. */
const globalUnicastV6: Network = ipaddr.parseCIDR('2000::/3')

/** Public space, but the virtual address at which Azure serves a machine its own configuration. */
const azureMetadata: Network = ipaddr.parseCIDR('168.63.129.16/32')

const names: Readonly<Record<string, string>> = {
  linkLocal: 'link-local',
  carrierGradeNat: 'carrier-grade NAT',
  uniqueLocal: 'unique local',
  rfc6145: 'IPv4-translated',
  rfc6052: 'NAT64',
  deprecatedSiteLocal: 'site-local',
}

const within = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/**
 * Reads an address in one of its canonical notations: four decimal parts or RFC 4291 text, without a zone.
 * An IPv4-mapped address becomes the IPv4 address it contains. Null for anything else (octal, hexadecimal, short, IPv4-compatible).
 */
export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // "::10.0.0.1" is the long withdrawn IPv4-compatible form, which the parser would take for the mapped one.
  if (text.includes('%') || /^::\d+\./.test(text) || !ipaddr.IPv6.isValid(text)) return null
  return ipaddr.process(text)
}

/**
 * Why an address must not be reached, as a word or two ("private", "loopback", "NAT64"), or null when it is global unicast
 * (IANA special-purpose registries, RFC 6890) or inside one of the `allow`ed networks.
 */
export function closedReason(text: string, allow: readonly Network[]): string | null {
  const address = parseAddress(text)
  if (address === null) return 'not an address in canonical notation'
  if (allow.some((network) => within(address, network))) return null
  const range = address.range()
  if (range !== 'unicast') return names[range] ?? range
  if (within(address, azureMetadata)) return 'metadata'
  if (address.kind() === 'ipv6' && !within(address, globalUnicastV6)) return 'unassigned'
  return null
}

/** Whether a text is an address in one of the networks. */
export function isInside(text: string, networks: readonly Network[]): boolean {
  const address = parseAddress(text)
  return address !== null && networks.some((network) => within(address, network))
}

/**
 * The networks of `SVC_EGRESS_ALLOW`: CIDR blocks or single addresses, separated by commas or blanks.
 * @throws SvcError `usage` for an entry that is neither, so that a typing error never opens or closes something
 *   silently
 */
export function parseNetworks(text: string): readonly Network[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry): Network => {
      const [base = '', prefix] = entry.split('/')
      const address = parseAddress(base)
      const widest = address?.kind() === 'ipv4' ? 32 : 128
      const given = /^\d{1,3}$/.test(prefix ?? '') ? Number(prefix) : Number.NaN
      const bits = prefix === undefined ? widest : given
      if (address === null || !(bits <= widest))
        throw new SvcError('usage', {
          reason: `SVC_EGRESS_ALLOW: "${entry}" is not a network such as 10.0.0.0/8 or fd00::/8.`,
        })
      return [address, bits]
    })
}
