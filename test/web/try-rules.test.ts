import { expect, test } from 'bun:test'
import { ruleKey } from '../../web/src/features/migration/rules.ts'
import { converted, sampleOf, tryRules } from '../../web/src/features/migration/try-rules.ts'

const rule = (kind: string, ...targets: string[]) => ({ kind, target_properties: targets })
const at = (name: string) => `migration-edge-prop-${name}`

test('each kind of rule does what it says, and what is lost is said', () => {
  const before = new Map([
    ['id', 'string'],
    ['name', 'string'],
    ['age', 'integer'],
    ['mail', 'string'],
    ['phone', 'string'],
    ['mobile', 'string'],
    ['fax', 'string'],
    ['gone', 'string'],
    ['empty', 'string'],
  ])
  const after = new Map([
    ['id', 'string'],
    ['first', 'string'],
    ['last', 'string'],
    ['age', 'string'],
    ['email', 'string'],
    ['phones', 'array of string'],
    ['fresh', 'string'],
  ])
  const given = {
    id: '1',
    name: 'Ada King Lovelace',
    age: 36,
    mail: 'ada@example.com',
    phone: '1',
    mobile: '2',
    fax: '3',
    gone: 'x',
    empty: '',
  }
  const rules = {
    [at('name')]: rule('split', 'first', 'last'),
    [at('age')]: rule('type-change', 'age'),
    [at('mail')]: rule('rename', 'email'),
    [at('phone')]: rule('merge', 'phones'),
    [at('mobile')]: rule('merge', 'phones'),
    [at('fax')]: rule('drop'),
    [at('empty')]: rule('rename'),
  }
  expect(tryRules(given, rules, before, after)).toEqual({
    result: { id: '1', first: 'Ada', last: 'King Lovelace', age: '36', email: 'ada@example.com', phones: ['1', '2'] },
    notes: [
      { property: 'name', text: 'is split at blanks into first, last', lost: false },
      { property: 'mail', text: 'becomes email', lost: false },
      { property: 'phone', text: 'becomes phones', lost: false },
      { property: 'mobile', text: 'becomes phones', lost: false },
      { property: 'fax', text: 'is dropped', lost: true },
      { property: 'gone', text: 'has no rule, and the newer schema has no such property', lost: true },
      { property: 'empty', text: 'has a rule without a target', lost: true },
      { property: 'fresh', text: 'is new and gets no value', lost: false },
    ],
  })
})

test('a value without a form in the new type is lost, never guessed', () => {
  const [before, after] = [new Map([['age', 'string']]), new Map([['age', 'integer']])]
  expect(tryRules({ age: 'old' }, {}, before, after)).toEqual({
    result: {},
    notes: [{ property: 'age', text: 'has a value that cannot be converted to integer: "old"', lost: true }],
  })
})

test.each([
  [12, 'string', '12'],
  [{ a: 1 }, 'string', '{"a":1}'],
  [' 12 ', 'integer', 12],
  ['12.5', 'integer', undefined],
  ['12.5', 'number', 12.5],
  ['', 'number', undefined],
  [null, 'integer', undefined],
  [null, 'integer or null', null],
  ['true', 'boolean', true],
  [0, 'boolean', false],
  ['yes', 'boolean', undefined],
  ['a', 'array of string', ['a']],
  [['a'], 'array of string', ['a']],
  [{ a: 1 }, 'object', { a: 1 }],
  [[1], 'object', undefined],
  ['a', 'Pet', 'a'],
])('%j as %s is %j', (value, type, result) => {
  expect(converted(value, type)).toEqual(result)
})

test('the object to begin with has a value of each type', () => {
  const types = new Map([
    ['name', 'string (date)'],
    ['age', 'integer or null'],
    ['pet', 'Pet'],
  ])
  const kinds = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']
  expect(Object.values(sampleOf(new Map(kinds.map((kind) => [kind, kind]))))).toEqual([
    'text with blanks',
    1,
    1.5,
    true,
    [],
    {},
    null,
  ])
  expect(sampleOf(types)).toEqual({ name: 'text with blanks', age: 1, pet: null })
})

test('a value stays as it is where its property keeps its type, or the newer class has no such property', () => {
  const rules = { [ruleKey('a')]: { kind: 'rename', target_properties: ['gone'] } } as never
  const before = new Map([
    ['a', 'integer'],
    ['b', 'string'],
  ])
  // The value of b is not what the class says: only what changes is converted.
  expect(tryRules({ a: 1, b: 5 }, rules, before, new Map([['b', 'string']])).result).toEqual({ gone: 1, b: 5 })
})
