import { expect, test } from 'bun:test'
import { callerAddress, networkOf } from '../../../server/auth/address.ts'
import { parseNetworks } from '../../../server/egress/address.ts'

const proxies = parseNetworks('10.0.0.0/8, 127.0.0.1, fd00::/8')
const cases: readonly (readonly [peer: string, forwarded: string | null, caller: string])[] = [
  ['203.0.113.7', null, '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.0.0.1', null, '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['fd00::1', '2001:db8::5', '2001:db8::5'],
  // What the caller itself put in front is not trusted.
  ['10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
  ['10.0.0.1', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, <script>', '10.0.0.1'],
]
test.each(cases)('%s with X-Forwarded-For %s is %s', (peer, forwarded, caller) => {
  expect(callerAddress(peer, forwarded, proxies)).toBe(caller)
})

test('without trusted proxies no header is trusted', () => {
  expect(callerAddress('10.0.0.1', '198.51.100.1', [])).toBe('10.0.0.1')
})

test('networks: an IPv4 address by itself, an IPv6 address by its /64, however it is written', () => {
  expect(
    ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '2001:DB8:0:0:ffff::2', '2001:db8:0:1::1', 'unknown'].map(
      networkOf,
    ),
  ).toEqual(['192.0.2.1', '192.0.2.1', '2001:db8:0:0::/64', '2001:db8:0:0::/64', '2001:db8:0:1::/64', 'unknown'])
})
