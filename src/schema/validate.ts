/** Longer than 400 lines: the keywords of all dialects are one table, in the order in which they are checked. */
/**
 * JSON Schema as an interpreter: nothing is compiled, references are followed where they are met, and cycles (in the
 * schema, or in an instance that refers to itself) end. Drafts 04, 06, 07, 2019-09, 2020-12 and the dialects of OpenAPI.
 */
import { isExact, isNumeric } from '../document/exact.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { ResolvedSchema, Resource } from '../document/resource.ts'
import { inDialect } from './dialect-words.ts'
import { checkNumber } from './validation/numbers.ts'
import { checkArray, checkObject, checkUnevaluated } from './validation/containers.ts'
import { isEqual, isListed } from './validation/equal.ts'
import { fitsFormat } from './validation/formats.ts'
import { toPattern } from './validation/pattern.ts'
import { Links } from './validation/links.ts'
import { checkHeir, selectedIn } from './validation/selected.ts'
import { PlainCheck } from './validation/plain.ts'
import { pathOf } from './validation/run.ts'
import { throughNames } from './validation/reference-chain.ts'
import { Targets } from './validation/targets.ts'
import { allowsType } from './validation/types.ts'
import { excuseOf } from './validation/unsent.ts'
import type { Evaluated } from './validation/evaluated.ts'
import type { Dialect, InstancePath, Run, ValidateOptions, ValidationError } from './validation/run.ts'

export { dialects } from './validation/run.ts'
export type { Dialect, ValidateOptions, ValidationError } from './validation/run.ts'

const older = new Set<Dialect>(['draft-04', 'draft-06', 'draft-07', 'openapi-2.0', 'openapi-3.0'])

const dialectOf = (schema: Json): Dialect => {
  const uri = isObject(schema) && typeof schema.$schema === 'string' ? schema.$schema : ''
  const draft = /draft-0?([467])/.exec(uri)?.[1]
  if (draft !== undefined) return `draft-0${draft}` as Dialect
  return uri.includes('2019-09') ? '2019-09' : '2020-12'
}

const countCharacters = (text: string): number => {
  let count = 0
  // A text iterates by code points, as JSON Schema counts them.
  for (const _ of text) count++
  return count
}

function checkString(run: Run, s: JsonObject, value: string, place: InstancePath | null): boolean {
  const { maxLength, minLength, pattern } = s
  const all = run.options.all === true
  let ok = true
  const much = (count: number) => (count === 1 ? '1 character' : `${count} characters`)
  if (typeof maxLength === 'number' && value.length > maxLength && countCharacters(value) > maxLength) {
    ok = run.fail(place, 'maxLength', `must NOT have more than ${much(maxLength)}`, { limit: maxLength })
    if (!all) return false
  }
  if (typeof minLength === 'number' && (value.length < minLength || countCharacters(value) < minLength)) {
    ok = run.fail(place, 'minLength', `must NOT have fewer than ${much(minLength)}`, { limit: minLength })
    if (!all) return false
  }
  if (typeof pattern === 'string' && toPattern(pattern)?.test(value) === false)
    return run.fail(place, 'pattern', `must match pattern "${pattern}"`, { pattern })
  return ok
}

function checkValue(run: Run, s: JsonObject, value: Json, place: InstancePath | null): boolean {
  if ('const' in s && run.dialect !== 'draft-04' && !isEqual(s.const, value))
    return run.fail(place, 'const', 'must be equal to constant', { allowedValue: s.const })
  if (Array.isArray(s.enum) && !isListed(s.enum as readonly Json[], value))
    return run.fail(place, 'enum', 'must be equal to one of the allowed values', { allowedValues: s.enum as Json })
  return true
}

function checkType(run: Run, s: JsonObject, value: Json, place: InstancePath | null): boolean {
  if (allowsType(run.dialect, s, value)) return true
  const type = s.type as Json
  const names = (Array.isArray(type) ? type : [type]).map(String)
  return run.fail(place, 'type', `must be ${names.join(',')}`, { type: names })
}

const newEvaluated = (): Evaluated => ({ keys: new Set(), allKeys: false, items: new Set(), allItems: false })

function mergeEvaluated(into: Evaluated | null, from: Evaluated | null): void {
  if (into === null || from === null) return
  for (const key of from.keys) into.keys.add(key)
  for (const item of from.items) into.items.add(item)
  into.allKeys ||= from.allKeys
  into.allItems ||= from.allItems
}

/** Checks a branch quietly or not; what it evaluated counts only when it holds. */
function branch(
  run: Run,
  schema: Json,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  const own = into === null ? null : newEvaluated()
  const ok = run.check(schema, value, place, at, own)
  if (ok) mergeEvaluated(into, own)
  return ok
}

function quietly<Answer>(run: Run, work: () => Answer): Answer {
  const { errors } = run
  run.errors = null
  const answer = work()
  run.errors = errors
  return answer
}

type Combine = (
  run: Run,
  s: JsonObject,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
) => boolean

const checkNot: Combine = (run, s, value, place, at) => {
  if (s.not === undefined) return true
  run.targets.inversions++
  if (!quietly(run, () => run.check(s.not as Json, value, place, at, null))) return true
  return run.fail(place, 'not', 'must NOT be valid', {})
}

const checkAnyOf: Combine = (run, s, value, place, at, into) => {
  if (!Array.isArray(s.anyOf)) return true
  return checkSelected(run, s, value, place, at, into) ?? checkSome(run, s.anyOf as Json[], value, place, at, into)
}

/** Checks the branch that a discriminator selects; null where it leaves the branches as they are. */
function checkSelected(
  run: Run,
  s: JsonObject,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean | null {
  const selected = selectedIn(run, s, value)
  if (selected.is === 'written') return null
  if (selected.is === 'any' && Array.isArray(s.oneOf)) return checkSome(run, s.oneOf as Json[], value, place, at, into)
  if (selected.is === 'any') return null
  if (selected.is === 'none') return run.fail(place, 'discriminator', 'must select a schema', {})
  return branch(run, selected.schema, value, place, at, into)
}

function checkSome(
  run: Run,
  branches: readonly Json[],
  value: Json,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  const mark = run.errors?.length ?? 0
  let ok = false
  for (const it of branches) {
    if (branch(run, it, value, place, at, into)) ok = true
    if (ok && into === null) break
  }
  if (ok && run.errors !== null) run.errors.length = mark
  return ok || run.fail(place, 'anyOf', 'must match a schema in anyOf', {})
}

const checkOneOf: Combine = (run, s, value, place, at, into) => {
  if (!Array.isArray(s.oneOf)) return true
  const selected = checkSelected(run, s, value, place, at, into)
  if (selected !== null) return selected
  run.targets.inversions++
  const mark = run.errors?.length ?? 0
  const passing: number[] = []
  for (const [index, it] of (s.oneOf as Json[]).entries()) {
    if (branch(run, it, value, place, at, into)) passing.push(index)
    if (passing.length > 1) break
  }
  if (passing.length === 1) {
    if (run.errors !== null) run.errors.length = mark
    return true
  }
  const params = { passingSchemas: passing.length > 1 ? passing : null }
  return run.fail(place, 'oneOf', 'must match exactly one schema in oneOf', params)
}

const checkAllOf: Combine = (run, s, value, place, at, into) => {
  if (!Array.isArray(s.allOf)) return true
  let ok = true
  for (const it of s.allOf as Json[]) {
    if (run.check(it, value, place, at, into)) continue
    ok = false
    if (run.options.all !== true) return false
  }
  return ok
}

const checkIf: Combine = (run, s, value, place, at, into) => {
  if (s.if === undefined || (run.dialect !== 'draft-07' && older.has(run.dialect))) return true
  run.targets.inversions++
  const holds = quietly(run, () => branch(run, s.if as Json, value, place, at, into))
  const keyword = holds ? 'then' : 'else'
  const chosen = s[keyword]
  if (chosen === undefined || run.check(chosen, value, place, at, into)) return true
  return run.fail(place, 'if', `must match "${keyword}" schema`, { failingKeyword: keyword })
}

/** References are not followed for further reasons after so many. */
const mostErrors = 1000

const combinators: readonly Combine[] = [checkNot, checkAnyOf, checkOneOf, checkAllOf, checkIf, checkHeir]

function followDynamic(run: Run, reference: string, resource: Resource): ResolvedSchema | undefined {
  run.targets.dynamic = true
  const found = run.resolve(reference, resource)
  const name = reference.split('#')[1] ?? ''
  if (found === undefined || !isObject(found.schema) || found.schema.$dynamicAnchor !== name) return found
  for (const outer of run.scope) {
    const dynamic = run.dynamicAnchor(outer, name)
    if (dynamic !== undefined) return dynamic
  }
  return found
}

function followRecursive(run: Run, reference: string, resource: Resource): ResolvedSchema | undefined {
  run.targets.dynamic = true
  const found = run.resolve(reference, resource)
  if (found === undefined || !isObject(found.schema) || found.schema.$recursiveAnchor !== true) return found
  const outer = run.scope.find((it) => isObject(it.root) && it.root.$recursiveAnchor === true)
  return outer === undefined ? found : { schema: outer.root, path: outer.path, resource: outer }
}

function checkReferences(
  run: Run,
  s: JsonObject,
  v: Json,
  p: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  let ok = true
  for (const [keyword, follow] of [
    ['$ref', undefined],
    ['$dynamicRef', followDynamic],
    ['$recursiveRef', followRecursive],
  ] as const) {
    const reference = s[keyword]
    if (typeof reference !== 'string') continue
    const target = throughNames(run, follow?.(run, reference, at) ?? run.resolve(reference, at))
    // What cannot be resolved constrains nothing here: that it dangles is another finding.
    if (target === undefined || checkTarget(run, target, v, p, into)) continue
    ok = false
    if (run.options.all !== true) return false
  }
  return ok
}

function checkTarget(
  run: Run,
  target: ResolvedSchema,
  value: Json,
  place: InstancePath | null,
  into: Evaluated | null,
): boolean {
  const { schema, resource } = target
  if (!isObject(schema)) return run.check(schema, value, place, resource, into)
  const work = (evaluated: Evaluated | null): boolean => {
    run.scope.push(resource)
    const ok = run.check(schema, value, place, resource, evaluated)
    run.scope.pop()
    return ok
  }
  const own = into === null ? null : newEvaluated()
  const quiet = quietly(run, () => run.targets.ask(schema, value, own, () => work(own)))
  if (!quiet.ok && run.errors !== null) {
    // Why it fails is reported once for each way to it, but not for ever more ways.
    if (run.errors.length < mostErrors) run.targets.follow(schema, value, () => work(into))
    return false
  }
  mergeEvaluated(into, quiet.evaluated)
  return quiet.ok
}

function checkSchema(
  run: Run,
  s: JsonObject,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  outer: Evaluated | null,
): boolean {
  const excuse = run.options.mode === undefined || !isObject(value) ? null : excuseOf(run, s, value, at)
  if (excuse === null) return checkKeywords(run, s, value, place, at, outer)
  run.excuses.push(excuse)
  const ok = checkKeywords(run, s, value, place, at, outer)
  run.excuses.pop()
  return ok
}

function checkKeywords(
  run: Run,
  written: JsonObject,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  outer: Evaluated | null,
): boolean {
  const s = inDialect(written, run.dialect)
  const all = run.options.all === true
  const siblings = run.options.refSiblings ?? !older.has(run.dialect)
  if (typeof s.$ref === 'string' && !siblings) return checkReferences(run, s, value, place, at, outer)
  const wants = s.unevaluatedProperties !== undefined || s.unevaluatedItems !== undefined
  const into = wants && !older.has(run.dialect) ? newEvaluated() : outer
  let ok = s.type === undefined || checkType(run, s, value, place)
  if (!ok && !all) return false
  const hasReference = s.$ref !== undefined || s.$dynamicRef !== undefined || s.$recursiveRef !== undefined
  if (hasReference && !checkReferences(run, s, value, place, at, into)) ok = false
  if (!ok && !all) return false
  if (isNumeric(value)) ok = checkNumber(run, s, value, place) && ok
  else if (typeof value === 'string') ok = checkString(run, s, value, place) && ok
  if (!ok && !all) return false
  if (typeof s.format === 'string' && run.options.formats !== false && !fitsFormat(s.format, value))
    ok = run.fail(place, 'format', `must match format "${s.format}"`, { format: s.format })
  if (!ok && !all) return false
  ok = checkValue(run, s, value, place) && ok
  for (const combine of combinators) {
    if (!ok && !all) return false
    ok = combine(run, s, value, place, at, into) && ok
  }
  if (!ok && !all) return false
  if (Array.isArray(value)) ok = checkArray(run, s, value, place, at, into) && ok
  else if (isObject(value) && !isExact(value)) ok = checkObject(run, s, value, place, at, into) && ok
  if (!ok && !all) return false
  if (wants && into !== null) ok = checkUnevaluated(run, s, value, place, at, into) && ok
  if (into !== outer) mergeEvaluated(outer, into)
  return ok
}

function newRun(schema: Json, options: ValidateOptions, errors: ValidationError[] | null): Run {
  const root = options.root ?? schema
  const dialect = options.dialect ?? dialectOf(root)
  const links = new Links(root, options, dialect)
  const { document } = links
  return {
    options,
    dialect,
    document,
    scope: [...(options.scope ?? [document])],
    excuses: [],
    errors,
    targets: new Targets(),
    deref: options.instance ?? ((value) => value),
    resolve: (reference, at) => links.resolve(reference, at),
    enter: (at, current) => links.enter(at, current),
    dynamicAnchor: (at, name) => links.dynamicAnchor(at, name),
    fail(place, keyword, message, params) {
      this.errors?.push({ keyword, path: pathOf(place), message, params })
      return false
    },
    check(schema, value, place, resource, evaluated) {
      if (schema === false) return this.fail(place, 'false schema', 'boolean schema is false', {})
      if (!isObject(schema)) return true
      options.spend?.()
      const inner = this.enter(schema, resource)
      if (inner === resource) return checkSchema(this, schema, this.deref(value), place, resource, evaluated)
      this.scope.push(inner)
      const ok = checkSchema(this, schema, this.deref(value), place, inner, evaluated)
      this.scope.pop()
      return ok
    },
  }
}

/** Whether `value` fits `schema`; faster than `validate`, which also says why not. */
export function isValid(schema: Json, value: Json, options: ValidateOptions = {}): boolean {
  const root = options.root ?? schema
  const dialect = options.dialect ?? dialectOf(root)
  // What a discriminator selects, and where a reference leads, may be the caller's to say.
  const isPlain = options.select === undefined && options.linked === undefined
  const plain = isPlain ? new PlainCheck(root, options, dialect, options.refSiblings ?? !older.has(dialect)) : null
  if (plain?.holds(schema, value) === true) {
    for (let step = 0; step < plain.steps; step++) options.spend?.()
    return true
  }
  const run = newRun(schema, options, null)
  return run.check(schema, value, null, run.scope.at(-1)!, null)
}

/**
 * Checks a value against a schema.
 *
 * @returns the violated keywords, in the order in which they were met; empty when the value fits. Where no branch of an
 *   anyOf or oneOf holds, the reasons of every branch come before the error of that keyword itself.
 */
export function validate(schema: Json, value: Json, options: ValidateOptions = {}): ValidationError[] {
  if (isValid(schema, value, options)) return []
  const errors: ValidationError[] = []
  const run = newRun(schema, options, errors)
  run.check(schema, value, null, run.scope.at(-1)!, null)
  return errors
}
