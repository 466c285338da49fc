import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decideImport, declarationsAfter, type Incoming } from '../../../src/mcp-catalogue/import.ts'
import type { ImportDecision, KnownEndpoint } from '../../../src/mcp-catalogue/types.ts'

const known = (id: string, more: Partial<KnownEndpoint> = {}): KnownEndpoint => ({
  id,
  address: `https://${id}.example`,
  keys: [`https://${id}.example`],
  declared: null,
  observed: null,
  declarations: 1,
  ...more,
})
const incoming = (
  address: string | null,
  fingerprint: string | null = null,
  keys: readonly string[] = [],
): Incoming => ({
  address,
  fingerprint,
  keys: address === null ? keys : [address, ...keys],
})

test('A server that no endpoint is becomes a new one.', () => {
  expect(decideImport([known('a', { declared: 'x' })], incoming('https://b.example', 'y'))).toEqual({
    match: 'none',
    endpointId: null,
    surfaceConflict: false,
    observedFingerprint: null,
    supersededManifests: 0,
    reason: 'No endpoint has this address or declares this surface, so a new one was registered.',
    keys: ['https://b.example'],
    address: 'https://b.example',
  })
})

test('The address decides before the surface.', () => {
  const all = [
    known('a', { declared: 'x', observed: 'o' }),
    known('b', { declared: 'y', observed: 'p', declarations: 2 }),
  ]
  expect(decideImport(all, incoming('https://b.example', 'x', ['https://c.example']))).toEqual({
    match: 'address',
    endpointId: 'b',
    surfaceConflict: true,
    observedFingerprint: 'p',
    supersededManifests: 2,
    reason:
      'The endpoint is known by https://b.example. 2 earlier declarations are superseded. The same surface is declared at https://a.example.',
    keys: ['https://b.example', 'https://c.example'],
    address: 'https://b.example',
  })
})

test('An identical surface at another address is the same server, and a conflict.', () => {
  expect(
    decideImport([known('a', { declared: 'x' }), known('c', { declared: 'x' })], incoming('https://b.example', 'x')),
  ).toEqual({
    match: 'surface',
    endpointId: 'a',
    surfaceConflict: true,
    observedFingerprint: null,
    supersededManifests: 1,
    reason:
      'The endpoint declares an identical surface. Its earlier declaration is superseded. The same surface is declared at https://a.example.',
    keys: ['https://a.example'],
    address: 'https://a.example',
  })
})

test('An endpoint without an address receives the one of its surface.', () => {
  const local = known('a', { address: null, keys: ['pkg:npm/a'], declared: 'x', declarations: 0 })
  expect(decideImport([local], incoming('https://b.example', 'x'))).toEqual({
    match: 'surface',
    endpointId: 'a',
    surfaceConflict: false,
    observedFingerprint: null,
    supersededManifests: 0,
    reason: 'The endpoint declares an identical surface.',
    keys: ['pkg:npm/a', 'https://b.example'],
    address: 'https://b.example',
  })
})

test('Packages are recognised where there is no address, and manifests without a surface match by nothing else.', () => {
  const local = known('a', { address: null, keys: ['pkg:npm/a'] })
  expect(decideImport([local], incoming(null, null, ['pkg:npm/a']))).toMatchObject({
    match: 'address',
    endpointId: 'a',
  })
  expect(decideImport([local], incoming(null, null, ['pkg:npm/b']))).toMatchObject({ match: 'none', endpointId: null })
  expect(decideImport([local], incoming(null))).toMatchObject({ match: 'none', endpointId: null })
})

test('Of declarations the last one is declared, all others are superseded.', () => {
  const one: { readonly id: string; readonly status: 'declared' | 'superseded' } = { id: 'a', status: 'declared' }
  const two = declarationsAfter([one], { id: 'b', status: 'superseded' })
  expect(two).toEqual([
    { id: 'a', status: 'superseded' },
    { id: 'b', status: 'declared' },
  ])
  expect(declarationsAfter(two, { id: 'c', status: 'declared' }).map((it) => `${it.id} ${it.status}`)).toEqual([
    'a superseded',
    'b superseded',
    'c declared',
  ])
})

const address = fc.option(
  fc.constantFrom('https://a.example', 'https://b.example', 'https://c.example', 'https://d.example'),
)
const anyIncoming: fc.Arbitrary<Incoming> = fc
  .record({
    address,
    fingerprint: fc.option(fc.constantFrom('x', 'y', 'z')),
    others: fc.subarray(['pkg:npm/a', 'https://c.example']),
  })
  .map((it) => ({
    address: it.address,
    fingerprint: it.fingerprint,
    keys: it.address === null ? it.others : [...new Set([it.address, ...it.others])],
  }))

/** Does to a list of endpoints what a decision says. */
function applied(
  all: readonly KnownEndpoint[],
  incoming: Incoming,
  decision: ImportDecision,
): readonly KnownEndpoint[] {
  const { endpointId, keys, address: at } = decision
  if (endpointId === null)
    return [
      ...all,
      { id: `e${all.length}`, address: at, keys, declared: incoming.fingerprint, observed: null, declarations: 1 },
    ]
  return all.map((one) =>
    one.id === endpointId ? { ...one, keys, address: at, declared: incoming.fingerprint, declarations: 1 } : one,
  )
}

test('Whatever is imported in whatever order: no import makes a duplicate, and the same import is recognised.', () => {
  fc.assert(
    fc.property(fc.array(anyIncoming, { maxLength: 12 }), (imports) => {
      let all: readonly KnownEndpoint[] = []
      for (const it of imports) {
        const decision = decideImport(all, it)
        const alike = all.filter((one) => it.fingerprint !== null && one.declared === it.fingerprint)
        const sameKey = all.filter((one) => it.keys.some((key) => one.keys.includes(key)))
        expect(decision.match === 'none').toBe(alike.length === 0 && sameKey.length === 0)
        expect(decision.match === 'address').toBe(sameKey.length > 0)
        if (decision.endpointId === null) expect(decision.surfaceConflict).toBe(false)
        const before = all.find((one) => one.id === decision.endpointId)
        if (before !== undefined && before.address !== null) expect(decision.address).toBe(before.address)
        all = applied(all, it, decision)
        const again = decideImport(all, it)
        if (it.keys.length > 0 || it.fingerprint !== null) {
          expect(again.endpointId).not.toBeNull()
          expect(again.supersededManifests).toBe(1)
        }
      }
      const addresses = all.flatMap((one) => (one.address === null ? [] : [one.address]))
      expect(new Set(addresses).size).toBe(addresses.length)
    }),
    { numRuns: 300 },
  )
})
