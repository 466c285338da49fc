/**
 * The protocol's official conformance runner, for every revision that it knows a set of requirements of. Its scenarios
 * ask for tools and prompts of given names: those that say something about a read-only server of texts are served
 * beside our own; the others are named below, each with why.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { createMcpHttp, type McpHttp } from '../../mcp/http.ts'
import type { Prompt } from '../../mcp/prompt.ts'
import { prompts } from '../../mcp/prompts.gen.ts'
import { tool } from '../../mcp/tool.ts'
import { tools } from '../../mcp/tools.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { catalogueCall } from './catalogue.ts'
import { largeDocument } from './documents.ts'

const program = join(import.meta.dir, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

const output = Type.Object({})
const input = Type.Object({}, { additionalProperties: false })
const shape = { title: '', description: 'A fixture of the runner', input, output }
const fixtureTools = [
  tool({
    ...shape,
    name: 'test_simple_text',
    run: async () => ({ text: 'This is a simple text response for testing.' }),
  }),
  tool({
    ...shape,
    name: 'test_error_handling',
    run: () => Promise.reject(new SvcError('spec-not-found', { spec: 'This tool intentionally returns an error' })),
  }),
]
const fixturePrompts: Prompt[] = [
  {
    name: 'test_simple_prompt',
    title: '',
    description: 'A fixture of the runner',
    arguments: [],
    run: async () => [{ role: 'user', content: { type: 'text', text: 'This is a simple prompt for testing.' } }],
  },
  {
    name: 'test_prompt_with_arguments',
    title: '',
    description: 'A fixture of the runner',
    arguments: [
      { name: 'arg1', description: 'one', required: true },
      { name: 'arg2', description: 'two', required: true },
    ],
    run: async ({ arg1, arg2 }) => [
      { role: 'user', content: { type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    title: '',
    description: 'A fixture of the runner',
    arguments: [{ name: 'resourceUri', description: 'address', required: true }],
    run: async ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'It.' } },
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  },
]

/** Scenarios that ask for what a read-only server of texts does not do. */
const notOurs: readonly (readonly [RegExp, string])[] = [
  [/^logging-set-level$/, 'it sends no log messages to hosts'],
  [/^tools-call-(image|audio|embedded-resource|mixed-content)$/, 'tools answer a value, as text and structured'],
  [/^tools-call-(with-logging|with-progress|sampling|elicitation)$/, 'a call asks nothing back and is over at once'],
  [/^(elicitation-|input-required-result-)/, 'a call asks nothing back'],
  [
    /^resources-(read-text|read-binary|templates-read|subscribe|unsubscribe)$/,
    'a fixture address; specifications do not change',
  ],
  [/^prompts-get-with-image$/, 'prompts are texts'],
  [/^json-schema-2020-12$/, 'a fixture tool with a schema of its own'],
  [/^http-custom-header-server-validation$/, 'no argument of a tool travels in a header'],
  [/^tasks-/, 'the extension for long-running tasks'],
]

/** What a scenario checks beside the protocol, with tools that only its own test server has. */
const untestable = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
])

const folder = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
const faults: unknown[] = []
let mcp: McpHttp
let server: ReturnType<typeof Bun.serve>

beforeAll(() => {
  mcp = createMcpHttp({
    version: '1.2.3',
    callFor: catalogueCall({ 'acme/things/1.0.0': largeDocument(50) }),
    names: 'dots',
    secret: 'a secret of the test',
    hosts: [],
    origins: [],
    onFault: (fault) => faults.push(fault),
    registry: { tools: [...tools, ...fixtureTools], prompts: [...prompts, ...fixturePrompts] },
  })
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => mcp.handle(request) })
})
afterAll(async () => {
  await mcp.close()
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
  expect(faults).toEqual([])
})

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** Runs the scenarios of a revision; gives the checks that failed by scenario. */
async function run(revision: string): Promise<Map<string, string[]>> {
  const results = join(folder, revision)
  const url = new URL('/mcp', server.url).href
  const child = Bun.spawn(
    [process.execPath, program, 'server', '--url', url, '--requirements', revision, '-o', results],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  )
  // It exits with 1 for scenarios that are not ours; what counts is what it wrote down.
  await child.exited
  const failed = new Map<string, string[]>()
  for (const path of new Bun.Glob('server-*/checks.json').scanSync({ cwd: results })) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(path)?.[1] ?? path
    const checks = (await Bun.file(join(results, path)).json()) as Check[]
    failed.set(
      scenario,
      checks
        .filter(({ id, status }) => status === 'FAILURE' && !untestable.has(id))
        .map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
    )
  }
  return failed
}

const ours = (scenarios: Iterable<string>) =>
  [...scenarios].filter((name) => !notOurs.some(([pattern]) => pattern.test(name))).sort()

const shared = [
  'completion-complete',
  'dns-rebinding-protection',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-list',
  'resources-list',
  'server-sse-multiple-streams',
  'tools-call-error',
  'tools-call-simple-text',
  'tools-list',
]
const revisions: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [...shared, 'ping', 'server-initialize', 'server-session-lifecycle', 'server-sse-polling'],
  '2026-07-28': [...shared, 'caching', 'http-header-validation', 'sep-2164-resource-not-found', 'server-stateless'],
}

for (const [revision, expected] of Object.entries(revisions)) {
  test(`the conformance runner finds nothing wrong by revision ${revision}`, async () => {
    const failed = await run(revision)
    expect(ours(failed.keys())).toEqual(expected.toSorted())
    expect(Object.fromEntries(ours(failed.keys()).map((name) => [name, failed.get(name)]))).toEqual(
      Object.fromEntries(expected.map((name) => [name, []])),
    )
  }, 60_000)
}
