import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { packageKey, packageOfCommand, withoutSecrets, withoutUrlSecrets } from '../../../src/mcp-catalogue/command.ts'
import { looksSecret, secretName } from '../../../src/mcp-catalogue/secrets.ts'
import { manifest, refusal } from './manifest-fixtures.ts'

const secret = 'hunter2-Q8zL1vR7tX2kP9mN4bW6'
const configuration = {
  mcpServers: {
    github: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-github@1.2.3', '--token', secret],
      env: { GITHUB_TOKEN: secret, GITHUB_HOST: '${HOST}' },
    },
    remote: {
      url: `https://me:${secret}@MCP.example.com/mcp/?api_key=${secret}&region=eu`,
      headers: { Authorization: `Bearer ${secret}` },
    },
    bridge: {
      command: 'npx',
      args: ['mcp-remote@latest', 'https://mcp.example.com/sse', '--header', `Authorization: Bearer ${secret}`],
    },
    image: {
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', `TOKEN=${secret}`, '-v', '/a:/b', 'mcp/sqlite:latest', '--db', 'a.db'],
    },
    python: { command: 'uvx', args: ['mcp-server-git==1.0', '--repository', '.'] },
    local: { command: 'node', args: ['/home/me/index.js'] },
    code: { type: 'http', url: 'https://mcp.example.com/code' },
    path: { url: `https://mcp.example.com/s/${secret.replace('hunter2-', 'Zm9v')}/mcp` },
  },
}

test('A configuration has several servers, and no secret is left of it.', () => {
  const read = manifest(configuration)
  expect(JSON.stringify(read)).not.toContain('hunter2')
  expect(JSON.stringify(read)).not.toContain(secret.slice(8))
  expect(read.servers.map((it) => [it.name, it.transport, it.address, it.keys])).toEqual([
    ['github', 'stdio', null, ['pkg:npm/@modelcontextprotocol/server-github']],
    ['remote', 'streamable_http', 'https://mcp.example.com/mcp?region=eu', ['https://mcp.example.com/mcp?region=eu']],
    ['bridge', 'streamable_http', 'https://mcp.example.com/sse', ['https://mcp.example.com/sse']],
    ['image', 'stdio', null, ['pkg:oci/mcp/sqlite']],
    ['python', 'stdio', null, ['pkg:pypi/mcp-server-git']],
    ['local', 'stdio', null, ['command:["node","/home/me/index.js"]']],
    ['code', 'streamable_http', 'https://mcp.example.com/code', ['https://mcp.example.com/code']],
    ['path', 'streamable_http', 'https://mcp.example.com/s/{secret}/mcp', ['https://mcp.example.com/s/{secret}/mcp']],
  ])
  expect(read.notices.map((it) => `${it.pointer} ${it.message}`)).toEqual([
    '/mcpServers/github/args/3 A secret in argument 4 was dropped: secrets are not stored.',
    '/mcpServers/github/env/GITHUB_TOKEN The value of the environment variable "GITHUB_TOKEN" was dropped: secrets are not stored.',
    '/mcpServers/remote/url A secret in "url" was dropped: secrets are not stored.',
    '/mcpServers/remote/headers/Authorization The value of the header "Authorization" was dropped: secrets are not stored.',
    '/mcpServers/bridge/args/3 A secret in argument 4 was dropped: secrets are not stored.',
    '/mcpServers/image/args/4 A secret in argument 5 was dropped: secrets are not stored.',
    '/mcpServers/path/url A secret in "url" was dropped: secrets are not stored.',
    '/mcpServers/path/url The address has variables (secret): it cannot be observed until they are filled in.',
  ])
  const [github] = read.servers
  expect(github!.transports).toEqual([
    {
      type: 'stdio',
      address: null,
      variables: [],
      inputs: [
        { name: 'GITHUB_TOKEN', in: 'environment', description: null, isRequired: true, isSecret: true },
        { name: 'GITHUB_HOST', in: 'environment', description: null, isRequired: true, isSecret: false },
      ],
      command: ['npx', '-y', '@modelcontextprotocol/server-github@1.2.3', '--token', '<dropped>'],
    },
  ])
  expect(github!.packages.map(({ registry, identifier, version }) => ({ registry, identifier, version }))).toEqual([
    { registry: 'npm', identifier: '@modelcontextprotocol/server-github', version: '1.2.3' },
  ])
})

test.each<[string, object]>([
  ['VS Code', { servers: { a: { type: 'stdio', command: 'uvx', args: ['a'] } }, inputs: [] }],
  ['Zed', { context_servers: { a: { command: 'uvx', args: ['a'] } } }],
  ['settings of VS Code', { mcp: { servers: { a: { command: 'uvx', args: ['a'] } } } }],
  ['opencode', { mcp: { a: { type: 'local', command: ['uvx', 'a'] } } }],
])('The configuration of %s', (_, value) => {
  expect(manifest(value).servers.map((it) => [it.format, it.name, it.keys])).toEqual([
    ['client-configuration', 'a', ['pkg:pypi/a']],
  ])
})

test.each<[string, unknown, string]>([
  [
    'neither command nor address',
    { mcpServers: { a: {} } },
    'manifest-invalid 3:8 "/mcpServers/a" Invalid manifest (line 3, column 8): the local server has no "command".',
  ],
  ['no server', { mcpServers: {} }, 'manifest-invalid 1:1 "" Invalid manifest (line 1, column 1): it names no server.'],
  [
    'a server of another type',
    { mcpServers: { a: 1 } },
    'manifest-invalid 3:8 "/mcpServers/a" Invalid manifest (line 3, column 8): the server "a" must be an object.',
  ],
  [
    'an argument of another type',
    { mcpServers: { a: { command: 'a', args: [{}] } } },
    'manifest-invalid 6:5 "/mcpServers/a/args/0" Invalid manifest (line 6, column 5): an argument must be a string.',
  ],
  [
    'more servers than are allowed',
    { mcpServers: Object.fromEntries(Array.from({ length: 201 }, (__, at) => [`a${at}`, { command: 'a' }])) },
    'manifest-invalid 2:16 "/mcpServers" Invalid manifest (line 2, column 16): it names 201 servers; 200 are allowed.',
  ],
])('Refuses %s', (_, value, expected) => {
  expect(refusal(value)).toBe(expected)
})

test('Names and forms of secrets', () => {
  const names = [
    'API_KEY',
    'githubToken',
    '--token',
    'X-Api-Key',
    'Authorization',
    'DB_PASSWORD',
    'client_secret',
    'pwd',
    'apikey',
  ]
  expect(names.filter((it) => !secretName(it))).toEqual([])
  const others = ['HOST', 'region', 'keyboard', 'monkey', 'PATH', '--header', 'author', 'tokenizer', 'passive', 'PORT']
  expect(others.filter(secretName)).toEqual([])
  const values = ['ghp_abcdefghijkl', 'Bearer x', 'AKIAIOSFODNN7EXAMPLE', secret, 'd41d8cd98f00b204e9800998ecf8427e']
  expect(values.filter((it) => !looksSecret(it))).toEqual([])
  const plain = [
    '${TOKEN}',
    'Bearer ${TOKEN}',
    '<YOUR_API_KEY>',
    '<Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MEFC>',
    '@modelcontextprotocol/server-everything',
    '/home/me/Projects2/INDEX/abcdefghijklmnop.js',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    'sk-',
    'ghp_abcdefghij0',
    'abcABC123 abcdefghijklmnopqrstuvwxyz',
    `abcABC123${'defghijklmnopqrstuvwxyz'.repeat(200)}`,
    'abcdefghijklmnopqrstuvwx0123',
    'ABCDEFGHIJKLMNOPQRSTUVWX0123',
    'abcdefghijklmnopqrstUVWX',
    'Projects/Abcdefghijklmnopqrstuvw1',
    'aA1aA1aA1aA1aA1aA1aA1aA1',
    'abcdefghijklmnABCDEF1'.slice(0, 20),
    `aA1bcdefghijklm${'m'.repeat(20)}`,
  ]
  expect(looksSecret(`aA1bcdefghijklmn${'n'.repeat(20)}`)).toBe(true)
  expect(plain.filter(looksSecret)).toEqual([])
})

test('Arguments lose secrets and nothing else.', () => {
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['--api-key=abc', '--port=80'],
      ['--api-key=<dropped>', '--port=80'],
    ],
    [
      ['--api-key', 'abc', '--port', '80'],
      ['--api-key', '<dropped>', '--port', '80'],
    ],
    [
      ['--api-key', '${KEY}', '--api-key', '--port'],
      ['--api-key', '${KEY}', '--api-key', '--port'],
    ],
    [
      ['-e', 'A=b', '-e', 'A=$A'],
      ['-e', 'A=<dropped>', '-e', 'A=$A'],
    ],
    [
      ['--header', 'X-Api-Key: abc', '--header', 'Accept: text/plain'],
      ['--header', 'X-Api-Key: <dropped>', '--header', 'Accept: text/plain'],
    ],
    [['--url=https://a:b@c.example/d'], ['--url=https://c.example/d']],
    [
      ['-y', '@modelcontextprotocol/server-postgres', 'postgresql://app:hunter2@db.example/orders'],
      ['-y', '@modelcontextprotocol/server-postgres', 'postgresql://db.example/orders'],
    ],
    [
      [
        '--db=mysql://app:hun@ter2@db.example:3306/x',
        'redis://:hunter2@db.example',
        'mongodb+srv://a:b@c.example/?d=e',
      ],
      ['--db=mysql://db.example:3306/x', 'redis://db.example', 'mongodb+srv://c.example/?d=e'],
    ],
    [
      ['jdbc:postgresql://db.example/x?user=app&password=hunter2', '{"url":"amqp://a:b@c.example","d":"e@f"}'],
      ['jdbc:postgresql://db.example/x?user=app', '{"url":"amqp://c.example","d":"e@f"}'],
    ],
    [
      ['git+ssh://git@c.example/a', 'ssh://git:hunter2@c.example/a', 'postgres://${USER}:${PASSWORD}@c.example'],
      ['git+ssh://git@c.example/a', 'ssh://c.example/a', 'postgres://${USER}:${PASSWORD}@c.example'],
    ],
    [
      ['Server=db;User Id=app;Password=hunter2;', 'host=db password=hunter2 port=1', '--c=Server=db,Pwd=${PWD}'],
      ['Server=db;User Id=app;Password=<dropped>;', 'host=db password=<dropped> port=1', '--c=Server=db,Pwd=${PWD}'],
    ],
    [
      ['--env=region=eu', '-eREGION=eu', '--env', 'region=eu', '-e', 'region=${REGION}', '--environment=region=eu'],
      [
        '--env=region=<dropped>',
        '-eREGION=<dropped>',
        '--env',
        'region=<dropped>',
        '-e',
        'region=${REGION}',
        '--environment=region=eu',
      ],
    ],
    [
      ['postgres', 'c:\\a', '-y', ''],
      ['postgres', 'c:\\a', '-y', ''],
    ],
  ]
  for (const [args, expected] of cases) expect(withoutSecrets(args).args).toEqual(expected)
})

test('Addresses lose a user name and the values of secret parameters.', () => {
  expect(withoutUrlSecrets('https://a:b@c.example/d?token=e&f=g#h')).toBe('https://c.example/d?f=g#h')
  expect(withoutUrlSecrets('https://c.example/d?f=g&token=${T}')).toBe('https://c.example/d?f=g&token=${T}')
  expect(withoutUrlSecrets('https://c.example?key=e')).toBe('https://c.example')
  for (const same of [
    'https://c.example/d?',
    'https://c.example/@a/b?c=d@e#f@g',
    'a://b',
    'x @ y',
    'ssh://git@c.example',
  ])
    expect(withoutUrlSecrets(same)).toBe(same)
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[A-Za-z0-9]{1,20}$/), (user, password) => {
      expect(withoutUrlSecrets(`https://${user}:${password}@c.example/d?api_key=${password}`)).toBe(
        'https://c.example/d',
      )
    }),
  )
})

test.each<[string, readonly string[], string | null]>([
  ['npx', ['-y', 'a@1'], 'npm a 1'],
  ['npx', ['--package=@b/a', 'a'], 'npm @b/a null'],
  ['npx', ['-p', '@b/a@2', 'a'], 'npm @b/a 2'],
  ['C:\\node\\npx.cmd', ['a'], 'npm a null'],
  ['cmd', ['/c', 'npx', 'a'], 'npm a null'],
  ['pnpm', ['dlx', 'a'], 'npm a null'],
  ['bunx', ['a'], 'npm a null'],
  ['npm', ['start'], null],
  ['uvx', ['--from', 'a==1', 'b'], 'pypi a 1'],
  ['uv', ['tool', 'run', 'a[cli]@2'], 'pypi a 2'],
  ['uvx', ['--from', 'git+https://example.com/a', 'b'], null],
  ['pipx', ['run', 'a'], 'pypi a null'],
  ['docker', ['run', '--rm', '-e', 'A', '--name', 'x', 'ghcr.io/b/a:1.0'], 'oci ghcr.io/b/a 1.0'],
  ['docker', ['compose', 'up'], null],
  ['podman', ['run', 'localhost:5000/a@sha256:b'], 'oci localhost:5000/a sha256:b'],
  ['node', ['a.js'], null],
  ['npx', ['-y'], null],
  ['cmd', ['/k', 'npx', 'a'], null],
  ['start', ['/c', 'npx', 'a'], null],
  ['npm', ['start', 'a'], null],
  ['make', ['x', 'a'], null],
  ['uv', ['run', 'a'], null],
  ['make', ['tool', 'run', 'a'], null],
  ['docker', ['run', '-it'], null],
  ['docker', ['run', '--name', 'x'], null],
])('%s %j runs the package %s', (command, args, expected) => {
  const found = packageOfCommand(command, args)
  expect(found === null ? null : `${found.registry} ${found.identifier} ${found.version}`).toBe(expected)
})

test('A package has one key, whatever its version and however a registry spells it.', () => {
  expect([
    packageKey('npm', '@b/A'),
    packageKey('PyPI', 'My_Package.name'),
    packageKey('oci', 'docker.io/library/a:1'),
    packageKey('docker', 'ghcr.io/b/a@sha256:c'),
    packageKey('nuget', 'A.B'),
  ]).toEqual(['pkg:npm/@b/A', 'pkg:pypi/my-package-name', 'pkg:oci/a', 'pkg:oci/ghcr.io/b/a', 'pkg:nuget/A.B'])
})
