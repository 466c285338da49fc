/** How documents of cases are written: JSON for readers, an object on one line where it fits. */
import { isObject, type Json } from '../case.ts'

const width = 110

/** JSON text of a value, indented by two spaces, ending with a new line. */
export function print(value: Json): string {
  return `${printed(value, '')}\n`
}

function printed(value: Json, indent: string): string {
  const short = inline(value)
  if (short.length + indent.length <= width || typeof value !== 'object' || value === null) return short
  const inner = `${indent}  `
  if (!isObject(value)) return `[\n${value.map((item) => inner + printed(item, inner)).join(',\n')}\n${indent}]`
  const lines = Object.entries(value).map(([name, part]) => `${inner}${JSON.stringify(name)}: ${printed(part, inner)}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${inline(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
