/** Two excerpts side by side, aligned, with what differs marked within the lines; below each other where there is no room. */
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { syntaxHighlighting } from '@codemirror/language'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { colours, looks } from './looks.ts'

/** Some lines of a document. */
export interface Excerpt {
  readonly text: string
  /** The number of its first line, from 1. */
  readonly first: number
  /** What assistive technology calls it. */
  readonly label: string
}

const marks = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--color-danger-wash)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--color-ok-wash)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--color-danger) 28%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--color-ok) 28%, transparent)' },
  // The colours of syntax are too faint on what is marked.
  '.cm-changedText, .cm-changedText *, .cm-deletedText, .cm-deletedText *': { color: 'var(--color-ink) !important' },
  '.cm-scroller': { fontSize: '0.75rem' },
  '&.cm-focused': { outline: '2px solid var(--color-accent)' },
})

const extensionsOf = ({ text, first, label }: Excerpt, syntax: 'json' | 'yaml'): Extension => [
  lineNumbers({ formatNumber: (line) => (text === '' ? '' : String(line + first - 1)) }),
  syntax === 'json' ? json() : yaml(),
  syntaxHighlighting(colours),
  looks,
  marks,
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
]

/** Shows two excerpts in an element that is its own. @returns what removes them */
export const openPair = (
  host: HTMLElement,
  { base, head, syntax, isNarrow }: { base: Excerpt; head: Excerpt; syntax: 'json' | 'yaml'; isNarrow: boolean },
): (() => void) => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const parent = root.appendChild(document.createElement('div'))
  const view = isNarrow
    ? new EditorView({
        doc: head.text,
        extensions: [
          extensionsOf(head, syntax),
          unifiedMergeView({ original: base.text, mergeControls: false, gutter: true }),
        ],
        parent,
        root,
      })
    : new MergeView({
        a: { doc: base.text, extensions: extensionsOf(base, syntax) },
        b: { doc: head.text, extensions: extensionsOf(head, syntax) },
        parent,
        root,
        gutter: true,
      })
  return () => {
    view.destroy()
    parent.remove()
  }
}
