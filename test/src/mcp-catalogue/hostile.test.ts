import { expect, test } from 'bun:test'
import { refusal, manifest } from './manifest-fixtures.ts'

const at = { endpointUrl: 'https://mcp.example.com' }
const nested = (levels: number): string =>
  `{"tools":[{"name":"a","inputSchema":${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}}]}`

test('A manifest that is too large is refused before it is read.', () => {
  expect(refusal(`{"tools":"${'a'.repeat(100 * 1024 * 1024)}"}`, at)).toBe(
    'manifest-invalid null:null "" Invalid manifest: it has 104857612 characters; 8388608 are allowed.',
  )
  expect(refusal('name: a\nimage: b\ntype: server', { ...at, tools: ' '.repeat(8 * 1024 * 1024 + 1) })).toBe(
    'manifest-invalid null:null "" Invalid manifest: tools.json: it has 8388609 characters; 8388608 are allowed.',
  )
})

test('A manifest that is too deep is refused with its place.', () => {
  expect(refusal(nested(100), at)).toBe('read 1')
  expect(refusal(nested(200), at)).toBe(
    'manifest-invalid 1:1162 "" Invalid manifest (line 1, column 1162): Arrays and objects are nested deeper than 128 levels.',
  )
  expect(refusal(nested(20_000), at)).toStartWith('manifest-invalid 1:1162 ')
  expect(refusal('['.repeat(50_000), at)).toStartWith('manifest-invalid 1:')
})

test('Aliases of YAML that grow are refused.', () => {
  const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 9; level++)
    bomb.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(',')}]`)
  expect(refusal(bomb.join('\n'), at)).toStartWith('manifest-invalid ')
  expect(refusal('a: &a [*a]', at)).toStartWith('manifest-invalid 1:')
})

test('Too many tools, servers and names of any length are refused.', () => {
  const tools = (count: number): unknown => ({
    tools: Array.from({ length: count }, (_, index) => ({ name: `t${index}` })),
  })
  expect(refusal(tools(2000), at)).toBe('read 1')
  expect(refusal(tools(2001), at)).toBe(
    'manifest-invalid 2:11 "/tools" Invalid manifest (line 2, column 11): "tools" has 2001 items; 2000 are allowed.',
  )
  expect(refusal([{ name: 'a'.repeat(257), remotes: [] }])).toBe(
    'manifest-invalid 3:11 "/0/name" Invalid manifest (line 3, column 11): "name" has 257 characters; 256 are allowed.',
  )
  expect(refusal(Array.from({ length: 201 }, () => ({ name: 'a', remotes: [] })))).toBe(
    'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): it names 201 servers; 200 are allowed.',
  )
})

test('Keys of prototypes are keys.', () => {
  const text =
    '{"__proto__": {"polluted": 1}, "tools": [{"name": "__proto__", "constructor": {}, "inputSchema": {"type": "object", "properties": {"__proto__": {"type": "string"}}}}]}'
  const [server] = manifest(text, at).servers
  expect(JSON.stringify(server!.surface!.tools)).toBe(
    '[{"name":"__proto__","constructor":{},"inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}]',
  )
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
  expect(manifest('{"mcpServers": {"__proto__": {"command": "a"}}}').servers.map((it) => it.name)).toEqual([
    '__proto__',
  ])
  expect(refusal('{"name":"a","description":"b","remotes":[{"type":"__proto__","url":"https://a.example"}]}')).toBe(
    'transport-unknown 1:50 "/remotes/0/type" Unknown transport "__proto__" (line 1, column 50).',
  )
})

test('Schemas that refer to themselves have fingerprints.', () => {
  const inputSchema = { type: 'object', properties: { next: { $ref: '#' } }, $defs: { a: { $ref: '#/$defs/a' } } }
  expect(manifest({ tools: [{ name: 'a', inputSchema }] }, at).servers[0]!.fingerprint!.semantic).toMatch(/^sha256:/)
})

test('Notices are limited.', () => {
  const env = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`KEY_${index}`, 'x']))
  expect(manifest({ mcpServers: { a: { command: 'a', env } } }).notices.length).toBe(200)
})

test('An address in messages shows no secret, however it is written.', () => {
  for (const url of [
    'https://a:hunter2@b.example',
    'https://b.example?token=hunter2',
    'hunter2://x',
    'https://hunter2 x',
  ])
    expect(refusal({ tools: [] }, { endpointUrl: url })).not.toContain('hunter2')
})
