import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { Comparer } from '../../../src/schema/containment.ts'
import type { Containment } from '../../../src/schema/containment.ts'
import { Effort } from '../../../src/schema/effort.ts'
import { NodeFactory } from '../../../src/schema/node.ts'
import { Normaliser } from '../../../src/schema/normalise.ts'
import { isValid } from '../../../src/schema/validate.ts'

/** Whether every value of `inner` is one of `outer`; references go to `$defs` of their own schema. */
export const contained = (inner: Json, outer: Json, undeclared: 'yes' | 'no' = 'yes'): Containment => {
  const factory = new NodeFactory()
  const normaliser = (root: Json, side: string): Normaliser =>
    new Normaliser(
      factory,
      {
        dialect: '2020-12',
        formats: 'asserted',
        resolve: (ref) => {
          let at: Json | undefined = root
          for (const step of ref.slice(2).split('/')) at = (at as { [key: string]: Json } | undefined)?.[step]
          return at === undefined ? null : { key: `${side} ${ref}`, schema: at }
        },
      },
      null,
      (key) => key,
    )
  const a = normaliser(inner, 'inner')
  const b = normaliser(outer, 'outer')
  const resolve = (key: string) => {
    const from = key.startsWith('inner') ? a : b
    return from.node(from.targets.get(key))
  }
  return new Comparer(factory, resolve, undeclared, new Effort(1_000_000)).contains(b.node(outer), a.node(inner))
}

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(true, false, {}),
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'object', 'array') }),
  fc.record(
    { minimum: fc.integer({ min: -3, max: 3 }), maximum: fc.integer({ min: -3, max: 5 }) },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constant('integer'), multipleOf: fc.integer({ min: 1, max: 6 }) }),
  fc.record(
    { minLength: fc.integer({ min: 0, max: 3 }), maxLength: fc.integer({ min: 0, max: 4 }) },
    { requiredKeys: [] },
  ),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^a', 'b$', '^[ab]*$', '^a{1,3}$', 'c') }),
  fc.record({
    enum: fc.uniqueArray(fc.constantFrom<Json>(0, 1, 2, 'a', 'ab', '', null, true), { minLength: 1, maxLength: 4 }),
  }),
)
/** Schemas of every keyword that has a complement of its own, nested a little. */
export const schema: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node'), { maxKeys: 2 }),
      required: fc.subarray(['a', 'b']),
    }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node'), { maxKeys: 2 }),
      additionalProperties: tie('node'),
    }),
    fc.record({ type: fc.constant('array'), items: tie('node'), minItems: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node
/** Values that such schemas tell apart. */
export const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      -3,
      -1,
      0,
      1,
      2,
      3,
      4,
      0.5,
      6,
      '',
      'a',
      'b',
      'ab',
      'ba',
      'aaa',
      'c',
      'abcd',
    ),
    fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<Json>,
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
  ),
})).value

/** Whether an answer survives: a counterexample is one, and no value refutes a proof. */
export const survives = (inner: Json, outer: Json, answer: Containment, values: readonly Json[]): boolean => {
  if (answer.is === 'escapes') return isValid(inner, answer.value) && !isValid(outer, answer.value)
  return answer.is === 'unknown' || !values.some((it) => isValid(inner, it) && !isValid(outer, it))
}
