import { expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { fingerprints } from '../../../src/mcp-catalogue/fingerprints.ts'
import {
  countsOf,
  emptySurface,
  isEmptySurface,
  lasting,
  surfaceText,
  toolSchema,
} from '../../../src/mcp-catalogue/surface.ts'
import type { Surface } from '../../../src/mcp-catalogue/types.ts'

const of = (tools: readonly JsonObject[], more: Partial<Surface> = {}): Surface => ({ ...emptySurface, tools, ...more })
const find: JsonObject = {
  name: 'find',
  description: 'Finds orders.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: ['string'], description: 'The id.' }, kind: { enum: ['b', 'a'] } },
    required: ['kind', 'id'],
  },
}
const { wire, semantic } = fingerprints(of([find]))

/** Which fingerprints differ from those of a surface with `find` alone. */
const differs = (surface: Surface, from = { wire, semantic }): string => {
  const now = fingerprints(surface)
  return [now.wire === from.wire ? '' : 'wire', now.semantic === from.semantic ? '' : 'semantic'].join(' ').trim()
}

test('A fingerprint is the digest of a canonical text.', () => {
  expect(wire).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(fingerprints(emptySurface).wire).toBe(
    `sha256:${new Bun.CryptoHasher('sha256').update('{"tools":[],"resources":[],"resourceTemplates":[],"prompts":[]}').digest('hex')}`,
  )
})

test('The fingerprint of the meaning stays what it is: it is stored, and compared with that of later versions.', () => {
  const prompts: JsonObject[] = [
    {
      name: 'ask',
      arguments: [
        { name: 'about', required: true },
        { name: 'b', type: 'c' },
      ],
    },
  ]
  const list = '[["ask",[{"name":"about","required":true,"type":null},{"name":"b","required":false,"type":"c"}]]]'
  const text = `{"tools":[],"resources":[],"resourceTemplates":[],"prompts":${list}}`
  expect(fingerprints(of([], { prompts })).semantic).toBe(
    `sha256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`,
  )
})

test('Neither order nor what changes by itself counts.', () => {
  const other: JsonObject = { name: 'add', inputSchema: { type: 'object' } }
  const both = fingerprints(of([find, other]))
  expect(differs(of([other, find]), both)).toBe('')
  expect(differs(of([{ inputSchema: find.inputSchema!, description: find.description!, name: 'find' }]))).toBe('')
  expect(differs(of([{ ...find, _meta: { 'example.com/at': 1 } }]))).toBe('')
  const resource: JsonObject = { uri: 'file:///a', name: 'a', size: 1, annotations: { lastModified: '2026-01-01' } }
  const before = fingerprints(of([], { resources: [resource] }))
  expect(differs(of([], { resources: [{ uri: 'file:///a', name: 'a', size: 2 }] }), before)).toBe('')
  expect(differs(of([], { resources: [{ ...resource, annotations: { audience: ['user'] } }] }), before)).toBe('wire')
  expect(differs(of([], { resources: [{ ...resource, title: 'A' }] }), before)).toBe('wire')
})

test.each<[string, JsonObject, string]>([
  ['a description', { ...find, description: 'Finds orders!' }, 'wire'],
  ['hidden text', { ...find, description: 'Finds orders.\u200b' }, 'wire'],
  ['a hint', { ...find, annotations: { readOnlyHint: true } }, 'wire'],
  ['a field that nobody knows', { ...find, 'x-extra': 1 }, 'wire'],
  [
    'a description in a schema, the order of sets, and the spelling of a type',
    {
      ...find,
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', description: 'Another.' }, kind: { enum: ['a', 'b'] } },
        required: ['id', 'kind'],
      },
    },
    'wire',
  ],
  ['a name', { ...find, name: 'search' }, 'wire semantic'],
  ['a property', { ...find, inputSchema: { type: 'object', properties: {} } }, 'wire semantic'],
  ['an output schema', { ...find, outputSchema: { type: 'object' } }, 'wire semantic'],
])('%s changes what it should', (_, tool, expected) => {
  expect(differs(of([tool]))).toBe(expected)
})

test('What a schema says in its parts counts, remarks in them do not.', () => {
  const tool = (output: Json): Surface => of([{ ...find, outputSchema: output }])
  const from = (before: Json, after: Json): string => differs(tool(after), fingerprints(tool(before)))
  expect([
    from({ items: { type: 'string', title: 'A' } }, { items: { type: 'string', title: 'B' } }),
    from({ items: { type: 'string' } }, { items: { type: 'number' } }),
    from({ allOf: [{ minimum: 1, title: 'A' }] }, { allOf: [{ minimum: 1, title: 'B' }] }),
    from({ allOf: [{ minimum: 1 }] }, { allOf: [{ minimum: 2 }] }),
    from({ items: true }, { items: false }),
    from({ type: 'string' }, { type: ['string', 'null'] }),
    from({ required: ['a'] }, { required: 'a' }),
    from({ enum: ['a'] }, { enum: ['a', 'a'] }),
  ]).toEqual([
    'wire',
    'wire semantic',
    'wire',
    'wire semantic',
    'wire semantic',
    'wire semantic',
    'wire semantic',
    'wire',
  ])
})

test('Of a tool a size and a time are for good; the schema of its input is found by each of its names.', () => {
  const tool: JsonObject = { name: 'a', size: 1, annotations: { lastModified: '2026-01-01' }, _meta: { b: 1 } }
  expect(lasting('tools', tool)).toEqual({ name: 'a', size: 1, annotations: { lastModified: '2026-01-01' } })
  expect(lasting('resources', { ...tool, uri: 'a' })).toEqual({ name: 'a', uri: 'a' })
  const schemas = (it: JsonObject) => [toolSchema(it, 'input'), toolSchema(it, 'output')]
  expect([
    schemas({ inputSchema: { a: 1 }, outputSchema: { b: 1 }, parameters: { c: 1 } }),
    schemas({ input_schema: { a: 1 }, output_schema: { b: 1 } }),
    schemas({ parameters: { c: 1 } }),
  ] as Json).toEqual([
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { b: 1 }],
    [{ c: 1 }, undefined],
  ] as unknown as Json)
})

test('A property that is named like a remark is a property.', () => {
  const tool = (name: string): Surface =>
    of([{ name: 't', inputSchema: { type: 'object', properties: { [name]: { type: 'string' } } } }])
  expect(differs(tool('title'), fingerprints(tool('description')))).toBe('wire semantic')
  expect(differs(tool('_meta'), fingerprints(tool('default')))).toBe('wire semantic')
})

test('Arguments of prompts and media types of resources have a meaning.', () => {
  const prompt = (required: boolean): Surface =>
    of([], { prompts: [{ name: 'ask', arguments: [{ name: 'about', required, description: String(required) }] }] })
  expect(differs(prompt(true), fingerprints(prompt(false)))).toBe('wire semantic')
  const about: Surface = of([], { prompts: [{ name: 'ask', arguments: [{ name: 'about' }] }] })
  expect(differs(prompt(false), fingerprints(about))).toBe('wire')
  const resource = (mimeType: string): Surface =>
    of([], { resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'a', mimeType }] })
  expect(differs(resource('text/plain'), fingerprints(resource('text/html')))).toBe('wire semantic')
})

test('Repeated names, names of prototypes and halves of surrogate pairs have fingerprints.', () => {
  const twice = of([find, { ...find, description: 'Another.' }])
  expect(differs(of([...twice.tools].reverse()), fingerprints(twice))).toBe('')
  expect(differs(of([JSON.parse('{"name":"find","__proto__":{"a":1}}') as JsonObject]))).toBe('wire semantic')
  const odd = (text: string): Surface => of([{ name: 'a', description: text }])
  expect(differs(odd('\ud800'), fingerprints(odd('\ud801')))).toBe('wire')
})

test('Counts, emptiness, and the text that is stored.', () => {
  const surface = of([find], { prompts: [{ name: 'ask' }] })
  expect(countsOf(surface)).toEqual({ tools: 1, resources: 0, templates: 0, prompts: 1 })
  expect([isEmptySurface(surface), isEmptySurface(emptySurface)]).toEqual([false, true])
  expect(JSON.parse(surfaceText(surface))).toEqual({
    tools: [find],
    resources: [],
    resourceTemplates: [],
    prompts: [{ name: 'ask' }],
  })
})
