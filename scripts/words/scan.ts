import { parseSync, Visitor } from 'oxc-parser'
import { allowed, avoided } from './list.ts'

/** An avoided word where it occurs. `line` counts from 1. */
export interface Occurrence {
  readonly path: string
  readonly line: number
  readonly word: string
  readonly better: string
  /** The line it is in. */
  readonly text: string
}

interface Span {
  readonly start: number
  readonly end: number
}

// A literal without a blank is an identifier, a path or a value, except a label of one word such as `Hits`.
const isProse = (text: string): boolean => /\S\s\S/.test(text) || /^[A-Z][a-z]+[.:]?$/.test(text)

// What people read in a program: texts of literals, of templates and between tags; not what is imported, matched or typed.
const programSpans = (path: string, source: string, comments: boolean): Span[] => {
  const { program, comments: remarks } = parseSync(path, source)
  if (comments) return remarks.map(({ start, end }) => ({ start, end }))
  const spans: Span[] = []
  const silent: Span[] = []
  const modules = new Set<number>()
  const add = (node: Span, text: string): void => {
    if (!modules.has(node.start) && isProse(text)) spans.push({ start: node.start, end: node.end })
  }
  const source_ = (node: { readonly source?: Span | null }): void => {
    if (node.source) modules.add(node.source.start)
  }
  new Visitor({
    ImportDeclaration: source_,
    ExportNamedDeclaration: source_,
    ExportAllDeclaration: source_,
    ImportExpression: source_,
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, node.value)
    },
    TemplateLiteral: (node) => {
      // Its parts are one text: whether it is prose shows in the whole only.
      const whole = node.quasis.map((it) => it.value.raw).join(' x ')
      for (const part of node.quasis) if (isProse(whole)) spans.push({ start: part.start, end: part.end })
    },
    JSXAttribute: (node) => {
      // Class names are not read by people.
      if (node.name.name === 'className' && node.value) silent.push(node.value)
    },
    JSXText: (node) => {
      if (node.value.trim() !== '') spans.push({ start: node.start, end: node.end })
    },
  }).visit(program)
  return spans.filter((it) => !silent.some((other) => other.start <= it.start && it.end <= other.end))
}

// Markdown without code: what is between backticks is a name, an input or an output.
const withoutCode = (source: string): string =>
  source
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, (code) => code.replace(/[^\n]/g, ' '))
    .replace(/(`+)[^`][\s\S]*?\1/g, (code) => code.replace(/[^\n]/g, ' '))
    .replace(/\]\([^)\n]*\)/g, (link) => ' '.repeat(link.length))

const readable = (path: string, source: string, comments: boolean): string => {
  if (/\.tsx?$/.test(path)) {
    const text = source.replace(/[^\n]/g, ' ').split('')
    for (const { start, end } of programSpans(path, source, comments))
      for (let at = start; at < end; at++) text[at] = source[at] ?? ' '
    // Comments name code between backticks.
    return comments ? text.join('').replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length)) : text.join('')
  }
  return path.endsWith('.md') ? withoutCode(source) : source
}

/**
 * The avoided words in one file.
 * @param path relative to the project, with `/`; its ending says how the file is read
 * @param comments look at the comments of a program instead of its texts
 */
export const occurrencesIn = (path: string, source: string, comments = false): Occurrence[] => {
  const lines = source.split('\n')
  // A sentence may continue in the next line.
  const text = readable(path, source, comments).replaceAll('\n', ' ')
  const starts = lines.reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0])
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset)
  return avoided
    .filter((it) => !comments || it.inComments)
    .flatMap(({ pattern, better }) =>
      [...text.matchAll(pattern)].map((match) => {
        const line = lineAt(match.index)
        return { path, line: line + 1, word: match[0].trim(), better, text: lines[line] ?? '' }
      }),
    )
    .sort((a, b) => a.line - b.line)
}

/** The entries of the list of right uses that excuse an occurrence. */
export const excusesOf = (it: Occurrence): number[] =>
  allowed.flatMap((entry, index) => (entry.path === it.path && it.text.includes(entry.text) ? [index] : []))

/** Programs, whose comments are read by the next engineer. */
export const programs = ['{src,db,server,mcp,commands,cli,web,scripts,bench}/**/*.{ts,tsx}', 'build.ts'] as const

/** What people read: everything that is shipped, the documents, and what makes documents. Tests and benchmarks are not. */
export const patterns = [
  '{src,db,server,mcp,commands,cli,web}/**/*.{ts,tsx,json,yml,yaml,html,svg}',
  'scripts/gen/**/*.ts',
  'docs/**/*.{md,svg}',
  'templates/**/*',
  '*.md',
  'action.yml',
  '.pre-commit-hooks.yaml',
] as const
