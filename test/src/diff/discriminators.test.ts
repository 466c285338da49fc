/** Discriminators: which values select which schema, and what that means for changes of one of them. */
import { expect, test } from 'bun:test'
import { isObject } from '../../../src/kernel/json.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { changesOf, withOperation } from './changes-of.ts'
import { testPairs } from './protocol/pairs.ts'
import type { Pair } from './protocol/pairs.ts'

type Fields = { readonly [key: string]: Json }
type Make = (schema: Json, schemas: Fields, openapi: string) => Json
type Model = (make: Make) => Json

const text: Json = { type: 'string' }
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Fields, ...required: string[]): Fields => ({ type: 'object', properties, required })
const content = (schema: Json) => ({ content: { 'application/json': { schema } } })
const request: Make = (schema, schemas, openapi) =>
  withOperation({ requestBody: { required: true, ...content(schema) } }, { components: { schemas } }, openapi)
const response: Make = (schema, schemas, openapi) =>
  withOperation(
    { responses: { '200': { description: 'ok', ...content(schema) } } },
    { components: { schemas } },
    openapi,
  )
const kids =
  (
    cat: Fields,
    dog: Fields,
    parent: Fields = {},
    mapping: Fields | null = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
    version = '3.0.3',
  ): Model =>
  (make) =>
    make(
      ref('Pet'),
      {
        Pet: {
          ...object({ t: text, ...parent }, 't'),
          discriminator: { propertyName: 't', ...(mapping ? { mapping } : {}) },
        },
        Cat: { allOf: [ref('Pet'), cat] },
        Dog: { allOf: [ref('Pet'), dog] },
      },
      version,
    )
const pairs: Pair[] = []
const pair = (name: string, base: Json, head: Json, forward: 'B' | 'N', backward: 'B' | 'N'): void => {
  pairs.push([name, base, head, forward, backward])
}
/** A pair in a request, and the other way round in a response. */
const both = (name: string, base: Model, head: Model, forward: 'B' | 'N', backward: 'B' | 'N'): void => {
  pair(`request: ${name}`, base(request), head(request), forward, backward)
  pair(`response: ${name}`, base(response), head(response), backward, forward)
}
const purring = object({ c: text })
const barking = object({ d: text })
both(
  'a property of an heir narrowed',
  kids(purring, barking),
  kids(object({ c: { type: 'string', maxLength: 3 } }), barking),
  'B',
  'N',
)
both('a property of an heir became required', kids(purring, barking), kids(object({ c: text }, 'c'), barking), 'B', 'N')
both(
  'a property of the parent narrowed',
  kids(purring, barking, { p: text }),
  kids(purring, barking, { p: { type: 'string', maxLength: 3 } }),
  'B',
  'N',
)
both(
  'an heir lists the one value that selects it',
  kids(purring, barking),
  kids(object({ c: text, t: { const: 'cat' } }), barking),
  'N',
  'N',
)
both(
  'the same as an enumeration',
  kids(purring, barking),
  kids(object({ c: text, t: { type: 'string', enum: ['cat'] } }), barking),
  'N',
  'N',
)
both(
  'an heir that its name selects',
  kids(purring, barking, {}, null),
  kids(object({ c: { type: 'string', maxLength: 3 } }), barking, {}, null),
  'B',
  'N',
)
both(
  'the parent lists the values that select something',
  kids(purring, barking, { t: { type: 'string' } }),
  kids(purring, barking, { t: { type: 'string', enum: ['cat', 'dog', 'Cat', 'Dog', 'Pet'] } }),
  'N',
  'N',
)
both(
  'a mapping says what the name says anyway',
  kids(purring, barking, {}, null),
  kids(purring, barking, {}, { Cat: '#/components/schemas/Cat' }),
  'N',
  'N',
)
both(
  'a mapping by name and by reference',
  kids(purring, barking),
  kids(purring, barking, {}, { cat: 'Cat', dog: 'Dog' }),
  'N',
  'N',
)
both(
  'two values change places',
  kids(purring, barking),
  kids(purring, barking, {}, { cat: 'Dog', dog: 'Cat' }),
  'B',
  'B',
)
// unions
const union =
  (
    cat: Fields,
    dog: Fields,
    discriminator: Fields | null = {
      propertyName: 't',
      mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
    },
    word = 'oneOf',
    version = '3.0.3',
  ): Model =>
  (make) =>
    make(
      { [word]: [ref('Cat'), ref('Dog')], ...(discriminator ? { discriminator } : {}) },
      { Cat: cat, Dog: dog },
      version,
    )
const cat = object({ t: text, c: text }, 't')
const dog = object({ t: text, d: text }, 't')
both(
  'another branch would accept what its value does not select',
  union(cat, dog),
  union(object({ t: text, c: { type: 'string', maxLength: 3 } }, 't'), dog),
  'B',
  'N',
)
both(
  'the same in anyOf',
  union(cat, dog, undefined, 'anyOf'),
  union(object({ t: text, c: { type: 'string', maxLength: 3 } }, 't'), dog, undefined, 'anyOf'),
  'B',
  'N',
)
both(
  'a property of a branch became required',
  union(cat, dog),
  union(object({ t: text, c: text }, 't', 'c'), dog),
  'B',
  'N',
)
both(
  'values that branches list and that are not their names',
  union(
    object({ t: { type: 'string', enum: ['cat'] }, c: text }, 't'),
    object({ t: { type: 'string', enum: ['dog'] }, d: text }, 't'),
    { propertyName: 't' },
  ),
  union(
    object({ t: { type: 'string', enum: ['cat'] }, c: { type: 'string', maxLength: 3 } }, 't'),
    object({ t: { type: 'string', enum: ['dog'] }, d: text }, 't'),
    { propertyName: 't' },
  ),
  'B',
  'N',
)
both(
  'a branch lists the values that select it',
  union(cat, dog),
  union(object({ t: { type: 'string', enum: ['cat', 'Cat'] }, c: text }, 't'), dog),
  'N',
  'N',
)
both(
  'a branch rules out the value that selects it',
  union(cat, dog),
  union(object({ t: { type: 'string', enum: ['dog'] }, c: text }, 't'), dog),
  'B',
  'N',
)
both('another property discriminates', union(cat, dog), union(cat, dog, { propertyName: 'c' }), 'B', 'B')
both(
  'branches that share a parent',
  (make) =>
    make(
      { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 't' } },
      { Pet: object({ t: text }, 't'), Cat: { allOf: [ref('Pet'), purring] }, Dog: { allOf: [ref('Pet'), barking] } },
      '3.1.1',
    ),
  (make) =>
    make(
      { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 't' } },
      {
        Pet: object({ t: text }, 't'),
        Cat: { allOf: [ref('Pet'), object({ c: text }, 'c')] },
        Dog: { allOf: [ref('Pet'), barking] },
      },
      '3.1.1',
    ),
  'B',
  'N',
)
both(
  'a branch removed',
  union(cat, dog),
  (make) =>
    make(
      { oneOf: [ref('Cat')], discriminator: { propertyName: 't', mapping: { cat: '#/components/schemas/Cat' } } },
      { Cat: cat, Dog: dog },
      '3.0.3',
    ),
  'B',
  'N',
)
both('a branch written as allOf', union(cat, dog), union({ allOf: [cat] }, dog), 'N', 'N')
both(
  'a branch renamed whose name is its value',
  union(cat, dog, { propertyName: 't' }),
  (make) =>
    make(
      { oneOf: [ref('Kitty'), ref('Dog')], discriminator: { propertyName: 't' } },
      { Kitty: cat, Dog: dog },
      '3.0.3',
    ),
  'B',
  'B',
)

const parentOf = (parent: string, discriminator: Json, own: Fields): Fields => ({
  Pet: { ...object({ t: text }, 't'), discriminator },
  Cat: { allOf: [{ $ref: `${parent}/Pet` }, own] },
})
const swagger = (own: Fields): Json => ({
  swagger: '2.0',
  info: { title: 'A', version: '1' },
  consumes: ['application/json'],
  paths: {
    '/a': {
      post: {
        parameters: [{ in: 'body', name: 'b', required: true, schema: { $ref: '#/definitions/Pet' } }],
        responses: { '200': { description: 'ok' } },
      },
    },
  },
  definitions: parentOf('#/definitions', 't', own),
})
const openapi3 = (own: Fields): Json =>
  request(ref('Pet'), parentOf('#/components/schemas', { propertyName: 't' }, own), '3.0.3')
pair('a property of an heir in Swagger 2.0', swagger(purring), swagger(object({ c: text }, 'c')), 'B', 'N')
pair('the same heir in Swagger 2.0 and OpenAPI 3.0', swagger(purring), openapi3(purring), 'N', 'N')
pair('another heir in Swagger 2.0 and OpenAPI 3.0', swagger(purring), openapi3(object({ c: text }, 'c')), 'B', 'N')
const listOf =
  (model: Model): Model =>
  (make) =>
    model((schema, schemas, openapi) => make({ type: 'array', items: schema }, schemas, openapi))
both('a list of heirs', listOf(kids(purring, barking)), listOf(kids(object({ c: text }, 'c'), barking)), 'B', 'N')
both(
  'a branch renamed behind its value',
  union(cat, dog),
  (make) =>
    make(
      {
        oneOf: [ref('Kitty'), ref('Dog')],
        discriminator: {
          propertyName: 't',
          mapping: { cat: '#/components/schemas/Kitty', dog: '#/components/schemas/Dog' },
        },
      },
      { Kitty: cat, Dog: dog },
      '3.0.3',
    ),
  'N',
  'N',
)
testPairs('discriminators', pairs)

// "If the discriminator value does not match an implicit or explicit mapping, no schema can be determined" (OpenAPI 3.0.3).
test.each([
  ['of the heir', kids(purring, barking), kids(object({ c: text }, 'c'), barking), ['cat']],
  [
    'of every heir',
    kids(purring, barking, { p: text }),
    kids({ allOf: [purring, { required: ['p'] }] }, { allOf: [barking, { required: ['p'] }] }, { p: text }),
    ['cat', 'dog'],
  ],
  ['of the branch', union(cat, dog), union(object({ t: text, c: text }, 't', 'c'), dog), ['cat']],
])('a counterexample has a value that selects a schema: a change %s', (_, base, head, values) => {
  const shown = changesOf(base(request), head(request)).flatMap(({ witness }) => (witness ? [witness.value] : []))
  const tags = shown.filter(isObject).map(({ t }) => t)
  expect(tags.length).toBeGreaterThan(0)
  expect(tags.filter((it) => !values.includes(String(it)))).toEqual([])
})
