import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { methodsOf, operationsIn } from '../../kernel/methods.ts'
import type { Violation, FunctionContext, LintFunction } from '../rule.ts'

const template = /\{;?\??[a-zA-Z0-9_-]+\*?\}/g

/** So many parameters of one operation are named: each finding repeats the path, which is as long as they are many. */
const mostEach = 100

type Defined = Map<string, Path>

class PathCheck {
  readonly violations: Violation[] = []
  private readonly deref: FunctionContext['deref']
  private readonly methods: readonly string[]
  constructor({ root, deref }: Pick<FunctionContext, 'root' | 'deref'>) {
    this.deref = deref
    this.methods = methodsOf(root)
  }

  private say(message: string, path: Path, more: Pick<Violation, 'kind' | 'name'> = {}): void {
    this.violations.push({ message, path, ...more })
  }

  /** The path parameters of a list; reports those that are not required or occur twice. */
  private defined(written: Json | undefined, base: Path): Defined {
    const found: Defined = new Map()
    const parameters = this.deref(written ?? null)
    if (!Array.isArray(parameters)) return found
    for (const [index, one] of (parameters as readonly Json[]).entries()) {
      const parameter = this.deref(one)
      if (!isObject(parameter) || parameter.in !== 'path' || parameter.name === undefined) continue
      const name = String(parameter.name)
      const path = [...base, index]
      if (parameter.required !== true)
        this.say(`Path parameter "${name}" must have "required" property that is set to "true".`, path, {
          kind: 'parameter-optional',
        })
      if (found.has(name))
        this.say(`Path parameter "${name}" must not be defined more than once.`, path, { kind: 'parameter-unused' })
      else found.set(name, path)
    }
    return found
  }

  private namesIn(path: string): ReadonlySet<string> {
    const names = new Set<string>()
    for (const [part] of path.matchAll(template)) {
      const name = part.replaceAll(/[{}?*;]/g, '')
      if (names.has(name))
        this.say(`Path "${path}" must not use parameter "{${name}}" more than once.`, ['paths', path])
      else names.add(name)
    }
    return names
  }

  checkItem(path: string, item: JsonObject): void {
    const names = this.namesIn(path)
    const shared = this.defined(item.parameters, ['paths', path, 'parameters'])
    const order = Object.keys(item).filter((key) => this.methods.includes(key))
    for (const { steps, operation } of operationsIn(item, order, this.methods.includes('query'), this.deref)) {
      const at = ['paths', path, ...steps]
      const all = new Map([...shared, ...this.defined(operation.parameters, [...at, 'parameters'])])
      const unused = [...all].filter(([name]) => !names.has(name))
      for (const [name, place] of unused.slice(0, mostEach))
        this.say(`Parameter "${name}" must be used in path "${path}".`, place, { kind: 'parameter-unused' })
      if (unused.length > mostEach)
        this.say(`${unused.length - mostEach} more parameters must be used in path "${path}".`, at)
      const missing = [...names].filter((name) => !all.has(name))
      for (const name of missing.slice(0, mostEach))
        this.say(`Operation must define parameter "{${name}}" as expected by path "${path}".`, at, {
          kind: 'parameter-missing',
          name,
        })
      if (missing.length > mostEach)
        this.say(
          `Operation must define ${missing.length - mostEach} more parameters as expected by path "${path}".`,
          at,
        )
    }
  }

  check(paths: JsonObject): void {
    const shapes = new Map<string, string>()
    for (const path of Object.keys(paths)) {
      const item = this.deref(paths[path] as Json)
      if (!isObject(item)) continue
      const shape = path.replaceAll(template, '%')
      const twin = shapes.get(shape)
      if (twin === undefined) shapes.set(shape, path)
      else this.say(`Paths "${twin}" and "${path}" must not be equivalent.`, ['paths', path])
      this.checkItem(path, item)
    }
  }
}

/** The parameters in path templates are defined, required, unique and used; no two templates match the same addresses. */
const pathParameters: LintFunction = (input, _options, context) => {
  if (!isObject(input)) return []
  const check = new PathCheck(context)
  check.check(input)
  return check.violations
}
export default pathParameters
