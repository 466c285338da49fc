/** What is shown beside the lines of a document: findings in the text and the gutter, changes in a gutter of their own. */
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, EditorView, gutter, GutterMarker } from '@codemirror/view'
import type { EditChange, EditFinding } from '../../../src/api/edits.ts'
import { offsetIn } from './rope.ts'

class ChangeMarker extends GutterMarker {
  readonly change: Pick<EditChange, 'severity' | 'message'>
  constructor(change: Pick<EditChange, 'severity' | 'message'>) {
    super()
    this.change = change
  }
  override eq(other: ChangeMarker): boolean {
    return other.change.message === this.change.message && other.change.severity === this.change.severity
  }
  override toDOM(): Node {
    const { severity, message } = this.change
    const mark = document.createElement('span')
    mark.className = `cm-change cm-change-${severity}`
    mark.textContent = severity === 'breaking' ? '✕' : '•'
    mark.title = `${severity}: ${message.replaceAll('`', '')}`
    return mark
  }
}

const setChanges = StateEffect.define<RangeSet<ChangeMarker>>()
const changesField = StateField.define<RangeSet<ChangeMarker>>({
  create: () => RangeSet.empty,
  update: (before, { changes, effects }) => {
    let now = before.map(changes)
    for (const effect of effects) if (effect.is(setChanges)) now = effect.value
    return now
  },
})

const setChosen = StateEffect.define<number | null>()
const chosenLine = Decoration.line({ class: 'cm-chosenLine' })
const chosenField = StateField.define<number | null>({
  create: () => null,
  update: (before, { changes, effects }) => {
    let now = before === null ? null : changes.mapPos(before)
    for (const effect of effects) if (effect.is(setChosen)) now = effect.value
    return now
  },
  provide: (field) =>
    EditorView.decorations.from(field, (at) => (view) => {
      if (at === null) return Decoration.none
      return Decoration.set([chosenLine.range(view.state.doc.lineAt(Math.min(at, view.state.doc.length)).from)])
    }),
})

const changeGutter: Extension = [
  gutter({
    class: 'cm-changeGutter',
    markers: (view) => view.state.field(changesField),
    initialSpacer: () => new ChangeMarker({ severity: 'breaking', message: '' }),
  }),
  EditorView.baseTheme({
    '.cm-changeGutter': { minWidth: '1.1rem' },
    '.cm-change': { display: 'block', textAlign: 'center', fontWeight: '700', cursor: 'default' },
    '.cm-change-breaking': { color: 'var(--color-danger)' },
    '.cm-change-non-breaking': { color: 'var(--color-ok)' },
    '.cm-change-docs-only': { color: 'var(--color-soft)' },
  }),
]

/** The line that the address names, and the gutter of changes where there can be some. */
export const marks = (hasChanges: boolean): Extension => [changesField, chosenField, hasChanges ? changeGutter : []]

/** Marks the line that the address names; null marks none. */
export const choose = (view: EditorView, at: number | null): void => view.dispatch({ effects: setChosen.of(at) })

const worst = { breaking: 0, 'non-breaking': 1, 'docs-only': 2 } as const

/** Marks changes, one for each line: the worst. `placeOf` says where a place of the compared text is now. */
export const markChanges = (
  view: EditorView,
  changes: readonly EditChange[],
  compared: Text,
  placeOf: (offset: number) => number,
): void => {
  const { doc } = view.state
  const byLine = new Map<number, EditChange>()
  for (const change of changes) {
    if (change.range === null) continue
    const { from } = doc.lineAt(placeOf(offsetIn(compared, change.range.start)))
    const known = byLine.get(from)
    if (known === undefined || worst[change.severity] < worst[known.severity]) byLine.set(from, change)
  }
  const builder = new RangeSetBuilder<ChangeMarker>()
  for (const [from, change] of [...byLine].sort(([a], [b]) => a - b)) builder.add(from, from, new ChangeMarker(change))
  view.dispatch({ effects: setChanges.of(builder.finish()) })
}

/** Longer places are marked at their beginning only: a line under a whole operation says nothing. */
const longestMark = 400

/** Marks findings. `onFix` is offered where a finding can be fixed. */
export const markFindings = (
  view: EditorView,
  findings: readonly EditFinding[],
  checked: Text,
  placeOf: (offset: number) => number,
  onFix: ((finding: EditFinding) => void) | null,
): void => {
  const { length } = view.state.doc
  const diagnostics = findings.map((finding): Diagnostic => {
    const { range, severity, code, message, fix } = finding
    const from = Math.min(length, placeOf(offsetIn(checked, range.start)))
    const end = Math.max(from, Math.min(length, placeOf(offsetIn(checked, range.end))))
    return {
      from,
      to: end - from > longestMark ? Math.min(view.state.doc.lineAt(from).to, from + longestMark) : end,
      severity,
      source: code,
      message: message.replaceAll('`', ''),
      ...(fix === null || onFix === null ? {} : { actions: [{ name: fix.description, apply: () => onFix(finding) }] }),
    }
  })
  view.dispatch(setDiagnostics(view.state, diagnostics))
}
