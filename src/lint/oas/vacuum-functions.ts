/**
 * Functions of vacuum whose meaning its documentation says. Apart from `post-response-success` they look at the whole document, whatever
 * `given` leads to, so each speaks once for a rule. The words of the findings are svc's own.
 */
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { isMethod } from '../../kernel/methods.ts'
import type { CheckBudget } from '../check-budget.ts'
import type { CoreFunction } from '../core-functions.ts'
import { readPattern } from '../pattern.ts'
import type { LintFunction, Rule, Violation } from '../rule.ts'

/** A function that looks at the whole document. Each rule calls it once in a run, with a budget for that rule. */
function ofDocument(look: (root: JsonObject, options: JsonObject) => Iterable<Violation>): LintFunction {
  const done = new WeakMap<CheckBudget, Set<Rule>>()
  return (_input, options, { entry, linted, budget, definition }) => {
    const rules = done.get(budget) ?? new Set<Rule>()
    done.set(budget, rules)
    if (!isObject(entry) || rules.has(definition)) return []
    rules.add(definition)
    // A target of the rule may be in another file than what is found.
    return Array.from(look(entry, options), (it) => ({ ...it, document: linted }))
  }
}

const membersOf = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries<Json>(value) : [])

function* operationsOf(root: JsonObject): Generator<{ readonly operation: JsonObject; readonly at: Path }> {
  for (const [path, item] of membersOf(root.paths))
    for (const [method, operation] of membersOf(item))
      if (isMethod(method) && isObject(operation)) yield { operation, at: ['paths', path, method] }
}

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').split('/')

function* verbsInPaths(root: JsonObject): Generator<Violation> {
  for (const [path] of membersOf(root.paths)) {
    const verb = segmentsOf(path).find((it) => isMethod(it.toLowerCase()))
    if (verb !== undefined) yield { message: `Path "${path}" names the method "${verb}".`, path: ['paths', path] }
  }
}

// Dots are for versions and endings; a segment that begins with a variable is free.
const isKebab = (segment: string): boolean => /^[{}a-z\d\-.]*$/.test(segment) || /^\{\w.*\}/.test(segment)

function* pathsOfOtherCase(root: JsonObject): Generator<Violation> {
  for (const [path] of membersOf(root.paths)) {
    const others = segmentsOf(path).filter((it) => !isKebab(it))
    const named = others.map((it) => `"${it}"`).join(', ')
    if (others.length > 0) yield { message: `Not in kebab-case: ${named}.`, path: ['paths', path] }
  }
}

function* severalTags(root: JsonObject): Generator<Violation> {
  for (const { operation, at } of operationsOf(root))
    if (Array.isArray(operation.tags) && operation.tags.length > 1)
      yield { message: `Operation has ${operation.tags.length} tags; one is enough.`, path: [...at, 'tags'] }
}

function* withoutTags(root: JsonObject): Generator<Violation> {
  for (const { operation, at } of operationsOf(root)) {
    const { tags } = operation
    if (tags === undefined) yield { message: 'Operation has no "tags".', path: at }
    else if (Array.isArray(tags) && tags.length === 0)
      yield { message: 'The "tags" of the operation are empty.', path: [...at, 'tags'] }
  }
}

function* withoutId(root: JsonObject): Generator<Violation> {
  for (const { operation, at } of operationsOf(root))
    if (operation.operationId === undefined) yield { message: 'Operation has no "operationId".', path: at }
}

function* parametersIn(value: Json | undefined, at: Path): Generator<Violation> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, it] of Object.entries<Json>(value)) {
    if (!isObject(it) || typeof it.in !== 'string' || (it.description !== undefined && it.description !== '')) continue
    const step = Array.isArray(value) ? Number(key) : key
    yield { message: `Parameter "${String(it.name ?? key)}" has no description.`, path: [...at, step] }
  }
}

function* parametersWithoutDescription(root: JsonObject): Generator<Violation> {
  const { components, parameters, paths } = root
  yield* parametersIn(parameters, ['parameters'])
  if (isObject(components)) yield* parametersIn(components.parameters, ['components', 'parameters'])
  for (const [path, item] of membersOf(paths))
    if (isObject(item)) yield* parametersIn(item.parameters, ['paths', path, 'parameters'])
  for (const { operation, at } of operationsOf(root)) yield* parametersIn(operation.parameters, [...at, 'parameters'])
}

function* describedComponents(root: JsonObject, { minWords }: JsonObject): Generator<Violation> {
  const least = Number(minWords ?? 0)
  for (const [kind, section] of membersOf(root.components))
    for (const [name, component] of membersOf(section)) {
      if (!isObject(component) || component.$ref !== undefined) continue
      const at = ['components', kind, name]
      const { description } = component
      if (typeof description !== 'string') {
        if (description === undefined) yield { message: `"${name}" of ${kind} has no description.`, path: at }
        continue
      }
      const words = description.split(' ').length
      if (words < least)
        yield {
          message: `The description of "${name}" in ${kind} has fewer words than ${least}: ${words}.`,
          path: [...at, 'description'],
        }
    }
}

function* forbiddenTexts(root: JsonObject, { pattern }: JsonObject): Generator<Violation> {
  const forbidden = readPattern(String(pattern))
  if (forbidden === null) return
  const open: { readonly value: Json; readonly at: Path }[] = [{ value: root, at: [] }]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value, at } = node
    if (typeof value !== 'object' || value === null) continue
    const list = Array.isArray(value)
    for (const [key, child] of Object.entries<Json>(value).toReversed()) {
      const path = [...at, list ? Number(key) : key]
      if (key === 'description' && typeof child === 'string' && forbidden.test(child))
        yield { message: `Description contains what "${String(pattern)}" forbids.`, path }
      open.push({ value: child, at: path })
    }
  }
}

/** The input has one of the members that `properties` lists. */
const oneOfProperties: LintFunction = (input, { properties }) => {
  if (!isObject(input) || !Array.isArray(properties)) return []
  const codes = (properties as readonly Json[]).map(String)
  if (codes.some((it) => Object.hasOwn(input, it))) return []
  return [{ message: `Operation must describe one of these responses: ${codes.join(', ')}.` }]
}

const objectOf = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})

/** Each with the JSON Schema of its options; null where it takes none. */
export const vacuumChecks: Readonly<Record<string, CoreFunction>> = {
  // For rules that another program looks after.
  blank: { run: () => [], options: {} },
  noEvalDescription: {
    run: ofDocument(forbiddenTexts),
    options: objectOf({ pattern: { type: 'string' } }, ['pattern']),
  },
  noVerbsInPath: { run: ofDocument(verbsInPaths), options: null },
  oasComponentDescriptions: {
    run: ofDocument(describedComponents),
    options: { anyOf: [{ type: 'null' }, objectOf({ minWords: { type: ['integer', 'string'], pattern: '^\\d+$' } })] },
  },
  oasOpId: { run: ofDocument(withoutId), options: null },
  oasOpSingleTag: { run: ofDocument(severalTags), options: null },
  oasOperationTags: { run: ofDocument(withoutTags), options: null },
  oasParamDescriptions: { run: ofDocument(parametersWithoutDescription), options: null },
  pathsKebabCase: { run: ofDocument(pathsOfOtherCase), options: null },
  'post-response-success': {
    run: oneOfProperties,
    options: objectOf({ properties: { type: 'array', minItems: 1, items: { type: ['string', 'integer'] } } }, [
      'properties',
    ]),
  },
}
