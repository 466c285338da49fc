import { describe, expect, test } from 'bun:test'
import { checkAnswer, mismatchText, readAnswer } from '../../../src/workflow/answer.ts'
import { readDescription } from '../../../src/workflow/openapi.ts'
import { selectIn } from '../../../src/workflow/xml.ts'
import { document, read, run } from '../../fixtures/workflow/world.ts'

const described = (schema: string, components = '{}', version = '3.1.0') =>
  readDescription(
    'shop',
    'shop.yaml',
    read(
      `openapi: ${version}\ninfo: { title: A, version: 1.0.0 }\ncomponents: { schemas: ${components} }\npaths:\n  /a:\n    get: { operationId: a, responses: { '200': { description: ok, content: { application/xml: { schema: ${schema} } } } } }\n`,
    ),
  )

const xmlAnswer = (content: string | Uint8Array, type = 'application/xml') => ({
  status: 200,
  headers: [['content-type', type]] as const,
  body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
})

/** The mismatches of an XML text, or why it is undecided. */
async function told(schema: string, content: string | Uint8Array, components?: string, version?: string) {
  const called = described(schema, components, version).operations[0]!
  const { mismatches, undecided } = await checkAnswer(called, readAnswer(xmlAnswer(content)))
  if (undecided.length === 0) return mismatches.map(mismatchText)
  return mismatches.length === 0 && undecided.length === 1
    ? undecided[0]
    : [...mismatches.map(mismatchText), ...undecided]
}

const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`
const person =
  '{ Person: { type: object, required: [id, name], additionalProperties: false, properties: { id: { type: integer, minimum: 1, xml: { attribute: true } }, name: { type: string, xml: { namespace: "urn:p", prefix: p } }, tall: { type: boolean }, size: { type: number } } } }'
const written = (rest: string, attributes = 'id="3"') => `<Person xmlns:p="urn:p" ${attributes}>${rest}</Person>`

describe('objects as XML', () => {
  test('elements, attributes and namespaces, with the types of their schemas', async () => {
    const of = (xml: string) => told(ref('Person'), xml, person)
    expect(await of(written('<p:name>A</p:name><tall>true</tall><size> 1.5 </size>'))).toEqual([])
    expect(await of(written('<p:name>A</p:name><tall>maybe</tall><size>big</size>'))).toEqual([
      'The content at /tall must be boolean',
      'The content at /size must be number',
    ])
    expect(await of(written('<p:name>A</p:name>', 'id="0"'))).toEqual(['The content at /id must be >= 1'])
    expect(await of(written('', ''))).toEqual([
      "The content must have required property 'id'",
      "The content must have required property 'name'",
    ])
    expect(await of(written('<p:name>A</p:name><tall>true</tall><tall>true</tall>'))).toEqual([
      'The content at /tall is there 2 times, and its schema describes one element',
    ])
    expect(await of(written('<p:name><b/></p:name>'))).toEqual(['The content at /name must be string'])
    expect(await of(written('<p:name>A</p:name><other/>'))).toEqual(['The content must NOT have additional properties'])
  })

  test('the names of XML take the place of those of JSON', async () => {
    const schema =
      '{ type: object, xml: { name: p:order, prefix: p, namespace: "urn:o" }, required: [no], properties: { no: { type: integer, xml: { name: number } } } }'
    expect(await told(schema, '<order xmlns="urn:o"><number>4</number></order>')).toEqual([])
    expect(await told(schema, '<order xmlns="urn:o"><no>4</no></order>')).toEqual([
      "The content must have required property 'no'",
    ])
    expect(await told(schema, '<x xmlns="urn:o"><number>4</number></x>')).toEqual([
      'The content must be the element "order", not "x"',
    ])
    expect(await told(schema, '<order><number>4</number></order>')).toEqual([
      'The content must be of the namespace "urn:o", not of none',
    ])
  })

  test('texts of elements that have attributes, by the nodeType of 3.2', async () => {
    const schema =
      '{ type: object, xml: { name: price }, properties: { unit: { type: string, enum: [EUR], xml: { nodeType: attribute } }, amount: { type: number, xml: { nodeType: text } } } }'
    const of = (xml: string) => told(schema, xml, '{}', '3.2.0')
    expect(await of('<price unit="EUR">2.50</price>')).toEqual([])
    expect(await of('<price unit="X"><![CDATA[two]]></price>')).toEqual([
      'The content at /unit must be equal to one of the allowed values',
      'The content at /amount must be number',
    ])
  })

  test('parts of allOf, and circles that end with the XML', async () => {
    const components = `{ Base: { type: object, required: [id], properties: { id: { type: integer } } }, Node: { allOf: [${ref('Base')}, { type: object, properties: { next: ${ref('Node')} } }] } }`
    const of = (xml: string) => told(ref('Node'), xml, components)
    expect(await of('<Node><id>1</id><next><id>2</id></next></Node>')).toEqual([])
    expect(await of('<Node><id>1</id><next><id>b</id></next></Node>')).toEqual([
      'The content at /next/id must be integer',
    ])
  })

  test('a property that refers to a component may have either name', async () => {
    const components = '{ Person: { type: object, xml: { name: person }, properties: { age: { type: integer } } } }'
    const schema = `{ type: object, required: [owner], properties: { owner: ${ref('Person')} } }`
    for (const name of ['owner', 'person'])
      expect(await told(schema, `<x><${name}><age>a</age></${name}></x>`, components)).toEqual([
        'The content at /owner/age must be integer',
      ])
    expect(await told(schema, '<x><human/></x>', components)).toHaveLength(1)
  })

  test('xsi:nil is null', async () => {
    const schema = '{ type: object, properties: { a: { type: [integer, "null"] }, b: { type: integer } } }'
    const nil = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"'
    expect(await told(schema, `<x><a ${nil}/></x>`)).toEqual([])
    expect(await told(schema, `<x><b ${nil}/></x>`)).toEqual(['The content at /b must be integer'])
  })
})

describe('lists as XML', () => {
  const list = (xml: string, items: string) =>
    `{ type: object, required: [tags], properties: { tags: { type: array, maxItems: 2, ${xml} items: { type: integer, ${items} } } } }`
  test('without an element of their own', async () => {
    expect(await told(list('', ''), '<x><tags>1</tags><tags>2</tags></x>')).toEqual([])
    expect(
      await told(list('xml: { name: ignored },', 'xml: { name: tag }'), '<x><tag>1</tag><tag>b</tag></x>'),
    ).toEqual(['The content at /tags/1 must be integer'])
    expect(await told(list('', ''), '<x><tags>1</tags><tags>2</tags><tags>3</tags></x>')).toEqual([
      'The content at /tags must NOT have more than 2 items',
    ])
    expect(await told(list('', ''), '<x/>')).toEqual([])
  })

  test('wrapped, by either keyword', async () => {
    for (const xml of ['xml: { wrapped: true },', 'xml: { nodeType: element },']) {
      expect(await told(list(xml, ''), '<x><tags><tags>1</tags></tags></x>')).toEqual([])
      expect(await told(list(xml, 'xml: { name: tag }'), '<x><tags><tag>a</tag></tags></x>')).toEqual([
        'The content at /tags/0 must be integer',
      ])
      expect(await told(list(xml, 'xml: { name: tag }'), '<x><tags><no>1</no></tags></x>')).toEqual([
        'The content at /tags/0 must be the element "tag", not "no"',
      ])
      expect(await told(list(xml, ''), '<x/>')).toEqual(["The content must have required property 'tags'"])
    }
    expect(
      await told('{ type: array, xml: { name: l, wrapped: true }, items: { type: integer } }', '<l><l>1</l></l>'),
    ).toEqual([])
  })
})

describe('what is not decided is neither passed nor failed', () => {
  const because = (text: string): string => `The content was not validated as XML: ${text}`
  test.each([
    ['{ oneOf: [{ type: object }, { type: string }] }', '<a/>', 'the schema has "oneOf"'],
    ['{ type: [integer, string] }', '<a>1</a>', 'a schema has several types'],
    ['{ minLength: 3 }', '<a>1</a>', 'a schema has no type'],
    ['{ type: [integer, "null"] }', '<a/>', 'an empty node may mean null'],
    ['{ type: boolean }', '<a>1</a>', '"1" is a truth value of XML Schema alone'],
    ['{ type: integer }', '<a>12345678901234567890</a>', 'a number has more digits than are exact'],
    ['{ type: object }', '<a>text</a>', 'an object has a text of its own'],
    ['{ type: array, items: {} }', '<a/>', 'the document element is described as no element'],
    [
      '{ $ref: "#/components/schemas/None" }',
      '<a/>',
      'the reference "#/components/schemas/None" leads to nothing that was read',
    ],
    ['{ type: string }', '<!DOCTYPE a><a/>', 'XML with a document type is not read'],
    ['{ type: object, additionalProperties: false }', '<a b="1"/>', 'no property describes the attribute "b"'],
  ])('%s', async (schema, xml, reason) => {
    expect(await told(schema, xml)).toBe(because(reason))
  })

  test('a component whose name is not that of the element, and another encoding', async () => {
    expect(await told(ref('P'), '<p/>', '{ P: { type: object } }')).toBe(
      because('no "name" says that the document element is called "p"'),
    )
    expect(await told('{ type: string }', new Uint8Array([0x3c, 0xe4, 0x2f, 0x3e]))).toBe(
      because('it is not encoded as UTF-8'),
    )
  })

  const at = (place: string, text: string): string => `The content at ${place} was not validated as XML: ${text}`

  test('what is around it is decided', async () => {
    const schema = `{ type: object, required: [n, owner], additionalProperties: false, xml: { name: o }, properties: {
      n: { type: integer, maximum: 5 }, owner: { oneOf: [{ type: object }, { type: string }] }, flag: { type: boolean },
      list: { type: array, minItems: 3, uniqueItems: true, items: { type: boolean }, xml: { wrapped: true } } } }`.replaceAll(
      /\n\s*/g,
      ' ',
    )
    expect(await told(schema, '<o><n>9</n><owner><x/></owner><flag>1</flag><other/></o>')).toEqual([
      'The content at /n must be <= 5',
      at('/flag', '"1" is a truth value of XML Schema alone'),
      at('/owner', 'the schema has "oneOf"'),
    ])
    expect(await told(schema, '<o><owner/><list><list>1</list><list>0</list></list></o>')).toEqual([
      "The content must have required property 'n'",
      'The content at /list must NOT have fewer than 3 items',
      at('/list/0', '"1" is a truth value of XML Schema alone'),
      at('/list/1', '"0" is a truth value of XML Schema alone'),
      at('/owner', 'the schema has "oneOf"'),
    ])
    // Whether the object is one of the values depends on what is not decided in it.
    expect(
      await told(
        '{ type: object, xml: { name: o }, enum: [{ a: true }], properties: { a: { type: boolean } } }',
        '<o><a>1</a></o>',
      ),
    ).toBe(at('/a', '"1" is a truth value of XML Schema alone'))
  })

  test('an attribute or an element that no property has may belong to one that cannot be read', async () => {
    const schema = (b: string) =>
      `{ type: object, additionalProperties: false, properties: { b: ${b}, c: { type: integer } } }`
    expect(await told(schema('{ type: object, xml: { nodeType: none } }'), '<a d="1">text<x/><c>no</c></a>')).toEqual([
      'The content at /c must be integer',
      at('/b', 'a schema has the nodeType "none"'),
    ])
    expect(await told(schema('{ type: array, items: { xml: { nodeType: text } } }'), '<a><c>1</c></a>')).toBe(
      at('/b', 'the items of a list are no elements'),
    )
    const properties = Array.from({ length: 7 }, (_, index) => `p${index}: { oneOf: [] }`).join(', ')
    const many = await told(`{ type: object, properties: { ${properties} } }`, '<a/>')
    expect([many?.length, many?.[4], many?.[5]]).toEqual([
      6,
      at('/p4', 'the schema has "oneOf"'),
      '2 more places of the content were not validated as XML',
    ])
  })

  test('XML that is too deep', async () => {
    const components = `{ N: { type: object, properties: { n: ${ref('N')} } } }`
    const deep = `<N>${'<n>'.repeat(600)}${'</n>'.repeat(600)}</N>`
    expect(await told(ref('N'), deep, components)).toBe(because('the XML is deeper than 500 elements'))
  })

  test('XML of too many elements, and XML with entities of its own, which can make a small text endless', async () => {
    const many = `<a>${'<b/>'.repeat(250_000)}</a>`
    expect(await told('{ type: object }', many)).toBe(because('the XML has more than 250000 elements and attributes'))
    const attributes = `<a ${Array.from({ length: 250_000 }, (_, at) => `b${at} = ""`).join(' ')}/>`
    expect(await told('{ type: object }', attributes)).toBe(
      because('the XML has more than 250000 elements and attributes'),
    )
    const laughs = `<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "${'&b;'.repeat(10)}">]><a>&c;</a>`
    expect(await told('{ type: string }', laughs)).toBe(because('XML with a document type is not read'))
  })
})

describe('a search in XML', () => {
  test('is refused where its elements are too deep, before it begins', async () => {
    const deep = `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`
    const refused = await selectIn('count(//a)', deep).catch((error: unknown) => (error as Error).message)
    expect(refused).toBe('the XML is deeper than 500 elements')
    expect(await selectIn('count(//a)', `<r>${deep.slice(0, 3 * 499)}${'</a>'.repeat(499)}</r>`)).toBe(499)
    const wide = `<a><b><c/></b><b><c><d/></c></b>${'<b/>'.repeat(2000)}</a>`
    expect(await selectIn('count(//*)', wide)).toBe(2006)
  })
})

test('a text that is no XML is a mismatch', async () => {
  expect(await told('{ type: string }', '<a>')).toEqual(['The content is no well-formed XML'])
})

test('a run fails at XML that is not as described, warns where that is open, and takes criteria by XPath', async () => {
  const flow = `- workflowId: main
  steps:
    - { stepId: one, operationId: a, successCriteria: [{ context: $response.body, type: xpath, condition: /x/n > 3 }] }
`
  const stepOf = async (schema: string, content: string) => {
    const sources = { shop: { kind: 'openapi', description: described(schema) } } as const
    const servers = { shop: 'https://shop.example' }
    const { result } = await run(document(flow, sources), () => xmlAnswer(content), { servers })
    return result.workflows[0]!.steps[0]!
  }
  const schema = '{ type: object, properties: { n: { type: integer } } }'
  expect(await stepOf(schema, '<x><n>4</n></x>')).toMatchObject({ status: 'passed', reason: null, warnings: [] })
  expect((await stepOf(schema, '<x><n>2</n></x>')).reason).toStartWith('/x/n > 3 is not met')
  expect(await stepOf(schema, '<x><n>4.5</n></x>')).toMatchObject({
    status: 'failed',
    reason: 'The content at /n must be integer',
  })
  expect(await stepOf('{ oneOf: [] }', '<x><n>4</n></x>')).toMatchObject({
    status: 'passed',
    warnings: ['The content was not validated as XML: the schema has "oneOf"'],
  })
})
