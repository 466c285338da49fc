import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'

const program = join(import.meta.dir, '../../../cli/main.ts')
const petstore = join(import.meta.dir, '../../../node_modules/@readme/oas-examples/3.0/json/petstore.json')
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
const workspace = join(folder, 'workspace')
const env = { SVC_WORKSPACE: workspace, HOME: folder, PATH: process.env.PATH ?? '' }

beforeAll(async () => {
  for (const publish of ['public', 'private']) {
    const slug = `pets-${publish}`
    const args = ['import', 'openapi', petstore, '--publish', publish, '--project-slug', slug]
    const child = Bun.spawn([process.execPath, program, ...args], {
      env,
      cwd: folder,
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const said = await new Response(child.stderr).text()
    expect([await child.exited, said]).toEqual([0, expect.any(String)])
  }
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stdio = (more: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [program, 'mcp'],
  env: { ...env, ...more },
  cwd: folder,
  stderr: 'ignore' as const,
})
interface Listed {
  readonly structuredContent?: { readonly items?: readonly { readonly spec: string }[] }
}
const specsOf = (answer: object) => (answer as Listed).structuredContent?.items?.map(({ spec }) => spec).toSorted()

test('svc mcp reads the local workspace as its owner, for both generations of clients', async () => {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(new StdioClientTransport(stdio()))
  const version = '1.0.0'
  const own = [`local/pets-private/${version}`, `local/pets-public/${version}`]
  expect(specsOf(await client.callTool({ name: 'spec.list', arguments: {} }))).toEqual(own)
  const found = await client.callTool({
    name: 'spec.search',
    arguments: { q: 'find pets by status', spec: 'local/pets-public' },
  })
  expect((found as { structuredContent?: { items: { ref: string }[] } }).structuredContent?.items[0]?.ref).toBe(
    'GET /pet/findByStatus',
  )
  const wrong = await client
    .callTool({ name: 'spec.list', arguments: {}, _meta: { api_key: `svm_${'x'.repeat(38)}` } })
    .catch((error: unknown) => error)
  expect(wrong).toMatchObject({ code: -32001, data: { code: 'credentials-invalid' } })
  await client.close()
  const old = new OldClient({ name: 'test', version: '0' })
  await old.connect(new OldStdio(stdio({ SVC_MCP_TOOL_NAMES: 'underscore' })))
  expect((await old.listTools()).tools.map(({ name }) => name)).toContain('spec_list')
  expect(specsOf(await old.callTool({ name: 'spec_list', arguments: {} }))).toEqual(own)
  await old.close()
}, 60_000)

test('svc mcp with a shared database shows public specifications without a key', async () => {
  const client = new Client({ name: 'test', version: '0' })
  const secret = {
    SVC_MCP_DATABASE_URL: `sqlite:${join(workspace, 'svc.db')}`,
    SVC_MCP_INTERNAL_SECRET: 'sixteen-letters!',
  }
  await client.connect(new StdioClientTransport(stdio(secret)))
  expect(specsOf(await client.callTool({ name: 'spec.list', arguments: {} }))).toEqual(['local/pets-public/1.0.0'])
  await client.close()
}, 60_000)

/** Starts a server and gives its addresses, once it has said them. */
async function startServer(args: readonly string[]): Promise<{ urls: string[]; stop: () => Promise<number> }> {
  const child = Bun.spawn([process.execPath, program, ...args], {
    cwd: folder,
    env: { ...env, SVC_MCP_HTTP_PORT: '0' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let said = ''
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk)
    if (said.includes('/mcp\n')) break
  }
  const stop = () => {
    child.kill('SIGTERM')
    return child.exited
  }
  return { urls: [...said.matchAll(/http:\/\/127\.0\.0\.1:\d+\S*/g)].map(([url]) => url), stop }
}

test('agents connect to svc serve, on its own port and on that of agents, and to svc mcp serve', async () => {
  for (const args of [
    ['serve', '--port', '0', '--log-level', 'error'],
    ['mcp', 'serve'],
  ]) {
    const server = await startServer(args)
    const [first = ''] = server.urls
    const endpoints = server.urls.filter((url) => url.endsWith('/mcp'))
    if (args[0] === 'serve') endpoints.push(new URL('/mcp', first).href)
    expect(new Set(endpoints).size).toBe(args[0] === 'serve' ? 2 : 1)
    for (const endpoint of endpoints) {
      const client = new Client({ name: 'test', version: '0' })
      await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
      expect(specsOf(await client.callTool({ name: 'spec.list', arguments: {} }))).toEqual(['local/pets-public/1.0.0'])
      await client.close()
    }
    const health = await fetch(new URL('/health', endpoints[0]))
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', version: expect.any(String) }])
    expect(await server.stop()).toBe(0)
  }
}, 60_000)

const inspector = join(
  import.meta.dir,
  '../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

/** Runs the official inspector without its page against `svc mcp`, or against an address. */
async function inspect(method: string, args: readonly string[] = [], url?: string) {
  const target =
    url === undefined
      ? ['-e', `SVC_WORKSPACE=${workspace}`, '-e', `HOME=${folder}`, '--cwd', folder, process.execPath, program, 'mcp']
      : [url, '--transport', 'http']
  const child = Bun.spawn([process.execPath, inspector, '--cli', ...target, '--method', method, ...args], {
    cwd: folder,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, said, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exit, said, answer: (exit === 0 ? JSON.parse(output) : output) as never }
}

interface Inspected {
  readonly tools: readonly { readonly name: string }[]
  readonly resourceTemplates: readonly unknown[]
  readonly contents: readonly { readonly text: string }[]
  readonly messages: readonly unknown[]
}

test('the inspector lists, calls, reads and is refused', async () => {
  const answer = async (method: string, ...args: string[]): Promise<Inspected> => {
    const { exit, said, answer } = await inspect(method, args)
    expect([method, exit, said]).toEqual([method, 0, said])
    return answer
  }
  // With --strict it fails where a host would not take a definition as it is.
  expect((await answer('tools/list', '--strict')).tools).toHaveLength(14)
  expect((await answer('resources/templates/list')).resourceTemplates).toHaveLength(3)
  const uri = 'svc://specs/local/pets-private/latest/schemas/Pet'
  expect((await answer('resources/read', '--uri', uri)).contents[0]?.text).toContain('photoUrls')
  const task = ['--prompt-name', 'find_operation', '--prompt-args', 'task=upload']
  expect(JSON.stringify((await answer('prompts/get', ...task)).messages)).toContain('uploadImage')
  const found = await answer('tools/call', '--tool-name', 'spec.search', '--tool-arg', 'q=status')
  expect(JSON.stringify(found)).toContain('findByStatus')
  const server = await startServer(['mcp', 'serve'])
  const url = server.urls[0]
  const listed = await inspect('tools/call', ['--tool-name', 'spec.list'], url)
  expect(specsOf(listed.answer)).toEqual(['local/pets-public/1.0.0'])
  const key = `svm_${'x'.repeat(38)}`
  for (const more of [
    ['--metadata', `api_key=${key}`],
    ['--header', `Authorization: Bearer ${key}`],
    ['--header', `X-API-Key: ${key}`],
  ]) {
    const refused = await inspect('tools/call', ['--tool-name', 'spec.list', ...more], url)
    expect(refused.exit).not.toBe(0)
    expect(refused.said).toContain('Invalid credentials')
    expect(refused.said + JSON.stringify(refused.answer)).not.toContain(key)
  }
  expect(await server.stop()).toBe(0)
}, 60_000)

test('a host that is killed takes its server with it', async () => {
  const script = `const child = Bun.spawn(${JSON.stringify([process.execPath, program, 'mcp'])}, { stdin: 'pipe', stdout: 'pipe' })
    child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'h', version: '0' } } }) + '\\n')
    child.stdin.flush()
    await child.stdout.getReader().read()
    console.log(child.pid)
    await child.exited`
  const host = Bun.spawn([process.execPath, '-e', script], {
    cwd: folder,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const pid = Number(new TextDecoder().decode((await host.stdout.getReader().read()).value))
  const lives = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  expect([pid > 1, lives()]).toEqual([true, true])
  host.kill('SIGKILL')
  await host.exited
  for (const end = Date.now() + 20_000; lives() && Date.now() < end;) await Bun.sleep(20)
  expect(lives()).toBe(false)
}, 60_000)

test('a workspace that cannot be opened ends the process with its reason, and no word on standard output', async () => {
  const file = join(folder, 'a-file')
  await Bun.write(file, 'not a folder')
  const child = Bun.spawn([process.execPath, program, 'mcp'], {
    cwd: folder,
    env: { ...env, SVC_WORKSPACE: join(file, 'workspace') },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, said, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([code, output]).toEqual([2, ''])
  expect(said).toContain('workspace-unusable')
}, 60_000)
