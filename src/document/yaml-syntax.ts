import type { SyntaxFault } from './json-syntax.ts'
import { parseYaml } from '../host/engine.ts'

// The position-keeping parser takes about a second and 150 MB for each megabyte.
const affordable = 200_000

const fails = (text: string): boolean => {
  try {
    parseYaml(text)
    return false
  } catch (error) {
    // A part has aliases whose anchors are in another part.
    return !(error instanceof Error && error.message.includes('alias'))
  }
}

// The offsets of the lines between `from` and `to` that are at the smallest indentation and begin an entry there.
const findSections = (text: string, from: number, to: number): number[] => {
  let column = Number.POSITIVE_INFINITY
  let starts: number[] = []
  for (let line = from; line < to;) {
    let at = line
    while (text.charCodeAt(at) === 32) at++
    const c = text.charCodeAt(at)
    const width = at - line
    if (at < to && c !== 10 && c !== 13 && c !== 35 && c !== 9 && width <= column) {
      if (width < column) starts = []
      column = width
      starts.push(line)
    }
    const end = text.indexOf('\n', at)
    line = end === -1 ? to : end + 1
  }
  return starts
}

// Narrows the fault of a large text to the smallest entry that the native parser refuses by itself.
const narrow = (text: string, from: number, to: number): readonly [number, number] => {
  if (to - from <= affordable) return [from, to]
  const starts = findSections(text, from, to)
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to
    if (end - start === to - from) break
    if (fails(text.slice(start, end))) return narrow(text, start, end)
  }
  // The entry's own line ends with a colon and everything deeper is its value: look inside.
  const first = text.indexOf('\n', from) + 1
  if (starts.length === 1 && first > 0 && first < to && fails(text.slice(first, to))) return narrow(text, first, to)
  return [from, Math.min(to, from + affordable)]
}

/** The first syntax error of the YAML text between two offsets, which the native parser rejected with `reason`. */
export const findYamlFault = (text: string, from: number, to: number, reason: string): SyntaxFault => {
  const [start, end] = narrow(text, from, to)
  // An anchor outside the narrowed part is not an error in it.
  // Loaded when there is a fault: evaluating it would cost every command some milliseconds.
  const { parseDocument } = require('yaml') as typeof import('yaml')
  const found = parseDocument(text.slice(start, end), {
    logLevel: 'silent',
    prettyErrors: false,
    uniqueKeys: false,
  }).errors[0]
  if (found === undefined) return { start, end: start, message: reason }
  const [line] = found.message.split('\n')
  const at = Math.min(to, start + found.pos[0])
  const after = Math.min(to, start + found.pos[1])
  return { start: at, end: Math.max(at, after), message: (line ?? found.message).replace(/\.$/, '') }
}
