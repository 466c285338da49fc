/** Suppressions in comments of YAML: `# svc-ignore RULE[, RULE] [-- reason]` and `# svc-ignore-file RULE`. */
import type { Document } from '../../document/document.ts'
import type { Path } from '../../kernel/json.ts'
import type { Range } from '../../document/position.ts'
import {
  refusalOf,
  scopeBelow,
  type InvalidSuppression,
  type Suppression,
  type SuppressionScope,
} from './suppression.ts'

/** What every comment that suppresses contains. */
export const commentMark = 'svc-ignore'

const form = /^#+\s*svc-ignore(?<file>-file)?(?=$|[\s:])[\s:]*(?<rest>.*)$/s

interface Comment {
  readonly text: string
  readonly line: number
  readonly character: number
  /** Whether nothing else is on its line. */
  readonly alone: boolean
}

/** The comments of a YAML text that may suppress, with their lines. */
function commentsIn(text: string): Comment[] {
  // Loaded for texts that have such a comment: evaluating it would cost every command some milliseconds.
  const { Lexer } = require('yaml') as typeof import('yaml')
  const found: Comment[] = []
  let line = 0
  let lineStart = 0
  let at = 0
  let before = ''
  for (const token of new Lexer().lex(text)) {
    // The lexer marks modes with single control characters, which are not in the text.
    if (token === '\u0002' || token === '\u0018' || token === '\u001f') {
      before = token
      continue
    }
    const start = text.startsWith(token, at) ? at : text.indexOf(token, at)
    if (start < 0) break
    if (token.startsWith('#') && before !== '\u001f' && token.includes(commentMark)) {
      for (
        let next = text.indexOf('\n', lineStart);
        next !== -1 && next < start;
        next = text.indexOf('\n', lineStart)
      ) {
        line++
        lineStart = next + 1
      }
      const alone = text.slice(lineStart, start).trim() === ''
      found.push({ text: token.trimEnd(), line, character: start - lineStart, alone })
    }
    at = start + token.length
    before = token
  }
  return found
}

type LinePlaces = ReturnType<Document['linesAt']>

/** For each line the next one with content, itself included; -1 at the end of the text. */
function contentLines(lines: LinePlaces): Int32Array {
  const next = new Int32Array(lines.length + 1).fill(-1)
  for (let at = lines.length - 1; at >= 0; at--)
    next[at] = /^\s*(?:#.*)?$/.test(lines[at]?.text ?? '') ? (next[at + 1] ?? -1) : at
  return next
}

/** The outermost node that begins on a line; null where none does. */
function nodeAt(document: Document, lines: LinePlaces, line: number): Path | null {
  let path = lines[line]?.path ?? []
  // The first line of a document begins the whole document, and its first key.
  const [first] = path.length === 0 ? document.keysInOrder([]) : []
  if (first !== undefined) path = [first]
  return document.locate(path, { key: true }).start.line === line ? path : null
}

/** The node that begins on a line, and what is reported on that line. */
function scopeOfLine(document: Document, lines: LinePlaces, line: number): SuppressionScope {
  const path = line < 0 ? null : nodeAt(document, lines, line)
  const { source } = document
  return path === null ? { source, files: null, pointer: null, line: null } : { ...scopeBelow(source, path), line }
}

/** The suppressions by comments of a YAML document, with those that suppress nothing. */
export function readComments(document: Document): (Suppression | InvalidSuppression)[] {
  const { source } = document
  const found: (Suppression | InvalidSuppression)[] = []
  const comments = commentsIn(document.text)
  // One pass for all: each call reads the document.
  const lines = comments.length === 0 ? [] : document.linesAt(0, document.countLines() - 1)
  const content = contentLines(lines)
  for (const comment of comments) {
    const read = form.exec(comment.text)?.groups
    if (read === undefined) continue
    const { file, rest = '' } = read
    const { line, character, alone } = comment
    const range: Range = { start: { line, character }, end: { line, character: character + comment.text.length } }
    const place = { source, path: lines[line]?.path ?? [], range }
    const [, ids = '', why = ''] = /^(.*?)(?:(?:^|\s)--(?:\s(.*))?)?$/s.exec(rest.trim()) ?? []
    const rules = ids
      .split(/[\s,]+/)
      .map((it) => it.trim())
      .filter((it) => it !== '')
    const name = `# svc-ignore${file ?? ''}`
    if (rules.length === 0)
      found.push({
        ...place,
        message: `"${name}" names no rule, so it suppresses nothing; write ${name} RULE -- reason.`,
      })
    const scope =
      file === undefined ? scopeOfLine(document, lines, alone ? (content[line] ?? -1) : line) : scopeBelow(source, [])
    for (const rule of rules) {
      const refused = refusalOf(rule)
      found.push(
        refused === null
          ? {
              kind: file === undefined ? 'comment' : 'file-comment',
              rule,
              reason: why.trim() || null,
              scope,
              ...place,
            }
          : { ...place, message: refused },
      )
    }
  }
  return found
}
