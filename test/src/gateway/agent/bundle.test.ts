import { expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import {
  filesProblem,
  isPathWithin,
  misdirected,
  readBundle,
  type Bundle,
} from '../../../../src/gateway/agent/bundle.ts'
import { filesDigest, sha256Of } from '../../../../src/gateway/release/digest.ts'
import { errorText } from '../../../../src/gateway/agent/error-text.ts'
import { bundleOf, publicKey, signed } from '../../../fixtures/gateway/bundle.ts'

const good = bundleOf('r-1', { 'svc.conf': 'Include 10-setup.conf\n', 'schemas/a.json': '{}' })

test('a release that is signed and complete is used', () => {
  expect(readBundle(JSON.parse(JSON.stringify(good)), publicKey)).toEqual(good)
})

test('the signature covers every property', () => {
  const changes: Partial<Record<keyof Bundle, unknown>> = {
    releaseId: 'r-2',
    policyVersion: 4,
    engine: 'coraza',
    digest: 'f'.repeat(64),
    createdAt: 'x',
    enforcerId: 'g-2',
    organization: { id: 't-2', slug: 'acme' },
    recipient: 'f'.repeat(64),
    number: 2,
    files: good.files.slice(1),
    routes: [],
    evidence: 'digest',
    evidenceKey: 'AAAA',
    keyId: 'k-2',
    environment: { id: 'e-2', slug: 'production' },
    signature: Buffer.alloc(64).toString('base64'),
  }
  const refused = 'its signature is not by the pinned public key'
  for (const [name, value] of Object.entries(changes))
    expect([name, readBundle({ ...good, [name]: value }, publicKey)]).toEqual([name, refused])
  expect(readBundle({ ...good, more: true }, publicKey)).toBe(refused)
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  expect(readBundle(good, Buffer.from(x, 'base64url').toString('base64'))).toBe(refused)
  expect(readBundle(good, 'AAAA')).toBe('the public key is not 32 bytes in base64')
})

test('what is signed and wrong is not used either', () => {
  const { signature: _, ...base } = good
  const withFiles = (...files: Bundle['files']) =>
    readBundle(signed({ ...base, files, digest: filesDigest(files) }), publicKey)
  const file = (path: string, text = '') => ({ path, text, sha256: sha256Of(text) })
  expect(withFiles(file('svc.conf'), file('../etc/passwd'))).toBe(
    'the path "../etc/passwd" leaves the folder of the release',
  )
  expect(withFiles(file('svc.conf'), file('SVC.conf'))).toBe('the path "SVC.conf" is in it twice')
  expect(withFiles(file('svc.conf'), { ...file('a.conf'), text: 'x' })).toBe(
    'the SHA-256 of "a.conf" is not the one that it names',
  )
  expect(withFiles(file('svc.conf'), file('a'), file('a/b'))).toBe('"a" is a file and a folder')
  expect(withFiles(file('a.conf'))).toBe('it has no file "svc.conf"')
  expect(readBundle(signed({ ...base, digest: 'f'.repeat(64) }), publicKey)).toBe(
    'the digest of its files is not the one that it names',
  )
  expect(readBundle({ ...good, format: 3 }, publicKey)).toBe(`it is not a release: "/format" Expected 2`)
  expect(readBundle({ ...good, format: 1 }, publicKey)).toBe(
    'the service is older than this agent; upgrade the service first',
  )
  expect([null, [], 'x', {}].map((it) => typeof readBundle(it, publicKey))).toEqual([
    'string',
    'string',
    'string',
    'string',
  ])
})

test('paths stay below the folder, on every system', () => {
  const inside = ['svc.conf', 'schemas/a.json', '10-setup.conf', 'a/b/c_d.x']
  const outside = [
    '',
    '/a',
    '../a',
    'a/../b',
    './a',
    'a//b',
    'a/',
    String.raw`a\b`,
    'C:/a',
    '.hidden',
    'a/.b',
    'a b',
    'a\n',
    '-rf',
    'ä',
    'a'.repeat(301),
  ]
  expect(inside.filter((it) => !isPathWithin(it))).toEqual([])
  expect(outside.filter(isPathWithin)).toEqual([])
})

test('errors of engines leave without the key, the folder, addresses and what clients asked for', () => {
  const output = [
    '\u001b[31mnginx: [emerg]\u001b[0m "modsecurity_rules_file" directive Rules error. File: /srv/waf/releases/x/30-rules.conf. Line: 7.',
    '2026/11/23 [error] 7#7: *1 failed, client: 198.51.100.7, server: _, request: "GET /a?token=secret HTTP/1.1", host: "x"',
    '{"level":"info","msg":"using config from file"}',
    'fetched http://x/y?sig=abc with svg_secretkey',
    '',
    '\u0007',
  ].join('\n')
  expect(errorText(output, ['svg_secretkey'], '/srv/waf')).toBe(
    [
      'nginx: [emerg] "modsecurity_rules_file" directive Rules error. File: DIR/releases/x/30-rules.conf. Line: 7.',
      '2026/11/23 [error] 7#7: *1 failed',
      'fetched http://x/y?… with [redacted]',
    ].join('\n'),
  )
  const long = errorText(`${'x'.repeat(50_000)}\nthe end`, [], '/srv/waf')
  expect([long.length, long.endsWith('the end')]).toEqual([2000, true])
})

test('a release is for one gateway, and newer than the last one of its environment', () => {
  const { recipient, environment, releaseId } = good
  const taken = { environmentId: environment.id, number: 5, releaseId }
  const at = (number: number, more: Partial<Bundle> = {}) => ({ ...good, number, ...more })
  expect(misdirected(good, 'f'.repeat(64), null)).toMatch(/^it is for another gateway, in environment "production" of/)
  expect(misdirected(good, recipient, null)).toBe(null)
  const older = /^it is release \d+, and this gateway already took release 5\./
  expect(misdirected(at(4), recipient, taken)).toMatch(older)
  expect(misdirected(at(4), recipient, { ...taken, environmentId: 'e-9' })).toBe(null)
  expect(misdirected(at(5), recipient, taken)).toBe(null)
  expect(misdirected(at(5, { releaseId: 'r-9' }), recipient, taken)).toMatch(older)
  expect(misdirected(at(4, { releaseId }), recipient, taken)).toMatch(older)
  expect(misdirected(at(6, { releaseId: 'r-9' }), recipient, taken)).toBe(null)
})

test('paths and files have bounds', () => {
  expect([isPathWithin('a'.repeat(300)), isPathWithin('a'.repeat(301))]).toEqual([true, false])
  const size = good.files.reduce((sum, { text }) => sum + text.length, 0)
  expect(filesProblem(good, size)).toBe(null)
  expect(filesProblem(good, size - 1)).toBe(`its files have more than ${size - 1} characters`)
})
