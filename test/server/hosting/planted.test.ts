/** What looks for planted secrets finds them. */
import { expect, test } from 'bun:test'
import { capturedLog, foundIn } from '../../fixtures/planted.ts'

const key = `-----BEGIN KEY-----\n${'a1'.repeat(32)}\n${'b2'.repeat(32)}\n-----END KEY-----\n`

test('a secret is found as it is, in JSON, in addresses, in Base64 and by a line of a key', () => {
  const secret = 'planted "secret" + more'
  for (const text of [
    `token ${secret}!`,
    JSON.stringify({ of: [secret] }),
    `?token=${encodeURIComponent(secret)}&x`,
    `Basic ${Buffer.from(secret).toString('base64')}`,
  ])
    expect(foundIn(text, ['another', secret])).toEqual([secret])
  expect(foundIn(`… ${'b2'.repeat(32)} …`, [key])).toEqual([key])
  expect(foundIn('-----BEGIN KEY-----', [key, secret])).toEqual([])
})

test('a captured log has what faults say', () => {
  const log = capturedLog()
  log.onFault(new Error('it held planted-token'), 'worker')
  expect([log.lines.length, foundIn(log.lines.join(''), ['planted-token'])]).toEqual([1, ['planted-token']])
})
