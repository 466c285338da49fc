/** The editor of rulesets and schemas: CodeMirror, fetched by the page that opens it and by no other. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Text } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { colours, looks, typingOver } from './looks.ts'
import { type Names, referenceCompletions, type References, rulesetCompletions } from './completions.ts'

/** A place of the text: zero-based lines and UTF-16 columns. */
interface Position {
  readonly line: number
  readonly character: number
}

/** Something wrong with the text. */
export interface Problem {
  readonly message: string
  readonly range: { readonly start: Position; readonly end: Position }
}

export interface Editor {
  /** Puts another text in place of the whole one, unless it is the same. */
  readonly replace: (text: string) => void
  /** Marks these problems, and no others, in the text and its gutter. */
  readonly mark: (problems: readonly Problem[]) => void
  /** Goes to a place and takes the focus. */
  readonly reveal: (at: Position) => void
  readonly close: () => void
}

const offsetOf = (doc: Text, { line, character }: Position): number => {
  const found = doc.line(Math.min(Math.max(line + 1, 1), doc.lines))
  return Math.min(found.from + character, found.to)
}

const diagnosticOf = (doc: Text, { message, range }: Problem): Diagnostic => {
  const from = offsetOf(doc, range.start)
  return { from, to: Math.max(from, offsetOf(doc, range.end)), severity: 'error', message }
}

/** A larger text is handed over once typing rests: it is one string of megabytes. */
const large = 200_000

/** Opens an editor in an element that is its own. */
export const openEditor = (
  host: HTMLElement,
  given: {
    readonly text: string
    /** What assistive technology calls it. */
    readonly label: string
    readonly readOnly: boolean
    /** Offered where the id of a rule is expected: the ids that have been loaded. Null: the text is not a ruleset. */
    readonly names: (() => Names) | null
    /** Offered where a reference to a registered type is written. */
    readonly references: References
    readonly onChange: (text: string) => void
    readonly onSave: () => void
  },
): Editor => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const parent = root.appendChild(document.createElement('div'))
  parent.style.height = '100%'
  let later: ReturnType<typeof setTimeout> | undefined
  const save = { key: 'Mod-s', preventDefault: true, run: () => (given.onSave(), true) }
  const state = EditorState.create({
    doc: given.text,
    extensions: [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      EditorView.lineWrapping,
      yaml(),
      syntaxHighlighting(colours),
      looks,
      typingOver,
      autocompletion({
        override: [given.names ? rulesetCompletions(given.names) : referenceCompletions(given.references)],
        icons: false,
      }),
      // The Tab key leaves the editor, as it leaves every field: keyboard users are not trapped in it.
      keymap.of([save, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorState.readOnly.of(given.readOnly),
      EditorView.contentAttributes.of({
        'aria-label': given.label,
        // It can be reached anyhow; tools that look for what scrolls ask for the attribute.
        tabindex: '0',
        ...(given.readOnly ? { 'aria-readonly': 'true' } : {}),
      }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return
        clearTimeout(later)
        const tell = (): void => given.onChange(update.state.doc.toString())
        if (update.state.doc.length < large) tell()
        else later = setTimeout(tell, 300)
      }),
    ],
  })
  const view = new EditorView({ state, parent, root })
  return {
    replace: (text) => {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    mark: (problems) => {
      const marks = problems.map((it) => diagnosticOf(view.state.doc, it))
      view.dispatch(setDiagnostics(view.state, marks))
    },
    reveal: (at) => {
      const anchor = offsetOf(view.state.doc, at)
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    close: () => {
      clearTimeout(later)
      view.destroy()
      parent.remove()
    },
  }
}
