import { expect, test } from 'bun:test'
import { closedReason, parseNetworks } from '../../../server/egress/address.ts'
import { SvcError } from '../../../src/errors.ts'

const judged = (addresses: readonly string[]) => addresses.map((address) => [address, closedReason(address, [])])

test('global unicast addresses are open', () => {
  const open = [
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
  ]
  expect(judged(open)).toEqual(open.map((address) => [address, null]))
})

test('what is not global unicast is closed, each with its reason', () => {
  const expected: [string, string][] = [
    ['0.0.0.0', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'metadata'],
    ['169.254.169.254', 'link-local'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['192.0.2.1', 'reserved'],
    ['192.88.99.1', 'reserved'],
    ['192.0.0.192', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['203.0.113.9', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'unassigned'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b::8.8.8.8', 'NAT64'],
    ['64:ff9b:1::1', 'NAT64'],
    ['2001::1', 'teredo'],
    ['2001:db8::1', 'reserved'],
    ['2002:7f00:1::', '6to4'],
    ['2001:1::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['4000::1', 'unassigned'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
  ]
  expect(judged(expected.map(([address]) => address))).toEqual(expected)
})

test('an address in another notation is refused, not guessed at', () => {
  const odd = [
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '127.1',
    '::127.0.0.1',
    '::8.8.8.8',
    '1.1.1',
    'fe80::1%eth0',
    '2606:4700::1%1',
    'localhost',
    '',
    '1.1.1.1 ',
  ]
  expect(judged(odd)).toEqual(odd.map((address) => [address, 'not an address in canonical notation']))
})

test('a permitted network opens itself and nothing beside it, also in the mapped notation', () => {
  const allow = parseNetworks('10.1.0.0/16, fd12::/16 127.0.0.1')
  const of = (address: string) => closedReason(address, allow)
  expect(of('10.1.255.255')).toBeNull()
  expect(of('10.2.0.0')).toBe('private')
  expect(of('::ffff:10.1.2.3')).toBeNull()
  expect(of('127.0.0.1')).toBeNull()
  expect(of('127.0.0.2')).toBe('loopback')
  expect(of('fd12::1')).toBeNull()
  expect(of('fd13::1')).toBe('unique local')
})

test('a network that cannot be read is refused', () => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0/8',
    'example.com',
    '10.0.0.0/',
    '10.0.0.0/8x',
    '::1/129',
    '10.0.0.0/-1',
    '0x0a.0.0.0/8',
  ])
    expect(() => parseNetworks(text)).toThrow(SvcError)
  expect(parseNetworks('')).toEqual([])
})
