/** What the tools of an MCP server cost, as the grade report says it. */
import { expect, test } from 'bun:test'
import { parseDocument, readTolerantly } from '../../../src/document/parse.ts'
import { sumToolTokens, toolTokensOf } from '../../../src/lint/descriptors/budget.ts'
import { summarizeLint } from '../../../src/report/lint-summary.ts'
import { toolsLine } from '../../../src/report/terminal.ts'

const read = (value: object) => readTolerantly(parseDocument(JSON.stringify(value), { source: 'tools.json' }))
const place = {
  type: 'object',
  properties: { latitude: { type: 'number' }, longitude: { type: 'number' }, name: { type: 'string' } },
}
const tools = [
  { name: 'move', inputSchema: { type: 'object', properties: { from: place, to: place } } },
  { name: 'ping', inputSchema: { type: 'object' } },
]

test('tokens are four bytes of the JSON of all tools; what repeats is counted once beyond the first', () => {
  const tokens = Math.ceil(JSON.stringify(tools).length / 4)
  const savedByDefs = Math.floor((JSON.stringify(place).length - 40) / 4)
  expect(savedByDefs).toBeGreaterThan(10)
  for (const value of [{ tools }, { jsonrpc: '2.0', id: 1, result: { tools } }, tools])
    expect(toolTokensOf(read(value))).toEqual({ count: 2, tokens, savedByDefs })
})

test('a description of an API and a list of servers have no tools', () => {
  expect(toolTokensOf(read({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} }))).toBe(null)
  const server = { name: 'com.example/geo', description: 'Finds places', version: '1.0.0', remotes: [] }
  expect(toolTokensOf(read(server))).toBe(null)
  expect(sumToolTokens([null, null])).toBe(null)
})

test('several documents are summed up, and the report names the numbers in words and fields', () => {
  const one = { count: 2, tokens: 1200, savedByDefs: 0 }
  const other = { count: 1, tokens: 34, savedByDefs: 9 }
  const both = sumToolTokens([one, null, other])
  expect(both).toEqual({ count: 3, tokens: 1234, savedByDefs: 9 })
  expect(toolsLine({ tools: { ...one, ...both } })).toBe('3 tools: 1,234 tokens; "$defs" would save about 9.\n')
  expect(toolsLine({ tools: one })).toBe('2 tools: 1,200 tokens.\n')
  expect(toolsLine({})).toBe('')
  const counts = { error: 0, warning: 0, info: 0, hint: 0 }
  const documents = [
    { document: { source: 'a.json' }, grade: null, tools: one },
    { document: { source: 'b.yaml' }, grade: null, tools: null },
  ]
  expect(summarizeLint({ guide: 'svc:agents', counts, grade: null, tools: one, documents })).toEqual({
    guide: 'svc:agents',
    counts,
    grade: null,
    tools: one,
    gains: [],
    documents: [
      { source: 'a.json', grade: null, tools: one },
      { source: 'b.yaml', grade: null },
    ],
  })
})
