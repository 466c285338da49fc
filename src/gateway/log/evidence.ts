/** What a message says about the variable and the value that matched. It holds texts of clients: what is ambiguous is ignored. */
import { isVariable } from './field.ts'

/** A variable and the text after it; null for the text where the engine's log has none. */
export interface LoggedVariable {
  readonly variable: string
  readonly value: string | null
}

/** Longer texts of a rule are looked at up to here. */
const longest = 65_536
const within = ' found within '

/**
 * Reads what a rule of ours or of the rule set writes: "Matched Data: … found within ARGS:q: value". The first part and the value come
 * from the client, who may write " found within " too: then it is ignored.
 */
export function foundWithin(text: string): LoggedVariable | null {
  const looked = ` ${text.slice(0, longest)}`
  const places = looked.split(within).slice(1)
  const candidates = places.flatMap((_, index): LoggedVariable[] => {
    const rest = places.slice(index).join(within)
    const end = rest.indexOf(': ')
    const variable = end === -1 ? rest.trim() : rest.slice(0, end)
    return isVariable(variable) ? [{ variable, value: end === -1 ? null : rest.slice(end + 2) }] : []
  })
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

const against = "' against variable `"
const opening = "' (Value: `"
const closing = "' )"

/** Reads what ModSecurity writes: "Matched "Operator `Rx' with parameter `…' against variable `ARGS:q' (Value: `…' )". */
export function foundAgainst(match: string): LoggedVariable | null {
  const looked = match.slice(0, longest)
  const start = looked.indexOf(against)
  // The parameter of the operator is written before it, the value after it: a second one may be either.
  if (start === -1 || looked.includes(against, start + 1)) return null
  const rest = looked.slice(start + against.length)
  const middle = rest.indexOf(opening)
  const variable = middle === -1 ? rest.split("'", 1)[0] : rest.slice(0, middle)
  if (variable === undefined || !isVariable(variable)) return null
  if (middle === -1) return { variable, value: null }
  const value = rest.slice(middle + opening.length)
  // ModSecurity cuts long values: "… (123 characters omitted)".
  const isWhole = value.endsWith(closing) && !/ \(\d+ characters omitted\)' \)$/.test(value)
  return { variable, value: isWhole ? value.slice(0, -closing.length) : null }
}
