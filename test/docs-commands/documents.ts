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
