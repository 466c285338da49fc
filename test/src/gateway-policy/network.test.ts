/** Addresses and networks: what is one, in which form, and how two relate. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { lastOf, rangeOf, readNetwork, relate } from '../../../src/gateway-policy/network.ts'

const read = (text: string): string => {
  const it = readNetwork(text)
  return typeof it === 'string' ? it : `${it.family} ${it.text} ${it.from}-${it.to}`
}

test('an address is a network of itself, and each network has its first and its last address', () => {
  expect(['10.1.2.3', ' 10.0.0.0/8 ', '0.0.0.0/0', '10.1.2.3/32', '::1', '2001:DB8::/32', '::/0'].map(read)).toEqual([
    '4 10.1.2.3/32 167838211-167838211',
    '4 10.0.0.0/8 167772160-184549375',
    '4 0.0.0.0/0 0-4294967295',
    '4 10.1.2.3/32 167838211-167838211',
    '6 ::1/128 1-1',
    `6 2001:db8::/32 ${0x2001_0db8n << 96n}-${(0x2001_0db9n << 96n) - 1n}`,
    `6 ::/0 0-${2n ** 128n - 1n}`,
  ])
  expect([lastOf(4), lastOf(6)]).toEqual([2n ** 32n - 1n, 2n ** 128n - 1n])
})

test('an IPv4 address in the notation of IPv6 is the IPv4 address', () => {
  expect(['::ffff:10.1.2.3', '::ffff:a01:203', '::ffff:10.0.0.0/8'].map(read)).toEqual([
    '4 10.1.2.3/32 167838211-167838211',
    '4 10.1.2.3/32 167838211-167838211',
    '4 10.0.0.0/8 167772160-184549375',
  ])
})

test('what is no network is refused, and host bits with the network that is meant', () => {
  for (const text of [
    '',
    '10.1.2',
    '010.1.2.3',
    '256.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/0x8',
    '10.0.0.0/1000',
    '::/129',
    'fe80::1%eth0',
    'example.com',
    '1'.repeat(100),
  ])
    expect(read(text)).toBe(
      `"${text.slice(0, 60)}" is not an address or network; write 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32`,
    )
  expect(['10.1.2.3/8', '2001:db8::1/32'].map(read)).toEqual([
    '"10.1.2.3/8" has host bits; the network is 10.0.0.0/8',
    '"2001:db8::1/32" has host bits; the network is 2001:db8::/32',
  ])
  expect(() => rangeOf('10.1.2.3/8')).toThrow('has host bits')
  expect(rangeOf('10.0.0.0/8')).toMatchObject({ family: 4, from: 167_772_160n, to: 184_549_375n })
})

test('reading the form that a network has gives the same network', () => {
  const bytes = (count: number) => fc.array(fc.nat(255), { minLength: count, maxLength: count })
  const v4 = fc.tuple(bytes(4), fc.nat(32)).map(([parts, bits]) => [parts.join('.'), bits] as const)
  const v6 = fc
    .tuple(bytes(16), fc.nat(128))
    .map(
      ([parts, bits]) =>
        [
          Array.from({ length: 8 }, (_, n) => ((parts[2 * n]! << 8) | parts[2 * n + 1]!).toString(16)).join(':'),
          bits,
        ] as const,
    )
  fc.assert(
    fc.property(fc.oneof(v4, v6), ([address, bits]) => {
      const given = readNetwork(`${address}/${bits}`)
      const meant = typeof given === 'string' ? / is (\S+\/\d+)$/.exec(given)?.[1] : given.text
      // Addresses of IPv4 in the notation of IPv6 have at most 32 bits.
      fc.pre(meant !== undefined)
      const network = readNetwork(meant)
      if (typeof network === 'string') throw new Error(network)
      expect(network.text).toBe(meant)
      expect(network.to - network.from + 1n).toBe(2n ** BigInt((network.family === 4 ? 32 : 128) - bits))
      expect(relate(rangeOf(address), network)).toBe('inside')
    }),
  )
})

test('two ranges relate as the addresses in them do', () => {
  const range = fc
    .tuple(fc.constantFrom(4 as const, 6 as const), fc.nat(6), fc.nat(6))
    .map(([family, a, b]) => ({ family, from: BigInt(Math.min(a, b)), to: BigInt(Math.max(a, b)) }))
  fc.assert(
    fc.property(range, range, (one, other) => {
      const inside = [0n, 1n, 2n, 3n, 4n, 5n, 6n]
        .filter((it) => it >= one.from && it <= one.to)
        .map((it) => one.family === other.family && it >= other.from && it <= other.to)
      const expected = inside.every(Boolean) ? 'inside' : inside.some(Boolean) ? 'part' : 'outside'
      expect(relate(one, other)).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
