/** Values of parameters, payloads and outputs: constants, runtime expressions, texts with expressions, and selectors. */
import { isObject, type Json } from '../kernel/json.ts'
import { parseExpression, piecesOf } from './expression.ts'
import { ValueMissing } from './faults.ts'
import { evaluate, type Scope } from './scope.ts'
import { readSelector, select, type Selector } from './select.ts'

const take = (text: string, scope: Scope): Json | undefined => {
  const expression = parseExpression(text)
  return expression === null ? undefined : evaluate(expression, scope)
}

/** A value within a text: a text as it is, anything else as JSON (Arazzo 1.1.0, "Runtime Expressions"). */
export const embedded = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * A text with the values of its embedded expressions.
 * @throws ValueMissing
 */
export const fillText = (text: string, scope: Scope): string =>
  piecesOf(text)
    .map((piece) => {
      if (piece.literal !== undefined) return piece.literal
      const value = evaluate(piece.expression, scope)
      if (value === undefined) throw new ValueMissing(piece.text)
      return embedded(value)
    })
    .join('')

async function ofSelector({ context, selector, language }: Selector, scope: Scope): Promise<Json> {
  const value = take(context, scope)
  if (value === undefined) throw new ValueMissing(context)
  const found = await select(language, fillText(selector, scope), value)
  if (found === undefined) throw new ValueMissing(`${context} ${selector}`)
  return found
}

/**
 * The value that a document means: an expression becomes what it names, with its type; a text has its embedded expressions
 * replaced; a selector becomes what it selects; lists and objects are evaluated within.
 * @throws ValueMissing for an expression or a selector that finds nothing
 * @throws SelectorInvalid for a selector that cannot be applied
 */
export async function valueOf(written: Json, scope: Scope): Promise<Json> {
  if (typeof written === 'string') {
    const expression = parseExpression(written)
    if (expression === null) return fillText(written, scope)
    const value = evaluate(expression, scope)
    if (value === undefined) throw new ValueMissing(written)
    return value
  }
  if (Array.isArray(written)) {
    const items: Json[] = []
    for (const item of written as readonly Json[]) items.push(await valueOf(item, scope))
    return items
  }
  if (!isObject(written)) return written
  const selector = readSelector(written)
  if (selector !== null) return ofSelector(selector, scope)
  const members: [string, Json][] = []
  for (const [key, value] of Object.entries(written)) members.push([key, await valueOf(value, scope)])
  return Object.fromEntries(members)
}
