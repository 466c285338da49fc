/**
 * How every editor looks and behaves. It lives in a shadow root, where its styles are constructed sheets: the policy of the
 * application allows no style elements.
 */
import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours of syntax. */
export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.content], color: 'var(--color-ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--color-info)' },
  { tag: tags.comment, color: 'var(--color-soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--color-soft)' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--color-warn)' },
])

/** The frame, the gutters, the tooltips and the panels. */
export const looks = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'var(--color-surface)', fontSize: '0.8125rem', height: '100%' },
  // The frame around it shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--color-accent)', paddingBlock: '0.5rem' },
  '.cm-cursor': { borderLeftColor: 'var(--color-accent)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    color: 'var(--color-soft)',
    backgroundColor: 'var(--color-surface)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-raised)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--color-accent) 30%, transparent)',
  },
  '.cm-tooltip': {
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-surface)',
    border: '1px solid var(--color-line)',
    borderRadius: '0.5rem',
    fontSize: '0.8125rem',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--color-accent)',
    backgroundColor: 'var(--color-wash)',
  },
  '.cm-completionDetail': { color: 'var(--color-soft)', fontStyle: 'normal' },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)', borderLeftColor: 'var(--color-danger)', maxWidth: '32rem' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--color-danger)',
    textUnderlineOffset: '3px',
  },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--color-warn)' },
  '.cm-diagnostic-info, .cm-diagnostic-hint': { borderLeftColor: 'var(--color-info)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--color-accent)',
    color: 'var(--color-on-accent)',
    font: 'inherit',
    borderRadius: '0.375rem',
    padding: '0.125rem 0.5rem',
    marginLeft: '0.5rem',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--color-warn)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-info, .cm-lintRange-hint': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--color-info)',
    textUnderlineOffset: '3px',
  },
  '.cm-panels': { color: 'var(--color-ink)', backgroundColor: 'var(--color-raised)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--color-line)' },
  '.cm-panel.cm-search': {
    fontFamily: 'var(--font-sans)',
    fontSize: '0.8125rem',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.25rem 0.375rem',
    padding: '0.5rem 2rem 0.5rem 0.5rem',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--color-ink)', minWidth: '24px', minHeight: '24px' },
  '.cm-panel .cm-textfield': {
    backgroundColor: 'var(--color-surface)',
    border: '1px solid var(--color-edge)',
    borderRadius: '0.375rem',
    padding: '0.25rem 0.5rem',
    fontSize: '0.8125rem',
  },
  '.cm-panel .cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--color-surface)',
    border: '1px solid var(--color-edge)',
    borderRadius: '0.375rem',
    padding: '0.25rem 0.625rem',
    fontSize: '0.8125rem',
  },
  '.cm-panel :focus-visible': { outline: '2px solid var(--color-accent)', outlineOffset: '1px' },
  '.cm-searchMatch': { backgroundColor: 'var(--color-warn-wash)', outline: '1px solid var(--color-warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--color-warn) 40%, transparent)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--color-raised)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--color-wash)',
    border: '1px solid var(--color-line)',
    color: 'var(--color-accent)',
    padding: '0 0.375rem',
  },
  '.cm-foldGutter span': { padding: '0 0.25rem' },
  '.cm-chosenLine': { backgroundColor: 'var(--color-warn-wash)' },
})

/**
 * Typing over several lines is done here: a browser that does it itself keeps the looks of what was there in style
 * attributes, which the policy of the application refuses.
 */
export const typingOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { from, to } = view.state.selection.main
    const { doc, readOnly } = view.state
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || readOnly) return false
    // So is a text of several lines: a browser makes an element of each.
    if (doc.lineAt(from).to >= to && !event.data.includes('\n')) return false
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})
