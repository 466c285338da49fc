/** Schemas that are dear to compare, by shape and size; deterministic. */
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { leaf, range, record, ref, root, schemas, text } from './hostile-making.ts'
import type { Shape } from './hostile-making.ts'

/** Named schemas, each of which wraps the one before. */
const chain = (wrap: (inner: JsonObject, i: number) => Json): Shape =>
  schemas((n, limit) =>
    record([
      ['L0', leaf(limit)],
      ...range(n, (i) => [`L${i + 1}`, wrap(ref(`L${i}`), i)] as const),
      ['R', ref(`L${n}`)],
    ]),
  )

/** Schemas within each other, without names. */
const nest = (wrap: (inner: Json, i: number) => Json): Shape =>
  root((n, limit) => {
    let at: Json = leaf(limit)
    for (let i = 0; i < n; i++) at = wrap(at, i)
    return at
  })

/** Two schemas a level, each of which needs both of the level before: two ways a level, 2^n in all. */
const fork = (left: (l: JsonObject, m: JsonObject, i: number) => Json, right = left): Shape =>
  schemas((n, limit) =>
    record([
      ['L0', leaf(limit)],
      ['M0', { type: 'object', properties: { m: { type: 'integer' } }, required: ['m'] }],
      ...range(n, (i) => [`L${i + 1}`, left(ref(`L${i}`), ref(`M${i}`), i)] as const),
      ...range(n, (i) => [`M${i + 1}`, right(ref(`M${i}`), ref(`L${i}`), i)] as const),
      ['R', ref(`L${n}`)],
    ]),
  )

/** Schemas all of which refer to all. */
const mutual = (word: 'anyOf' | 'oneOf' | 'allOf', deep: boolean): Shape =>
  schemas((n, limit) =>
    record([
      ...range(n, (i) => {
        const others = range(n, (j) => ref(`S${(i + j + 1) % n}`))
        const own: JsonObject = { type: 'object', properties: { [`p${i}`]: text(limit) }, required: [`p${i}`] }
        const branches = deep ? others.map((it) => ({ type: 'object', properties: { next: it } })) : others
        return [`S${i}`, { [word]: [...branches, own] }] as const
      }),
      ['R', ref('S0')],
    ]),
  )

const branches = (word: 'anyOf' | 'oneOf', make: (i: number, limit: number) => JsonObject, reverse = false): Shape =>
  root((n, limit, head) => {
    const all = range(n, (i) => make(i, limit))
    return { [word]: head && reverse ? all.toReversed() : all }
  })

const discriminated = (back: boolean): Shape =>
  schemas((n, limit) => {
    const names = range(n, (i) => `B${i}`)
    return record([
      ...names.map((name, i) => {
        const own: JsonObject = {
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: name }, [`v${i}`]: text(limit), ...(back ? { next: ref('R') } : {}) },
        }
        return [name, back ? { allOf: [ref('Parent'), own] } : own] as const
      }),
      ['Parent', { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }],
      [
        'R',
        {
          oneOf: names.map(ref),
          discriminator: {
            propertyName: 'kind',
            mapping: record(names.map((name) => [name, `#/components/schemas/${name}`] as const)),
          },
        },
      ],
    ])
  })

const product = (make: (i: number, limit: number) => JsonObject): Shape =>
  root((n, limit) => ({ type: 'object', allOf: range(n, (i) => make(i, limit)) }))
const property = (inner: Json): JsonObject => ({ type: 'object', properties: { p: inner }, required: ['p'] })

export const schemaShapes: Readonly<Record<string, Shape>> = {
  'chain-ref': chain((it) => it),
  'chain-allOf': chain((it, i) => ({ allOf: [it, { type: 'object', properties: { [`p${i}`]: text(3) } }] })),
  'chain-anyOf': chain((it, i) => ({ anyOf: [it, { type: 'integer', minimum: i }] })),
  'chain-oneOf': chain((it, i) => ({ oneOf: [it, { type: 'array', minItems: i + 1 }] })),
  'chain-not': chain((it) => ({ not: it })),
  'chain-if': chain((it, i) => ({ if: it, then: { minProperties: i }, else: it })),
  'chain-items': chain((it) => ({ type: 'array', items: it })),
  'chain-properties': chain((it) => property(it)),
  'chain-prefixItems': chain((it) => ({ type: 'array', prefixItems: [it, { type: 'integer' }] })),
  'chain-contains': chain((it) => ({ type: 'array', contains: it })),
  'chain-dependentSchemas': chain((it) => ({ type: 'object', dependentSchemas: { a: it } })),
  'chain-patternProperties': chain((it) => ({ type: 'object', patternProperties: { '^x': it } })),
  'chain-additionalProperties': chain((it) => ({ type: 'object', additionalProperties: it })),
  'chain-propertyNames': chain((it) => ({ propertyNames: it })),
  'chain-unevaluatedProperties': chain((it) => ({ allOf: [it], unevaluatedProperties: false })),
  'nest-allOf': nest((it) => ({ allOf: [it] })),
  'nest-anyOf': nest((it, i) => ({ anyOf: [it, { type: 'string', minLength: i }] })),
  'nest-not': nest((it) => ({ not: it })),
  'nest-items': nest((it) => ({ type: 'array', items: it })),
  'nest-properties': nest((it) => property(it)),
  'nest-unevaluated': nest((it) => ({ type: 'object', properties: { p: it }, unevaluatedProperties: false })),
  'nest-contains': nest((it) => ({ type: 'array', contains: it, unevaluatedItems: false })),
  'nest-defs': nest((it) => ({ $defs: { d: it }, type: 'object' })),
  'fork-allOf': fork((l, m) => ({ allOf: [l, m] })),
  'fork-anyOf': fork((l, m) => ({ anyOf: [l, m] })),
  'fork-oneOf': fork((l, m) => ({ oneOf: [l, m] })),
  'fork-not': fork(
    (l, m) => ({ not: { anyOf: [{ not: l }, m] } }),
    (l, m) => ({ not: { allOf: [{ not: l }, m] } }),
  ),
  'fork-if': fork((l, m) => ({ if: l, then: m, else: { not: m } })),
  'fork-properties': fork((l, m) => ({ type: 'object', properties: { l, m }, required: ['l', 'm'] })),
  'fork-items': fork((l, m) => ({ type: 'array', prefixItems: [l, m], items: { anyOf: [l, m] } })),
  'fork-unevaluated': fork((l, m) => ({ anyOf: [l, m], unevaluatedProperties: false })),
  'fork-dependent': fork((l, m) => ({ allOf: [l], dependentSchemas: { a: m, m: l } })),
  'mutual-anyOf': mutual('anyOf', false),
  'mutual-oneOf': mutual('oneOf', false),
  'mutual-allOf': mutual('allOf', false),
  'mutual-deep': mutual('anyOf', true),
  'mutual-deep-oneOf': mutual('oneOf', true),
  'union-open': branches('anyOf', (i, limit) => ({ type: 'object', properties: { [`p${i}`]: text(limit) } })),
  'union-required': branches('anyOf', (i, limit) => ({
    type: 'object',
    required: [`p${i}`],
    properties: { [`p${i}`]: text(limit) },
  })),
  'union-reversed': branches('anyOf', (i) => ({ type: 'string', minLength: i, maxLength: i + 1 }), true),
  'union-one-reversed': branches('oneOf', (i) => ({ type: 'integer', minimum: 3 * i, maximum: 3 * i + 4 }), true),
  'union-labelled': branches('oneOf', (i, limit) => ({
    type: 'object',
    required: ['k'],
    properties: { k: { const: i }, v: text(limit) },
  })),
  'union-texts': branches('oneOf', (i, limit) => ({ type: 'string', pattern: `^${i}a{0,${limit}}$` })),
  discriminator: discriminated(false),
  'discriminator-back': discriminated(true),
  'product-anyOf': product((i, limit) => ({
    anyOf: [{ properties: { [`x${i}`]: text(limit) } }, { properties: { [`y${i}`]: { type: 'integer' } } }],
  })),
  'product-oneOf': product((i, limit) => ({
    oneOf: [{ required: [`x${i}`] }, { required: [`y${i}`], properties: { [`y${i}`]: text(limit) } }],
  })),
  'product-not': product((i, limit) => ({ not: { required: [`x${i}`], properties: { [`y${i}`]: text(limit) } } })),
  'patterns-of-names': root((n, limit) => ({
    type: 'object',
    patternProperties: record(range(n, (i) => [`^(a|b)*${i}(a|b){${limit}}$`, { type: 'integer' }] as const)),
  })),
  'pattern-alternation': root((n, _limit, head) => ({
    type: 'string',
    pattern: `^(${range(n, (i) => `w${i * 7}`).join('|')}${head ? '' : '|z'})$`,
  })),
  'pattern-counted': root((n, _limit, head) => ({ type: 'string', pattern: `^(a|b)*${head ? 'b' : 'a'}(a|b){${n}}$` })),
  'pattern-nested': root((n, limit) => ({ type: 'string', pattern: `^(((a{1,${n}})*b{0,${limit}})*c)*$` })),
  'pattern-groups': root((n, limit) => ({ type: 'string', pattern: `${'('.repeat(n)}a${')'.repeat(n)}{${limit}}` })),
  'pattern-empty-repeat': root((n, limit) => ({ type: 'string', pattern: `^((){${n}}){${n}}a{${limit}}$` })),
  'enum-texts': root((n, _limit, head) => ({ type: 'string', enum: range(n, (i) => `v${i + (head ? 3 : 0)}`) })),
  'enum-apart': root((n, _limit, head) => ({ type: 'string', enum: range(n, (i) => `${head ? 'h' : 'b'}${i}`) })),
  'enum-objects': root((n, _limit, head) => ({ enum: range(n, (i) => ({ a: i, b: [head ? i : i + 1] })) })),
  'enum-against-pattern': root((n, _limit, head) =>
    head ? { type: 'string', pattern: '^v[0-9]+$' } : { type: 'string', enum: range(n, (i) => `v${i}`) },
  ),
  properties: root((n, limit) => ({
    type: 'object',
    properties: record(range(n, (i) => [`p${i}`, text(limit)] as const)),
  })),
  required: root((n, _limit, head) => ({ type: 'object', required: range(n, (i) => `${head ? 'h' : 'b'}${i}`) })),
  dependents: root((n, limit) => ({
    type: 'object',
    dependentSchemas: record(range(n, (i) => [`a${i}`, { required: [`a${(i * 7 + limit) % n}`] }] as const)),
  })),
  tuple: root((n, limit) => ({
    type: 'array',
    prefixItems: range(n, (i) => ({ anyOf: [text(limit + i), { type: 'integer', minimum: i }] })),
  })),
  contains: root((n, limit) => ({
    type: 'array',
    allOf: range(n, (i) => ({ contains: { type: 'integer', minimum: i * limit }, minContains: 2, maxContains: 5 })),
  })),
  multiples: root((n, _limit, head) => ({
    type: 'integer',
    allOf: range(n, (i) => ({ multipleOf: 2 * i + (head ? 3 : 1) })),
  })),
  numbers: root((n, _limit, head) => ({
    type: ['number', 'string', 'array', 'object'],
    multipleOf: head ? 1e-300 : 3e-300,
    maximum: 1e308,
    minLength: head ? 2 : 1,
    maxLength: head ? 1e308 : 1e300,
    minItems: head ? n * 1000 : n,
    maxItems: 1e300,
    minProperties: head ? n * 1000 : n,
  })),
  'enum-many': root((n, _limit, head) => ({ type: 'string', enum: range(500 * n, (i) => `${head ? 'h' : 'b'}${i}`) })),
  'enum-many-shifted': root((n, _limit, head) => ({ enum: range(500 * n, (i) => i + (head ? 3 : 0)) })),
  'enum-in-answers-and-lists': root((n, _limit, head) => ({
    type: 'array',
    items: { anyOf: range(20, (i) => ({ enum: range(5 * n, (j) => `${i} ${j + (head ? 1 : 0)}`) })) },
  })),
  'const-large': root((n, limit) => ({ const: range(100 * n, (i) => ({ at: i, what: [i % limit] })) })),
  'unions-crossed': root((n, limit) => ({
    allOf: [
      { anyOf: range(n, (i) => ({ type: 'integer', minimum: i, maximum: i + limit })) },
      { anyOf: range(n, (i) => ({ type: 'integer', multipleOf: i + 2 })) },
    ],
  })),
  'unions-of-required': root((n) => ({
    type: 'object',
    oneOf: range(n, (i) => ({ required: [`p${i}`, `p${(i * 7 + 1) % n}`] })),
  })),
  'unions-negated': root((n, limit) => ({
    not: { anyOf: range(n, (i) => ({ type: 'object', required: [`p${i}`], properties: { [`p${i}`]: text(limit) } })) },
  })),
  'closed-parts': product((i, limit) => ({
    additionalProperties: i % 2 === 0 ? false : text(limit),
    properties: record(range(Math.min(i, 30), (j) => [`p${j}`, text(limit + j)] as const)),
  })),
  'closed-branches': branches('oneOf', (i, limit) => ({
    type: 'object',
    additionalProperties: false,
    properties: { [`p${i}`]: text(limit), shared: { type: 'integer', minimum: i } },
  })),
  'conditions-by-label': product((i, limit) => ({
    if: { required: ['k'], properties: { k: { const: i } } },
    then: { properties: { v: text(limit + i) } },
    else: { properties: { w: { type: 'integer' } } },
  })),
  'clauses-of-three': product((i) => ({
    anyOf: [i * 3, i * 5 + 1, i * 7 + 2].map((at, sign) => ({
      required: [`x${at % 40}`],
      properties: { [`x${at % 40}`]: { const: (i + sign) % 2 === 0 } },
    })),
  })),
  'holes-and-pigeons': root((n, _limit, head) => ({
    type: 'array',
    uniqueItems: true,
    minItems: n,
    items: { enum: range(n + (head ? -1 : 1), (i) => i) },
  })),
  'tuples-in-arrays': nest((it, i) => ({
    type: 'array',
    items: { type: 'array', prefixItems: [it, { type: 'integer', minimum: i }], items: false },
  })),
  'patterns-of-names-crossed': root((n, limit) => ({
    type: 'object',
    patternProperties: record(range(n, (i) => [`^x.*${i % 10}.*${i}`, text(limit + i)] as const)),
    additionalProperties: text(3),
  })),
  'patterns-together': product((i, limit) => ({
    properties: { p: { type: 'string', pattern: `^(a{${i + limit}})*$` } },
  })),
  'patterns-negated': product((i, limit) => ({
    properties: { p: { type: 'string', not: { pattern: `^(a|b)*a(a|b){${(i % 12) + limit}}$` } } },
  })),
  'pattern-classes': root((n, _limit, head) => ({
    type: 'string',
    pattern: `^[${range(n, (i) => `${String.fromCodePoint(0x4e00 + 4 * i)}-${String.fromCodePoint(0x4e02 + 4 * i)}`).join('')}]${head ? '+' : '*'}$`,
  })),
  'names-listed': root((n, _limit, head) => ({
    type: 'object',
    propertyNames: { enum: range(20 * n, (i) => `n${i + (head ? 1 : 0)}`) },
    minProperties: n,
  })),
  'unevaluated-branches': root((n, limit) => ({
    anyOf: range(n, (i) => ({ required: [`p${i}`], properties: { [`p${i}`]: text(limit) } })),
    unevaluatedProperties: false,
  })),
  'multiples-in-branches': branches('anyOf', (i, limit) => ({ type: 'integer', multipleOf: 2 * i + limit })),
  identifiers: schemas((n, limit) =>
    record([
      ['L0', { $id: 'https://example.com/l0', ...leaf(limit) }],
      ...range(
        n,
        (i) =>
          [`L${i + 1}`, { $id: `https://example.com/l${i + 1}`, type: 'array', items: { $ref: `l${i}` } }] as const,
      ),
      ['R', { $ref: `https://example.com/l${n}` }],
    ]),
  ),
  'dynamic-references': schemas((n, limit) =>
    record([
      ['L0', { $id: 'https://example.com/l0', $dynamicAnchor: 'it', ...leaf(limit) }],
      ...range(
        n,
        (i) =>
          [
            `L${i + 1}`,
            {
              $id: `https://example.com/l${i + 1}`,
              $dynamicAnchor: 'it',
              type: 'object',
              properties: { a: { $ref: `l${i}` }, b: { $dynamicRef: '#it' } },
            },
          ] as const,
      ),
      ['R', { $ref: `https://example.com/l${n}` }],
    ]),
  ),
  'children-of-one-parent': schemas((n, limit) =>
    record([
      [
        'R',
        {
          type: 'object',
          required: ['kind'],
          properties: { kind: { type: 'string' }, next: ref('R') },
          discriminator: {
            propertyName: 'kind',
            mapping: record(range(n, (i) => [`k${i}`, `#/components/schemas/C${i}`] as const)),
          },
        },
      ],
      ...range(
        n,
        (i) =>
          [
            `C${i}`,
            { allOf: [ref(i % 3 === 0 ? 'R' : `C${i - 1}`), { properties: { [`v${i}`]: text(limit) } }] },
          ] as const,
      ),
    ]),
  ),
  'names-of-schemas': schemas((n, limit, head) =>
    record([
      ...range(n, (i) => [`${head ? 'H' : 'B'}${i}`, { type: 'object', properties: { v: text(limit) } }] as const),
      ['R', { anyOf: range(n, (i) => ref(`${head ? 'H' : 'B'}${(i * 7) % n}`)) }],
    ]),
  ),
  'properties-renamed': root((n, limit, head) => ({
    type: 'object',
    properties: record(range(5 * n, (i) => [`${head ? 'h' : 'b'}${i}`, text(limit)] as const)),
  })),
  'references-many': root((n, limit) => ({
    $defs: { d: leaf(limit) },
    type: 'object',
    properties: record(range(100 * n, (i) => [`p${i}`, ref('R/$defs/d')] as const)),
  })),
  'types-many': branches('anyOf', (i, limit) => ({
    type: ['string', 'integer', 'array', 'object', 'null'].filter((_, at) => ((i + limit) >> at) % 2 === 0),
    minLength: i,
    minimum: i,
    minItems: i,
    minProperties: i,
  })),
}
