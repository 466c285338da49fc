import { expect, test } from 'bun:test'
import { SvcError } from '../../../src/errors.ts'
import { fingerprints } from '../../../src/mcp-catalogue/fingerprints.ts'
import { observationText, observedSurface, readUpload } from '../../../src/mcp-catalogue/observe.ts'
import type { ObservedAnswers } from '../../../src/mcp-catalogue/types.ts'

const tool = { name: 'find', inputSchema: { type: 'object' }, 'x-extra': 1 }
const page = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result })
const initialize = page({
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'orders', title: 'Orders', version: '1.0.0' },
  instructions: 'Use find first.',
})

const refusal = (act: () => unknown): string => {
  try {
    act()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'manifest-invalid') throw error
    return error.message
  }
}

test('Pages are joined, and fields that clients drop are kept.', () => {
  const read = observedSurface({
    server: initialize,
    pages: {
      tools: [page({ tools: [tool], nextCursor: 'a' }), JSON.stringify({ tools: [{ name: 'add', _meta: {} }] })],
      prompts: [page({ prompts: [] })],
    },
  })
  const surface = { tools: [tool, { name: 'add', _meta: {} }], resources: [], resourceTemplates: [], prompts: [] }
  expect(read).toEqual({
    identity: {
      name: 'orders',
      title: 'Orders',
      version: '1.0.0',
      description: null,
      websiteUrl: null,
      repositoryUrl: null,
    },
    protocolVersion: '2025-06-18',
    instructions: 'Use find first.',
    surface,
    fingerprint: fingerprints(surface),
    counts: { tools: 2, resources: 0, templates: 0, prompts: 0 },
    notices: [],
  })
})

test('What is observed is uploaded and read back.', () => {
  const read = observedSurface({ server: initialize, pages: { tools: [page({ tools: [tool] })] } })
  expect(readUpload(observationText(read))).toEqual(read)
  const nothing = observedSurface({ pages: {} })
  expect(readUpload(observationText(nothing))).toEqual(nothing)
})

test('A dump of tools is an observation.', () => {
  for (const text of [JSON.stringify([tool]), page({ tools: [tool] }), JSON.stringify({ tools: [tool] })])
    expect(readUpload(text).surface.tools).toEqual([tool])
  expect(readUpload(JSON.stringify({ name: 'orders', version: '1', tools: [] })).identity.name).toBe('orders')
  expect(readUpload(JSON.stringify({ server: { name: 'shop' }, name: 'orders', tools: [] })).identity.name).toBe('shop')
  expect(refusal(() => readUpload('{}'))).toBe(
    'Invalid manifest (line 1, column 1): it has none of the lists "tools", "resources", "resourceTemplates" and "prompts".',
  )
})

test('Names that are there twice are noted, on whatever pages.', () => {
  const { notices } = observedSurface({ pages: { tools: [page({ tools: [tool] }), page({ tools: [tool] })] } })
  expect(notices).toEqual([
    {
      code: 'duplicate-name',
      message: 'There is another item "find" in "tools".',
      pointer: '/tools/1',
      line: 1,
      column: 1,
    },
  ])
})

const many = (count: number): string => page({ tools: Array.from({ length: count }, (_, at) => ({ name: `t${at}` })) })

test.each<[string, ObservedAnswers, string]>([
  ['no JSON', { pages: { tools: ['<html>'] } }, 'Invalid manifest (line 1, column 1): tools: Invalid JSON: '],
  [
    'an error',
    { pages: { tools: ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}'] } },
    'Invalid manifest (line 1, column 33): the server answered with an error: no.',
  ],
  [
    'no list',
    { pages: { tools: [page({})] } },
    'Invalid manifest (line 1, column 34): the answer has no list "tools".',
  ],
  [
    'a tool without a name',
    { pages: { tools: [page({ tools: [{}] })] } },
    'Invalid manifest (line 1, column 44): a tool has no "name".',
  ],
  [
    'a repeated key',
    { pages: { tools: ['{"tools":[],"tools":[]}'] } },
    'Invalid manifest (line 1, column 13): tools: Duplicate key "tools"',
  ],
  [
    'more pages than 64',
    { pages: { tools: Array.from({ length: 65 }, () => page({ tools: [] })) } },
    'Invalid manifest: "tools" has 65 pages; 64 are allowed.',
  ],
  [
    'more items than 2,000',
    { pages: { tools: [many(1500)], prompts: [many(1500).replace('"tools"', '"prompts"')] } },
    'Invalid manifest: it has 3000 items; 2000 are allowed.',
  ],
  [
    'more than 8 MB',
    { pages: { tools: [' '.repeat(5_000_000), ' '.repeat(5_000_000)] } },
    'Invalid manifest: the answers have 10000000 characters; 8388608 are allowed.',
  ],
])('Refuses %s', (_, answers, reason) => {
  expect(refusal(() => observedSurface(answers))).toStartWith(reason)
})
