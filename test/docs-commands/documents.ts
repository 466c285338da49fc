/** Documents that the pages of the documentation presuppose. */

/** An API description that can be imported, linted and compiled. */
export const description = (title: string, version = '1.0.0'): string => `openapi: 3.1.0
info:
  title: ${title}
  version: ${version}
  description: Items of ${title}.
  contact: { name: Team, url: 'https://example.com', email: team@example.com }
servers: [{ url: 'https://api.${title.toLowerCase()}.example.com' }]
tags: [{ name: items, description: Items. }]
paths:
  /items/{id}:
    get:
      operationId: get${title}Item
      summary: Get an item
      description: Returns one item.
      tags: [items]
      parameters:
        - { name: id, in: path, required: true, description: The id., schema: { type: string } }
      responses:
        '200':
          description: The item.
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Item'
components:
  schemas:
    Item:
      type: object
      description: An item.
      required: [name]
      properties:
        name: { type: string, description: The name. }
`

/** The shop of README.md, whose next version requires an address. */
export const orders = (version: string, required: string): string => `openapi: 3.1.0
info: { title: Shop, version: ${version}, description: Orders., contact: { name: Team, email: team@example.com, url: 'https://example.com' } }
servers: [{ url: 'https://api.example.com' }]
tags: [{ name: orders, description: Orders. }]
paths:
  /orders:
    post:
      operationId: createOrder
      summary: Create an order
      description: Creates an order.
      tags: [orders]
      requestBody:
        required: true
        description: The order.
        content: { application/json: { schema: { type: object, $ref: '#/components/schemas/NewOrder' } } }
      responses:
        '201':
          description: The order is created.
          content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } }
components:
  schemas:
    NewOrder:
      type: object
      description: An order.${required}
      properties:
        deliverTo: { type: string, description: The address. }
`

/** An overlay of `openapi.yaml`. */
export const overlay = (title: string): string => `overlay: 1.1.0
info: { title: ${title}, version: 1.0.0 }
extends: ./openapi.yaml
actions:
  - target: $.info
    update: { title: ${title} }
`

export const swagger = JSON.stringify({
  swagger: '2.0',
  info: { title: 'Shop', version: '1.0.0' },
  paths: { '/a': { get: { responses: { 200: { description: 'A.' } } } } },
  definitions: { A: { type: 'string' } },
})

/** A contract of the consumer `web` with the provider `shop`. */
export const pact = JSON.stringify({
  consumer: { name: 'web' },
  provider: { name: 'shop' },
  interactions: [
    {
      description: 'an order',
      request: { method: 'POST', path: '/orders', body: { deliverTo: 'a' } },
      response: { status: 201, body: { deliverTo: 'a' } },
    },
  ],
  metadata: { pactSpecification: { version: '2.0.0' } },
})

/** What the repository acme/specs has. */
export const shopTree = { 'openapi.yaml': description('Shop', '2.0.0') }

const shopPaths = `  /login:
    post:
      operationId: login
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, required: [token], properties: { token: { type: string } } } } } } }
  /orders:
    get:
      operationId: listOrders
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: string } } } } } } }
        '503': { description: busy, content: { application/json: { schema: { type: object } } } }
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      security: [{ apiKey: [] }, { login: [] }, {}]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } }
        '404': { description: unknown }
`
const payment = `  /orders/{id}/payment:
    post:
      operationId: pay
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: paid } }
`

/** The shop whose orders a workflow places; its version 1 takes payments. */
export const orderingApi = (version: string): string => `openapi: 3.1.0
info: { title: Shop, version: ${version} }
servers: [{ url: http://localhost:8080 }]
paths:
${shopPaths}${version.startsWith('1') ? payment : ''}components:
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: X-Key }
    login: { type: http, scheme: basic }
`

const pay = `      - { stepId: pay, operationId: pay, parameters: [{ name: id, in: path, value: $steps.list.outputs.id }] }
`

/** A workflow that logs in, waits for its order, and reads it; or one that pays too. */
export const ordering = (pays: boolean): string => `arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: shop, url: shop.yaml, type: openapi }]
workflows:
  - workflowId: placeOrder
    inputs: { type: object, properties: { user: { type: string, default: ann } } }
    steps:
      - { stepId: login, operationId: login }
      - stepId: list
        operationId: listOrders
        successCriteria: [{ condition: $statusCode == 200 }]
        onFailure: [{ name: again, type: retry, retryAfter: 0, retryLimit: 5 }]
        outputs: { id: $response.body#/0/id }
      - stepId: get
        operationId: getOrder
        parameters: [{ name: id, in: path, value: $steps.list.outputs.id }]
${pays ? pay : ''}    outputs: { id: $steps.list.outputs.id }
`

/** A manifest of an MCP server. */
export const serverJson = (name: string, url: string): string =>
  JSON.stringify({ name, description: 'A server.', version: '1.0.0', remotes: [{ type: 'streamable-http', url }] })

/** A manifest of Docker's catalogue. */
export const dockerServer = `name: orders
image: mcp/orders:1.2
type: server
about:
  title: Orders
  description: Finds orders.
source:
  project: https://github.com/example/orders
`

/** Two tools: the first answers what the second takes. */
export const tools = JSON.stringify({
  tools: [
    {
      name: 'find_place',
      description: 'Finds a place.',
      inputSchema: { type: 'object' },
      outputSchema: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string' } },
        additionalProperties: false,
      },
    },
    {
      name: 'get_forecast',
      description: 'Returns the forecast of a city.',
      inputSchema: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
    },
  ],
})
