import { expect, test } from 'bun:test'
import { SvcError } from '../../../src/errors.ts'
import { normalizeAddress, variablesIn } from '../../../src/mcp-catalogue/address.ts'

const refusal = (text: string): string => {
  try {
    return `accepted as ${normalizeAddress(text)}`
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'endpoint-address-invalid') throw error
    return (error.detail as { reason: string }).reason
  }
}

test.each([
  ['HTTPS://MCP.Example.COM:443/Path/', 'https://mcp.example.com/Path'],
  ['http://example.com:80', 'http://example.com'],
  ['https://example.com/', 'https://example.com'],
  ['https://example.com./mcp///', 'https://example.com/mcp'],
  ['https://example.com/mcp#tools', 'https://example.com/mcp'],
  ['https://example.com/mcp?', 'https://example.com/mcp'],
  ['https://example.com/mcp?toolsets=a,b', 'https://example.com/mcp?toolsets=a,b'],
  ['https://example.com/a/../mcp', 'https://example.com/mcp'],
  ['https://bücher.example/mcp', 'https://xn--bcher-kva.example/mcp'],
  ['  https://example.com:8443/mcp ', 'https://example.com:8443/mcp'],
  ['https://{tenant_id}.example.com/{region}/mcp/', 'https://{tenant_id}.example.com/{region}/mcp'],
  ['https://${HOST}/mcp', 'https://{HOST}/mcp'],
  ['http://127.0.0.1:{port}/mcp', 'http://127.0.0.1:{port}/mcp'],
  ['http://[::1]:3000/mcp', 'http://[::1]:3000/mcp'],
  [`https://example.com/${'a'.repeat(2028)}`, `https://example.com/${'a'.repeat(2028)}`],
  ['https://example.com/mcp?key={api_key}x', 'its query parameter "key" holds a secret'],
])('%s', (text, expected) => {
  expect(refusal(text).replace('accepted as ', '')).toBe(expected)
})

test.each([
  ['', 'it has no scheme, such as "https:"'],
  ['mcp.example.com/mcp', 'it has no scheme, such as "https:"'],
  ['ftp://example.com', 'it must use http or https'],
  ['javascript:alert(1)', 'it must use http or https'],
  ['file:///etc/passwd', 'it must use http or https'],
  ['https://', 'it is not a URL such as "https://mcp.example.com/mcp"'],
  ['https://exa mple.com', 'it is not a URL such as "https://mcp.example.com/mcp"'],
  ['https://user:hunter2@example.com/mcp', 'it contains a user name or a password'],
  ['https://hunter2@example.com/mcp', 'it contains a user name or a password'],
  ['https://example.com/mcp?apiKey=hunter2', 'its query parameter "apiKey" holds a secret'],
  ['https://example.com/mcp?access_token=hunter2', 'its query parameter "access_token" holds a secret'],
  ['https://example.com/mcp?p=ghp_abcdefghijklmnopqrst', 'its query parameter "p" holds a secret'],
  [`https://example.com/${'a'.repeat(2048)}`, 'it has more than 2048 characters'],
])('refuses %s', (text, reason) => {
  expect(refusal(text)).toBe(reason)
})

test('Normal forms are stable: normalizing one changes nothing.', () => {
  for (const text of ['https://{a}.example.com:{port}/X/?q={b}&c=1', 'HTTP://EXAMPLE.com:8080//a//'])
    expect(normalizeAddress(normalizeAddress(text))).toBe(normalizeAddress(text))
})

test('Variables are named once, in their order.', () => {
  expect(variablesIn('https://{b}.example.com/${a}/{b}')).toEqual(['b', 'a'])
})
