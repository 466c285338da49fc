/** Keywords of 2020-12 that earlier dialects of OpenAPI lack, or have in another form. */
import type { Json } from '../case.ts'
import type { MakeNarrowing, Schema } from './narrowings.ts'

/** Keywords of 2020-12 that draft-04 lacks, or has in another form. */
export const newKeywords: Readonly<Record<string, MakeNarrowing>> = {
  'type-list': (random) => {
    const type = random.pick(['string', 'integer', 'boolean'])
    return {
      wide: { type: [type, 'null'] },
      narrow: { type: random.pick<Json>([type, [type]]) },
      witness: null,
      reason:
        'A value is valid if its type is one of the list; one type alone allows no null (validation 6.1.1, type).',
    }
  },
  const: (random) => {
    const [one = '', two = ''] = random.values(2)
    return {
      wide: { enum: [one, two] },
      narrow: { const: one },
      witness: two,
      reason: 'const allows what an enum of that one value allows (validation 6.1.3, const).',
    }
  },
  exclusiveMaximum: (random) => {
    const bound = random.int(20, 400)
    const less = bound - random.int(1, 15)
    return {
      wide: { type: 'integer', exclusiveMaximum: bound },
      narrow: { type: 'integer', exclusiveMaximum: less },
      witness: less,
      reason:
        'A number is valid below the limit; the narrower limit is the lower (validation 6.2.3, exclusiveMaximum).',
    }
  },
  exclusiveMinimum: (random) => {
    const bound = random.int(1, 200)
    const more = bound + random.int(1, 15)
    return {
      wide: { type: 'integer', exclusiveMinimum: bound },
      narrow: { type: 'integer', exclusiveMinimum: more },
      witness: more,
      reason:
        'A number is valid above the limit; the narrower limit is the higher (validation 6.2.5, exclusiveMinimum).',
    }
  },
  contains: (random) => {
    const [value = ''] = random.values(1)
    return {
      wide: { type: 'array', items: { type: 'string' } },
      narrow: { type: 'array', items: { type: 'string' }, contains: { const: value } },
      witness: ['other'],
      reason:
        'The keyword asks for one valid item at least; without it nothing is asked for (core 10.3.1.3, contains).',
    }
  },
  minContains: (random) => {
    const [value = ''] = random.values(1)
    const least = random.int(1, 2)
    return {
      wide: { type: 'array', contains: { const: value }, minContains: least },
      narrow: { type: 'array', contains: { const: value }, minContains: least + 1 },
      witness: Array.from({ length: least }, () => value),
      reason:
        'That many items have to match contains at least; the narrower limit is the higher (validation 6.4.5, minContains).',
    }
  },
  maxContains: (random) => {
    const [value = ''] = random.values(1)
    const most = random.int(2, 4)
    return {
      wide: { type: 'array', contains: { const: value }, maxContains: most },
      narrow: { type: 'array', contains: { const: value }, maxContains: most - 1 },
      witness: Array.from({ length: most }, () => value),
      reason:
        'That many items may match contains at most; the narrower limit is the lower (validation 6.4.4, maxContains).',
    }
  },
  prefixItems: (random) => {
    const bound = random.int(3, 30)
    return {
      wide: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      narrow: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer', maximum: bound }] },
      witness: ['x', bound + 1],
      reason: 'The item at a position has to be valid against the schema there (core 10.3.1.1, prefixItems).',
    }
  },
  'items-after-prefixItems': (random) => ({
    wide: { type: 'array', prefixItems: [{ type: 'string' }] },
    narrow: {
      type: 'array',
      prefixItems: [{ type: 'string' }],
      items: random.pick<Schema>([false, { type: 'integer' }]),
    },
    witness: ['x', 'y'],
    reason: 'items holds for the items after those of prefixItems; without it they are free (core 10.3.1.2, items).',
  }),
  dependentRequired: (random) => {
    const [one = '', two = ''] = random.names(2)
    return {
      wide: { type: 'object' },
      narrow: { type: 'object', dependentRequired: { [one]: [two] } },
      witness: { [one]: 1 },
      reason:
        'The keyword asks for further properties where one is present; without it none are asked for (validation 6.5.4, dependentRequired).',
    }
  },
  dependentSchemas: (random) => {
    const [one = '', two = ''] = random.names(2)
    return {
      wide: { type: 'object' },
      narrow: { type: 'object', dependentSchemas: { [one]: { properties: { [two]: { type: 'string' } } } } },
      witness: { [one]: 1, [two]: 2 },
      reason:
        'The schema holds for the whole object where the property is present; without it nothing is asked for (core 10.2.2.4, dependentSchemas).',
    }
  },
  patternProperties: (random) => {
    const prefix = random.pick(['x', 'y', 'z'])
    return {
      wide: { type: 'object', patternProperties: { [`^${prefix}_`]: { type: ['string', 'integer'] } } },
      narrow: { type: 'object', patternProperties: { [`^${prefix}_`]: { type: 'string' } } },
      witness: { [`${prefix}_1`]: 5 },
      reason:
        'Properties whose names match have to be valid against the schema, and the narrower one allows one type less (core 10.3.2.2, patternProperties).',
    }
  },
  propertyNames: (random) => {
    const most = random.int(3, 6)
    return {
      wide: { type: 'object' },
      narrow: { type: 'object', propertyNames: { maxLength: most } },
      witness: { ['n'.repeat(most + 1)]: 1 },
      reason:
        'Each name has to be valid against the schema; without the keyword every name is (core 10.3.2.4, propertyNames).',
    }
  },
  'if-then': (random) => {
    const [name = '', other = ''] = random.names(2)
    const [value = ''] = random.values(1)
    const condition = { properties: { [name]: { const: value } }, required: [name] }
    return {
      wide: { type: 'object', properties: { [name]: { type: 'string' } } },
      narrow: {
        type: 'object',
        properties: { [name]: { type: 'string' } },
        if: condition,
        then: { required: [other] },
      },
      witness: { [name]: value },
      reason:
        'What the condition accepts has to be valid against then as well; without them nothing more is asked for (core 10.2.2, if and then).',
    }
  },
  else: (random) => {
    const bound = random.int(5, 50)
    return {
      wide: { type: 'integer', if: { multipleOf: 2 }, else: { maximum: bound * 2 + 1 } },
      narrow: { type: 'integer', if: { multipleOf: 2 }, else: { maximum: bound * 2 - 1 } },
      witness: bound * 2 + 1,
      reason:
        'What the condition refuses has to be valid against else, and the narrower one has the lower limit (core 10.2.2.3, else).',
    }
  },
  unevaluatedProperties: (random) => {
    const [name = '', part = '', other = ''] = random.names(3)
    const allOf = [{ properties: { [part]: { type: 'string' } } }]
    return {
      wide: { type: 'object', allOf, properties: { [name]: { type: 'string' } } },
      narrow: { type: 'object', allOf, properties: { [name]: { type: 'string' } }, unevaluatedProperties: false },
      witness: { [other]: 1 },
      reason:
        'With false only properties that other keywords looked at are allowed; without it all are (core 11.3, unevaluatedProperties).',
    }
  },
  unevaluatedItems: () => ({
    wide: { type: 'array', prefixItems: [{ type: 'string' }] },
    narrow: { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false },
    witness: ['x', 1],
    reason:
      'With false only items that other keywords looked at are allowed; without it all are (core 11.2, unevaluatedItems).',
  }),
  $anchor: (random) => {
    const bound = random.int(3, 30)
    return {
      wide: { $ref: '#part' },
      narrow: { $ref: '#part' },
      wideDefs: { Part: { $anchor: 'part', type: 'integer', maximum: bound } },
      narrowDefs: { Part: { $anchor: 'part', type: 'integer', maximum: bound - 1 } },
      witness: bound,
      reason:
        'The reference leads to the schema with the anchor of that name, and the narrower one has the lower limit (core 8.2.2, $anchor).',
    }
  },
  $dynamicRef: (random) => {
    const bound = random.int(3, 30)
    const node = (maximum: number): Schema => ({
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { next: { $dynamicRef: '#node' }, value: { type: 'integer', maximum } },
    })
    return {
      wide: node(bound),
      narrow: node(bound - 1),
      witness: { next: { value: bound } },
      reason:
        'The reference leads to the outermost schema with that dynamic anchor, which is the only one, and the narrower one has the lower limit (core 8.2.3.2, $dynamicRef).',
    }
  },
  'boolean-schema': (random) => {
    const [name = '', other = ''] = random.names(2)
    return {
      wide: { type: 'object', properties: { [name]: true, [other]: { type: 'string' } } },
      narrow: { type: 'object', properties: { [name]: false, [other]: { type: 'string' } } },
      witness: { [name]: random.int(1, 9) },
      reason: 'The schema true allows every value and false none (core 4.3.2, boolean schemas).',
    }
  },
  'ref-siblings': (random) => {
    const least = random.int(2, 9)
    return {
      wide: { $ref: '#DEFS/Part' },
      narrow: { $ref: '#DEFS/Part', minLength: least },
      wideDefs: { Part: { type: 'string' } },
      narrowDefs: { Part: { type: 'string' } },
      witness: 'x',
      reason: 'Keywords beside a reference hold as well, so one more keyword allows less (core 8.2.3.1, $ref).',
    }
  },
}
