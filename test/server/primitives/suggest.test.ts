import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const types = '/v1/primitives/local'

const document = (openapi: string): string => `openapi: ${openapi}
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Cost: # equal to a type
      type: object
      description: What it costs
      required: [currency, units]
      properties:
        units: { type: integer }
        currency: { type: string, pattern: '^[A-Z]{3}$' }
    Exact:
      type: object
      required: [units, currency, note]
      properties:
        units: { type: integer, minimum: 1 }
        currency: { type: string, pattern: '^[A-Z]{3}$' }
        note: { type: string }
    Loose:
      type: object
      properties:
        units: { type: integer }
        currency: { type: string }
    Unlike:
      type: object
      properties:
        units: { type: boolean }
        currency: { type: boolean }
    Holder:
      type: object
      properties:
        share: { type: number, minimum: 0, maximum: 100 }
`

interface Suggested {
  readonly pointer: string
  readonly primitive: { readonly ref: string }
  readonly relation: string
  readonly patch: readonly unknown[]
  readonly diff: string
  readonly changes_values: boolean
}

onBothEngines('types that schemas of a version could be', (makeDb) => {
  let it: PetsProject
  const suggest = async (version: string, more: object = {}) => {
    const answer = await it.send('POST', `${types}/suggestions`, { project: 'pets', version, ...more })
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    return answer.value as unknown as { suggestions: Suggested[]; count: number; truncated: boolean }
  }
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    const schema = {
      type: 'object',
      required: ['units', 'currency'],
      properties: { units: { type: 'integer' }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
    }
    await it.send('POST', types, { namespace: 'shop', name: 'Price', schema })
    for (const [label, openapi] of [
      ['1.0.0', '3.1.0'],
      ['2.0.0', '3.0.3'],
    ] as const)
      await it.send('POST', `?label=${label}`, document(openapi), { 'content-type': 'application/yaml' })
  })
  afterAll(() => it.service.stop())

  test('equal, narrower and wider schemas are found, each with its patch', async () => {
    const { suggestions, count, truncated } = await suggest('1.0.0')
    expect(
      suggestions.map((one) => [one.pointer, one.primitive.ref, one.relation, one.changes_values, one.patch]),
    ).toEqual([
      [
        '/components/schemas/Exact',
        'svc:shop/Price',
        'narrower',
        false,
        [{ op: 'add', path: '/components/schemas/Exact/$ref', value: 'svc:shop/Price' }],
      ],
      [
        '/components/schemas/Cost',
        'svc:shop/Price',
        'equal',
        false,
        [
          {
            op: 'replace',
            path: '/components/schemas/Cost',
            value: { $ref: 'svc:shop/Price', description: 'What it costs' },
          },
        ],
      ],
      [
        '/components/schemas/Loose',
        'svc:shop/Price',
        'wider',
        true,
        [{ op: 'replace', path: '/components/schemas/Loose', value: { $ref: 'svc:shop/Price' } }],
      ],
      [
        '/components/schemas/Holder/properties/share',
        'svc:core/Percentage',
        'equal',
        false,
        [
          {
            op: 'replace',
            path: '/components/schemas/Holder/properties/share',
            value: { $ref: 'svc:core/Percentage' },
          },
        ],
      ],
    ])
    expect([count, truncated]).toEqual([4, false])
    expect(suggestions[3]?.diff).toContain('-        share: { type: number, minimum: 0, maximum: 100 }\n+')
  })

  test('before OpenAPI 3.1 nothing is put beside a reference', async () => {
    const { suggestions } = await suggest('2.0.0')
    expect(suggestions.map(({ patch }) => patch)).toEqual([
      [{ op: 'add', path: '/components/schemas/Exact/allOf', value: [{ $ref: 'svc:shop/Price' }] }],
      [
        {
          op: 'replace',
          path: '/components/schemas/Cost',
          value: { description: 'What it costs', allOf: [{ $ref: 'svc:shop/Price' }] },
        },
      ],
      [{ op: 'replace', path: '/components/schemas/Loose', value: { $ref: 'svc:shop/Price' } }],
      [
        {
          op: 'replace',
          path: '/components/schemas/Holder/properties/share',
          value: { $ref: 'svc:core/Percentage' },
        },
      ],
    ])
  })

  test('no more than asked for, and nothing of what is not there', async () => {
    const { suggestions, truncated } = await suggest('1.0.0', { limit: 1 })
    expect([suggestions.length, truncated]).toEqual([1, true])
    expect(await it.brief('POST', `${types}/suggestions`, { project: 'pets', version: '9' })).toBe(
      '404 version-not-found',
    )
    expect(it.faults).toEqual([])
  })
})
