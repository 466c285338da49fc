import { useId } from 'react'
import { Button } from '../../../parts/button.tsx'
import { withRows, withText, type Draft } from './builder.ts'
import { GroupEditor } from './builder-view.tsx'

/** The same expression twice: as rows and as text. Each follows the other. */
export const ExpressionEditor = ({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) => {
  const id = useId()
  const { text, rows, problem, isBehind } = draft
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <fieldset disabled={isBehind} className="card min-w-0 p-3">
        <legend className="px-1 text-sm font-medium">Builder</legend>
        <GroupEditor row={rows} place="Whole expression" onRemove={null} onChange={(it) => onChange(withRows(it))} />
      </fieldset>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          Expression
        </label>
        <textarea
          id={id}
          rows={Math.min(Math.max(5, text.split('\n').length + 1), 16)}
          className="field font-mono text-sm"
          spellCheck={false}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={`${id}-state`}
          value={text}
          onChange={(event) => onChange(withText(draft, event.target.value))}
        />
        <div id={`${id}-state`} aria-live="polite" className="grid gap-2 text-sm">
          {problem === null ? (
            <p className="text-soft">The builder shows the same expression. Line ends are spaces.</p>
          ) : (
            <p className="wrap-anywhere text-danger">
              Line {problem.line}, column {problem.column}: {problem.reason}.
            </p>
          )}
          {isBehind ? (
            <div className="grid justify-items-start gap-2 text-soft">
              <p>The builder shows the last expression that could be read. It follows when the text is correct.</p>
              <Button onClick={() => onChange(withRows(rows))}>Discard the text since then</Button>
            </div>
          ) : null}
        </div>
      </div>
    </div>
  )
}
