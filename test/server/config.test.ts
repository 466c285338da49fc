import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, showValue, strayVariables, telemetryVariables } from '../../server/config.ts'
import { internalSecretOf } from '../../cli/mcp/access.ts'
import { embeddingsOf } from '../../server/embeddings/settings.ts'
import { withSecretFiles } from '../../server/settings/secret-files.ts'
import { issuersOf } from '../../server/sign-in/issuer-settings.ts'
import { KeyRing, readKeys } from '../../server/vault/keys.ts'
import { keySourceOf } from '../../server/vault/settings.ts'
import { settings, type SettingKey } from '../../server/settings/settings.ts'
import { SvcError } from '../../src/errors.ts'

const keyText = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
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

const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))
const secretFile = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('every secret may be in a file that a variable or the configuration file names', () => {
  const path = secretFile('every', `postgres://me:pw@host/db\n`)
  const texts = new Map<SettingKey, string>([
    ['secretKey', Buffer.alloc(32, 1).toString('base64')],
    ['mail.smtpUrl', 'smtp://me:pw@host'],
  ])
  const around = { SVC_MAIL_FROM: 'svc@example.com' }
  for (const key of (Object.keys(settings) as SettingKey[]).filter((it) => 'secret' in settings[it])) {
    const text = texts.get(key) ?? 'postgres://me:pw@host/db'
    writeFileSync(path, `${text}\n`)
    const name = `${settings[key].env}_FILE`
    const byVariable = readConfig({ env: { ...around, [name]: path }, file: null })
    expect([byVariable.values[key], byVariable.sources[key]]).toEqual([
      text,
      { kind: 'variable', name, secretFile: path },
    ])
    const byFile = readConfig({ env: around, file: fileOf(JSON.stringify({ [`${key}File`]: path })) })
    expect([byFile.values[key], byFile.sources[key]]).toEqual([
      text,
      { kind: 'file', name: 'svc.config.yaml:1', secretFile: path },
    ])
    expect(strayVariables({ [name]: path })).toEqual([])
  }
  // A setting that is no secret has no file.
  expect(problemsOf(() => readConfig({ env: {}, file: fileOf('hostFile: /x\n') }))).toEqual([
    'svc.config.yaml:1: unknown setting "hostFile"',
  ])
  expect(strayVariables({ SVC_HOST_FILE: '/x' }).map((it) => it.name)).toEqual(['SVC_HOST_FILE'])
})

test('a secret that is given twice, or that a file does not have, is refused by name and path', () => {
  const path = secretFile('token', 'a token that is long')
  const problems = (env: Record<string, string>, text?: string) =>
    problemsOf(() => readConfig({ env, file: text === undefined ? null : fileOf(text) }))
  const both = { SVC_METRICS_TOKEN: 'another that is long', SVC_METRICS_TOKEN_FILE: path }
  expect(problems(both)).toEqual([
    'SVC_METRICS_TOKEN and SVC_METRICS_TOKEN_FILE cannot be set both; remove one of them',
  ])
  expect(problems({ SVC_METRICS_TOKEN_FILE: path }, 'metricsToken: another that is long\n')).toEqual([
    'svc.config.yaml:1 and SVC_METRICS_TOKEN_FILE cannot be set both; remove one of them',
  ])
  expect(problems({ SVC_METRICS_TOKEN: 'another that is long' }, `metricsTokenFile: ${path}\n`)).toEqual([
    'SVC_METRICS_TOKEN and svc.config.yaml:1 cannot be set both; remove one of them',
  ])
  const cases: readonly (readonly [string, string])[] = [
    [join(folder, 'none'), 'it does not exist'],
    [folder, 'it is a folder'],
    [join(path, 'x'), 'a part of its path is not a folder'],
    [secretFile('empty', '\n'), 'it is empty'],
    [secretFile('short', 'short\n'), 'it must have at least 16 characters'],
    [secretFile('large', 'x'.repeat(65_537)), 'it has more than 65536 bytes, so it is no secret'],
    ['/dev/zero', 'it has more than 65536 bytes, so it is no secret'],
  ]
  for (const [file, reason] of cases)
    expect(problems({ SVC_METRICS_TOKEN_FILE: file })).toEqual([
      `SVC_METRICS_TOKEN_FILE names ${file}, which cannot be used: ${reason}`,
    ])
  writeFileSync(path, Buffer.from([0xff, 0xfe, 0xff]))
  expect(problems({ SVC_METRICS_TOKEN_FILE: path })).toEqual([
    `SVC_METRICS_TOKEN_FILE names ${path}, which cannot be used: it is not a text in UTF-8`,
  ])
  expect(problems({}, 'metricsTokenFile: [a]\n')).toEqual([
    'svc.config.yaml:1: metricsTokenFile must be the path of a file',
  ])
})

test('the address of the command line wins over the file of the variable', () => {
  const path = secretFile('database', 'postgres://host/in-file')
  const { values } = readConfig({
    flags: { databaseUrl: 'postgres://host/flag' },
    env: { SVC_DATABASE_URL_FILE: path },
    file: null,
  })
  expect(values.databaseUrl).toBe('postgres://host/flag')
})

test('a replaced file holds at once; while it is not good the last secret stays, said once', () => {
  const path = secretFile('replaced', 'the first one that is long')
  const said: string[] = []
  const { values } = readConfig({
    env: { SVC_METRICS_TOKEN_FILE: path },
    file: null,
    onSecretProblem: (problem) => void said.push(problem),
  })
  const seen = [values.metricsToken]
  for (const text of ['the second one that is long', 'short', 'short', 'the third one that is long', '']) {
    writeFileSync(path, text)
    seen.push(values.metricsToken)
  }
  expect(seen).toEqual([
    'the first one that is long',
    'the second one that is long',
    'the second one that is long',
    'the second one that is long',
    'the third one that is long',
    'the third one that is long',
  ])
  const said1 = `SVC_METRICS_TOKEN_FILE names ${path}, which cannot be used: `
  expect(said).toEqual([
    `${said1}it must have at least 16 characters; the last good value stays`,
    `${said1}it is empty; the last good value stays`,
  ])
})

test('what keeps a secret asks for it when it is used', () => {
  const [client, embedding, key] = [secretFile('c', 'c1'), secretFile('e', 'e1'), secretFile('k', keyText(1))]
  const { values } = readConfig({
    env: {
      SVC_OIDC_ISSUER: 'https://id.example',
      SVC_OIDC_CLIENT_ID: 'svc',
      SVC_OIDC_CLIENT_SECRET_FILE: client,
      SVC_EMBEDDINGS_URL: 'https://e.example',
      SVC_EMBEDDINGS_KEY_FILE: embedding,
      SVC_SECRET_KEY_FILE: key,
    },
    file: null,
  })
  const { oidc } = issuersOf(values)
  const embeddings = embeddingsOf(values)
  const ring = new KeyRing(keySourceOf(values, folder, { kind: 'postgres', url: 'postgres://host/db' }))
  const [first] = ring.all()
  expect([oidc?.clientSecret, embeddings?.key, ring.encrypting().id]).toEqual(['c1', 'e1', first?.id ?? ''])
  for (const [path, text] of [
    [client, 'c2'],
    [embedding, 'e2'],
    [key, `${keyText(2)}\n${keyText(1)}\n`],
  ] as const)
    writeFileSync(path, text)
  const [second] = readKeys(keyText(2)) ?? []
  expect([oidc?.clientSecret, embeddings?.key, ring.encrypting().id, ring.find(first?.id ?? '')?.id]).toEqual([
    'c2',
    'e2',
    second?.id ?? '',
    first?.id ?? '',
  ])
})

test('traces get the headers of a file', () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS_FILE: secretFile('otel', 'authorization=Bearer x\n') }
  expect(telemetryVariables(readConfig({ env, file: null }))).toEqual({
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer x',
    OTEL_SERVICE_NAME: 'svc',
  })
})

test('commands read their own secrets from files', () => {
  const path = secretFile('api-key', 'svc_key\r\n')
  const env = { PATH: '/bin', SVC_API_KEY_FILE: path }
  expect(withSecretFiles(env)).toEqual({ ...env, SVC_API_KEY: 'svc_key' })
  const without = { SVC_API_KEY: 'x', SVC_API_KEY_FILE: '' }
  expect(withSecretFiles(without)).toBe(without)
  expect(problemsOf(() => withSecretFiles({ ...env, SVC_API_KEY: 'x' }))).toEqual([
    'SVC_API_KEY and SVC_API_KEY_FILE cannot be set both; remove one of them',
  ])
  expect(problemsOf(() => withSecretFiles({ SVC_GIT_TOKEN_FILE: `${path}-none` }))).toEqual([
    `SVC_GIT_TOKEN_FILE names ${path}-none, which cannot be used: it does not exist`,
  ])
  expect(internalSecretOf({ SVC_MCP_INTERNAL_SECRET_FILE: path })).toBe('svc_key')
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
