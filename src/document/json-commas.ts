/** JSON with commas too many or too few: what people write by hand, and what YAML allows in part. */
import { findJsonFault } from './json-syntax.ts'

/** A text with its commas corrected. No line is moved. */
interface Corrected {
  readonly text: string
  /** The lines and columns of the faults, counted from 1. */
  readonly places: readonly string[]
}

const most = 100

/**
 * Corrects the commas of a JSON text; null where something else is wrong with it, or nothing.
 * @param kinds `trailing`: only commas before a closing bracket, which become spaces, so that nothing moves
 */
export function correctCommas(original: string, kinds: 'all' | 'trailing' = 'all'): Corrected | null {
  let text = original
  const places: string[] = []
  for (let fault = findJsonFault(text); fault !== null; fault = findJsonFault(text)) {
    const { start, message } = fault
    const end = text.slice(0, start).trimEnd().length
    const before = text[end - 1]
    const isTrailing = before === ',' && /[}\]]/.test(text[start] ?? '')
    const isMissing = kinds === 'all' && message.startsWith('expected ","') && /["{[\w-]/.test(text[start] ?? '')
    if (places.length === most || (!isTrailing && !isMissing)) return null
    const lines = text.slice(0, start).split('\n')
    places.push(`${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`)
    text = isTrailing ? `${text.slice(0, end - 1)} ${text.slice(end)}` : `${text.slice(0, end)},${text.slice(end)}`
  }
  return places.length === 0 ? null : { text, places }
}
