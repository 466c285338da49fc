import { expect, test } from 'bun:test'
import { usesOfWorkflows } from '../../../src/contracts/workflow-uses.ts'
import { document, shop } from '../../fixtures/workflow/world.ts'

const flow = `- workflowId: order
  parameters: [{ name: X-Trace, in: header, value: t }, { name: note, value: n }]
  steps:
    - { stepId: list, operationId: listOrders, parameters: [{ name: limit, in: query, value: 1 }, { name: authorization, in: header, value: x }], outputs: { id: '$response.body#/0/id' } }
    - stepId: add
      operationId: $sourceDescriptions.shop.addOrder
      requestBody: { payload: { sku: A, lines: [{ price: $inputs.price }], pick: { context: $inputs.x, selector: $.a, type: jsonpath } } }
      successCriteria: [{ condition: $statusCode == 201 }, { condition: "$response.body.total.sum > 1" }]
    - { stepId: gone, operationId: payOrder }
    - { stepId: other, operationId: $sourceDescriptions.bank.pay }
    - { stepId: nested, workflowId: order }
    - { stepId: again, operationPath: '{$sourceDescriptions.shop.url}#/paths/~1orders/get' }
`

test('a workflow uses the operations, parameters and fields of its steps', () => {
  const { operations, steps, unknown } = usesOfWorkflows(
    document(flow, { shop: { kind: 'openapi', description: shop } }),
    'shop',
  )
  expect(operations).toEqual([
    {
      method: 'GET',
      path: '/orders',
      request: [],
      responses: { '2XX': ['[].id'] },
      parameters: [
        { name: 'limit', in: 'query' },
        { name: 'X-Trace', in: 'header' },
      ],
    },
    {
      method: 'POST',
      path: '/orders',
      request: ['sku', 'lines[].price', 'pick'],
      responses: { '201': ['total.sum'] },
      parameters: [{ name: 'X-Trace', in: 'header' }],
    },
  ])
  expect(steps.get('GET /orders')).toEqual([
    { workflow: 'order', step: 'list' },
    { workflow: 'order', step: 'again' },
  ])
  expect(unknown).toEqual([{ workflow: 'order', step: 'gone', reason: 'No source has the operation "payOrder"' }])
})
