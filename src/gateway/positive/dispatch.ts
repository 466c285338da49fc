/**
 * Finding the operation of a request: a tree of path segments, so that a request meets the rules of its own operation only. What
 * belongs to a part of the tree is skipped by one rule where the path does not begin like it.
 */
import type { Context, Endpoint } from './model.ts'
import { piecesOf, prefixBody, templateBody } from './path.ts'

/** The operations of one template. */
interface Leaf {
  readonly template: string
  readonly prefixes: readonly string[]
  readonly endpoints: readonly Endpoint[]
}

interface Branch {
  readonly children: Map<string, Branch>
  readonly leaves: Leaf[]
  /** How many templates there are from here on. */
  size: number
}

const newBranch = (): Branch => ({ children: new Map(), leaves: [], size: 0 })

/** Where the operations of a request begin and end; names of markers, unique in a configuration. */
export const found = 'SVC_FOUND'

/** Branches with fewer templates are not skipped as a whole. */
const worthSkipping = 4
/** So many neighbours are looked at one after the other. */
const neighbours = 7

const isVariable = (segment: string): boolean => segment.includes('{')

export class Dispatch {
  private readonly context: Context
  private readonly write: (endpoint: Endpoint) => readonly string[]
  private labels = 0

  /** @param write writes what is checked of an operation alone, and returns the variables that are set for what is checked later */
  constructor(context: Context, write: (endpoint: Endpoint) => readonly string[]) {
    this.context = context
    this.write = write
  }

  /** Rules that set `tx.svc_op` where an operation has the path and the method, and `tx.svc_known` where it has the path only. */
  run(endpoints: readonly Endpoint[]): void {
    const roots = new Map<string, { readonly prefixes: readonly string[]; readonly root: Branch }>()
    for (const leaf of this.leavesOf(endpoints)) {
      const key = prefixBody(leaf.prefixes)
      const entry = roots.get(key) ?? { prefixes: leaf.prefixes, root: newBranch() }
      roots.set(key, entry)
      this.insert(entry.root, leaf)
    }
    for (const { prefixes, root } of roots.values()) this.branch(root, prefixBody(prefixes))
  }

  private leavesOf(endpoints: readonly Endpoint[]): Leaf[] {
    const leaves = new Map<string, { template: string; prefixes: readonly string[]; endpoints: Endpoint[] }>()
    for (const it of endpoints) {
      const { template } = it.operation
      const key = `${prefixBody(it.prefixes)} ${template}`
      const leaf = leaves.get(key) ?? { template, prefixes: it.prefixes, endpoints: [] }
      leaves.set(key, leaf)
      leaf.endpoints.push(it)
    }
    return [...leaves.values()]
  }

  private insert(root: Branch, leaf: Leaf): void {
    let at = root
    at.size++
    for (const segment of leaf.template.split('/').slice(1, -1)) {
      const key = isVariable(segment) ? segment.replaceAll(/\{[^{}]*\}/g, '{}') : segment
      const next = at.children.get(key) ?? newBranch()
      at.children.set(key, next)
      at = next
      at.size++
    }
    at.leaves.push(leaf)
  }

  private label(): string {
    return `SVC_${++this.labels}`
  }

  private branch(branch: Branch, before: string): void {
    // What is written out comes before variables: "/pets/mine" before "/pets/{id}" (OpenAPI 3.1, 4.8.8.1).
    const last = (leaf: Leaf): string => leaf.template.split('/').at(-1) ?? ''
    const plain = branch.leaves.filter((it) => !isVariable(last(it)))
    this.inGroups(
      plain.map((leaf) => ({ begins: templateBody(`/${last(leaf)}`), run: () => this.leaf(leaf) })),
      before,
    )
    const children = [...branch.children].sort(([a], [b]) => Number(isVariable(a)) - Number(isVariable(b)))
    const enter = ([segment, child]: readonly [string, Branch]) => ({
      begins: templateBody(`/${segment}`),
      run: () => this.child(child, before + templateBody(`/${segment}`)),
    })
    this.inGroups(children.filter(([it]) => !isVariable(it)).map(enter), before)
    for (const it of children.filter(([segment]) => isVariable(segment))) enter(it).run()
    for (const leaf of branch.leaves.filter((it) => isVariable(last(it)))) this.leaf(leaf)
  }

  /** Many neighbours are put into groups by how they begin, each skipped as one. */
  private inGroups(parts: readonly { readonly begins: string; readonly run: () => void }[], before: string): void {
    if (parts.length <= neighbours) {
      for (const it of parts) it.run()
      return
    }
    const sorted = parts.toSorted((a, b) => (a.begins < b.begins ? -1 : 1))
    const size = Math.ceil(Math.sqrt(sorted.length))
    for (let from = 0; from < sorted.length; from += size) {
      const group = sorted.slice(from, from + size)
      const end = this.label()
      const body = group.map((it) => it.begins).join('|')
      this.skipUnless(`@rx \\A${before}(?:${body})(?:/|\\z)`, end)
      for (const it of group) it.run()
      this.context.rules.marker(end)
    }
  }

  private child(branch: Branch, path: string): void {
    if (branch.size < worthSkipping) {
      this.branch(branch, path)
      return
    }
    const end = this.label()
    this.skipUnless(`@rx \\A${path}/`, end)
    this.branch(branch, path)
    this.context.rules.marker(end)
  }

  private skipUnless(operator: string, to: string): void {
    this.context.rules.flow(1, [{ variables: 'TX:svc_path', operator: `!${operator}` }], [`skipAfter:${to}`])
  }

  private leaf({ template, prefixes, endpoints }: Leaf): void {
    const { rules } = this.context
    const end = this.label()
    // The root of a server may be asked for without the slash.
    const body = template === '/' && !prefixes.includes('') ? '/?' : templateBody(template.split(/[?#]/)[0] ?? '')
    this.skipUnless(`@rx \\A${prefixBody(prefixes)}${body}\\z`, end)
    for (const [i, endpoint] of endpoints.entries()) {
      const after = i === endpoints.length - 1 ? end : this.label()
      const methods = this.methodsOf(endpoint, endpoints)
      // Each rule costs every request a little, met or not: so this one notes that the path is known, and skips.
      rules.flow(
        1,
        [{ variables: 'REQUEST_METHOD', operator: `!@rx \\A(?:${methods.join('|')})\\z` }],
        ['setvar:tx.svc_known=1', `skipAfter:${after}`],
      )
      const marks = [`tx.svc_op=${endpoint.number}`, ...this.write(endpoint)]
      rules.flow(1, [], [...marks.map((it) => `setvar:${it}`), `skipAfter:${found}`])
      if (after !== end) rules.marker(after)
    }
    rules.marker(end)
  }

  /** A service that answers GET answers HEAD too (RFC 9110, section 9.1). */
  private methodsOf({ operation: { method } }: Endpoint, beside: readonly Endpoint[]): string[] {
    const own = method.replaceAll(
      /[^A-Za-z0-9_-]/g,
      (it) => `\\x${(it.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
    )
    return method === 'GET' && !beside.some((it) => it.operation.method === 'HEAD') ? [own, 'HEAD'] : [own]
  }
}

/** The template without the names of its variables, for finding templates that mean the same paths. */
export const pathShape = (template: string): string =>
  piecesOf(template.split(/[?#]/)[0] ?? '')
    .map((it) => ('name' in it ? '{}' : it.text))
    .join('')
