/**
 * Colours and folding of documents that are too large for a parser in the browser: each line on the screen by itself, at once,
 * wherever one scrolls.
 */
import { foldable, foldedRanges, foldEffect, foldGutter, foldService } from '@codemirror/language'
import { type Extension, RangeSetBuilder, type EditorState } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

const marks = {
  key: Decoration.mark({ class: 'cm-l-key' }),
  text: Decoration.mark({ class: 'cm-l-text' }),
  value: Decoration.mark({ class: 'cm-l-value' }),
  comment: Decoration.mark({ class: 'cm-l-comment' }),
}

const markOf = (key?: string, quoted?: string, value?: string) => {
  if (key) return marks.key
  if (quoted) return marks.text
  return value ? marks.value : marks.comment
}

// A key, a text in quotes, a number or a word of the language, a comment.
const tokens =
  /("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\w$./{}~-]+)(?=\s*:(?:\s|$))|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<=[\s[:,-]|^)(-?\d[\d.eE+-]*|true|false|null)(?=[\s,\]}]|$)|((?:^|\s)#.*$)/g

/** Of a longer line the beginning is coloured. */
const longest = 5000

const build = (view: EditorView): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at)
      const begin = Math.max(from, line.from)
      const text = view.state.sliceDoc(begin, Math.min(line.to, to, begin + longest))
      for (const { 0: found, 1: key, 2: quoted, 3: value, index } of text.matchAll(tokens)) {
        const mark = markOf(key, quoted, value)
        builder.add(begin + index, begin + index + found.length, mark)
      }
      at = line.to + 1
    }
  return builder.finish()
}

const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = build(view)
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = build(view)
    }
  },
  { decorations: (it) => it.decorations },
)

const looks = EditorView.baseTheme({
  '.cm-l-key': { color: 'var(--color-accent)' },
  '.cm-l-value': { color: 'var(--color-info)' },
  '.cm-l-comment': { color: 'var(--color-soft)', fontStyle: 'italic' },
})

const indentOf = (text: string): number => text.length - text.trimStart().length

/** How many lines are looked at to see whether one can be folded: this is asked for each line on the screen after each key. */
const nearest = 500

/** A line is folded with those behind it that are indented deeper; the bracket that closes it stays. */
const blockAt = (state: EditorState, from: number, to: number, most: number) => {
  const { doc } = state
  if (to - from > longest) return null
  const start = doc.lineAt(from)
  if (start.text.trim() === '' || start.number === doc.lines) return null
  const depth = indentOf(start.text)
  const holdsItems = /:\s*$/.test(start.text)
  let at = start.to
  let end = start.to
  for (const text of doc.iterLines(start.number + 1, Math.min(doc.lines + 1, start.number + most))) {
    at += text.length + 1
    if (text.trim() === '') continue
    const indent = indentOf(text)
    if (indent < depth || (indent === depth && !(holdsItems && text.startsWith('- ', indent)))) break
    end = at
  }
  return end > start.to ? { from: start.to, to: end } : null
}

/** Folding by indentation. */
export const foldByIndentation: Extension = foldService.of((state, from, to) => blockAt(state, from, to, nearest))

const isFolded = (state: EditorState, from: number, to: number): boolean => {
  let found = false
  foldedRanges(state).between(from, to, () => {
    found = true
  })
  return found
}

/** Folds the block of a line whole, however long it is. False where there is none, or where it is folded. */
const foldLine = (view: EditorView, at: number): boolean => {
  const { state } = view
  const { from, to } = state.doc.lineAt(at)
  if (isFolded(state, from, to)) return false
  const near = foldable(state, from, to)
  if (near === null) return false
  const whole = blockAt(state, from, to, Infinity)
  view.dispatch({ effects: foldEffect.of(whole !== null && whole.to > near.to ? whole : near) })
  return true
}

/** Folds the block that begins on the line of the cursor. */
export const foldBlock = (view: EditorView): boolean => foldLine(view, view.state.selection.main.head)

/** The gutter that folds. */
export const foldWholeBlocks: Extension = foldGutter({
  domEventHandlers: { click: (view, { from }) => foldLine(view, from) },
})

/** Colours by lines, and folding by indentation. */
export const light: Extension = [colours, looks, foldByIndentation]
