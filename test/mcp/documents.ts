import type { Json } from '../../src/kernel/json.ts'

/** A document of many operations over deeply linked schemas, as large APIs have them. */
export function largeDocument(operations: number): Json {
  const schemas: Record<string, Json> = {}
  for (let index = 0; index < 400; index++)
    schemas[`Thing${index}`] = {
      type: 'object',
      description: 'A thing among many. '.repeat(10),
      properties: Object.fromEntries(
        Array.from({ length: 12 }, (_, field) => [
          `field${field}`,
          field < 3
            ? { $ref: `#/components/schemas/Thing${(index * 3 + field + 1) % 400}` }
            : { type: 'string', description: 'What it "says". '.repeat(4), example: 'x'.repeat(50) },
        ]),
      ),
    }
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/areas/{area}/things/${index}`,
      {
        get: {
          operationId: `getThing${index}`,
          summary: `Read thing number ${index} of an area`,
          tags: [`area-${index % 20}`],
          parameters: [{ name: 'area', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'The thing',
              content: { 'application/json': { schema: { $ref: `#/components/schemas/Thing${index % 400}` } } },
            },
          },
        },
      },
    ]),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1', description: 'Very many things. '.repeat(200) },
    tags: Array.from({ length: 20 }, (_, index) => ({ name: `area-${index}` })),
    paths,
    components: { schemas },
  }
}
