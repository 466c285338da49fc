import { oneLine, visible } from '../src/report/escape.ts'
import { terminalWidth } from '../src/host/native.ts'
import { padCells } from './columns.ts'

/** Rows of text in columns as wide as their widest cell; the last column is not padded. Ends in a newline. */
export function renderTable(header: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(oneLine))
  const widths = header.map((title, column) =>
    Math.max(terminalWidth(title), ...rows.map((row) => terminalWidth(row[column] ?? ''))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : padCells(cell, widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${[header, ...rows].map(line).join('\n')}\n`
}

/** Names and values, one a line. */
export function renderFacts(facts: readonly (readonly [string, string | null])[]): string {
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null)
  const width = Math.max(...shown.map(([name]) => terminalWidth(name))) + 2
  return shown.map(([name, value]) => `${padCells(`${name}:`, width)}${visible(value)}\n`).join('')
}

/** "2026-05-05 14:03" of an instant, in UTC. */
export const shortTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
