/** Templates of paths as conditions of the engine. */
import { literal, longestLine, type Link } from './seclang.ts'
import type { Route } from './model.ts'

const isOpen = (segment: string): boolean => segment.includes('{')

/** Whether some path may belong to both templates. */
function overlap(a: string, b: string): boolean {
  const [left, right] = [a.split('/'), b.split('/')]
  return (
    left.length === right.length &&
    left.every((it, index) => it === right[index] || isOpen(it) || isOpen(right[index] ?? ''))
  )
}

/** The regular expression of a template; a parameter is one segment that is not empty. */
function templatePattern(template: string, basePaths: readonly string[], isBytes: boolean): string {
  const bases = [...new Set(basePaths.map((it) => it.replace(/\/+$/, '')))].map((it) => literal(it, isBytes))
  const base = bases.length === 0 ? '' : bases.length === 1 ? bases[0] : `(?:${bases.join('|')})`
  const path = template
    .split(/(\{[^{}/]*\})/)
    .map((part, index) => (index % 2 === 1 ? '[^/]+' : literal(part, isBytes)))
    .join('')
  return `\\A${base}${path}\\z`
}

/** The templates of a document, with what a path of one has to be and must not be. */
export class Templates {
  /** In the order in which the first that fits is the one of a request. */
  readonly all: readonly string[]
  readonly isKnown: boolean
  private readonly patterns: ReadonlyMap<string, string>
  private readonly basePaths: readonly string[]
  private readonly isBytes: boolean

  /** @param routes of the document, the first that fits first; null: no document */
  constructor(routes: readonly Route[] | null, basePaths: readonly string[], isBytes: boolean) {
    this.isBytes = isBytes
    this.isKnown = routes !== null
    this.patterns = new Map((routes ?? []).map((it) => [it.route, it.pattern]))
    this.all = [...this.patterns.keys()]
    this.basePaths = basePaths
  }

  private patternOf(template: string): string {
    return this.patterns.get(template) ?? templatePattern(template, this.basePaths, this.isBytes)
  }

  /**
   * The conditions on a path that belongs to one of the templates.
   * @returns alternatives, each a list of conditions that hold together
   */
  links(templates: readonly string[]): Link[][] {
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
          { target: 'REQUEST_FILENAME', operator: `@rx ${this.patternOf(template)}` },
          ...joined(before.map((it) => this.patternOf(it))).map((pattern) => ({
            target: 'REQUEST_FILENAME',
            operator: `!@rx ${pattern}`,
          })),
        ])
    }
    return [...joined(alone).map((it) => [{ target: 'REQUEST_FILENAME', operator: `@rx ${it}` }]), ...found]
  }
}

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
