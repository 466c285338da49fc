/** `svc run` with security schemes of sources, and with `$self` of Arazzo 1.1. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand, type Outcome } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-run-credentials-'))
const key = 'key & "quoted"'
const login = 'ann:s3cret'

const operation = (id: string, security: string): string =>
  `  /${id}: { get: { operationId: ${id}, ${security}responses: { '200': { description: ok } } } }\n`
const shop = (port: number): string => `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: http://127.0.0.1:${port} }]
security: [{ bearer: [] }]
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    query: { type: apiKey, in: query, name: api_key }
    header: { type: apiKey, in: header, name: X-Key }
paths:
${operation('inherited', '')}${operation('basic', 'security: [{ basic: [] }], ')}${operation('both', 'security: [{ mutual: [] }, { query: [], header: [] }], ')}${operation('open', 'security: [], ')}${operation('own', 'security: [{ header: [] }], ')}`
const flow = (self: string): string => `arazzo: 1.1.0
${self}info: { title: Calls, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: all
    steps:
${['inherited', 'basic', 'both', 'open'].map((it) => `      - { stepId: ${it}, operationId: ${it} }\n`).join('')}      - { stepId: own, operationId: own, parameters: [{ name: x-key, in: header, value: mine }] }
`

const asked: string[] = []
let server: ReturnType<typeof Bun.serve>
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url, headers }) {
      const { pathname, searchParams } = new URL(url)
      const seen = [headers.get('authorization'), searchParams.get('api_key'), headers.get('x-key')]
      asked.push(`${pathname} ${seen.filter((it) => it !== null).join(' | ')}`.trim())
      return new Response('')
    },
  })
  writeFileSync(join(folder, 'shop.yaml'), shop(server.port ?? 0))
  writeFileSync(join(folder, 'flow.arazzo.yaml'), flow(''))
})
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const svc = (file: string, ...args: readonly string[]): Promise<Outcome> => {
  asked.length = 0
  const env = { KEY: key, TOKEN: 't0ken', LOGIN: login }
  return runCommand(['run', file, ...args], registry, { cwd: folder, env })
}
const credentials = ['bearer=TOKEN', 'basic=LOGIN', 'query=KEY', 'header=KEY'].flatMap((it) => [
  '--credential',
  `shop.${it}`,
])

test('an operation is sent the credentials that it requires, and no output shows them', async () => {
  const { exit, stdout, stderr } = await svc('flow.arazzo.yaml', ...credentials, '--json', '--report', 'har=run.har')
  expect([exit, asked]).toEqual([
    0,
    ['/inherited Bearer t0ken', `/basic Basic ${btoa(login)}`, `/both ${key} | ${key}`, '/open', '/own mine'],
  ])
  for (const text of [stdout, stderr, readFileSync(join(folder, 'run.har'), 'utf8')])
    for (const form of ['t0ken', login, btoa(login), 'quoted', encodeURIComponent(key)])
      expect(text).not.toContain(form)
})

test('without all credentials of an alternative nothing is added', async () => {
  await svc('flow.arazzo.yaml', '--credential', 'shop.query=KEY')
  expect(asked).toEqual(['/inherited', '/basic', '/both', '/open', '/own mine'])
})

test('a scheme that no source has, and an empty variable, are refused before anything is requested', async () => {
  const unknown = await svc('flow.arazzo.yaml', '--credential', 'shop.basik=LOGIN')
  expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "shop.basic"?')])
  const empty = await svc('flow.arazzo.yaml', '--credential', 'shop.basic=NOTHING')
  expect([empty.exit, empty.stderr]).toEqual([2, expect.stringContaining('NOTHING of --credential shop.basic')])
  expect(asked).toEqual([])
})

test('sources are joined to $self; beside the document, where that is an address and they are there', async () => {
  mkdirSync(join(folder, 'flows'))
  writeFileSync(join(folder, 'flows', 'relative.arazzo.yaml'), flow('$self: ../flow.arazzo.yaml\n'))
  expect((await svc('flows/relative.arazzo.yaml')).exit).toBe(0)
  writeFileSync(join(folder, 'published.arazzo.yaml'), flow('$self: https://example.com/flows/all.arazzo.yaml\n'))
  expect((await svc('published.arazzo.yaml')).exit).toBe(0)
  writeFileSync(
    join(folder, 'flows', 'published.arazzo.yaml'),
    flow('$self: https://example.com/flows/all.arazzo.yaml\n'),
  )
  const { stdout } = await svc('flows/published.arazzo.yaml')
  expect(stdout).toContain('example.com')
})
