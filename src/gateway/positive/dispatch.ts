/**
 * Finding the operation of a request: tables of jumps by what the path begins with, and behind each jump the few operations that are left.
 * A rule that holds costs an engine several times as much as one that does not, and each rule that is jumped over costs a little too: so
 * a request meets one jump that holds for each table, an operation is one rule, and operations that lead to the same checks share it.
 */
import type { Context, Endpoint } from './model.ts'
import { anyValue, piecesOf, prefixBody, templateBody } from './path.ts'

/** Behind all rules: where a request goes on that passed the checks of its operation. A name of a marker, unique in a configuration. */
export const found = 'SVC_PASSED'
/** Where requests go on that belong to no operation; unique too. */
export const unknown = 'SVC_UNKNOWN'

/** So many rules of operations are looked at one after the other. */
const neighbours = 10
/** So many jumps are in one table. */
const jumps = 8
/** So many segments are alternatives of one rule. */
const alternatives = 40
/** An expression that lists paths is not longer than this. */
const longestList = 8000

/** What is done once an operation is found. */
export interface Target {
  /** Variables that are set, as "tx.svc_json=1". */
  readonly marks: readonly string[]
  /** The marker where the request goes on. */
  readonly next: string
  /** Positions of the variables of the template whose values are kept, in their order, as `TX:1` and so on; nine at most. */
  readonly kept: readonly number[]
}

interface Branch {
  readonly children: Map<string, Branch>
  /** Operations whose template ends here, by its last segment. */
  readonly leaves: Map<string, Endpoint[]>
}

/** What begins with one segment that is written out. */
interface Unit {
  /** The segment as an expression, with its slash. */
  readonly begins: string
  /** The same where a jump looks for it, followed by a slash or the end. */
  readonly jump: string
  readonly leaves: readonly Endpoint[]
  readonly child: Branch | null
}

/** The rule of operations with one template that lead to the same. */
interface Line {
  readonly methods: readonly string[]
  readonly prefix: string
  /** Segments of the template as they are, and as expressions with their slashes. */
  readonly segments: readonly string[]
  readonly written: readonly string[]
  readonly target: Target
}

/** Lines that differ in one segment only. */
interface Merged {
  readonly first: Line
  /** The alternatives of this segment. */
  readonly choices: string[]
}

const newBranch = (): Branch => ({ children: new Map(), leaves: new Map() })
const isVariable = (segment: string): boolean => segment.includes('{')
const bodyOf = (template: string): string => template.split(/[?#]/)[0] ?? ''

/** A marker that is written only where something jumps to it. */
class Place {
  private readonly name: string
  isUsed = false

  constructor(name: string) {
    this.name = name
  }

  get label(): string {
    this.isUsed = true
    return this.name
  }
}

export class Dispatch {
  private readonly context: Context
  private readonly targetOf: (endpoint: Endpoint) => Target
  private labels = 0

  /** @param targetOf says what follows where the operation is found */
  constructor(context: Context, targetOf: (endpoint: Endpoint) => Target) {
    this.context = context
    this.targetOf = targetOf
  }

  /**
   * Rules that jump to what is checked of an operation where it has the path and the method of a request. Behind them is who has none, with `tx.svc_known` where an operation has the path. They read `tx.svc_path` and `tx.svc_target` (`targetText`).
   */
  run(endpoints: readonly Endpoint[]): void {
    const roots = new Map<string, { readonly prefixes: readonly string[]; readonly root: Branch }>()
    for (const endpoint of endpoints) {
      const key = prefixBody(endpoint.prefixes)
      const entry = roots.get(key) ?? { prefixes: endpoint.prefixes, root: newBranch() }
      roots.set(key, entry)
      insert(entry.root, endpoint)
    }
    for (const [before, { root }] of roots) {
      const end = this.place()
      this.branch(root, { before, depth: 0 }, end)
      this.mark(end)
    }
    this.known(endpoints)
  }

  private place(): Place {
    return new Place(`SVC_${++this.labels}`)
  }

  private mark(place: Place): void {
    if (place.isUsed) this.context.rules.marker(place.label)
  }

  private jump(place: Place): void {
    this.context.rules.flow(1, [], [`skipAfter:${place.label}`])
  }

  /** What is written out comes before variables: "/pets/mine" before "/pets/{id}" (OpenAPI 3.1, 4.8.8.1). */
  private branch(branch: Branch, where: Where, end: Place): void {
    const { children, leaves } = variablesOf(branch)
    const variables = children.length + leaves.length === 0 ? end : this.place()
    this.units(unitsOf(branch), where, variables)
    if (variables !== end) this.mark(variables)
    for (const [segment, child] of children) {
      const next = this.place()
      this.branch(child, deeper(where, templateBody(`/${segment}`)), next)
      this.mark(next)
    }
    for (const line of leaves.flatMap(([, list]) => this.linesOf(list))) this.line({ first: line, choices: [] }, 0)
  }

  /** @param end where a request goes on that none of them has; it follows them */
  private units(units: readonly Unit[], where: Where, end: Place): void {
    const parts = units.map((unit) => ({ unit, lines: this.linesOfUnit(unit) }))
    const all = mergedAt(
      where.depth,
      parts.map((it) => it.lines),
    )
    if (all.length <= neighbours && units.length <= alternatives) {
      for (const it of all) this.line(it, where.depth)
      return
    }
    const [only] = units
    if (units.length === 1 && only !== undefined) {
      for (const line of this.linesOf(only.leaves)) this.line({ first: line, choices: [] }, 0)
      if (only.child !== null) this.branch(only.child, deeper(where, only.begins), end)
      return
    }
    const groups = grouped(parts, where.depth).map((group) => ({ group, place: this.place() }))
    for (const { group, place } of groups) {
      const body = group.map((it) => it.jump).join('|')
      const operator = `@rx \\A${where.before}(?:${body})(?:/|\\z)`
      this.context.rules.flow(1, [{ variables: 'TX:svc_path', operator }], [`skipAfter:${place.label}`])
    }
    this.jump(end)
    for (const [i, { group, place }] of groups.entries()) {
      this.mark(place)
      this.units(group, where, end)
      if (i < groups.length - 1) this.jump(end)
    }
  }

  /** All rules of operations below a branch, in their order. */
  private linesBelow(branch: Branch): Line[] {
    const { children, leaves } = variablesOf(branch)
    return [
      ...unitsOf(branch).flatMap((it) => this.linesOfUnit(it)),
      ...children.flatMap(([, child]) => this.linesBelow(child)),
      ...leaves.flatMap(([, list]) => this.linesOf(list)),
    ]
  }

  private linesOfUnit({ leaves, child }: Unit): Line[] {
    return [...this.linesOf(leaves), ...(child === null ? [] : this.linesBelow(child))]
  }

  /** @param endpoints whose paths are the same */
  private linesOf(endpoints: readonly Endpoint[]): Line[] {
    const found = new Map<string, Line & { readonly methods: string[] }>()
    for (const endpoint of endpoints) {
      const target = this.targetOf(endpoint)
      const { prefix, segments, written } = pathOf(endpoint, target.kept)
      const key = JSON.stringify([prefix, written, target])
      const line = found.get(key) ?? { methods: [], prefix, segments, written, target }
      found.set(key, line)
      line.methods.push(...methodsOf(endpoint, endpoints))
    }
    return [...found.values()]
  }

  private line({ first, choices }: Merged, depth: number): void {
    const { methods, prefix, written, target } = first
    const choice = choices.length > 1 ? `(?:${choices.join('|')})` : (written[depth] ?? '')
    const path = prefix + written.slice(0, depth).join('') + choice + written.slice(depth + 1).join('')
    const method = methods.length > 1 ? `(?:${methods.join('|')})` : methods.join('')
    this.context.rules.flow(
      1,
      [{ variables: 'TX:svc_target', operator: `@rx \\A${method}:${path}\\z`, capture: target.kept.length > 0 }],
      [...target.marks.map((it) => `setvar:${it}`), `skipAfter:${target.next}`],
    )
  }

  /** Whether the path is known is asked where no operation was found alone. */
  private known(endpoints: readonly Endpoint[]): void {
    const lists: string[][] = []
    let length = Infinity
    const bodies = endpoints.map(({ operation: { template }, prefixes }) => {
      const root = template === '/' && !prefixes.includes('') ? '/?' : templateBody(bodyOf(template))
      return prefixBody(prefixes) + root
    })
    for (const body of new Set(bodies)) {
      length += body.length
      if (length > longestList) {
        lists.push([])
        length = body.length
      }
      lists.at(-1)?.push(body)
    }
    for (const list of lists)
      this.context.rules.flow(
        1,
        [{ variables: 'TX:svc_path', operator: `@rx \\A(?:${list.join('|')})\\z` }],
        ['setvar:tx.svc_known=1'],
      )
  }
}

/** What `tx.svc_target` is set to, from the path: a method has no colon in it (RFC 9110, section 9.1). */
export const targetText = (path: string): string => `%{REQUEST_METHOD}:${path}`

function insert(root: Branch, endpoint: Endpoint): void {
  const segments = bodyOf(endpoint.operation.template).split('/').slice(1)
  const last = segments.pop() ?? ''
  let at = root
  for (const segment of segments) {
    const key = isVariable(segment) ? segment.replaceAll(/\{[^{}]*\}/g, '{}') : segment
    const next = at.children.get(key) ?? newBranch()
    at.children.set(key, next)
    at = next
  }
  at.leaves.set(last, [...(at.leaves.get(last) ?? []), endpoint])
}

/** What is below a branch by segments that are written out, in the order of these. */
function unitsOf({ children, leaves }: Branch): Unit[] {
  const segments = [...new Set([...leaves.keys(), ...children.keys()])].filter((it) => !isVariable(it))
  return segments
    .map((segment): Unit => {
      const begins = templateBody(`/${segment}`)
      // An empty segment may be the root of a server, which may be asked for without the slash.
      const jump = segment === '' ? '/?\\z|/' : begins
      return { begins, jump, leaves: leaves.get(segment) ?? [], child: children.get(segment) ?? null }
    })
    .sort((a, b) => (a.begins < b.begins ? -1 : 1))
}

const variablesOf = ({ children, leaves }: Branch) => ({
  children: [...children].filter(([segment]) => isVariable(segment)),
  leaves: [...leaves].filter(([segment]) => isVariable(segment)),
})

/** Where in the tree: what paths begin with there, as an expression, and how many segments that are. */
interface Where {
  readonly before: string
  readonly depth: number
}
const deeper = ({ before, depth }: Where, segment: string): Where => ({ before: before + segment, depth: depth + 1 })

/** The path of an operation in parts; the values of some variables are kept as groups. */
function pathOf({ operation: { template }, prefixes }: Endpoint, kept: readonly number[]) {
  const segments = bodyOf(template).split('/').slice(1)
  let position = 0
  const written = segments.map((segment) =>
    templateBody(`/${segment}`, () => (kept.includes(position++) ? `(${anyValue})` : anyValue)),
  )
  const isRoot = template === '/' && !prefixes.includes('')
  return { prefix: prefixBody(prefixes), segments, written: isRoot ? ['/?'] : written }
}

/** Whether no request is of both. A variable of a server may hold slashes: then nothing is known. */
const areApart = (a: Line, b: Line): boolean =>
  !a.methods.some((it) => b.methods.includes(it)) ||
  (!a.prefix.includes('[^?#]') &&
    a.prefix === b.prefix &&
    (a.segments.length !== b.segments.length ||
      a.segments.some((it, i) => it !== b.segments[i] && !isVariable(it) && !isVariable(b.segments[i] ?? ''))))

/**
 * Lines of several units, those that differ in the segment at `depth` alone as one. Each unit keeps its order where it matters; units
 * differ in that segment, so that no request is of two.
 */
function mergedAt(depth: number, lists: readonly (readonly Line[])[]): Merged[] {
  const keyOf = ({ methods, prefix, written, target }: Line): string =>
    JSON.stringify([methods, prefix, written.toSpliced(depth, 1), target])
  const queues = lists.map((list) => list.map((line) => ({ line, key: keyOf(line) })))
  const found: Merged[] = []
  for (const queue of queues)
    while (queue.length > 0) {
      const first = queue.shift()
      if (first === undefined) break
      const choices = [first.line.written[depth] ?? '']
      for (const other of queues) {
        const at = other === queue ? -1 : other.findIndex((it) => it.key === first.key)
        const same = other[at]?.line
        if (same === undefined || !other.slice(0, at).every((it) => areApart(it.line, same))) continue
        choices.push(same.written[depth] ?? '')
        other.splice(at, 1)
      }
      found.push({ first: first.line, choices })
    }
  return found
}

interface Part {
  readonly unit: Unit
  readonly lines: readonly Line[]
}

/** Neighbours together while they have few rules; where these are many groups, groups of them. */
function grouped(parts: readonly Part[], depth: number): Unit[][] {
  const groups: Part[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    const together = [...(last ?? []), part]
    const isLarge =
      part.lines.length > neighbours * 4 || (last?.some((it) => it.lines.length > neighbours * 4) ?? false)
    const fits =
      last !== undefined &&
      !isLarge &&
      together.length <= alternatives &&
      mergedAt(
        depth,
        together.map((it) => it.lines),
      ).length <= neighbours
    if (fits) last.push(part)
    else groups.push([part])
  }
  const units = groups.map((group) => group.map((it) => it.unit))
  if (units.length <= jumps) return units
  const each = Math.ceil(units.length / jumps)
  return Array.from({ length: Math.ceil(units.length / each) }, (_, i) => units.slice(i * each, (i + 1) * each).flat())
}

/** A service that answers GET answers HEAD too (RFC 9110, section 9.1). */
function methodsOf({ operation: { method } }: Endpoint, beside: readonly Endpoint[]): string[] {
  const own = method.replaceAll(
    /[^A-Za-z0-9_-]/g,
    (it) => `\\x${(it.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  )
  return method === 'GET' && !beside.some((it) => it.operation.method === 'HEAD') ? [own, 'HEAD'] : [own]
}

/** The template without the names of its variables, for finding templates that mean the same paths. */
export const pathShape = (template: string): string =>
  piecesOf(template.split(/[?#]/)[0] ?? '')
    .map((it) => ('name' in it ? '{}' : it.text))
    .join('')
