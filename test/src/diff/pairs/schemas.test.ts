/** Longer than 400 lines: a table. Schemas that differ in how they are written or in what they allow. */
import { testPairs } from '../protocol/pairs.ts'
import { integer, number, object, ref, text, Pairs } from './builders.ts'

const { all, both } = new Pairs()

both(
  'nullable ref sibling 3.0 ignored',
  { $ref: '#/components/schemas/A', nullable: true },
  { $ref: '#/components/schemas/A' },
  'N',
  'N',
  '3.0.3',
  { A: text },
)
both(
  'exclusiveMinimum true 3.0 → minimum',
  { type: 'number', minimum: 0, exclusiveMinimum: true },
  { type: 'number', minimum: 0 },
  'N',
  'B',
  '3.0.3',
)
both(
  'exclusiveMinimum false',
  { type: 'number', minimum: 0, exclusiveMinimum: false },
  { type: 'number', minimum: 0 },
  'N',
  'N',
  '3.0.3',
)
both(
  'exclusiveMinimum true without minimum',
  { type: 'number', exclusiveMinimum: true },
  { type: 'number' },
  'N',
  'N',
  '3.0.3',
)
both('exclusive int', { type: 'integer', exclusiveMaximum: 10 }, { type: 'integer', maximum: 9 }, 'N', 'N')
both('exclusive both', { type: 'number', minimum: 5, exclusiveMinimum: 3 }, { type: 'number', minimum: 5 }, 'N', 'N')
both('int32 to int64', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }, 'N', 'B')
both('date-time added', text, { type: 'string', format: 'date-time' }, 'B', 'N')
both('date to date-time', { type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }, 'B', 'B')
both('uuid to pattern', { type: 'string', format: 'uuid' }, text, 'N', 'B')
both('password format', { type: 'string', format: 'password' }, text, 'N', 'N')
both('pattern unicode', { type: 'string', pattern: '^\\p{L}+$' }, { type: 'string', pattern: '^[a-z]+$' }, 'B', 'N')
both(
  'pattern \\d vs [0-9]',
  { type: 'string', pattern: '^\\d{3}$' },
  { type: 'string', pattern: '^[0-9][0-9][0-9]$' },
  'N',
  'N',
)
both('pattern surrogates', { type: 'string', pattern: '^.$' }, { type: 'string', maxLength: 1 }, 'N', 'B')
both(
  'pattern with length',
  { type: 'string', pattern: '^[a-z]{2,4}$' },
  { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4 },
  'N',
  'N',
)
both(
  'unevaluated vs additional',
  { allOf: [object({ a: text })], unevaluatedProperties: false },
  { ...object({ a: text }), additionalProperties: false },
  'N',
  'N',
)
both(
  'unevaluated adds prop',
  { allOf: [object({ a: text })], unevaluatedProperties: false },
  { allOf: [object({ a: text, b: text })], unevaluatedProperties: false },
  'N',
  'B',
)
both(
  'unevaluated with anyOf',
  { anyOf: [object({ a: text }, 'a'), object({ b: text }, 'b')], unevaluatedProperties: false },
  { anyOf: [object({ a: text }, 'a'), object({ b: text }, 'b')] },
  'N',
  'B',
)
both(
  'dependentSchemas vs if',
  { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
  { type: 'object', dependentRequired: { a: ['b'] } },
  'N',
  'N',
)
both(
  'dependentSchemas vs if then',
  { type: 'object', dependentSchemas: { a: { properties: { b: integer } } } },
  { type: 'object', if: { required: ['a'] }, then: { properties: { b: integer } } },
  'N',
  'N',
)
both(
  'dependentRequired added',
  object({ a: text, b: text }),
  { ...object({ a: text, b: text }), dependentRequired: { a: ['b'] } },
  'B',
  'N',
)
both('contains min 0', { type: 'array', contains: integer, minContains: 0 }, { type: 'array' }, 'N', 'N')
both(
  'contains min 2',
  { type: 'array', contains: integer, minContains: 2 },
  { type: 'array', contains: integer },
  'N',
  'B',
)
both(
  'minItems vs contains',
  { type: 'array', items: integer, minItems: 1 },
  { type: 'array', items: integer, contains: integer },
  'N',
  'N',
)
both(
  'prefixItems items false',
  { type: 'array', prefixItems: [text, integer], items: false },
  { type: 'array', prefixItems: [text, integer], maxItems: 2 },
  'N',
  'N',
)
both(
  'prefixItems all the same',
  { type: 'array', prefixItems: [text, text], items: text },
  { type: 'array', items: text },
  'N',
  'N',
)
both('vs enum', { const: 1 }, { enum: [1.0] }, 'N', 'N')
both('object key order', { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, 'N', 'N')
both('1 vs "1"', { const: 1 }, { const: '1' }, 'B', 'B')
both('vs true 1', { enum: [true] }, { enum: [1] }, 'B', 'B')
both('multipleOf decimals', { type: 'number', multipleOf: 0.1 }, { type: 'number', multipleOf: 0.05 }, 'N', 'B')
both('multipleOf 0.01 vs 0.03', { type: 'number', multipleOf: 0.03 }, { type: 'number', multipleOf: 0.01 }, 'N', 'B')
both('multipleOf int', { type: 'integer', multipleOf: 1.5 }, { type: 'integer', multipleOf: 3 }, 'N', 'N')
both(
  'multipleOf 0.5 range',
  { type: 'number', multipleOf: 0.5, minimum: 0, maximum: 1 },
  { enum: [0, 0.5, 1] },
  'N',
  'N',
)
both('integer 1.0', { type: 'integer' }, { type: 'number', multipleOf: 1 }, 'N', 'N')
both('bounds empty', { type: 'integer', minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }, 'N', 'N')
both('type any list', {}, { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] }, 'N', 'N')
both('not type', { not: { type: 'string' } }, { type: ['number', 'boolean', 'object', 'array', 'null'] }, 'N', 'N')
both('boolean schema', true, {}, 'N', 'N')
both('false prop', object({ a: false }), { type: 'object', not: { required: ['a'] } }, 'N', 'N')
both('if without then', { if: text, type: 'string' }, text, 'N', 'N')
both('if false', { if: false, then: text }, {}, 'N', 'N')
both('oneOf disjoint to anyOf', { oneOf: [text, integer] }, { anyOf: [text, integer] }, 'N', 'N')
both('oneOf overlapping to anyOf', { oneOf: [number, integer] }, { anyOf: [number, integer] }, 'N', 'B')
both('oneOf number integer', { oneOf: [number, integer] }, { type: 'number', not: integer }, 'N', 'N')
both('allOf contradictory', { allOf: [text, { minLength: 3 }] }, { type: 'string', minLength: 3 }, 'N', 'N')
both(
  'propertyNames enum',
  { type: 'object', propertyNames: { enum: ['a', 'b'] } },
  { type: 'object', properties: { a: true, b: true }, additionalProperties: false },
  'N',
  'N',
)
both(
  'patternProperties vs addl',
  { type: 'object', patternProperties: { '': integer } },
  { type: 'object', additionalProperties: integer },
  'N',
  'N',
)
both(
  'minProperties req',
  { ...object({ a: text, b: text }, 'a', 'b'), additionalProperties: false },
  { ...object({ a: text, b: text }), minProperties: 2, additionalProperties: false },
  'N',
  'N',
)
both('maxProperties 0', { type: 'object', maxProperties: 0 }, { type: 'object', additionalProperties: false }, 'N', 'N')
both('cyclic unrolled', ref('N'), ref('M'), 'N', 'N', '3.1.1', {
  N: object({ next: ref('N') }),
  M: object({ next: object({ next: ref('M') }) }),
})
both('cyclic narrower', ref('N'), ref('M'), 'B', 'N', '3.1.1', {
  N: object({ v: number, next: ref('N') }),
  M: object({ v: number, next: object({ v: integer, next: ref('M') }) }),
})
both('uniqueItems of one', { type: 'array', maxItems: 1 }, { type: 'array', maxItems: 1, uniqueItems: true }, 'N', 'N')
both(
  'uniqueItems booleans',
  { type: 'array', items: { type: 'boolean' }, uniqueItems: true },
  { type: 'array', items: { type: 'boolean' }, uniqueItems: true, maxItems: 2 },
  'N',
  'N',
)
both('minLength 0', { type: 'string', minLength: 0 }, text, 'N', 'N')
both('enum type mismatch', { type: 'string', enum: ['a', 1] }, { type: 'string', enum: ['a'] }, 'N', 'N')
both('enum duplicates', { enum: ['a', 'a'] }, { enum: ['a'] }, 'N', 'N')
both(
  'nullable enum no null 3.0 becoming with',
  { type: 'string', nullable: true, enum: ['a'] },
  { type: 'string', nullable: true, enum: ['a', null] },
  'N',
  'N',
  '3.0.3',
)
both('type null array 3.1', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }, 'N', 'N')
both('$defs local', { $ref: '#/components/schemas/A/$defs/x' }, text, 'N', 'N', '3.1.1', { A: { $defs: { x: text } } })
both('ref sibling description', { $ref: '#/components/schemas/A', description: 'x' }, ref('A'), 'N', 'N', '3.1.1', {
  A: text,
})
both('ref sibling minLength 3.1', { $ref: '#/components/schemas/A', minLength: 2 }, ref('A'), 'N', 'B', '3.1.1', {
  A: text,
})
both('ref sibling minLength 3.0', { $ref: '#/components/schemas/A', minLength: 2 }, ref('A'), 'N', 'N', '3.0.3', {
  A: text,
})
both('items absent', { type: 'array' }, { type: 'array', items: {} }, 'N', 'N')
both(
  'additionalItems 3.1 ignored',
  { type: 'array', items: text, additionalItems: false },
  { type: 'array', items: text },
  'N',
  'N',
)
both('big numbers', { type: 'integer', maximum: 1e3 }, { type: 'integer', maximum: 1000 }, 'N', 'N')
both('default typed', { type: 'string', default: 'a' }, { type: 'string', default: 'b' }, 'N', 'N')
both('enum of objects', { enum: [{ a: [1, 2] }] }, { enum: [{ a: [2, 1] }] }, 'B', 'B')
both(
  'string enum maxLength',
  { type: 'string', enum: ['a', 'bb'] },
  { type: 'string', enum: ['a', 'bb'], maxLength: 2 },
  'N',
  'N',
)
both('anyOf superset', { anyOf: [text, { type: 'string', maxLength: 3 }] }, text, 'N', 'N')
both('not not', { not: { not: text } }, text, 'N', 'N')
both(
  'not required both',
  { type: 'object', not: { required: ['a', 'b'] } },
  { type: 'object', anyOf: [{ not: { required: ['a'] } }, { not: { required: ['b'] } }] },
  'N',
  'N',
)
both(
  'readOnly in allOf member',
  { allOf: [object({ a: { type: 'string', readOnly: true } }), { required: ['a'] }] },
  object({ a: { type: 'string', readOnly: true } }, 'a'),
  'N',
  'N',
)
both('\\p{L} vs \\p{Lu}', { type: 'string', pattern: '^\\p{Lu}+$' }, { type: 'string', pattern: '^\\p{L}+$' }, 'N', 'B')
both(
  '\\p{Script=Greek}',
  { type: 'string', pattern: '^\\p{Script=Greek}$' },
  { type: 'string', maxLength: 1 },
  'N',
  'B',
)
both(
  '[\\p{L}\\d] vs \\P',
  { type: 'string', pattern: '^[^\\p{L}]$' },
  { type: 'string', pattern: '^\\P{L}$' },
  'N',
  'N',
)
both('pattern case i', { type: 'string', pattern: '^[A-Za-z]$' }, { type: 'string', pattern: '^[a-z]$' }, 'B', 'N')
both('pattern alternation', { type: 'string', pattern: '^(a|b)$' }, { enum: ['a', 'b'] }, 'N', 'N')
both('pattern no anchors vs anchored', { type: 'string', pattern: '^a' }, { type: 'string', pattern: 'a' }, 'N', 'B')
both('pattern ^$|x', { type: 'string', pattern: '^$|^x$' }, { type: 'string', pattern: '^x?$' }, 'N', 'N')
both('pattern dot newline', { type: 'string', pattern: '^.*$' }, text, 'N', 'B')
both('pattern [\\s\\S]', { type: 'string', pattern: '^[\\s\\S]*$' }, text, 'N', 'N')
both('maxLength 0', { type: 'string', maxLength: 0 }, { const: '' }, 'N', 'N')
both(
  'addl schema vs prop',
  { type: 'object', additionalProperties: text },
  { type: 'object', properties: { a: text }, additionalProperties: text },
  'N',
  'N',
)
both(
  'addl schema prop wider',
  { type: 'object', additionalProperties: text },
  { type: 'object', properties: { a: { type: ['string', 'integer'] } }, additionalProperties: text },
  'N',
  'B',
)
both(
  'optional prop added closed',
  { ...object({ a: text }), additionalProperties: false },
  { ...object({ a: text, b: text }), additionalProperties: false },
  'N',
  'B',
)
both('open to closed', object({ a: text }), { ...object({ a: text }), additionalProperties: false }, 'B', 'N')
both(
  'new prop typed where addl typed differently',
  { ...object({ a: text }), additionalProperties: text },
  { ...object({ a: text, b: integer }), additionalProperties: text },
  'B',
  'B',
)
both(
  'deep allOf',
  { allOf: [{ allOf: [object({ a: text }, 'a')] }, { allOf: [object({ b: text })] }] },
  object({ a: text, b: text }, 'a'),
  'N',
  'N',
)
both(
  'anyOf required split',
  { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  object({ a: text, b: text }),
  'N',
  'B',
)
both(
  'oneOf required xor',
  { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  'N',
  'B',
)
both(
  'discriminated oneOf→anyOf',
  { oneOf: [object({ k: { const: 'a' }, x: text }, 'k'), object({ k: { const: 'b' }, y: text }, 'k')] },
  { anyOf: [object({ k: { const: 'a' }, x: text }, 'k'), object({ k: { const: 'b' }, y: text }, 'k')] },
  'N',
  'N',
)
both(
  'discriminated branch added',
  { oneOf: [object({ k: { const: 'a' } }, 'k')] },
  { oneOf: [object({ k: { const: 'a' } }, 'k'), object({ k: { const: 'b' } }, 'k')] },
  'N',
  'B',
)
both(
  'tuple draft07 style items array in 3.0?',
  { type: 'array', items: text, minItems: 2, maxItems: 2 },
  { type: 'array', prefixItems: [text, text], items: false, minItems: 2 },
  'N',
  'N',
)
both(
  'unevaluatedItems',
  { type: 'array', prefixItems: [text], unevaluatedItems: false },
  { type: 'array', prefixItems: [text], items: false },
  'N',
  'N',
)
both(
  'unevaluatedProperties with if',
  {
    type: 'object',
    if: { properties: { k: { const: 1 } }, required: ['k'] },
    then: { properties: { a: text } },
    properties: { k: true },
    unevaluatedProperties: false,
  },
  { type: 'object', properties: { k: true, a: text }, unevaluatedProperties: false },
  'N',
  'B',
)
both('$anchor', { $ref: '#x' }, text, 'N', 'N', '3.1.1', { A: { $anchor: 'x', type: 'string' } })
both('$id resource', { $ref: 'https://e.x/a' }, text, 'N', 'N', '3.1.1', {
  A: { $id: 'https://e.x/a', type: 'string' },
})
both('$id inner pointer', { $ref: 'https://e.x/a#/$defs/k' }, integer, 'N', 'N', '3.1.1', {
  A: { $id: 'https://e.x/a', type: 'string', $defs: { k: integer } },
})
both('dynamicRef plain', { $dynamicRef: '#x' }, text, 'N', 'N', '3.1.1', { A: { $dynamicAnchor: 'x', type: 'string' } })
both('jsonSchemaDialect nullable', { type: 'string', nullable: true }, text, 'N', 'N')
both('int64 max', { type: 'integer', format: 'int64' }, integer, 'N', 'B')
both(
  'int32 bounds',
  { type: 'integer', format: 'int32' },
  { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  'N',
  'N',
)
both('number min > old', { type: 'number', minimum: 0.1 }, { type: 'number', minimum: 0.1 }, 'N', 'N')
both(
  'dependentRequired implied',
  { ...object({ a: text, b: text }, 'a', 'b'), dependentRequired: { a: ['b'] } },
  object({ a: text, b: text }, 'a', 'b'),
  'N',
  'N',
)
both(
  'minProperties implied by required',
  { ...object({ a: text }, 'a'), minProperties: 1 },
  object({ a: text }, 'a'),
  'N',
  'N',
)
both(
  'patternProperties shadow',
  { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
  { type: 'object', propertyNames: { pattern: '^x-' }, additionalProperties: text },
  'N',
  'N',
)
both('recursion through addl', ref('N'), ref('M'), 'N', 'N', '3.1.1', {
  N: { type: 'object', additionalProperties: ref('N') },
  M: { type: 'object', additionalProperties: { type: 'object', additionalProperties: ref('M') } },
})
both('tree arrays', ref('N'), ref('M'), 'B', 'N', '3.1.1', {
  N: object({ k: { type: 'array', items: ref('N') } }),
  M: object({ k: { type: 'array', items: ref('M'), maxItems: 5 } }),
})
testPairs('schemas', all)
