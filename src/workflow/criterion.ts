/** Criterion Objects: what must hold for a step to succeed, or for an action to be taken. */
import { isObject, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import { cutTo } from '../kernel/text.ts'
import { patternOf } from '../regex/pattern.ts'
import { expressionsOf, parseCondition, passes, valueOfCondition, type Condition } from './condition.ts'
import { parseExpression } from './expression.ts'
import { ConditionInvalid, SelectorInvalid, ValueMissing } from './faults.ts'
import { evaluate, type Scope } from './scope.ts'
import { holds, select } from './select.ts'
import { embedded, fillText } from './values.ts'

/** What became of a criterion. */
export interface CriterionResult {
  readonly condition: string
  readonly type: 'simple' | 'regex' | 'jsonpath' | 'xpath'
  readonly context: string | null
  readonly met: boolean
  /** Why it is not met; null where it is. */
  readonly reason: string | null
}

const shown = (value: Json, most = 200): string => cutTo(JSON.stringify(value), most)

const typeOf = ({ type }: JsonObject): CriterionResult['type'] | null => {
  const name = isObject(type) ? type.type : (type ?? 'simple')
  return name === 'simple' || name === 'regex' || name === 'jsonpath' || name === 'xpath' ? name : null
}

const parsed = new Map<string, Condition>()

/** Conditions are read once: a loop asks the same again and again. */
function conditionOf(text: string): Condition {
  let known = parsed.get(text)
  if (known === undefined) {
    if (parsed.size > 1000) parsed.clear()
    parsed.set(text, (known = parseCondition(text)))
  }
  return known
}

function checkSimple(text: string, scope: Scope): string | null {
  const condition = conditionOf(text)
  if (passes(condition, scope)) return null
  const values = expressionsOf(condition).map((it) => `\`${it.text}\` is ${shown(valueOfCondition(it, scope))}`)
  return values.length === 0 ? 'It is not true' : values.join(', ')
}

/**
 * A comparison of what a JSONPath selects with a literal: `$.name == 'Ann'`. RFC 9535 has comparisons in filters alone, and authors who
 * know other tools write them outside. Null for a condition of another form.
 */
async function comparedBy(text: string, value: Json, scope: Scope): Promise<boolean | null> {
  const [, query, operator = '', literal = ''] =
    /^(\$[^=!<>?]*?)\s*(==|!=|<=|>=|<|>)\s*('(?:[^']|'')*'|"[^"]*"|[\w.+-]+)$/.exec(text.trim()) ?? []
  if (query === undefined) return null
  const found = (await select('jsonpath', query, value)) ?? null
  const left = { ...scope, inputs: { found } }
  return passes(parseCondition(`$inputs.found ${operator} ${literal}`), left)
}

async function checkIn(
  type: 'regex' | 'jsonpath' | 'xpath',
  criterion: JsonObject,
  scope: Scope,
): Promise<string | null> {
  const context = textOf(criterion.context)
  const expression = parseExpression(context)
  if (expression === null) return `Its context "${context}" is no runtime expression`
  const value = evaluate(expression, scope) ?? null
  if (value === null) return `Its context \`${context}\` has no value`
  const text = fillText(textOf(criterion.condition), scope)
  if (type === 'jsonpath') {
    const compared = await comparedBy(text, value, scope)
    if (compared !== null) return compared ? null : `\`${context}\` is ${shown(value)}`
  }
  if (type !== 'regex') return (await holds(type, text, value)) ? null : `\`${context}\` is ${shown(value)}`
  const pattern = patternOf(text, 'u') ?? patternOf(text)
  if (pattern === null) return `"${text}" is no regular expression`
  const found = pattern.test(embedded(value))
  if (found === null) return 'The regular expression takes too long to be decided'
  return found ? null : `\`${context}\` is ${shown(value)}`
}

/** Evaluates a criterion: what cannot be evaluated is not met, and says why (Arazzo 1.1.0, "Evaluation Errors"). */
export async function checkCriterion(criterion: JsonObject, scope: Scope): Promise<CriterionResult> {
  const type = typeOf(criterion)
  const told = {
    condition: textOf(criterion.condition),
    type: type ?? 'simple',
    context: typeof criterion.context === 'string' ? criterion.context : null,
  }
  if (type === null) return { ...told, met: false, reason: 'Its type is unknown' }
  try {
    const reason = type === 'simple' ? checkSimple(told.condition, scope) : await checkIn(type, criterion, scope)
    return { ...told, met: reason === null, reason }
  } catch (error) {
    if (error instanceof ConditionInvalid || error instanceof SelectorInvalid || error instanceof ValueMissing)
      return { ...told, met: false, reason: `It cannot be evaluated: ${error.message}` }
    throw error
  }
}

/** Evaluates all criteria of a list. */
export async function checkCriteria(list: readonly JsonObject[], scope: Scope): Promise<readonly CriterionResult[]> {
  const results: CriterionResult[] = []
  for (const criterion of list) results.push(await checkCriterion(criterion, scope))
  return results
}
