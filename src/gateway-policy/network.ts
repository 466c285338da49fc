/** Addresses and networks as ranges of numbers, so that unions and complements can be computed. */
import ipaddr from 'ipaddr.js'

export type Family = 4 | 6

/** Addresses from the first to the last, both included. */
export interface Range {
  readonly family: Family
  readonly from: bigint
  readonly to: bigint
}
export interface Network extends Range {
  /** In one form: "203.0.113.0/24"; an address alone is a network of one ("203.0.113.7/32"). */
  readonly text: string
}

const bitsOf = { 4: 32, 6: 128 } as const

/** The last address of a family. */
export const lastOf = (family: Family): bigint => (1n << BigInt(bitsOf[family])) - 1n

const toNumber = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

function parse(text: string): { family: Family; value: bigint } | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return { family: 4, value: toNumber(ipaddr.IPv4.parse(text).toByteArray()) }
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null
  const address = ipaddr.IPv6.parse(text)
  // An IPv4 address in the notation of IPv6 is the address that an engine sees.
  if (address.isIPv4MappedAddress()) return { family: 4, value: toNumber(address.toIPv4Address().toByteArray()) }
  return { family: 6, value: toNumber(address.toByteArray()) }
}

function write(family: Family, value: bigint): string {
  const bytes = Array.from({ length: bitsOf[family] / 8 }, (_, index) =>
    Number((value >> BigInt(bitsOf[family] - 8 * (index + 1))) & 0xffn),
  )
  return ipaddr.fromByteArray(bytes).toString()
}

// The same few networks are compared with many requests.
const known = new Map<string, Network | string>()
const mostKnown = 5000

/** Reads an address or a network; a sentence where it is not one. Host bits are refused: they hide what was meant. */
export function readNetwork(given: string): Network | string {
  const found = known.get(given)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const read = readText(given)
  if (given.length <= 60) known.set(given, read)
  return read
}

function readText(given: string): Network | string {
  const [base = '', prefix, ...rest] = given.trim().split('/')
  const address = parse(base)
  const invalid = `"${given.slice(0, 60)}" is not an address or network; write 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32`
  if (address === null || rest.length > 0) return invalid
  const { family, value } = address
  const bits = prefix === undefined ? bitsOf[family] : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(bits <= bitsOf[family])) return invalid
  const size = 1n << BigInt(bitsOf[family] - bits)
  const from = value - (value % size)
  if (from !== value) return `"${given.slice(0, 60)}" has host bits; the network is ${write(family, from)}/${bits}`
  return { family, from, to: from + size - 1n, text: `${write(family, from)}/${bits}` }
}

/** The range of a text that was read before. */
export function rangeOf(text: string): Range {
  const network = readNetwork(text)
  if (typeof network === 'string') throw new RangeError(network)
  return network
}

/** How a range relates to another: all of it inside, none of it, or a part. */
export function relate(range: Range, other: Range): 'inside' | 'outside' | 'part' {
  if (range.family !== other.family || range.to < other.from || range.from > other.to) return 'outside'
  return range.from >= other.from && range.to <= other.to ? 'inside' : 'part'
}
