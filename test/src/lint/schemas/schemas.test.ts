import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../../src/document/parse.ts'
import { lint } from '../../../../src/lint/lint.ts'
import { recommended } from '../../../../src/lint/rulesets/recommended.ts'

const drafts = {
  '4': 'http://json-schema.org/draft-04/schema#',
  '7': 'http://json-schema.org/draft-07/schema#',
  '2020': 'https://json-schema.org/draft/2020-12/schema',
}

const told = (schema: object, draft: keyof typeof drafts = '2020'): string[] =>
  lint(
    parseDocument(JSON.stringify({ $schema: drafts[draft], title: 'T', ...schema }), { source: 's.json' }),
    recommended.ruleset,
  ).findings.map(({ code, pointer }) => `${code.replace('json-schema-', '')} ${pointer}`)

describe('what is said of a JSON Schema', () => {
  const cases: readonly (readonly [object, string[], (keyof typeof drafts)?])[] = [
    [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, []],
    [{ minimum: 5, maximum: 5 }, []],
    [{ exclusiveMinimum: 5, maximum: 5 }, ['bounds /exclusiveMinimum']],
    [{ minimum: 5, exclusiveMinimum: true, maximum: 5 }, ['bounds /minimum'], '4'],
    [{ type: 'integer', minimum: 1.2, maximum: 1.8 }, ['bounds /minimum']],
    [{ minItems: 3, prefixItems: [{}], items: false }, ['bounds /minItems']],
    [{ minItems: 3, items: [{}], additionalItems: false }, ['bounds /minItems'], '7'],
    [{ minProperties: 2, properties: { a: {} }, additionalProperties: false }, ['bounds /minProperties']],
    [{ maxProperties: 1, properties: { a: {}, b: {} }, required: ['a', 'b'] }, ['bounds /maxProperties']],
    // What allOf, a reference, or the schema around declares is declared.
    [{ allOf: [{ properties: { a: {} } }], properties: { b: {} }, required: ['a'] }, []],
    [{ properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, []],
    [{ $ref: '#/$defs/A', properties: { b: {} }, required: ['a'], $defs: { A: { properties: { a: {} } } } }, []],
    [{ properties: { b: {} }, patternProperties: { '^a': {} }, required: ['a'] }, []],
    [{ properties: { b: {} }, additionalProperties: { type: 'string' }, required: ['a'] }, []],
    [{ properties: { b: {} }, required: ['a'], additionalProperties: false }, ['required-declared /required/0']],
    // A key of data is no keyword, a property may have the name of one.
    [
      { default: { minimum: 2, maximum: 1 }, examples: [{ enum: [1, 1] }], const: { maxLenght: 1 } },
      ['default /default', 'examples /examples/0'],
    ],
    [{ properties: { properties: { type: 'string' }, enum: { type: 'string' }, $ref: { type: 'string' } } }, []],
    [{ type: ['string', 'null'], enum: ['a', null, 1] }, ['enum-type /enum/2']],
    [
      {
        enum: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      ['enum-unique /enum'],
    ],
    [{ type: 'string', pattern: '(' }, ['pattern /pattern']],
    [{ nullable: true }, ['unknown-keyword /nullable']],
    [{ type: 'string', maxLenght: 1, 'x-own': 1 }, ['unknown-keyword /maxLenght']],
    [{ prefixItems: [{}] }, ['keyword-draft /prefixItems'], '7'],
    [{ dependencies: {} }, ['keyword-draft /dependencies']],
    [{ id: 'https://example.com/s' }, ['keyword-draft /id'], '7'],
    [{ allOf: [{ type: 'string' }, { enum: [1, 2] }] }, ['satisfiable ']],
    [
      { properties: { a: { allOf: [{ minLength: 5, type: 'string' }, { maxLength: 2 }] } }, required: ['a'] },
      ['satisfiable /properties/a'],
    ],
    [{ not: {} }, []],
    [{ anyOf: [{ not: {} }, { type: 'string' }] }, []],
    [{ $ref: '#/$defs/Tree', $defs: { Tree: { type: 'array', items: { $ref: '#/$defs/Tree' } } } }, []],
    [{ $ref: '#/definitions/A', minimum: 1, definitions: { A: {} } }, ['ref-siblings /minimum'], '7'],
    [{ $ref: '#/$defs/B', $defs: { A: {} } }, ['invalid-ref /$ref', 'unused-definition /$defs/A']],
    [{ $ref: '#a', $defs: { A: { $anchor: 'a', type: 'string' } } }, []],
    [{ $ref: 'https://example.com/a', $defs: { A: { $id: 'https://example.com/a', type: 'string' } } }, []],
    [{ $defs: { A: { type: 'string' } } }, []],
    [{ type: 'string', format: 'datetime' }, ['format /format']],
    [{ then: {} }, ['dependent-keyword /then']],
  ]
  for (const [schema, places, draft] of cases)
    test(JSON.stringify(schema), () => expect(told(schema, draft)).toEqual(places))
})

test('a document of many schemas is looked through', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5000 }, (_, n) => [`p${n}`, { type: 'string', minLength: n }]),
  )
  expect(told({ properties })).toEqual([])
})
