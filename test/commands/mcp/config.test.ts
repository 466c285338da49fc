import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { agentHostConfig, agentHosts } from '../../../src/api/agent-hosts.ts'
import { registry } from '../../../cli/registry.gen.ts'
import { designFolder } from '../../fixtures/design-client.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const stdio = { kind: 'stdio', command: '/opt/my tools/svc', args: ['mcp'] } as const
const http = { kind: 'http', url: 'http://127.0.0.1:8765/mcp' } as const

/** The server entry of a configuration as its host reads it. */
function read(host: (typeof agentHosts)[number], transport: typeof stdio | typeof http, key: string | null): unknown {
  const { text, language } = agentHostConfig(host, transport, key)
  if (language === 'json') return JSON.parse(text)
  return Bun.TOML.parse(text)
}

test('Claude and Cursor read mcpServers', () => {
  for (const host of ['claude', 'cursor'] as const)
    expect(read(host, stdio, 'svm_k')).toEqual({
      mcpServers: {
        svc: {
          command: '/opt/my tools/svc',
          args: ['mcp'],
          env: { SVC_MCP_TOOL_NAMES: 'underscore', SVC_MCP_API_KEY: 'svm_k' },
        },
      },
    })
  const url = 'http://127.0.0.1:8765/mcp?names=underscore'
  expect(read('claude', http, null)).toEqual({
    mcpServers: { svc: { type: 'http', url, headers: { Authorization: 'Bearer ${SVC_MCP_API_KEY}' } } },
  })
  expect(read('cursor', http, null)).toEqual({
    mcpServers: { svc: { url, headers: { Authorization: 'Bearer ${env:SVC_MCP_API_KEY}' } } },
  })
})

test('VS Code asks for the key', () => {
  expect(read('vscode', http, null)).toEqual({
    inputs: [{ type: 'promptString', id: 'svc-mcp-key', description: expect.any(String), password: true }],
    servers: {
      svc: {
        type: 'http',
        url: 'http://127.0.0.1:8765/mcp?names=underscore',
        headers: { Authorization: 'Bearer ${input:svc-mcp-key}' },
      },
    },
  })
  expect(read('vscode', stdio, 'svm_k')).toEqual({
    servers: {
      svc: {
        type: 'stdio',
        command: '/opt/my tools/svc',
        args: ['mcp'],
        env: { SVC_MCP_TOOL_NAMES: 'underscore', SVC_MCP_API_KEY: 'svm_k' },
      },
    },
  })
})

test('VS Code asks for no key of a local workspace', () => {
  const { text } = agentHostConfig('vscode', { ...stdio, needsKey: false }, null)
  expect(JSON.parse(text)).toEqual({
    servers: {
      svc: { type: 'stdio', command: '/opt/my tools/svc', args: ['mcp'], env: { SVC_MCP_TOOL_NAMES: 'underscore' } },
    },
  })
})

test('Codex reads TOML', () => {
  expect(read('codex', stdio, 'svm_"k"')).toEqual({
    mcp_servers: {
      svc: {
        command: '/opt/my tools/svc',
        args: ['mcp'],
        env: { SVC_MCP_TOOL_NAMES: 'underscore', SVC_MCP_API_KEY: 'svm_"k"' },
      },
    },
  })
  expect(read('codex', http, null)).toEqual({
    mcp_servers: {
      svc: { url: 'http://127.0.0.1:8765/mcp?names=underscore', bearer_token_env_var: 'SVC_MCP_API_KEY' },
    },
  })
})

test('the command prints the configuration and nothing else', async () => {
  for (const client of agentHosts) {
    const { exit, stdout, stderr } = await runCommand(
      ['mcp', 'config', '--client', client, '--workspace', '/srv/svc'],
      registry,
    )
    const args = ['mcp', '--workspace', '/srv/svc']
    expect([exit, stdout, stderr]).toEqual([
      0,
      agentHostConfig(client, { kind: 'stdio', command: 'svc', args, needsKey: false }, null).text,
      '',
    ])
  }
  const wrong = await runCommand(['mcp', 'config', '--client', 'claude', '--url', 'ftp://x'], registry)
  expect([wrong.exit, wrong.stdout]).toEqual([2, ''])
})

test('with --design each host starts the server in the repository of svc.yaml', async () => {
  const { path, remove } = designFolder({ 'svc.yaml': 'apis:\n  shop: { root: shop.yaml }\n', 'below/x.txt': '' })
  const ask = (...more: string[]) =>
    runCommand(['mcp', 'config', '--workspace', '/srv/svc', '--design', ...more], registry, {
      cwd: join(path, 'below'),
    })
  for (const client of agentHosts) {
    const { exit, stdout } = await ask('--client', client)
    const args = ['mcp', '--design', '--root', path, '--workspace', '/srv/svc']
    const wanted = agentHostConfig(client, { kind: 'stdio', command: 'svc', args, needsKey: false }, null)
    expect([exit, stdout]).toEqual([0, wanted.text])
  }
  expect((await ask('--client', 'claude', '--url', 'http://127.0.0.1:1/mcp')).exit).toBe(2)
  remove()
  expect((await ask('--client', 'claude')).exit).toBe(2)
})

test('the list of tools tells what they cost', async () => {
  const { stdout } = await runCommand(['mcp', 'tools', '--json'], registry, {
    env: { SVC_MCP_TOOL_NAMES: 'underscore' },
  })
  const { summary, data } = JSON.parse(stdout) as {
    summary: { tools: number; tokens: number }
    data: { name: string }[]
  }
  expect([summary.tools, data.map(({ name }) => name).includes('spec_describe')]).toEqual([14, true])
  expect(summary.tokens).toBeLessThanOrEqual(3700)
})

test('a shared database takes a secret of sixteen characters, and an unknown spelling is refused', async () => {
  const refused = async (env: Record<string, string>) => {
    const { exit, stdout, stderr } = await runCommand(['mcp'], registry, { env })
    return [exit, stdout, /SVC_MCP_\w+/.exec(stderr)?.[0]]
  }
  const database = { SVC_MCP_DATABASE_URL: 'postgres://127.0.0.1:1/x' }
  expect(await refused(database)).toEqual([2, '', 'SVC_MCP_DATABASE_URL'])
  expect(await refused({ ...database, SVC_MCP_INTERNAL_SECRET: 'fifteen-letters' })).toEqual([
    2,
    '',
    'SVC_MCP_DATABASE_URL',
  ])
  expect(await refused({ SVC_MCP_TOOL_NAMES: 'dashes' })).toEqual([2, '', 'SVC_MCP_TOOL_NAMES'])
})
