import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { factsOf, surfaceConflicts, type Observed } from '../../../src/mcp-catalogue/facts.ts'
import { fingerprints } from '../../../src/mcp-catalogue/fingerprints.ts'
import { emptySurface } from '../../../src/mcp-catalogue/surface.ts'
import type { DeclaredServer, Provenance, Surface } from '../../../src/mcp-catalogue/types.ts'
import { manifest } from './manifest-fixtures.ts'

const at = '2026-11-23T06:00:00.000Z'
const url = 'https://mcp.example.com/orders'
const find: JsonObject = {
  name: 'find',
  description: 'Finds orders.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}

const declared = (value: object): DeclaredServer => manifest(value, { endpointUrl: url }).servers[0]!
const observed = (surface: Partial<Surface>, name: string | null = 'orders'): Observed => {
  const whole = { ...emptySurface, ...surface }
  return {
    identity: {
      name,
      title: null,
      version: name === null ? null : '2',
      description: null,
      websiteUrl: null,
      repositoryUrl: null,
    },
    surface: whole,
    fingerprint: fingerprints(whole),
    transport: 'streamable_http',
    address: url,
    at,
  }
}

/** Facts in short: kind, key, origin, which sides are there, and warnings. */
const brief = ({ facts }: Provenance): string[] =>
  facts.map(({ kind, key, origin, declared: a, observed: b, warnings }) =>
    [
      `${kind} ${key} ${origin}`,
      a === undefined ? '' : 'D',
      b === undefined ? '' : 'O',
      ...warnings.map((it) => it.code),
    ]
      .filter((it) => it !== '')
      .join(' '),
  )
const counts = ({ surfaceMatch, fingerprintsMatch, conflictCount, originCounts }: Provenance): unknown => [
  surfaceMatch,
  fingerprintsMatch,
  conflictCount,
  Object.values(originCounts).join(' '),
]

test('Nothing is known of an endpoint without declaration and observation.', () => {
  expect(factsOf(null, null)).toEqual({
    surfaceMatch: 'none',
    declaredFingerprint: null,
    observedFingerprint: null,
    fingerprintsMatch: false,
    originCounts: { declared: 0, observed: 0, both: 0, conflicts: 0 },
    conflictCount: 0,
    facts: [],
  })
})

test('An endpoint without a manifest is only observed.', () => {
  const known = factsOf(null, observed({ tools: [find], prompts: [{ name: 'ask' }] }))
  expect(counts(known)).toEqual(['observed_only', false, 0, '0 4 0 0'])
  expect(brief(known)).toEqual([
    'identity server observed O',
    `transport ${url} observed O`,
    'tool find observed O',
    'prompt ask observed O',
  ])
  expect(known.facts[2]).toEqual({
    kind: 'tool',
    key: 'find',
    origin: 'observed',
    observed: find,
    observedAt: at,
    warnings: [],
  })
})

test('An endpoint that was never observed is only declared.', () => {
  const known = factsOf(
    declared({
      name: 'com.example/orders',
      description: 'a',
      packages: [
        { registryType: 'npm', identifier: 'a', version: '^1' },
        { registryType: 'npm', identifier: 'b', version: '1.0.0' },
        { registryType: 'pypi', identifier: 'c' },
      ],
      remotes: [{ type: 'sse', url: 'https://{tenant}.example.com' }],
    }),
    null,
  )
  expect(counts(known)).toEqual(['declared_only', false, 0, '6 0 0 0'])
  expect(brief(known)).toEqual([
    'identity server declared D',
    `transport ${url} declared D`,
    'transport stdio declared D',
    'package npm:a declared D package-not-pinned',
    'package npm:b declared D',
    'package pypi:c declared D package-not-pinned',
  ])
})

test('Identical surfaces, whatever the server calls itself.', () => {
  const known = factsOf(declared({ name: 'com.example/other', tools: [find] }), observed({ tools: [find] }))
  expect(counts(known)).toEqual(['identical', true, 1, '0 0 2 1'])
  expect(brief(known)).toEqual(['identity server conflicts D O', `transport ${url} both D O`, 'tool find both D O'])
  expect(surfaceConflicts(known)).toBe(0)
  expect(known.facts[0]).toEqual({
    kind: 'identity',
    key: 'server',
    origin: 'conflicts',
    declared: { name: 'com.example/other' },
    observed: { name: 'orders', version: '2' },
    observedAt: at,
    warnings: [],
  })
})

test('The name in a registry is that of the server behind its namespace.', () => {
  expect(brief(factsOf(declared({ name: 'com.example/orders', tools: [find] }), observed({ tools: [find] })))[0]).toBe(
    'identity server both D O',
  )
})

test('Conflicts have both values, what changed, and a counterexample.', () => {
  const now: JsonObject = {
    ...find,
    inputSchema: { type: 'object', required: ['id'] },
    annotations: {},
    description: 'Finds orders.\u{e0069}',
  }
  const known = factsOf(
    declared({ tools: [find, { name: 'gone' }] }),
    observed({ tools: [now, { name: 'new' }] }, null),
  )
  expect(counts(known)).toEqual(['divergent', false, 1, '1 1 1 1'])
  expect(brief(known)).toEqual([
    `transport ${url} both D O`,
    'tool find conflicts D O hidden-text annotation-changed',
    'tool gone declared D',
    'tool new observed O',
  ])
  const [, fact] = known.facts
  expect([fact!.declared, fact!.observed, fact!.observedAt]).toEqual([find, now, at])
  expect(fact!.difference!.severity).toBe('breaking')
  expect(fact!.difference!.changes.map((it) => it.id)).toEqual([
    'tool-annotation-changed',
    'schema-required-added',
    'document-documentation-changed',
  ])
  expect(fact!.difference!.witness!.value).toEqual({})
  expect(fact!.warnings).toEqual([
    { code: 'hidden-text', message: '`/description` contains 1 tag character (U+E0069), spelling "i".' },
    { code: 'annotation-changed', message: '`readOnlyHint` of tool `find` changed from true to false.' },
  ])
  expect(surfaceConflicts(known)).toBe(1)
})

test('A manifest without a surface says nothing of tools.', () => {
  const known = factsOf(declared({ name: 'a/orders', description: 'b' }), observed({ tools: [find] }))
  expect(counts(known)).toEqual(['observed_only', false, 0, '0 1 2 0'])
})

test('Of an incomplete declaration only what it says is compared.', () => {
  const bundle = (tool: object): DeclaredServer =>
    declared({ manifest_version: '0.3', name: 'orders', server: {}, tools: [tool] })
  const now = { ...find, inputSchema: { type: 'object', properties: { id: {}, at: {} } } }
  const origin = (tool: object): unknown => {
    const fact = factsOf(bundle(tool), observed({ tools: [now] })).facts.find((it) => it.kind === 'tool')
    return [fact!.origin, fact!.difference?.changes.map((it) => it.id)]
  }
  expect(origin({ name: 'find' })).toEqual(['both', undefined])
  expect(origin({ name: 'find', description: 'Finds orders.' })).toEqual(['both', undefined])
  expect(origin({ name: 'find', arguments: [{ name: 'at' }, { name: 'id' }] })).toEqual(['both', undefined])
  expect(origin({ name: 'find', description: 'Finds.' })).toEqual(['conflicts', ['document-documentation-changed']])
  expect(origin({ name: 'find', arguments: [{ name: 'id' }] })).toEqual(['conflicts', ['field-changed']])
})

test('A server that answers by another transport, at another address, or twice by one name', () => {
  const server = declared({ transport: 'sse', tools: [{ name: 'a' }, { name: 'a', description: 'b' }] })
  const surface = { ...emptySurface, tools: [{ name: 'a', description: 'b' }] }
  const seen = { ...observed(surface, null), transport: 'stdio' as const, address: null }
  expect(brief(factsOf(server, seen))).toEqual([
    `transport ${url} declared D`,
    'transport stdio observed O',
    'tool a both D O duplicate-name',
  ])
  expect(brief(factsOf(server, { ...seen, transport: 'sse', address: url }))[0]).toBe(`transport ${url} both D O`)
  expect(brief(factsOf(server, { ...seen, transport: 'streamable_http', address: url }))[0]).toBe(
    `transport ${url} conflicts D O`,
  )
})

test('Hidden text in the identity and in schemas is a warning.', () => {
  const hidden: JsonObject = {
    name: 'a',
    inputSchema: { type: 'object', properties: { b: { description: 'c\u200b' } } },
  }
  const known = factsOf(null, observed({ tools: [hidden] }, 'or\u00adders'))
  expect(known.facts.flatMap((it) => it.warnings)).toEqual([
    { code: 'hidden-text', message: 'Its name or description contains 1 invisible filler (U+00AD).' },
    {
      code: 'hidden-text',
      message: '`/inputSchema/properties/b/description` contains 1 zero-width character (U+200B).',
    },
  ])
})
