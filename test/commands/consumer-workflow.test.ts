/** `svc consumer declare` of an Arazzo document: a step that calls what a version no longer has. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand, type Outcome } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-consumer-workflow-'))
const shop = (version: string, payment: string): string => `openapi: 3.1.0
info: { title: Shop, version: ${version} }
paths:
  /orders: { get: { operationId: listOrders, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: string } } } } } } } } } }
${payment}`
const payment = `  /orders/{id}/payment: { post: { operationId: pay, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '204': { description: paid } } } }\n`
const flow = `arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: shop.yaml, type: openapi }]
workflows:
  - workflowId: order
    steps:
      - { stepId: list, operationId: listOrders, outputs: { id: '$response.body#/0/id' } }
      - { stepId: pay, operationId: pay, parameters: [{ name: id, in: path, value: $steps.list.outputs.id }] }
`
const svc = (...args: readonly string[]): Promise<Outcome> =>
  runCommand(args, registry, { cwd: folder, env: { SVC_WORKSPACE: join(folder, 'workspace') } })

beforeAll(async () => {
  writeFileSync(join(folder, 'shop.yaml'), shop('1.0.0', payment))
  writeFileSync(join(folder, 'later.yaml'), shop('2.0.0', ''))
  writeFileSync(join(folder, 'flow.arazzo.yaml'), flow)
  for (const file of ['shop.yaml', 'later.yaml'])
    expect((await svc('import', 'openapi', file, '--publish', 'private')).exit).toBe(0)
  expect((await svc('consumer', 'create', 'shop', 'Checkout')).exit).toBe(0)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const declare = (...args: readonly string[]): Promise<Outcome> =>
  svc('consumer', 'declare', 'shop', 'checkout', 'flow.arazzo.yaml', ...args)

test('the steps of a workflow are what it uses', async () => {
  const { exit, stdout } = await declare('--version', '1.0.0', '--json')
  expect(exit).toBe(0)
  const { data } = JSON.parse(stdout) as { data: { contract: { operations: unknown[]; unresolved: unknown[] } } }
  expect(data.contract.unresolved).toEqual([])
  expect(data.contract.operations).toMatchObject([
    { method: 'GET', path: '/orders', responses: [{ status: '200', fields: [{ field: '[].id' }] }] },
    { method: 'POST', path: '/orders/{id}/payment', parameters: [{ name: 'id', in: 'path' }] },
  ])
})

test('a step whose operation is gone is named', async () => {
  const { exit, stdout } = await declare('--version', '2.0.0', '--source', 'shop')
  expect(exit).toBe(0)
  expect(stdout).toEndWith(
    'step "pay" of workflow "order": POST /orders/{id}/payment was removed since an earlier version.\n',
  )
})

test('a source that the document does not have', async () => {
  const { exit, stderr } = await declare('--source', 'shp')
  expect([exit, stderr]).toEqual([2, expect.stringContaining('did you mean "shop"?')])
})
