/** A merge of texts by what they mean: the text of mine with what theirs changed, and marks where both changed one thing. */
import { isEqual } from '../anchors/equal-nodes.ts'
import { changedLines } from '../document/changed-lines.ts'
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import type { Json } from '../kernel/json.ts'
import { parsePointer } from '../kernel/pointer.ts'
import { rewriteDocument } from '../patch/rewrite.ts'
import type { MergeConflict } from './conflict.ts'
import { mergeDocuments } from './merge.ts'

/** How the sides are called, and how long marks are. */
export interface MarkStyle {
  readonly mine: string
  readonly theirs: string
  /** Of "<" at the begin of a mark; git has 7. */
  readonly size: number
}

/** A comment of a side that the merged text does not have. */
export interface LostComment {
  readonly side: 'mine' | 'theirs'
  /** From 1, in the text of the side. */
  readonly line: number
  readonly text: string
}

/** A merged text. */
export interface MergedText {
  /** With conflicts, both sides of each are in it, between marks. */
  readonly text: string
  readonly conflicts: readonly MergeConflict[]
  readonly lostComments: readonly LostComment[]
}

const hasErrors = ({ problems }: Document): boolean => problems.some(({ severity }) => severity === 'error')

/** Comments of YAML with their lines; in quotes or brackets a "#" may be something else. */
function commentsOf({ text, syntax }: Document): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  if (syntax === 'json') return found
  for (const [at, line] of text.split('\n').entries()) {
    const comment = /(?:^|\s)(#[^"'{}[\]]*?)\s*$/.exec(line)?.[1]
    if (comment === undefined) continue
    const known = found.get(comment)
    if (known === undefined) found.set(comment, [at + 1])
    else known.push(at + 1)
  }
  return found
}

function lostComments(
  base: Document,
  sides: Readonly<Record<LostComment['side'], Document>>,
  made: Document,
): readonly LostComment[] {
  const [before, after] = [commentsOf(base), commentsOf(made)]
  return (['mine', 'theirs'] as const).flatMap((side) =>
    Array.from(commentsOf(sides[side])).flatMap(([text, lines]): LostComment[] => {
      const isNew = lines.length > (before.get(text)?.length ?? 0)
      return isNew && !after.has(text) ? [{ side, line: lines.at(-1)!, text }] : []
    }),
  )
}

/** A text in which the lines that differ from another one are between marks, both. */
function marked(mine: Document, theirs: Document, conflicts: readonly MergeConflict[], style: MarkStyle): string {
  const [left, right] = [mine.text.split('\n'), theirs.text.split('\n')]
  const places = conflicts.map(({ pointer, subject }) => ({
    line: mine.locate(parsePointer(pointer) ?? []).start.line,
    subject,
  }))
  const nearest = (line: number): string =>
    places.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0]?.subject ?? ''
  const mark = (sign: string, name: string): string => `${sign.repeat(style.size)}${name === '' ? '' : ` ${name}`}`
  const lines: string[] = []
  let [at, shift] = [0, 0]
  for (const { line, added, removed } of changedLines(mine.text, theirs.text)) {
    const from = line - shift
    const subject = nearest(from)
    lines.push(
      ...left.slice(at, from),
      mark('<', `${style.mine}: ${subject}`),
      ...left.slice(from, from + removed),
      mark('=', ''),
      ...right.slice(line, line + added),
      mark('>', `${style.theirs}: ${subject}`),
    )
    at = from + removed
    shift += added - removed
  }
  return [...lines, ...left.slice(at)].join('\n')
}

/** What a merge of three texts by lines gives; null where it has conflicts. */
export type MergeLines = (base: string, mine: string, theirs: string) => string | null

interface Sides {
  readonly base: Document
  readonly mine: Document
  readonly theirs: Document
}

/** A text with a value; it has the comments of both sides as far as that is possible. */
interface Written {
  readonly document: Document
  readonly lost: readonly LostComment[]
}

/** The merge by lines of three texts, where it has a certain value. */
function lined(
  texts: readonly [string, string, string],
  value: Json,
  { mine }: Sides,
  mergeLines: MergeLines,
): Document | null {
  const text = mergeLines(...texts)
  const read = text === null ? null : parseDocument(text, { source: mine.source, syntax: mine.syntax })
  return read !== null && !hasErrors(read) && isEqual(read.value, value) ? read : null
}

function written(value: Json, sides: Sides, mergeLines: MergeLines): Written {
  const { base, mine, theirs } = sides
  const lostIn = (document: Document): readonly LostComment[] => lostComments(base, { mine, theirs }, document)
  const made = rewriteDocument(mine, value)
  const lost = lostIn(made)
  if (lost.length === 0 || theirs.syntax !== mine.syntax) return { document: made, lost }
  // With the same value, the three texts only differ in comments and layout.
  const texts = [rewriteDocument(base, value).text, made.text, rewriteDocument(theirs, value).text] as const
  const both = lined([...texts], value, sides, mergeLines)
  const bothLost = both === null ? lost : lostIn(both)
  return both !== null && bothLost.length < lost.length ? { document: both, lost: bothLost } : { document: made, lost }
}

/**
 * Merges three texts of one document by what they mean. Edits of different things never conflict; a conflict is one thing that both
 * sides changed, each otherwise, or what only both together break. All that is not in conflict is in the text.
 * @param mergeLines what git does: where it means the same, it has the comments and the layout of both sides
 */
export function mergeTexts(
  base: Document,
  mine: Document,
  theirs: Document,
  mergeLines: MergeLines,
  style: MarkStyle,
): MergedText {
  const sides = { base, mine, theirs }
  const { document: value, conflicts } = mergeDocuments(base.value, mine.value, theirs.value)
  if (conflicts.length > 0) {
    const other = mergeDocuments(base.value, mine.value, theirs.value, { all: 'theirs' }).document
    const { document: made, lost } = written(value, sides, mergeLines)
    return { text: marked(made, rewriteDocument(made, other), conflicts, style), conflicts, lostComments: lost }
  }
  const whole = lined([base.text, mine.text, theirs.text], value, sides, mergeLines)
  if (whole !== null) return { text: whole.text, conflicts, lostComments: [] }
  const { document: made, lost } = written(value, sides, mergeLines)
  return { text: made.text, conflicts, lostComments: lost }
}
