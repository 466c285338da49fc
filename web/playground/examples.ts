/** Inputs that show what the engines find. */
import type { Input } from './address.ts'

/** An example: what it is called, and what should come out of it. */
export interface Example extends Input {
  readonly title: string
  /** The outcome of a comparison, the answer of containment, or a rule that finds something. */
  readonly expected: string
}

const orders = (schema: string, more = ''): string => `openapi: 3.1.0
info:
  title: Orders
  version: 1.0.0
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: '#/components/schemas/Order'
      responses:
        '201':
          description: The order.
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Order'
components:
  schemas:
    Order:
${schema
  .trim()
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
${more}`

const plain = `
type: object
required: [item]
properties:
  item: {type: string}
  quantity: {type: integer, minimum: 1}
  note: {type: string}`

const findings = `openapi: 3.0.3
info:
  title: Payments
  version: 1.0.0
paths:
  /payments/{paymentId}:
    get:
      operationId: getPayment
      responses:
        '200':
          description: The payment.
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Paymnet'
  /payments:
    post:
      operationId: getPayment
      responses:
        default:
          description: Something happened.
components:
  schemas:
    Payment:
      type: object
      required: [amount, currency]
      properties:
        amount: {type: number}
`

export const examples: readonly Example[] = [
  {
    title: 'A misspelt reference, a parameter that is missing, a name twice',
    mode: 'lint',
    texts: [findings],
    expected: 'path-params',
  },
  {
    title: 'A condition that makes a property required',
    mode: 'compare',
    texts: [
      orders(plain),
      orders(`${plain}
if:
  properties:
    quantity: {minimum: 10}
  required: [quantity]
then:
  required: [note]`),
    ],
    expected: 'breaking',
  },
  {
    title: 'The same pattern, written in another way',
    mode: 'compare',
    texts: [
      orders(plain.replace('item: {type: string}', () => "item: {type: string, pattern: '^[a-z]+$'}")),
      orders(plain.replace('item: {type: string}', () => "item: {type: string, pattern: '^[a-z][a-z]*$'}")),
    ],
    expected: 'compatible',
  },
  {
    title: 'A reference inlined, and its component renamed',
    mode: 'compare',
    texts: [
      orders(plain),
      orders(plain)
        .replaceAll('#/components/schemas/Order', '#/components/schemas/Purchase')
        .replace('    Order:', '    Purchase:'),
    ],
    expected: 'docs-only',
  },
  {
    title: 'One more value in an answer',
    mode: 'compare',
    texts: [
      orders(plain.replace('note: {type: string}', 'state: {type: string, readOnly: true, enum: [open, paid]}')),
      orders(
        plain.replace('note: {type: string}', 'state: {type: string, readOnly: true, enum: [open, paid, refunded]}'),
      ),
    ],
    expected: 'breaking',
  },
  {
    title: 'Multiples and bounds: is every value of A a value of B?',
    mode: 'schemas',
    texts: [
      '{"type": "integer", "multipleOf": 6, "minimum": 1, "maximum": 100}',
      '{"type": "integer", "anyOf": [{"multipleOf": 4}, {"multipleOf": 3}], "exclusiveMinimum": 5}',
    ],
    expected: 'true',
  },
  {
    title: 'Two lists of rules that differ in one value',
    mode: 'schemas',
    texts: [
      '{"type": "string", "maxLength": 8, "pattern": "^[a-z0-9-]*$"}',
      '{"type": "string", "maxLength": 8, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}',
    ],
    expected: 'false',
  },
  {
    title: 'Swagger 2.0 as OpenAPI 3.1',
    mode: 'convert',
    texts: [
      `swagger: '2.0'
info: {title: Pets, version: 1.0.0}
host: api.example.com
basePath: /v1
schemes: [https]
paths:
  /pets:
    get:
      operationId: listPets
      produces: [application/json]
      parameters:
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: csv}
      responses:
        '200':
          description: Pets.
          schema:
            type: array
            items: {$ref: '#/definitions/Pet'}
definitions:
  Pet:
    type: object
    required: [name]
    properties:
      name: {type: string, x-nullable: true}
`,
    ],
    option: 'openapi-3.1',
    expected: '3.1',
  },
]
