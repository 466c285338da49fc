/** `svc run` against a server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand, type Outcome } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-run-'))
const secret = 'hunter2 & "more"'

const shop = `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
servers: [{ url: http://127.0.0.1:9 }]
paths:
  /login:
    post:
      operationId: login
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, required: [token], properties: { token: { type: string } } } } } } }
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, required: [total], properties: { total: { type: number, nullable: true } } } } } }
  /leave: { get: { operationId: leave, responses: { '302': { description: elsewhere } } } }
  /long: { get: { operationId: long, responses: { '200': { description: ok } } } }
  /slow: { get: { operationId: slow, responses: { '200': { description: ok } } } }
`
const flow = `arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    inputs: { type: object, required: [password, id], properties: { password: { type: string }, id: { type: string } } }
    steps:
      - stepId: login
        operationId: login
        requestBody: { payload: { password: $inputs.password } }
        outputs: { token: $response.body#/token, echo: $response.body#/echo }
      - stepId: get
        operationId: getOrder
        parameters:
          - { name: id, in: path, value: $inputs.id }
          - { name: Authorization, in: header, value: 'Bearer {$steps.login.outputs.token}' }
        successCriteria: [{ condition: $statusCode == 200 }]
        outputs: { total: $response.body#/total }
    outputs: { total: $steps.get.outputs.total }
  - { workflowId: leave, steps: [{ stepId: a, operationId: leave, successCriteria: [{ condition: $statusCode == 302 }] }] }
  - { workflowId: long, steps: [{ stepId: a, operationId: long }] }
  - { workflowId: slow, steps: [{ stepId: a, operationId: slow, timeout: 50 }] }
`

const asked: string[] = []
let server: ReturnType<typeof Bun.serve>
let elsewhere: ReturnType<typeof Bun.serve>

async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  asked.push(`${request.method} ${pathname} ${request.headers.get('authorization') ?? ''}`.trim())
  if (pathname === '/login') {
    const password = new URLSearchParams(await request.text()).get('password') ?? ''
    return Response.json({ token: `t-${password.length}`, echo: password })
  }
  if (pathname === '/orders/a') return Response.json({ total: null })
  if (pathname === '/orders/b') return Response.json({ total: 'much' })
  if (pathname === '/leave') return new Response(null, { status: 302, headers: { Location: elsewhere.url.href } })
  if (pathname === '/long') return new Response('x'.repeat(3_000_000))
  if (pathname === '/slow') await Bun.sleep(2000)
  return new Response('none', { status: 404 })
}

beforeAll(() => {
  writeFileSync(join(folder, 'shop.yaml'), shop)
  writeFileSync(join(folder, 'flow.arazzo.yaml'), flow)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
  elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      asked.push(`elsewhere ${new URL(request.url).pathname}`)
      return new Response('')
    },
  })
})
afterAll(async () => {
  await server.stop(true)
  await elsewhere.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const svc = (...args: readonly string[]): Promise<Outcome> => {
  asked.length = 0
  return runCommand(['run', 'flow.arazzo.yaml', ...args], registry, { cwd: folder, env: { PASSWORD: secret } })
}
const here = (): string => `shop=${server.url.href}`
const order = (id: string, ...rest: readonly string[]): Promise<Outcome> =>
  svc('order', '--server', here(), '--input', `id=${id}`, '--secret', 'password=PASSWORD', ...rest)

describe('svc run', () => {
  test('passes, and answers in the shape of the contract', async () => {
    const { exit, stdout } = await order('a', '--json')
    expect(exit).toBe(0)
    const { data, ok } = JSON.parse(stdout) as { ok: boolean; data: { workflows: { [key: string]: unknown }[] } }
    expect(ok).toBe(true)
    expect(data.workflows).toHaveLength(1)
    expect(data.workflows[0]).toMatchObject({
      id: 'order',
      status: 'passed',
      outputs: { total: null },
      steps: [
        { id: 'login', status: 'passed', outputs: { token: 't-16', echo: '***' } },
        { id: 'get', status: 'passed', outputs: { total: null } },
      ],
    })
    expect(asked).toEqual(['POST /login', 'GET /orders/a Bearer t-16'])
  })

  test('an answer that is not as described, and a criterion that is not met, end with 4', async () => {
    const wrong = await order('b')
    expect(wrong.exit).toBe(4)
    expect(wrong.stdout).toContain('The content at /total must be number,null')
    const none = await order('c')
    expect(none.exit).toBe(4)
    expect(none.stdout).toContain('$statusCode == 200 is not met: `$statusCode` is 404')
  })

  test('inputs of what a workflow depends on are asked for before a request, and given', async () => {
    const later = `arazzo: 1.1.0
info: { title: Later, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: ./shop.yaml, type: openapi }]
workflows:
  - workflowId: first
    inputs: { type: object, required: [id], properties: { id: { type: string } } }
    steps: [{ stepId: a, operationId: getOrder, parameters: [{ name: id, in: path, value: $inputs.id }], successCriteria: [{ condition: $statusCode == 200 }] }]
  - workflowId: then
    dependsOn: [first]
    inputs: { type: object, properties: { more: { type: string } } }
    steps: [{ stepId: a, operationId: leave, successCriteria: [{ condition: $statusCode == 302 }] }]
`
    writeFileSync(join(folder, 'later.arazzo.yaml'), later)
    const run = (...args: readonly string[]): Promise<Outcome> => {
      asked.length = 0
      return runCommand(['run', 'later.arazzo.yaml', ...args, '--server', here()], registry, { cwd: folder })
    }
    for (const chosen of [['then'], []]) {
      const missing = await run(...chosen)
      expect([missing.exit, asked]).toEqual([2, []])
      expect(missing.stderr).toContain(
        'The workflow "first" cannot begin: The input "id" is missing; use --input NAME=VALUE',
      )
      expect((await run(...chosen, '--input', 'id=a')).exit).toBe(0)
      expect(asked).toEqual(['GET /orders/a', 'GET /leave'])
      const failed = await run(...chosen, '--input', 'id=c')
      expect(failed.exit).toBe(4)
      expect(failed.stdout).toContain('2 workflows, 1 failed, 1 skipped. 2 steps: 0 passed, 1 failed, 1 skipped.')
    }
    expect((await run('then', '--input', 'idd=a')).stderr).toContain('has no input "idd"; did you mean "id"?')
  })

  test('no output shows a secret', async () => {
    const names = ['har', 'junit', 'sarif', 'markdown']
    const outcome = await order('b', ...names.flatMap((it) => ['--report', `${it}=out.${it}`]))
    const texts = [
      outcome.stdout,
      outcome.stderr,
      ...names.map((it) => readFileSync(join(folder, `out.${it}`), 'utf8')),
    ]
    for (const text of texts)
      for (const form of [secret, 'hunter2', encodeURIComponent(secret), btoa(secret)]) expect(text).not.toContain(form)
    const har = JSON.parse(texts[2] ?? '') as {
      log: { version: string; entries: { request: { headers: unknown[] } }[] }
    }
    expect(har.log.version).toBe('1.2')
    expect(har.log.entries).toHaveLength(2)
    expect(har.log.entries[1]!.request.headers).toContainEqual({ name: 'Authorization', value: '***' })
    const sarif = JSON.parse(texts[4] ?? '') as { runs: { results: unknown[] }[] }
    expect(sarif.runs[0]!.results).toMatchObject([
      {
        ruleId: 'run-answer',
        message: { text: 'The content at /total must be number,null.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'flow.arazzo.yaml' }, region: { startLine: 12 } } }],
      },
    ])
  })

  test('a server that does not answer, or too late, or with too much, ends with 3', async () => {
    const dead = await svc('leave')
    expect([dead.exit, dead.stdout.includes('http://127.0.0.1:9 did not answer (')]).toEqual([3, true])
    const late = await svc('slow', '--server', here())
    expect([late.exit, late.stdout.includes('did not answer in time')]).toEqual([3, true])
    const much = await svc('long', '--server', here(), '--max-answer', '1')
    expect([much.exit, much.stdout.includes('The answer is larger than 1 MB')]).toEqual([3, true])
  })

  test('redirects are not followed', async () => {
    const { exit } = await svc('leave', '--server', here())
    expect([exit, asked]).toEqual([0, ['GET /leave']])
  })

  test('with --mock nothing is requested', async () => {
    const { exit } = await svc('order', '--mock', '--input', 'id=a', '--input', 'password=x', '--server', here())
    expect([exit, asked]).toEqual([0, []])
  })

  test.each([
    [['nothing'], 'has no workflow "nothing"'],
    [['ordr'], 'did you mean "order"?'],
    [['order', '--input', 'id=a'], 'The input "password" is missing'],
    [['order', '--input', 'idd=a'], 'did you mean "id"?'],
    [['order', '--input', 'id'], '--input takes NAME=VALUE'],
    [['order', '--server', 'shp=http://a.example'], 'did you mean "shop"?'],
    [['order', '--server', 'shop=file:///etc/passwd'], 'takes an address of HTTP'],
    [['order', '--source', 'bank=shop.yaml'], 'No source description is named "bank"'],
    [['order', '--secret', 'password=NOT_SET'], 'The environment variable NOT_SET'],
    [['order', '--report', 'junt=a.xml'], 'did you mean junit?'],
    [['order', '--report', 'junit'], '--report takes FORMAT=PATH'],
    [['order', '--offline', '--input', 'id=a'], 'run the workflow with --mock'],
  ])('%p is refused', async (args, message) => {
    const { exit, stderr } = await svc(...args)
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(asked).toEqual([])
  })

  test('what is no valid Arazzo document is refused with its place', async () => {
    writeFileSync(
      join(folder, 'bad.yaml'),
      'arazzo: 1.1.0\ninfo: { title: A, version: 1.0.0 }\nsourceDescriptions: []\nworkflows: []\n',
    )
    const at = (name: string) => runCommand(['run', name], registry, { cwd: folder })
    expect(await at('bad.yaml')).toMatchObject({ exit: 6, stderr: expect.stringContaining('bad.yaml:3:21') })
    expect(await at('shop.yaml')).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('shop.yaml is no Arazzo document'),
    })
    expect(await at('gone.yaml')).toMatchObject({ exit: 2 })
  })
})
