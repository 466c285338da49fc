/** JSONPath by RFC 9535: what a query selects, in which order, and what is no query. */
import { jsonpath, type JSONValue } from 'json-p3'
import { expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { QueryInvalid, readQuery } from '../../../src/overlay/jsonpath.ts'

const store: Json = {
  paths: {
    '/a': { get: { tags: ['x', 'y'], 'x-owner': { team: 1 } }, post: { tags: ['x'] } },
    '/b': { get: { tags: [] } },
  },
  names: ['alpha', 'beta', 'a\nb'],
}
const pathsOf = (query: string) =>
  readQuery(query)
    .select(store)
    .map(({ path }) => path.join(' '))

test('children, wildcards, descendants, slices and filters are found with their paths', () => {
  expect(pathsOf('$')).toEqual([''])
  expect(pathsOf("$.paths['/a'].get")).toEqual(['paths /a get'])
  expect(pathsOf('$.paths.*.get')).toEqual(['paths /a get', 'paths /b get'])
  expect(pathsOf('$..tags[0]')).toEqual(['paths /a get tags 0', 'paths /a post tags 0'])
  expect(pathsOf('$.names[-1,0:2]')).toEqual(['names 2', 'names 0', 'names 1'])
  expect(pathsOf("$.paths[?@.get.tags[?@ == 'y']].get")).toEqual(['paths /a get'])
  expect(pathsOf('$.paths.*[?length(@) == 0]')).toEqual([])
  expect(pathsOf('$..tags[?$.names[0] == "alpha" && @ != "x"]')).toEqual(['paths /a get tags 1'])
  expect(pathsOf('$.none.of.this[0]')).toEqual([])
})

test('regular expressions are those of RFC 9485, and end for every pattern', () => {
  expect(pathsOf("$.names[?match(@, 'al.*')]")).toEqual(['names 0'])
  expect(pathsOf("$.names[?search(@, 'a')]")).toEqual(['names 0', 'names 1', 'names 2'])
  // A dot matches no line break.
  expect(pathsOf("$.names[?match(@, 'a.b')]")).toEqual([])
  expect(pathsOf("$.names[?match(@, '(?=a).*')]")).toEqual([])
  const started = performance.now()
  expect(readQuery("$[?match(@, '(a*)*(a*)*b')]").select([`${'a'.repeat(5000)}c`])).toEqual([])
  expect(performance.now() - started).toBeLessThan(5000)
})

test('a name with a hyphen behind a dot is read, with the spelling of RFC 9535', () => {
  const query = readQuery("$.paths.*.get.x-owner[?@['a.b-c'] != 'd.e-f']")
  expect(query.corrected).toBe("$.paths.*.get['x-owner'][?@['a.b-c'] != 'd.e-f']")
  expect(readQuery('$..x-owner').corrected).toBe("$..['x-owner']")
  expect(pathsOf('$.paths.*.get.x-owner')).toEqual(['paths /a get x-owner'])
  expect(readQuery('$.paths').corrected).toBeNull()
})

test('what is no query is refused, with the place', () => {
  const refusals = ['info.title', '', '$.a[', '$.a[?length(@.*) < 3]', '$.a[01]', '$[?@.a ==]', '$.a b'].map((text) => {
    try {
      readQuery(text)
      return 'accepted'
    } catch (error) {
      return error instanceof QueryInvalid ? error.offset : error
    }
  })
  expect(refusals).toEqual([0, 0, 4, 12, 4, 9, 4])
})

test('filters select what they select in every node, whatever members are looked for first', () => {
  const root: Json = {
    list: [{ a: null }, { a: false }, { a: { b: 2 } }, { b: 2 }, [{ a: 1 }], 'a', null, {}],
    map: { x: { a: 1, b: 'x' }, y: { b: 'x' }, a: { a: 'x' }, none: 0 },
  }
  const filters = ['@.a', '!@.a', '@.a == null', '@.a == false', 'null == @.a', '@.a != 1', '@.a.b > 1', '1 <= @.a']
  const joined = [
    "@.a && @.b == 'x'",
    '@.b && !@.a',
    "@.a || @.b == 'x'",
    '@.a == @.c',
    '@..b',
    '@[0].a',
    '@ == 0',
    '@.a == $.map.x.a',
  ]
  for (const filter of [...filters, ...joined, 'count(@.a) == 0', '(@.a == 1)', "@['a','b']"]) {
    const text = `$..[?${filter}]`
    const found = readQuery(text)
      .select(root)
      .map(({ path }) => JSON.stringify(path))
    const known = jsonpath.query(text, root as JSONValue).nodes.map(({ location }) => JSON.stringify(location))
    expect([text, found.toSorted()]).toEqual([text, known.toSorted()])
  }
})
