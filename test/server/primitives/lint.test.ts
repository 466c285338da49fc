import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

interface Linted {
  readonly grade: { readonly grade: string }
  readonly findings: readonly {
    readonly code: string
    readonly message: string
    readonly pointer: string
    readonly source: string
  }[]
}

/** A document whose operations answer with schemas. */
const description = (version: string, refs: readonly string[]): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    paths: Object.fromEntries(
      refs.map(($ref, index) => {
        const content = { 'application/json': { schema: { $ref } } }
        return [`/p${index}`, { get: { responses: { '200': { description: 'ok', content } } } }]
      }),
    ),
  })

const at = (index: number): string => `/paths/~1p${index}/get/responses/200/content/application~1json`

// The first is broken in a document, the second by every property of a type without a description: it is the type's.
const customRules = `rules:
  no-text:
    given: $.paths[*][*].responses[*].content[*]
    severity: error
    then: { function: schema, functionOptions: { schema: { not: { properties: { schema: { required: [type], properties: { type: { const: string } } } } } } } }
  described:
    given: $.paths[*][*].responses[*].content[*].schema.properties[*]
    then: { field: description, function: truthy }
`

onBothEngines('lint with registered types', (makeDb) => {
  let it: PetsProject
  const create = (name: string, schema: unknown, more: object = {}) =>
    it.send('POST', '/v1/primitives/local', { namespace: 'shop', name, schema, ...more })
  const foundIn = ({ findings }: Linted): string[] =>
    findings
      .filter(({ code }) => ['invalid-ref', 'no-text', 'described'].includes(code))
      .map(({ code, pointer }) => `${code} ${pointer}`)
  const linted = async (version: string) =>
    (await it.send('GET', `/v1/lint/local/catalog/pets/${version}`)).value as unknown as Linted
  const lint = async (version: string) => foundIn(await linted(version))
  const preflight = async (content: string, more: object = {}) =>
    (await it.send('POST', '/v1/lint/local/preflight', { source: { kind: 'inline', content }, ...more }))
      .value as unknown as Linted & { readonly policy: { readonly gates: readonly { id: string; message: string }[] } }
  const draft = async (content: string) => expect((await it.send('POST', '', { content })).status).toBe(201)
  beforeAll(async () => {
    it = await openPetsProject(await makeDb(), { publicUrlAliases: ['https://old.test'] })
    const guides = '/v1/style-guides/local'
    const { id } = (await it.send('POST', guides, { name: 'Typed' })).value as { id?: string }
    expect((await it.send('PUT', `${guides}/${id}/custom-rules`, { yaml: customRules })).status).toBe(200)
    expect((await it.send('PUT', `${guides}/${id}/default`)).status).toBe(200)
    await create('Word', { type: 'string' })
    await create('Price', { type: 'object', properties: { currency: { $ref: 'svc:shop/Word' }, amount: {} } })
    await create('Id', { $id: 'https://example.com/id.json', $ref: 'text.json' })
    await create('Text', { $id: 'https://example.com/text.json', type: 'string' })
  })
  afterAll(() => it.service.stop())

  test('rules look through references to types, and find nothing in the types themselves', async () => {
    const content = description('1.0.0', [
      'svc:shop/Price',
      'svc:shop/Word',
      'http://svc.test/v1/types/local/shop/Word',
      'https://old.test/v1/types/local/shop/Word@1',
      'https://example.com/id.json',
      'svc:core/Percentage',
      'svc:shop/Price#/properties/currency',
    ])
    const expected = [1, 2, 3, 4, 6].map((index) => `no-text ${at(index)}`)
    const checked = await preflight(content)
    expect(foundIn(checked)).toEqual(expected)
    expect(new Set(checked.findings.map(({ source }) => source))).toEqual(new Set(['-']))
    expect(foundIn(await preflight(content, { target: 'project', project: 'pets' }))).toEqual(expected)
    await draft(content)
    expect(await lint('1.0.0')).toEqual(expected)
    expect(it.faults).toEqual([])
  })

  test('a part that a type does not have is a finding, an unknown type is left to the gate', async () => {
    const checked = await preflight(
      description('2.0.0', ['svc:shop/Price#/properties/nothing', 'svc:shop/Nothing', 'https://example.com/nothing']),
    )
    expect(foundIn(checked)).toEqual([0, 2].map((index) => `invalid-ref ${at(index)}/schema/$ref`))
    expect(checked.policy.gates.find(({ id }) => id === 'unresolved-refs')?.message).toBe(
      '2 references cannot be resolved.',
    )
  })

  test('a draft follows its types, a published version keeps those of its publication', async () => {
    await draft(description('3.0.0', ['svc:shop/Word']))
    const gate = async () => {
      const { value } = await it.send('GET', '/3.0.0/publish-readiness')
      return (value['gates'] as { id: string; message: string }[]).find(({ id }) => id === 'lint-findings')?.message
    }
    const grade = async () => (await it.send('GET', '/3.0.0')).value['grade']
    expect([await lint('3.0.0'), await gate()]).toEqual([[`no-text ${at(0)}`], 'Lint found 1 error.'])
    const before = await grade()
    expect(before).toBe((await linted('3.0.0')).grade.grade)
    await create('Word', { type: 'integer' }, { replace: true })
    expect([await lint('3.0.0'), await gate()]).toEqual([[], 'Lint found 0 errors.'])
    expect((await it.send('POST', '/3.0.0/publish', {})).status).toBe(200)
    expect([await grade(), before === (await grade())]).toEqual([(await linted('3.0.0')).grade.grade, false])
    await create('Word', { type: 'string' }, { replace: true })
    expect(await lint('3.0.0')).toEqual([])
    expect(it.faults).toEqual([])
  })
})
