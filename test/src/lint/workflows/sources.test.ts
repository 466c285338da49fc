import { expect, test } from 'bun:test'
import { parseDocument } from '../../../../src/document/parse.ts'
import { lint } from '../../../../src/lint/lint.ts'
import { rules } from '../../../../src/lint/rules.gen.ts'

const shop = parseDocument(
  `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders/{id}/payment:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    post:
      operationId: pay
      parameters: [{ name: Content-Type, in: header, required: true }]
      requestBody: { required: true, content: { application/json: {} } }
  /orders: { get: { operationId: orders.list } }
components: { parameters: { Id: { name: id, in: path, required: true } } }
`,
  { source: 'apis/shop.yaml' },
)
const login = parseDocument('arazzo: 1.0.1\nworkflows: [{ workflowId: login }]', { source: 'login.yaml' })

const told = (
  steps: string,
  sources = '[{ name: shop, url: apis/shop.yaml }, { name: login, url: login.yaml, type: arazzo }]',
) => {
  const text = `arazzo: 1.0.1\nsourceDescriptions: ${sources}\nworkflows:\n- workflowId: order\n  steps: ${steps}\n`
  const document = parseDocument(text, { source: 'order.yaml' })
  const chosen = ['arazzo-operation-exists', 'arazzo-workflow-exists', 'arazzo-step-call', 'arazzo-source-available']
  const ruleset = Object.fromEntries(Object.entries(rules).filter(([id]) => chosen.includes(id)))
  const documents = { 'apis/shop.yaml': shop, 'login.yaml': login }
  return lint(document, ruleset, { documents }).findings.map(({ pointer, message }) => `${pointer} ${message}`)
}
const step = '/workflows/0/steps/0'
const body = 'parameters: [{ name: id, in: path }], requestBody: {}'

test('operations are looked for in their sources', () => {
  expect(told(`[{ operationId: pay, ${body} }]`)).toEqual([])
  expect(told('[{ operationId: $sourceDescriptions.shop.orders.list }]')).toEqual([])
  expect(told(`[{ operationPath: '{$sourceDescriptions.shop.url}#/paths/~1orders/get' }]`)).toEqual([])
  expect(told('[{ operationId: order.list }]')).toEqual([
    `${step}/operationId No operation of "apis/shop.yaml" has the operationId "order.list"; did you mean "orders.list"?`,
  ])
  expect(told(`[{ operationPath: '{$sourceDescriptions.shop.url}#/paths/~1orders' }]`)).toEqual([
    `${step}/operationPath /paths/~1orders in "apis/shop.yaml" is not an operation.`,
  ])
})

test('an id of two sources needs the name of one', () => {
  const twice = '[{ name: a, url: apis/shop.yaml }, { name: b, url: ./apis/shop.yaml }]'
  expect(told('[{ operationId: orders.list }]', twice)).toEqual([
    `${step}/operationId Several sources have an operation "orders.list"; use $sourceDescriptions.NAME.orders.list.`,
  ])
  expect(told('[{ operationId: $sourceDescriptions.b.orders.list }]', twice)).toEqual([])
})

test('a source that cannot be read is reported, and its content is not checked', () =>
  expect(told('[{ operationId: pay }]', '[{ name: x, url: https://example.com/x.yaml }]')).toEqual([
    '/sourceDescriptions/0/url Cannot read "https://example.com/x.yaml"; the steps that use it were not checked.',
  ]))

test('workflows of the document and of its sources', () => {
  expect(told('[{ workflowId: order }, { workflowId: $sourceDescriptions.login.login }]')).toEqual([])
  expect(told('[{ workflowId: ordr }, { workflowId: $sourceDescriptions.login.signIn }]')).toEqual([
    `${step}/workflowId There is no workflow "ordr"; did you mean "order"?`,
    '/workflows/0/steps/1/workflowId "login.yaml" has no workflow "signIn".',
  ])
})

test('a call gives what the operation asks for', () =>
  expect(
    told(
      `[{ operationId: pay, parameters: [{ name: orderId, in: path }] }, { operationId: pay, parameters: [{ name: id, in: path }], requestBody: { contentType: text/plain } }]`,
    ),
  ).toEqual([
    `${step} The step does not set the required path parameter "id" of the operation.`,
    `${step} The step does not set the required request body of the operation.`,
    `${step}/parameters/0 The operation has no path parameter "orderId".`,
    '/workflows/0/steps/1/requestBody/contentType The operation accepts application/json, not text/plain.',
  ]))

test('a path item of a source is found by the address that the source gives itself', () => {
  const self = parseDocument(
    `openapi: 3.2.0
$self: https://example.com/apis/shop
info: { title: Shop, version: 1.0.0 }
paths: { /orders: { $ref: 'shop#/components/pathItems/Orders' } }
components: { pathItems: { Orders: { get: { operationId: list, responses: {} } } } }
`,
    { source: 'apis/shop.yaml' },
  )
  const text = `arazzo: 1.0.1\nsourceDescriptions: [{ name: shop, url: apis/shop.yaml }]\nworkflows:\n- workflowId: order\n  steps: [{ operationId: list }, { operationId: lost }]\n`
  const document = parseDocument(text, { source: 'order.yaml' })
  const ruleset = Object.fromEntries(Object.entries(rules).filter(([id]) => id === 'arazzo-operation-exists'))
  const { findings } = lint(document, ruleset, { documents: { 'apis/shop.yaml': self } })
  expect(findings.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/workflows/0/steps/1/operationId No operation of "apis/shop.yaml" has the operationId "lost"; did you mean "list"?',
  ])
})
