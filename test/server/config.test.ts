import { expect, test } from 'bun:test'
import { readConfig, showValue, strayVariables, telemetryVariables } from '../../server/config.ts'
import { settings, type SettingKey } from '../../server/settings/settings.ts'
import { SvcError } from '../../src/errors.ts'

const fileOf = (text: string, path = 'svc.config.yaml') => ({ path, text })

const problemsOf = (work: () => unknown): readonly string[] => {
  try {
    work()
  } catch (error) {
    if (error instanceof SvcError && error.code === 'config-invalid') {
      return (error.detail as { problems: readonly string[] }).problems
    }
    throw error
  }
  return []
}

test('without anything every setting has its default', () => {
  const { values, sources, file } = readConfig({ env: {}, file: null })
  for (const key of Object.keys(settings) as SettingKey[]) {
    expect(sources[key]).toEqual({ kind: 'default', name: '' })
    if (!key.startsWith('free.')) expect(values[key]).toBe(settings[key].default)
  }
  expect(file).toBeNull()
})

test('flag wins over variable, variable over file, file over default', () => {
  const file = fileOf('port: 1\nhost: h1\nlogLevel: warn\nmcp:\n  port: 2\n')
  const env = { SVC_PORT: '3', SVC_HOST: 'h2', SVC_LOG_LEVEL: '' }
  const { values, sources } = readConfig({ flags: { port: '4' }, env, file })
  expect([values.port, values.host, values.logLevel, values['mcp.port'], values.drainTimeout]).toEqual([
    4,
    'h2',
    'warn',
    2,
    25_000,
  ])
  expect([sources.port, sources.host, sources.logLevel, sources['mcp.port']]).toEqual([
    { kind: 'flag', name: '--port' },
    { kind: 'variable', name: 'SVC_HOST' },
    { kind: 'file', name: 'svc.config.yaml:3' },
    { kind: 'file', name: 'svc.config.yaml:5' },
  ])
})

test('JSON works as YAML does, dotted or nested', () => {
  const text = '{"mcp.enabled": false, "drainTimeout": "500ms", "egressAllow": ["10.0.0.0/8", "fd00::/8"]}'
  const { values } = readConfig({ env: {}, file: fileOf(text, 'svc.config.json') })
  expect([values['mcp.enabled'], values.drainTimeout, values.egressAllow]).toEqual([false, 500, '10.0.0.0/8,fd00::/8'])
})

test('an empty file sets nothing', () => {
  expect(readConfig({ env: {}, file: fileOf('# nothing yet\n') }).values.port).toBe(8080)
})

test('every problem is named with its place', () => {
  const text = 'prot: 1\nmcp:\n  prt: 2\n  port: many\nlogLevel: wran\nhost: [a]\notel: 3\negressAllow: 10.0.0.0/40\n'
  const given = { flags: { port: '70000' }, env: { SVC_MCP_ENABLED: 'maybe' }, file: fileOf(text) }
  expect(problemsOf(() => readConfig(given))).toEqual([
    'svc.config.yaml:1: unknown setting "prot"; did you mean "port"?',
    'svc.config.yaml:3: unknown setting "mcp.prt"; did you mean "mcp.port"?',
    'svc.config.yaml:7: otel must be a map of settings',
    'svc.config.yaml:6: host takes no ["a"]',
    '--port takes 0 to 65535, not "70000"',
    'svc.config.yaml:5: logLevel takes one of debug, info, warn, error, silent, not "wran"; did you mean warn?',
    'SVC_MCP_ENABLED takes true or false, not "maybe"',
    'svc.config.yaml:4: mcp.port takes 0 to 65535, not "many"',
    'svc.config.yaml:8 must be networks such as 10.0.0.0/8 or fd00::/8, not "10.0.0.0/40"',
  ])
})

test('addresses must be URLs; one of a database is not repeated, for its password', () => {
  const problems = (env: Record<string, string>) => problemsOf(() => readConfig({ env, file: null }))
  const database =
    'SVC_DATABASE_URL must be a URL of Postgres such as postgres://user:password@host/database; without it svc uses SQLite in the folder of --workspace'
  for (const url of ['/var/lib/svc/svc.db', 'sqlite:svc.db', 'mysql://u:p@h/d', 'postgres://u:p@[/d', 'localhost:5432'])
    expect(problems({ SVC_DATABASE_URL: url })).toEqual([database])
  for (const url of ['postgres://localhost/svc', 'postgresql://u:p@h1,h2:5433/d', 'postgres:///svc?host=/run'])
    expect(problems({ SVC_DATABASE_URL: url })).toEqual([])
  for (const url of ['svc.example.com', 'ftp://svc.example.com', '/svc'])
    expect(problems({ SVC_PUBLIC_URL: url })).toEqual([
      `SVC_PUBLIC_URL must be a URL such as https://svc.example.com, not "${url}"`,
    ])
  expect(problems({ SVC_PUBLIC_URL: 'https://svc.example.com/api/' })).toEqual([])
})

test('a file that is no map, or no YAML, is refused with its line', () => {
  expect(problemsOf(() => readConfig({ env: {}, file: fileOf('- port\n') }))).toEqual([
    'svc.config.yaml:1: must be a map of settings',
  ])
  const [first = ''] = problemsOf(() => readConfig({ env: {}, file: fileOf('port: 1\nport: 2\n') }))
  expect(first).toStartWith('svc.config.yaml:2: ')
})

test('secrets are not shown', () => {
  expect(showValue('databaseUrl', 'postgres://me:p@ss@host:5/db')).toBe('postgres://me:[redacted]@host:5/db')
  expect(showValue('databaseUrl', 'postgres://host/db?user=me&password=x&ssl=1')).toBe(
    'postgres://host/db?user=me&password=[redacted]&ssl=1',
  )
  expect(showValue('otel.headers', 'authorization=Bearer x')).toBe('[redacted]')
  expect(showValue('drainTimeout', 500)).toBe('500ms')
})

test('telemetry takes what was set', () => {
  const config = readConfig({
    env: { SVC_FREE_SEATS: 'unlimited', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' },
    file: fileOf('free: {projects: 3}\notel: {endpoint: "http://collector:4318"}\n'),
  })
  expect([config.values['free.seats'], config.values['free.projects'], config.values['free.webhooks']]).toEqual([
    null,
    3,
    undefined,
  ])
  // A variable is there already; what the file says is added.
  expect(telemetryVariables(config)).toEqual({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_SERVICE_NAME: 'svc',
  })
})

test('a misspelt variable is noticed', () => {
  expect(strayVariables({ SVC_PRT: '1', SVC_PORT: '1', SVC_API_KEY: 'k', OTHER: 'x', SVC_QQQQQQQQQ: '' })).toEqual([
    { name: 'SVC_PRT', near: 'SVC_PORT' },
    { name: 'SVC_QQQQQQQQQ', near: null },
  ])
})
