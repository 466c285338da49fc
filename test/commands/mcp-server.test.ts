/** The commands about MCP servers, on a local workspace, with the reference server "everything" over HTTP and stdio. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { forecastTool, startMcpServer } from '../fixtures/mcp-server.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-server-'))
const everything = resolve(import.meta.dir, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const env = { SVC_WORKSPACE: folder, PATH: process.env['PATH'] ?? '', HOME: folder }
let stop = (): void => {}
let address = ''

const freePort = async (): Promise<number> => {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return port ?? 0
}

const svc = async (...argv: string[]) => {
  const { exit, stdout, stderr } = await runCommand(argv, registry, { env, cwd: folder, stdin: '' })
  return exit === 0 ? stdout : `${exit} ${stdout}${stderr}`
}
const settled = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\S+Z|\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'PRINT')
    .replaceAll(/\b[0-9a-f]{12}\b/g, 'SHORT')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/ {2,}/g, ' ')

beforeAll(async () => {
  const port = await freePort()
  const child = Bun.spawn([process.execPath, everything, 'streamableHttp'], {
    env: { ...env, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  stop = () => child.kill()
  address = `http://127.0.0.1:${port}/mcp`
  for (let n = 0; n < 400; n++) {
    const isUp = await fetch(address).then(
      () => true,
      () => false,
    )
    if (isUp) break
    await Bun.sleep(50)
  }
})
afterAll(() => {
  stop()
  rmSync(folder, { recursive: true, force: true })
})

const manifest = (name: string, url: string) =>
  JSON.stringify({ name, description: 'A server.', version: '1.0.0', remotes: [{ type: 'streamable-http', url }] })

test('the reference server is imported, observed over HTTP, approved, and listed', async () => {
  writeFileSync(join(folder, 'server.json'), manifest('io.example/everything', address))
  expect(settled(await svc('mcp-server', 'import', 'server.json', '--dry-run'))).toStartWith(
    'would add io.example/everything: declares no tools, resources or prompts. ',
  )
  expect(settled(await svc('mcp-server', 'import', 'server.json'))).toStartWith('added ID io.example/everything: ')
  const observed = await svc('mcp-server', 'observe', 'io.example/everything')
  expect(observed).toMatch(/\nstate: +ok\noffers: +\d+ tools, \d+ resources, \d+ resource templates?, \d+ prompts\n/)
  const [, print = ''] = /observed: .*sha256:([0-9a-f]{64}) by service/.exec(observed) ?? []
  expect(settled(await svc('mcp-server', 'approve', address, '--fingerprint', '000000000000'))).toStartWith(
    '2 error: The MCP server io.example/everything does not offer sha256:SHORT; ',
  )
  const approved = await svc(
    'mcp-server',
    'approve',
    address,
    '--fingerprint',
    print.slice(0, 12),
    '--note',
    'Read it.',
  )
  expect(approved).toMatch(/\napproved: .*\nnote: +Read it\.\n/)
  expect(settled(await svc('mcp-server', 'list'))).toMatch(
    /^ID NAME STATE APPROVED TOOLS OBSERVED ADDRESS\nID io\.example\/everything ok yes \d+ TIME http:\/\/HOST\/mcp\n$/,
  )
  expect(settled(await svc('mcp-server', 'diff', 'io.example/everything'))).toBe('SHORT → SHORT: the same.\n')
  expect(settled(await svc('mcp-server', 'history', 'io.example/everything'))).toMatch(
    /^AT BY FINGERPRINT FOUND\n(?:TIME service SHORT \d+ tools.*\n)+$/,
  )
  const linted = JSON.parse(await svc('mcp-server', 'lint', 'io.example/everything', '--json')) as { summary: object }
  expect(Object.keys(linted.summary)).toEqual(['grade', 'score', 'counts', 'tools', 'guide', 'gate'])
}, 60_000)

test('the same server over stdio is compared with what was approved, and uploaded', async () => {
  const start = ['--', process.execPath, everything]
  expect(await svc('mcp-server', 'observe', ...start)).toContain('No one can be asked whether to start')
  const printed = await svc('mcp-server', 'observe', '--yes', ...start)
  expect(printed).toMatch(/^mcp-servers\/everything offers \d+ tools, .*: sha256:[0-9a-f]{64}\n$/)
  const compared = await svc('mcp', 'observe', '--endpoint', 'io.example/everything', '--local', '--yes', ...start)
  expect(compared).toMatch(/^mcp-servers\/everything offers .*\nIt is what was approved\.\n$/)
  const uploaded = await svc('mcp-server', 'observe', 'io.example/everything', '--yes', ...start)
  expect(uploaded).toMatch(/\nobserved: .* by cli\n/)
}, 60_000)

test('drift has an exit code of its own, and shows what changed', async () => {
  let tools: readonly object[] = [forecastTool]
  const server = startMcpServer(({ rpc }) => (rpc === 'tools/list' ? { tools } : undefined))
  try {
    writeFileSync(join(folder, 'weather.json'), manifest('com.example/weather', server.url))
    await svc('mcp-server', 'import', 'weather.json')
    const seen = await svc('mcp-server', 'observe', 'com.example/weather', '--json')
    const { data } = JSON.parse(seen) as { data: { observed: { fingerprint: string } } }
    await svc('mcp-server', 'approve', 'com.example/weather', '--fingerprint', data.observed.fingerprint)
    tools = [{ ...forecastTool, description: 'Returns\u200b the forecast of a city for the next days.' }]
    expect(await svc('mcp-server', 'observe', 'com.example/weather')).toMatch(/\nstate: +drifted\n/)
    const diff = await svc('mcp-server', 'diff', 'com.example/weather', '--fail-on', 'docs-only')
    expect(settled(diff)).toStartWith(
      '4 SHORT → SHORT: 1 docs-only. Names and schemas are the same.\n ~ tool get_forecast',
    )
    expect(diff).toContain('hidden: 1 zero-width character (U+200B)')
    expect(diff).not.toContain('\u200b')
  } finally {
    await server.stop()
  }
}, 60_000)

test('a command that does not start, or asks for what is not there, is reported with its own words', async () => {
  expect(await svc('mcp-server', 'observe', '--yes', '--', 'sh', '-c', 'echo missing key >&2; exit 3')).toStartWith(
    '6 error: The MCP server that "sh" starts could not be read: The command ended with 3: missing key.',
  )
  expect(await svc('mcp-server', 'observe', '--yes', '--env', 'NOT_SET', '--', 'true')).toContain('NOT_SET')
  expect(await svc('mcp-server', 'observe')).toContain('Give SERVER, or behind -- a command that starts one')
  expect(await svc('mcp-server', 'show', 'com.example/nothing')).toStartWith(
    '2 error: There is no MCP server com.example/nothing in the catalogue.',
  )
})

test('the environment of a command is PATH, HOME and what is named', async () => {
  const script = join(folder, 'environment.ts')
  writeFileSync(
    script,
    `for await (const line of console) {
      const { id, method } = JSON.parse(line)
      const tools = Object.keys(process.env).toSorted().map((name) => ({ name, inputSchema: { type: 'object' } }))
      const result = method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'env', version: '1' } } : { tools, resources: [], resourceTemplates: [], prompts: [] }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }`,
  )
  const given = ['--yes', '--env', 'GIVEN=1', '--json', '--', process.execPath, 'run', script]
  const { stdout } = await runCommand(['mcp-server', 'observe', ...given], registry, {
    env: { ...env, SECRET: 'planted' },
    cwd: folder,
    stdin: '',
  })
  const { data } = JSON.parse(stdout) as { data: { surface: { tools: { name: string }[] } } }
  expect(data.surface.tools.map(({ name }) => name).filter((name) => !name.startsWith('BUN_'))).toEqual([
    'GIVEN',
    'HOME',
    'PATH',
  ])
})

test('labels are set, and the value of a header is read from standard input', async () => {
  const labelled = await svc('mcp-server', 'update', 'com.example/weather', '--label', 'weather', '--title', 'Weather')
  expect(labelled).toMatch(/\nlabels: +weather\n/)
  const update = ['mcp-server', 'update', 'com.example/weather', '--header', 'X-Key']
  expect(await svc(...update)).toContain('Missing value of the header')
  const { stdout } = await runCommand(update, registry, { env, cwd: folder, stdin: 'planted\n' })
  expect(stdout).toMatch(/\nheader: +X-Key\n/)
  expect(stdout).not.toContain('planted')
  expect(await svc('mcp-server', 'update', 'com.example/weather', '--no-header')).not.toContain('X-Key')
})

test('the registry is published and withdrawn', async () => {
  const shown = await svc('mcp-server', 'registry', '--enable')
  expect(settled(shown)).toBe(
    'published: yes\naudience: anyone-with-link\naddress: /v1/mcp/local/registry\nservers: 1\n',
  )
  expect(await svc('mcp-server', 'registry', '--disable')).toContain('no\n')
  expect(await svc('mcp-server', 'delete', 'com.example/weather')).toBe(
    'Removed com.example/weather\nYou can restore it for 30 days: svc bin restore com.example/weather\n',
  )
})
