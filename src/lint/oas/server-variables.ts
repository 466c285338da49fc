import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'

const maxSubstitutions = 1000
const maxNamed = 5

/** The addresses that the variables' values make; stops where there are too many to try. */
function* substitute(url: string, values: readonly (readonly [string, readonly string[]])[]): Generator<string> {
  const [first, ...rest] = values
  if (first === undefined) return yield url
  const [name, options] = first
  for (const option of options) yield* substitute(url.replaceAll(`{${name}}`, encodeURI(option)), rest)
}

function checkSubstitutions(
  url: string,
  values: readonly (readonly [string, readonly string[]])[],
  at: Path,
): Violation[] {
  if (values.length === 0) return []
  const invalid: string[] = []
  let tried = 0
  for (const address of substitute(url, values)) {
    if (!URL.canParse(address)) invalid.push(address)
    if (invalid.length === maxNamed || ++tried === maxSubstitutions) break
  }
  if (invalid.length === 0) return []
  const some = invalid.length === maxNamed ? `At least ${maxNamed}` : 'A few'
  const more = invalid.length === maxNamed ? ' and more' : ''
  return [
    {
      message: `${some} substitutions of server variables resulted in invalid URLs: ${invalid.join(', ')}${more}`,
      path: at,
    },
  ]
}

function checkVariable(name: string, variable: JsonObject, path: Path): Violation[] {
  const violations: Violation[] = []
  const fallback = variable.default
  if (Array.isArray(variable.enum) && fallback !== undefined && !(variable.enum as readonly Json[]).includes(fallback))
    violations.push({
      message: `Server Variable "${name}" has a default not listed in the enum.`,
      path: [...path, 'variables', name, 'default'],
    })
  if (fallback === undefined)
    violations.push({ message: `Server Variable "${name}" has a missing default.`, path: [...path, 'variables', name] })
  return violations
}

const isVariable = (it: Json): it is JsonObject =>
  isObject(it) &&
  (it.enum === undefined || (Array.isArray(it.enum) && it.enum.every((value) => typeof value === 'string'))) &&
  (it.default === undefined || typeof it.default === 'string')

const optionsOf = ({ enum: listed, default: fallback }: JsonObject): readonly string[] =>
  Array.isArray(listed) ? (listed as readonly string[]) : typeof fallback === 'string' ? [fallback] : []

/** The variables in the URL of a server are described and have defaults; what they make is a URL. */
const serverVariables: LintFunction = (input, _options, { path, deref }) => {
  const variables = isObject(input) ? (input.variables ?? {}) : {}
  if (!isObject(input) || typeof input.url !== 'string' || !isObject(variables))
    return [{ message: 'Invalid Server Object' }]
  const described = Object.entries(variables).map(([name, it]) => [name, deref(it)] as const)
  if (!described.every((it): it is readonly [string, JsonObject] => isVariable(it[1])))
    return [{ message: 'Invalid Server Object' }]
  const used = [...input.url.matchAll(/\{(.+?)\}/g)].map((it) => it[1] as string)
  const violations: Violation[] = []
  for (const [name] of described)
    if (!used.includes(name))
      violations.push({
        message: `Server's "variables" object has unused defined "${name}" url variable.`,
        path: [...path, 'variables', name],
      })
  if (used.length === 0) return violations
  const missing = used.filter((name) => !described.some(([other]) => other === name))
  if (missing.length > 0)
    violations.push({
      message: `Not all server's variables are described with "variables" object. Missed: ${missing.join(', ')}.`,
      path: [...path, 'variables'],
    })
  if (input.variables === undefined) return violations
  const known = described.filter(([name]) => used.includes(name))
  for (const [name, variable] of known) violations.push(...checkVariable(name, variable, path))
  const values = known.map(([name, it]) => [name, optionsOf(it)] as const)
  return [...violations, ...checkSubstitutions(input.url, values, [...path, 'variables'])]
}
export default serverVariables
