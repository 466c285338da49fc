/**
 * Rules of this project for oxlint.
 * - `rooms`: imports between rooms, static, dynamic and of types (see neighbours.ts).
 * - `no-long-it`: a parameter called `it` is for functions of at most five lines.
 * - `type-names`: exported types are named after what they hold.
 */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { problemOf, type Neighbours } from './neighbours.ts'

interface Node {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly source?: Node | null
  readonly argument?: Node | null
  readonly left?: Node
  readonly params?: readonly Node[]
  readonly body?: Node | null
  readonly id?: Node
  readonly declaration?: Node | null
  readonly loc?: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
}
interface Context {
  readonly filename: string
  readonly report: (problem: { readonly node: Node; readonly message: string }) => void
}
type Rule = { readonly create: (context: Context) => Readonly<Record<string, (node: Node) => void>> }

const root = join(import.meta.dirname, '..', '..')
const neighbours = JSON.parse(readFileSync(join(root, 'rooms.json'), 'utf8')) as Neighbours
const maxItLines = 5
const emptyNames = new Set(['Asked', 'Given', 'Found', 'Place', 'Row'])

const rooms: Rule = {
  create(context) {
    const importer = relative(root, context.filename).split(sep).join('/')
    const check = (node: Node): void => {
      const source = node.source ?? node.argument
      if (typeof source?.value !== 'string') return
      const message = problemOf(importer, source.value, neighbours)
      if (message !== null) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    }
  },
}

const noLongIt: Rule = {
  create(context) {
    const check = (node: Node): void => {
      const named = node.params?.find((parameter) => (parameter.left ?? parameter).name === 'it')
      if (named === undefined || node.loc === undefined) return
      const lines = node.loc.end.line - node.loc.start.line + 1
      if (lines <= maxItLines) return
      context.report({ node: named, message: `Name "it" after what it holds: this function has ${lines} lines.` })
    }
    return { ArrowFunctionExpression: check, FunctionDeclaration: check, FunctionExpression: check }
  },
}

const typeNames: Rule = {
  create: (context) => ({
    ExportNamedDeclaration: ({ declaration }) => {
      const name = /^TS(Interface|TypeAlias)Declaration$/.test(declaration?.type ?? '') ? declaration?.id : undefined
      if (name?.name !== undefined && emptyNames.has(name.name))
        context.report({ node: name, message: `"${name.name}" says nothing: name the type after what it holds.` })
    },
  }),
}

export default { meta: { name: 'house' }, rules: { rooms, 'no-long-it': noLongIt, 'type-names': typeNames } }
