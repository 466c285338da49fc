/** What a member says of a type that it only names. */
import { expect, test } from 'bun:test'
import type { NamedSchema, SchemaView } from '../../../src/api/reader.ts'
import { leavesOf } from '../../../src/reader/leaves.ts'

const view = (type: SchemaView['type'], more: Partial<SchemaView> = {}): SchemaView => ({
  type,
  facts: [],
  description: '',
  deprecated: false,
  members: [],
  ...more,
})
const schema = (name: string, it: SchemaView): NamedSchema => ({ id: name, name, view: it })

const complete = leavesOf([
  schema('Kind', view(['string'], { facts: ['one of a, b'], description: 'Its kind.' })),
  schema('Alias', view([{ schema: 'Kind' }])),
  schema('Pet', view(['object'], { members: [{ name: 'kind', required: true, view: view([{ schema: 'Kind' }]) }] })),
  schema('Round', view([{ schema: 'Around' }])),
  schema('Around', view([{ schema: 'Round' }])),
])

test('a named type without members is said in full, also by way of another name', () => {
  const said = { facts: ['string', 'one of a, b'], description: 'Its kind.', isLeaf: true }
  expect(complete(view([{ schema: 'Kind' }]))).toEqual(view([{ schema: 'Kind' }], said))
  expect(complete(view([{ schema: 'Alias' }]))).toEqual(view([{ schema: 'Alias' }], said))
  expect(complete(view([{ schema: 'Kind' }], { facts: ['default a'], description: 'Own.' }))).toEqual(
    view([{ schema: 'Kind' }], { ...said, facts: ['string', 'one of a, b', 'default a'], description: 'Own.' }),
  )
})

test('wherever it is in a part; an object, a combination, an unknown name and a circle stay names', () => {
  const pet = complete({
    schema: schema(
      'Pet',
      view(['object'], { members: [{ name: 'kind', required: true, view: view([{ schema: 'Kind' }]) }] }),
    ),
  })
  expect(pet.schema.view.members[0]?.view.facts).toEqual(['string', 'one of a, b'])
  for (const type of [
    [{ schema: 'Pet' }],
    [{ schema: 'Kind' }, ' or ', { schema: 'Pet' }],
    ['string'],
    [{ schema: 'Unknown' }],
    [{ schema: 'Round' }],
  ])
    expect(complete(view(type))).toEqual(view(type))
})
