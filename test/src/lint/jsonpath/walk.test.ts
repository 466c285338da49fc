import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { formatPointer } from '../../../../src/kernel/pointer.ts'
import { Graph } from '../../../../src/lint/graph.ts'
import { parseGiven, parsePath, PathSyntaxError } from '../../../../src/lint/jsonpath/path.ts'
import { PathSet, placeOf, rootNode } from '../../../../src/lint/jsonpath/walk.ts'

const document: Json = {
  info: { title: 'x', contact: null },
  paths: {
    '/a': { get: { tags: ['one', 'two'], summary: 's' }, 'x-note': 1 },
    '/b': {
      post: { deprecated: true },
      parameters: [
        { name: 'p', in: 'query' },
        { name: 'q', in: 'path' },
      ],
    },
  },
  list: [1, 2, 3, 4],
}

const parsed = parseDocument(JSON.stringify(document), { source: 'd.json' })

const found = (text: string): string[] => {
  const out: string[] = []
  new PathSet(parseGiven(text)).walk(rootNode(document, parsed), null, (_, node, keys) =>
    out.push(formatPointer(placeOf(node)) + (keys ? `~${node.key}` : '')),
  )
  return out
}

describe('JSONPath', () => {
  const cases: [string, string[]][] = [
    ['$', ['']],
    ['$.info.title', ['/info/title']],
    ["$['info']['title']", ['/info/title']],
    ['$.info[title,contact]', ['/info/title', '/info/contact']],
    ['$.paths[*][get,post]', ['/paths/~1a/get', '/paths/~1b/post']],
    ['$.paths.*~', ['/paths/~1a~/a', '/paths/~1b~/b']],
    ['$.paths[*].get^', ['/paths/~1a']],
    ['$..tags[1]', ['/paths/~1a/get/tags/1']],
    ['$..[?(@ && @.in)]', ['/paths/~1b/parameters/0', '/paths/~1b/parameters/1']],
    ['$.paths[*][?(@property.match(/^x-/))]', ['/paths/~1a/x-note']],
    ["$.paths[*].parameters[?(@.in == 'path' && @.name === 'q')]", ['/paths/~1b/parameters/1']],
    ['$.list[-1]', ['/list/3']],
    ['$.list[1:3]', ['/list/1', '/list/2']],
    ['$.list[?(@ > 2)]', ['/list/2', '/list/3']],
    ["$.paths[?(@property === '/b')]", ['/paths/~1b']],
    ["$..[?(@.constructor.name === 'Array')]", ['/paths/~1a/get/tags', '/paths/~1b/parameters', '/list']],
    ['$.info[?(@ === void 0)]', []],
    ["$.paths[*][?(@.deprecated && ['/b'].includes(@parentProperty))]", ['/paths/~1b/post']],
    ["$.paths[?(@path === \"$['paths']['/a']\")]", ['/paths/~1a']],
    ['$.info.contact[?(@.name)]', []],
    ['$.nothing.at.all', []],
  ]
  for (const [path, expected] of cases) test(path, () => expect(found(path)).toEqual(expected))

  const more: [string, string[]][] = [
    ['$..parameters[(@.length-1)]', ['/paths/~1b/parameters/1']],
    ['$.list[::2]', ['/list/0', '/list/2']],
    ['$.list[3:0:-2]', ['/list/1', '/list/3']],
    ['$.list..*@number()', ['/list/0', '/list/1', '/list/2', '/list/3']],
    ['$.paths.[get]^', ['/paths/~1a']],
    ["$.paths..[?(@ ~= '^on')]", ['/paths/~1a/get/tags/0']],
    ["$..[?(@property === 'name' && @parent[0].name === 'p')]^^", ['/paths/~1b/parameters', '/paths/~1b/parameters']],
    ['$..name^.in', ['/paths/~1b/parameters/0/in', '/paths/~1b/parameters/1/in']],
    ["$.info[?@ == 'x']", ['/info/title']],
    ['$.list[?($.list.length === 4 && @ % 2 == 0)]', ['/list/1', '/list/3']],
  ]
  for (const [path, expected] of more) test(path, () => expect(found(path)).toEqual(expected))

  // What JSONPath-Plus reads and nimma does not: published rulesets have all of these.
  const lenient: [string, string[]][] = [
    ['$.', ['']],
    ['$.info.', ['/info']],
    ['$.info.*.', ['/info/contact', '/info/title']],
    ['info', ['/info']],
    ['.info.title', ['/info/title']],
    ['[info]', ['/info']],
    ['$.paths...tags.*', ['/paths/~1a/get/tags/0', '/paths/~1a/get/tags/1']],
    ['$.paths./a.get', ['/paths/~1a/get']],
    ['$.info..', ['/info']],
    ['$..parameters..', ['/paths/~1b/parameters', '/paths/~1b/parameters/0', '/paths/~1b/parameters/1']],
    [
      '$.paths..',
      [
        '/paths',
        '/paths/~1a',
        '/paths/~1a/get',
        '/paths/~1a/get/tags',
        '/paths/~1b',
        '/paths/~1b/parameters',
        '/paths/~1b/parameters/0',
        '/paths/~1b/parameters/1',
        '/paths/~1b/post',
      ],
    ],
    // Space between steps and around names, as RFC 9535 has it.
    ['$ .paths [*] [ get , post ]', ['/paths/~1a/get', '/paths/~1b/post']],
    ['$.list[ 1 : 3 ]', ['/list/1', '/list/2']],
  ]
  for (const [path, expected] of lenient) test(path, () => expect(found(path).toSorted()).toEqual(expected))

  test('what is no path or no expression is refused with its place', () => {
    const refusal = (text: string) => {
      try {
        parsePath(text)
        return null
      } catch (error) {
        if (!(error instanceof PathSyntaxError)) throw error
        return error.message
      }
    }
    expect(refusal('$.a[b')).toBe('unclosed bracket')
    expect(refusal('$.a[?(process.exit())]')).toBe('unknown name "process" in a filter')
    expect(refusal("$.a[?(@.constructor.constructor('x')())]")).toBe(
      'the method "constructor" is not allowed in a filter',
    )
    expect(refusal('$.a[?(@.b.eval(1))]')).toBe('the method "eval" is not allowed in a filter')
    expect(refusal('$.a[?(@.b = 1)]')).toBe('expected ")"')
    expect(refusal('$.a[?((() => 1)())]')).not.toBeNull()
    expect(refusal('$.a[?(@.b && `${1}`)]')).toBeNull()
  })

  test('any number of filters at one place', () => {
    const values = Array.from({ length: 70 }, (_, at) => at)
    const many = parseDocument(JSON.stringify(values), { source: 'm.json' })
    const matched: string[] = []
    new PathSet(values.map((at) => parsePath(`$[?(@ === ${at})]`))).walk(
      rootNode(many.value, many),
      null,
      (path, node) => matched.push(`${path} ${String(node.value)}`),
    )
    expect(matched).toEqual(values.map((at) => `${at} ${at}`))
  })

  test('methods of texts and lists are there without being called', () => {
    expect(found('$.info[?(@.match && @.match(/^X/i))]')).toEqual(['/info/title'])
    expect(found('$[?(@.join && @.includes && !@.match)]')).toEqual(['/list'])
    expect(found('$.info[?(@.match > 1 || @.match === "match")]')).toEqual([])
  })

  test('names of the prototype are no members', () => {
    expect(found('$.info[?(@.constructor)]')).toEqual([])
    expect(found("$[?(@['__proto__'] || @.toString)]")).toEqual([])
  })

  test('references are followed as a graph: cycles end and a shared node is visited once for each state', () => {
    const text = JSON.stringify({
      a: { $ref: '#' },
      b: { $ref: '#' },
      shared: { type: 'array', self: { $ref: '#/a' } },
    })
    const cyclic = parseDocument(text, { source: 'c.json' })
    const graph = new Graph({})
    const paths: string[] = []
    new PathSet([parsePath('$..type')]).walk(rootNode(cyclic.value, cyclic), graph.follow, (_, node) =>
      paths.push(formatPointer(placeOf(node))),
    )
    expect(paths).toEqual(['/shared/type'])
  })
})
