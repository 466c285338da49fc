/** Templates of paths as conditions of the engine. */
import { compareText } from '../../kernel/order.ts'
import { routePattern } from '../positive/index.ts'
import type { Lean } from '../../gateway-policy/door.ts'
import type { Node } from './node.ts'
import type { Route } from './model.ts'
import { oddNode, pathNode, sentPath } from './path-rules.ts'
import { longestLine, type Link } from './seclang.ts'

const isOpen = (segment: string): boolean => segment.includes('{')

/** Whether some path may belong to both templates. */
function overlap(a: string, b: string): boolean {
  const [left, right] = [a.split('/'), b.split('/')]
  return (
    left.length === right.length &&
    left.every((it, index) => it === right[index] || isOpen(it) || isOpen(right[index] ?? ''))
  )
}

/** Routes so that the first that a path meets is its own: what is written out comes before variables (OpenAPI 3.1, 4.8.8.1). */
export function inOrder(routes: readonly Route[]): Route[] {
  const keyOf = ({ route }: Route): string =>
    route
      .split('/')
      .map((it) => (isOpen(it) ? `1${it}` : `0${it}`))
      .join('/')
  return routes
    .map((it) => ({ it, key: keyOf(it) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ it }) => it)
}

/** The templates of a document, with what a path of one has to be and must not be. */
export class Templates {
  readonly all: readonly string[]
  readonly isKnown: boolean
  private readonly patterns: ReadonlyMap<string, string>
  private readonly basePaths: readonly string[]

  /** @param routes of the document, in order; null: no document */
  constructor(routes: readonly Route[] | null, basePaths: readonly string[]) {
    this.isKnown = routes !== null
    this.patterns = new Map((routes ?? []).map((it) => [it.route, it.pattern]))
    this.all = [...this.patterns.keys()]
    this.basePaths = basePaths
  }

  private patternOf(template: string): string {
    return this.patterns.get(template) ?? routePattern(template, this.basePaths.length === 0 ? [''] : this.basePaths)
  }

  /** That a path belongs to one of the templates: to a server that reads it in some way, or to every one. */
  node(templates: readonly string[], lean: Lean): Node {
    const single = ({ target, operator }: Link): Node => ({
      condition: { target, operator, isSingle: true, opposite: { target, operator: negated(operator) } },
    })
    const asSent: Node = { or: this.links(templates).map((links) => ({ and: links.map(single) })) }
    if (lean === 'every') return { and: [asSent, oddNode(false)] }
    const readings = joined(templates.map((it) => this.patternOf(it))).map((it) => pathNode(it, lean))
    return { or: [asSent, { and: [oddNode(true), { or: readings }] }] }
  }

  /** The conditions on a path as it was sent: alternatives, each a list of conditions that hold together. */
  private links(templates: readonly string[]): Link[][] {
    const alone: string[] = []
    const found: Link[][] = []
    for (const template of templates) {
      const place = this.all.indexOf(template)
      const before = this.all
        .slice(0, place === -1 ? this.all.length : place)
        .filter((it) => overlap(it, template) && (place !== -1 || !isOpen(it)) && !templates.includes(it))
      if (before.length === 0) alone.push(this.patternOf(template))
      else
        found.push([
          { target: sentPath, operator: `@rx ${this.patternOf(template)}` },
          ...joined(before.map((it) => this.patternOf(it))).map((pattern) => ({
            target: sentPath,
            operator: `!@rx ${pattern}`,
          })),
        ])
    }
    return [...joined(alone).map((it) => [{ target: sentPath, operator: `@rx ${it}` }]), ...found]
  }
}

const negated = (operator: string): string => (operator.startsWith('!') ? operator.slice(1) : `!${operator}`)

/** Several regular expressions in few, none of them too long for a line. */
function joined(patterns: readonly string[]): string[] {
  const lists: string[][] = []
  let length = Infinity
  for (const pattern of patterns) {
    length += pattern.length + 1
    if (length > longestLine / 4) {
      lists.push([])
      length = pattern.length
    }
    lists.at(-1)?.push(pattern)
  }
  return lists.map((it) => it.join('|'))
}
