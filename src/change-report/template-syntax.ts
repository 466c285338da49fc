/** A piece of a template. */
export type TemplateNode =
  | { readonly kind: 'words'; readonly text: string }
  | ({ readonly kind: 'value' } & Tag)
  | ({ readonly kind: 'section'; readonly inverted: boolean; readonly inner: readonly TemplateNode[] } & Tag)

/** The name in a tag and its position: line and column, counted from 1. */
interface Tag {
  readonly field: string
  readonly line: number
  readonly column: number
}

/** Something wrong with one text of a template. */
export interface SyntaxProblem {
  readonly line: number
  readonly column: number
  readonly field: string | null
  readonly message: string
}

interface Token extends Tag {
  readonly sign: '' | '#' | '^' | '/' | '!'
  /** Where its text begins and ends; a tag alone on its line takes the line with it. */
  readonly from: number
  readonly to: number
}

const signs = new Set(['#', '^', '/', '!'])

const restOfLine = /[ \t]*(?:\r?\n|$)/y

// As in Mustache: a section or comment tag that is alone on its line leaves no empty line.
const aloneOnLine = (text: string, lineStart: number, from: number, to: number): { from: number; to: number } => {
  restOfLine.lastIndex = to
  if (text.slice(lineStart, from).trim() !== '' || !restOfLine.test(text)) return { from, to }
  return { from: lineStart, to: restOfLine.lastIndex }
}

function* tokensOf(text: string, problems: SyntaxProblem[]): Generator<Token> {
  let line = 1
  let lineStart = 0
  let counted = 0
  let close = 0
  let at = 0
  for (;;) {
    const from = text.indexOf('{{', at)
    if (from < 0) return
    for (let next = text.indexOf('\n', counted); next >= 0 && next < from; next = text.indexOf('\n', counted)) {
      line++
      lineStart = counted = next + 1
    }
    const place = { line, column: from - lineStart + 1 }
    // Looked for once, however many open before it.
    if (close >= 0 && close < from + 2) close = text.indexOf('}}', from + 2)
    const inner = close < 0 ? null : text.slice(from + 2, close)
    if (inner === null || /[{}]/.test(inner)) {
      const message =
        inner?.startsWith('{') === true ? 'use two braces; three braces are not supported' : '"{{" without "}}"'
      problems.push({ ...place, field: null, message })
      at = from + 2
      while (text[at] === '{') at++
      continue
    }
    const first = inner[0] ?? ''
    const sign = (signs.has(first) ? first : '') as Token['sign']
    const field = inner.slice(sign.length).trim()
    at = close + 2
    yield { sign, field, ...place, ...(sign === '' ? { from, to: at } : aloneOnLine(text, lineStart, from, at)) }
  }
}

interface Open extends Tag {
  readonly inverted: boolean
  readonly nodes: TemplateNode[]
}

/** Reads one text of a template in time proportional to its length. */
export const parseTemplate = (
  text: string,
): { readonly nodes: readonly TemplateNode[]; readonly problems: readonly SyntaxProblem[] } => {
  const problems: SyntaxProblem[] = []
  const root: TemplateNode[] = []
  const open: Open[] = []
  let at = 0
  const nodes = (): TemplateNode[] => open.at(-1)?.nodes ?? root
  for (const { sign, from, to, field, line, column } of tokensOf(text, problems)) {
    if (from > at) nodes().push({ kind: 'words', text: text.slice(at, from) })
    at = Math.max(at, to)
    if (sign === '!') continue
    if (sign === '') nodes().push({ kind: 'value', field, line, column })
    else if (sign === '#' || sign === '^') open.push({ field, line, column, inverted: sign === '^', nodes: [] })
    else if (open.at(-1)?.field === field) {
      const { nodes: inner, ...section } = open.pop()!
      nodes().push({ kind: 'section', ...section, inner })
    } else problems.push({ line, column, field, message: `{{/${field}}} has no opening tag` })
  }
  if (at < text.length) nodes().push({ kind: 'words', text: text.slice(at) })
  for (const { inverted, nodes: _, ...tag } of open)
    problems.push({ ...tag, message: `{{${inverted ? '^' : '#'}${tag.field}}} has no closing tag` })
  return { nodes: root, problems }
}
