/** Every place of the server where what a caller wrote meets many rows goes through the guard, and is listed. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { exempt, places } from '../../../server/bounds/places.ts'

const root = join(import.meta.dir, '../../..')

/** Modules of ours that run patterns or expressions. */
const matchers =
  /\/src\/(?:regex\/|gateway-policy\/(?:evaluate|replay)|schema\/validation\/(?:run|pattern)|lint\/jsonpath)[\w/-]*(?:\.ts)?$/
/** Methods of lists that call a test for each of their members. */
const loops = new Set(['filter', 'some', 'every', 'find', 'findLast', 'findIndex', 'flatMap', 'map', 'reduce'])
/** Methods of texts that look for a part. */
const searches = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'match', 'search'])
/** Names that what a caller wrote goes by. */
const written = /^(?:q|text|needle|word|wanted|pattern|prefix|regex|glob|term|search|filter|query)$/i

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (it: unknown): it is Node => typeof it === 'object' && it !== null && 'type' in it

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node.name)
  return node.type === 'MemberExpression' ? nameOf(node.property) : ''
}

/** Whether a node is inside of a function that a list calls for each of its members, or of a loop. */
function isInLoop(chain: readonly Node[]): boolean {
  return chain.some((at, index) => {
    const child = chain[index + 1]
    if (at.type === 'ForOfStatement') return at.body === child
    const isCall = at.type === 'CallExpression' && (at.arguments as readonly unknown[]).includes(child)
    return isCall && /Function/.test(child?.type ?? '') && loops.has(nameOf(at.callee))
  })
}

function isMatch(node: Node, chain: readonly Node[]): boolean {
  if (node.type === 'ImportDeclaration') {
    const { value } = node.source as { readonly value: string }
    return node.importKind !== 'type' && matchers.test(value.replace(/^(?:\.\.\/)+/, '/'))
  }
  const [first] = (node.arguments ?? []) as readonly unknown[]
  if (!isNode(first)) return false
  if (node.type === 'NewExpression')
    return nameOf(node.callee) === 'Glob' || (nameOf(node.callee) === 'RegExp' && first.type !== 'Literal')
  const isMethod = node.type === 'CallExpression' && isNode(node.callee) && node.callee.type === 'MemberExpression'
  return isMethod && searches.has(nameOf(node.callee)) && written.test(nameOf(first)) && isInLoop([...chain, node])
}

/** Where a file matches what a caller may have written: lines counted from 1. */
function matchesIn(path: string, text: string): number[] {
  const lines: number[] = []
  const visit = (node: Node, chain: readonly Node[]): void => {
    if (isMatch(node, chain)) lines.push(text.slice(0, node.start).split('\n').length)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, [...chain, node])
  }
  visit(parseSync(path, text).program as unknown as Node, [])
  return lines
}

const files = [...new Bun.Glob('server/**/*.ts').scanSync({ cwd: root })].toSorted()
/** Where documents are read, in processes of their own, and what runs before a server answers. */
const isApart = (path: string): boolean => /^server\/(?:analysis|settings|web|config)/.test(path)

test('every match of many rows is a listed place, or says why it is none', async () => {
  const known = new Set<string>([...Object.values(places).map(({ file }) => file), ...Object.keys(exempt)])
  const unlisted: string[] = []
  for (const path of files.filter((it) => !isApart(it) && !known.has(it)))
    for (const line of matchesIn(path, await Bun.file(join(root, path)).text())) unlisted.push(`${path}:${line}`)
  expect(unlisted).toEqual([])
})

test('every listed place asks the guard under its name, and no file asks under another one', async () => {
  const asked: string[] = []
  for (const path of files)
    for (const [, name] of (await Bun.file(join(root, path)).text()).matchAll(/new Guard\('([\w-]+)'/g))
      asked.push(`${name} in ${path}`)
  expect(asked.toSorted()).toEqual(
    Object.entries(places)
      .map(([name, { file }]) => `${name} in ${file}`)
      .toSorted(),
  )
})

test('what is exempt is still there', async () => {
  const gone = Object.keys(exempt).filter((it) => !files.includes(it))
  expect(gone).toEqual([])
})

test('a new place is found, in each of its forms', () => {
  const found = (text: string) => matchesIn('server/new/list.ts', text)
  expect(found('const test = new Bun.Glob(pattern)')).toEqual([1])
  expect(found('const one = new RegExp(`^${name}$`)')).toEqual([1])
  expect(found("import { patternOf } from '../../src/regex/pattern.ts'")).toEqual([1])
  expect(found("import type { Pattern } from '../../src/regex/pattern.ts'")).toEqual([])
  expect(found('const all = rows.filter((row) => row.name.toLowerCase().includes(needle))')).toEqual([1])
  expect(found('for (const row of rows)\n  if (row.name.startsWith(query.q)) found.push(row)')).toEqual([2])
  expect(found("const all = rows.filter((row) => row.kind.includes('x'))")).toEqual([])
  expect(found('const isThere = name.includes(text)')).toEqual([])
  expect(found("const shape = new RegExp('^a')")).toEqual([])
})
