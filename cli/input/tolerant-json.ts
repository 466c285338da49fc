/** Commas that are missing or too many in JSON: rulesets with these faults are common, since Spectral reads them. */
import { findJsonFault } from '../../src/document/json-syntax.ts'

/** A text with its commas corrected. No line is moved. */
export interface Corrected {
  readonly text: string
  /** The lines and columns of the faults, counted from 1. */
  readonly places: readonly string[]
}

const most = 100

/** Corrects the commas of a JSON text; null where something else is wrong with it, or nothing. */
export function correctCommas(original: string): Corrected | null {
  let text = original
  const places: string[] = []
  for (let fault = findJsonFault(text); fault !== null; fault = findJsonFault(text)) {
    const { start, message } = fault
    const end = text.slice(0, start).trimEnd().length
    const before = text[end - 1]
    const isTrailing = before === ',' && /[}\]]/.test(text[start] ?? '')
    const isMissing = message.startsWith('expected ","') && /["{[\w-]/.test(text[start] ?? '')
    if (places.length === most || (!isTrailing && !isMissing)) return null
    const lines = text.slice(0, start).split('\n')
    places.push(`${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`)
    text = isTrailing ? `${text.slice(0, end - 1)} ${text.slice(end)}` : `${text.slice(0, end)},${text.slice(end)}`
  }
  return places.length === 0 ? null : { text, places }
}
