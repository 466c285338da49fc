/** The editor of whole documents: of any size, with folding, search, findings and changes beside the lines. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  codeFolding,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, lintKeymap, nextDiagnostic, openLintPanel } from '@codemirror/lint'
import { gotoLine, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { ChangeSet, EditorState, type Extension, type Text, Transaction } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import type { EditChange, EditFinding, TextEdit } from '../../../src/api/edits.ts'
import { type Complete, serviceCompletions } from './completions.ts'
import { foldBlock, foldByIndentation, foldWholeBlocks, light } from './light.ts'
import { colours, looks, typingOver } from './looks.ts'
import { choose, markChanges, markFindings, marks } from './marks.ts'
import { blobOf, changesOf, editsOf, offsetIn, type Rope } from './rope.ts'

/** A larger document is coloured line by line: a parser would be busy with it for seconds. */
const largest = 1_000_000

/** Where the cursor is, from 1, and how many lines there are. */
export interface Cursor {
  readonly line: number
  readonly column: number
  readonly lines: number
}

/** The text at one moment: its edits as the service takes them, and where its places are now. */
export interface Snapshot {
  readonly edits: readonly TextEdit[]
  readonly doc: Text
  readonly placeOf: (offset: number) => number
  /** Whether nothing was typed since. */
  readonly isCurrent: () => boolean
}

export interface DocumentEditor {
  readonly snapshot: () => Snapshot
  /** How many characters the text has. */
  readonly length: () => number
  /** Whether the text differs from the one that was read or saved last. */
  readonly isChanged: () => boolean
  /** The text as a body to send; what it says becomes what is saved once `saved` is called. */
  readonly body: (type: string) => Promise<{ readonly blob: Blob; readonly saved: () => void }>
  /** Puts edits of the service into the text, as one step that can be undone. */
  readonly apply: (edits: readonly TextEdit[], snapshot: Snapshot) => void
  /** Continues with another stored text and edits of it. */
  readonly rebase: (stored: Rope, edits: readonly TextEdit[]) => void
  readonly markFindings: (findings: readonly EditFinding[], snapshot: Snapshot) => void
  readonly markChanges: (changes: readonly EditChange[], snapshot: Snapshot) => void
  /** Goes to a line, counted from 1, marks it, and takes the focus if asked. */
  readonly reveal: (line: number, focus: boolean) => void
  /** Goes to a place of a snapshot, wherever that is now. */
  readonly revealIn: (snapshot: Snapshot, at: TextEdit['start']) => void
  /** Puts another text in place of the whole, as one step that can be undone. */
  readonly replace: (text: Rope) => void
  readonly focus: () => void
  readonly find: () => void
  readonly goToLine: () => void
  readonly nextFinding: () => void
  readonly listFindings: () => void
  readonly close: () => void
}

export interface DocumentGiven {
  readonly stored: Rope
  readonly syntax: 'json' | 'yaml'
  /** What assistive technology calls it. */
  readonly label: string
  readonly readOnly: boolean
  readonly complete: Complete | null
  readonly onEdit: () => void
  readonly onSave: () => void
  readonly onCursor: (cursor: Cursor) => void
  /** A line number was pressed, from 1. */
  readonly onLine: (line: number) => void
  readonly onFix: ((finding: EditFinding) => void) | null
}

const languageOf = ({ stored, syntax }: DocumentGiven): Extension =>
  stored.doc.length > largest
    ? light
    : [syntax === 'json' ? json() : [yaml(), foldByIndentation], bracketMatching(), syntaxHighlighting(colours)]

const editing = (given: DocumentGiven): Extension =>
  given.readOnly
    ? [EditorState.readOnly.of(true)]
    : [
        history(),
        indentOnInput(),
        closeBrackets(),
        highlightActiveLine(),
        typingOver,
        autocompletion({ override: given.complete ? [serviceCompletions(given.complete)] : [], icons: false }),
      ]

const extensionsOf = (given: DocumentGiven): Extension => [
  lineNumbers({
    domEventHandlers: {
      mousedown: (view, block) => {
        given.onLine(view.state.doc.lineAt(block.from).number)
        return true
      },
    },
  }),
  marks(!given.readOnly),
  lintGutter(),
  codeFolding(),
  foldWholeBlocks,
  drawSelection(),
  search({ top: true }),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  languageOf(given),
  looks,
  editing(given),
  // The Tab key leaves the editor, as it leaves every field: keyboard users are not trapped in it.
  keymap.of([
    { key: 'Mod-s', preventDefault: true, run: () => (given.onSave(), true) },
    { key: 'Mod-g', preventDefault: true, run: gotoLine },
    { key: 'Mod-]', run: indentMore },
    { key: 'Mod-[', run: indentLess },
    ...closeBracketsKeymap,
    ...completionKeymap,
    { key: 'Ctrl-Shift-[', mac: 'Cmd-Alt-[', run: foldBlock },
    ...foldKeymap,
    ...searchKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  EditorView.contentAttributes.of({
    'aria-label': given.label,
    // It can be reached anyhow; tools that look for what scrolls ask for the attribute.
    tabindex: '0',
    ...(given.readOnly ? { 'aria-readonly': 'true' } : {}),
  }),
]

/** What was changed since a text was stored, and since each snapshot that is still asked about. */
class Changes {
  #stored: Text
  #all: ChangeSet
  #snapshots = new Set<{ changes: ChangeSet }>()

  constructor(stored: Text) {
    this.#stored = stored
    this.#all = ChangeSet.empty(stored.length)
  }

  add(changes: ChangeSet): void {
    this.#all = this.#all.compose(changes)
    for (const snapshot of this.#snapshots) snapshot.changes = snapshot.changes.compose(changes)
  }

  isChanged(doc: Text): boolean {
    return !this.#all.empty && !doc.eq(this.#stored)
  }

  take(doc: Text): Snapshot & { readonly since: { readonly changes: ChangeSet } } {
    const since = { changes: ChangeSet.empty(doc.length) }
    // Those before it were answered, or are about what is not there any more.
    if (this.#snapshots.size > 8) this.#snapshots = new Set([...this.#snapshots].slice(-4))
    this.#snapshots.add(since)
    return {
      edits: editsOf(this.#stored, this.#all),
      doc,
      placeOf: (offset) => since.changes.mapPos(Math.min(offset, since.changes.length)),
      isCurrent: () => since.changes.empty,
      since,
    }
  }

  /** What is stored now is a text that became the present one by these changes. */
  rebase(stored: Text, changes: ChangeSet): void {
    this.#stored = stored
    this.#all = changes
  }
}

/** Opens an editor in an element that is its own. */
export const openDocument = (host: HTMLElement, given: DocumentGiven): DocumentEditor => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const parent = root.appendChild(document.createElement('div'))
  parent.style.height = '100%'
  const changes = new Changes(given.stored.doc)
  let { lineBreak } = given.stored
  let isRebasing = false
  const followed = EditorView.updateListener.of((update) => {
    if (update.docChanged && !isRebasing) {
      changes.add(update.changes)
      given.onEdit()
    }
    if (update.selectionSet || update.docChanged) {
      const { head } = update.state.selection.main
      const line = update.state.doc.lineAt(head)
      given.onCursor({ line: line.number, column: head - line.from + 1, lines: update.state.doc.lines })
    }
  })
  const state = EditorState.create({ doc: given.stored.doc, extensions: [extensionsOf(given), followed] })
  const view = new EditorView({ state, parent, root })
  // A dialog of the editor looks for the focus in the document, where it finds the host of the shadow root.
  parent.addEventListener('keydown', ({ key, target }) => {
    if ((key === 'Enter' || key === 'Escape') && target instanceof Element && target.closest('.cm-dialog') !== null)
      setTimeout(() => view.focus())
  })
  const lineStart = (line: number): number => offsetIn(view.state.doc, { line: line - 1, character: 0 })
  return {
    snapshot: () => changes.take(view.state.doc),
    length: () => view.state.doc.length,
    isChanged: () => changes.isChanged(view.state.doc),
    body: async (type) => {
      const { doc } = view.state
      const { since } = changes.take(doc)
      // What is typed while it is saved is changed against what is saved.
      const blob = await blobOf({ doc, lineBreak }, type)
      return { blob, saved: () => changes.rebase(doc, since.changes) }
    },
    apply: (edits, { doc, placeOf }) => {
      const specs = changesOf(doc, edits).map(({ from, to, insert }) => ({
        from: placeOf(from),
        to: placeOf(to),
        insert,
      }))
      view.dispatch({ changes: specs, userEvent: 'input.fix' })
    },
    rebase: (stored, edits) => {
      const set = ChangeSet.of(changesOf(stored.doc, edits), stored.doc.length)
      const now = set.apply(stored.doc)
      lineBreak = stored.lineBreak
      const { head } = view.state.selection.main
      const { number } = view.state.doc.lineAt(head)
      isRebasing = true
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: now },
        annotations: Transaction.userEvent.of('input.merge'),
      })
      isRebasing = false
      changes.rebase(stored.doc, set)
      view.dispatch({ selection: { anchor: lineStart(number) }, effects: EditorView.scrollIntoView(lineStart(number)) })
      given.onEdit()
    },
    markFindings: (findings, { doc, placeOf }) => markFindings(view, findings, doc, placeOf, given.onFix),
    markChanges: (found, { doc, placeOf }) => markChanges(view, found, doc, placeOf),
    reveal: (line, focus) => {
      const anchor = lineStart(line)
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      choose(view, anchor)
      if (focus) view.focus()
    },
    revealIn: ({ doc, placeOf }, at) => {
      const anchor = Math.min(view.state.doc.length, placeOf(offsetIn(doc, at)))
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    replace: ({ doc }) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } }),
    focus: () => view.focus(),
    find: () => void openSearchPanel(view),
    goToLine: () => void gotoLine(view),
    nextFinding: () => {
      view.focus()
      nextDiagnostic(view)
    },
    listFindings: () => void openLintPanel(view),
    close: () => {
      view.destroy()
      parent.remove()
    },
  }
}
