import { describe, expect, test } from 'bun:test'
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

describe('Arazzo 1.1', () => {
  const events =
    '[{ name: shop, url: apis/shop.yaml, type: openapi }, { name: events, url: events.yaml, type: asyncapi }]'
  const said = (steps: string, sources = events, rest = ''): string[] => {
    const text = `arazzo: 1.1.0\nsourceDescriptions: ${sources}\nworkflows:\n- workflowId: order\n  inputs: { type: object, properties: { user: { type: object } } }\n  steps: ${steps}\n${rest}`
    const document = parseDocument(text, { source: 'order.yaml' })
    const chosen = Object.entries(rules).filter(
      ([id]) => id.startsWith('arazzo-') && !/info|description|summary|schema|step-call/.test(id),
    )
    const documents = { 'apis/shop.yaml': shop }
    return lint(document, Object.fromEntries(chosen), { documents }).findings.map(
      ({ code, pointer, message }) => `${code} ${pointer} ${message}`,
    )
  }

  test('messages of an AsyncAPI source are named, and not followed', () => {
    expect(
      said(`[
      { stepId: a, operationId: $sourceDescriptions.events.place, action: send },
      { stepId: b, channelPath: '{$sourceDescriptions.events.url}#/channels/x', action: receive, dependsOn: [a],
        outputs: { id: $message.payload#/id } }]`),
    ).toEqual([])
    expect(said('[{ stepId: a, operationId: $sourceDescriptions.events.place }]')).toEqual([
      `arazzo-step-messages ${step} "events" describes messages; add "action: send" or "action: receive".`,
    ])
    expect(said('[{ stepId: a, operationId: $sourceDescriptions.shop.pay, action: send }]')).toEqual([
      `arazzo-step-messages ${step}/action "action" is for messages, but "shop" describes HTTP.`,
    ])
  })

  test('an operation of one of several sources', () =>
    expect(said('[{ stepId: a, operationId: pay }]')).toEqual([
      `arazzo-operation-source ${step}/operationId 2 sources describe operations; write $sourceDescriptions.NAME.pay.`,
    ]))

  test('steps wait for steps that exist, and not for themselves', () => {
    const place = 'operationId: $sourceDescriptions.events.place, action: send'
    expect(
      said(
        `[{ stepId: a, ${place}, dependsOn: [later, $workflows.x.steps.a, $workflows.order.steps.b] }, { stepId: b, ${place}, dependsOn: [d] }, { stepId: d, ${place}, dependsOn: [b] }]`,
      ),
    ).toEqual([
      `arazzo-step-depends-on ${step}/dependsOn/0 The workflow "order" has no step "later".`,
      `arazzo-step-depends-on ${step}/dependsOn/1 There is no workflow "x".`,
      'arazzo-step-depends-on /workflows/0/steps/1/dependsOn The step "b" waits for itself, directly or through others.',
      'arazzo-step-depends-on /workflows/0/steps/2/dependsOn The step "d" waits for itself, directly or through others.',
    ])
  })

  test('selectors and expressions follow the grammar of 1.1', () => {
    const call = 'operationId: $sourceDescriptions.shop.pay'
    const selector = (context: string): string => `{ context: ${context}, selector: $.id, type: jsonpath }`
    expect(
      said(
        `[{ stepId: a, ${call}, parameters: [{ name: id, in: path, value: ${selector('$inputs.user')} }, { name: q, in: query, value: '$inputs.user#/id' }], outputs: { x: ${selector('$response.body')} },
          successCriteria: [{ context: $statusCode, type: regex, condition: '^{$inputs.user}$' }] }]`,
      ),
    ).toEqual([])
    expect(
      said(
        `[{ stepId: a, ${call}, parameters: [{ name: id, in: path, value: ${selector('$inputs.nobody')} }], outputs: { x: ${selector('response')} } }]`,
      ),
    ).toEqual([
      `arazzo-step-parameters-validation ${step}/parameters/0 Invalid runtime expression: "$inputs.nobody" for parameter.`,
      `arazzo-values-exist ${step}/parameters/0/value/context The workflow has no input "nobody".`,
      `arazzo-step-output-validation ${step}/outputs/x "response" is not a valid runtime expression.`,
    ])
  })
})
