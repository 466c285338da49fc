import { useRef } from 'react'
import { CodeEditor, type EditorHandle, type Problem } from '../../parts/code-editor.tsx'
import { count } from '../../parts/text.ts'
import { searchTypes } from './search.ts'

const mostListed = 20

const Problems = ({ problems, onReveal }: { problems: readonly Problem[]; onReveal: (it: Problem) => void }) => (
  <div role="alert" className="card grid gap-1 border-danger px-4 py-3 text-sm">
    <p className="font-semibold text-danger">{count(problems.length, 'problem', 'problems')}: fix before saving</p>
    <ul className="grid gap-1">
      {problems.slice(0, mostListed).map((problem) => (
        <li
          key={`${problem.range.start.line} ${problem.range.start.character} ${problem.message}`}
          className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3"
        >
          <button type="button" className="link tabular-nums" onClick={() => onReveal(problem)}>
            line {problem.range.start.line + 1}:{problem.range.start.character + 1}
          </button>
          <span className="wrap-anywhere whitespace-pre-line">{problem.message}</span>
        </li>
      ))}
    </ul>
  </div>
)

/** A schema as JSON or YAML, with problems at their lines. "svc:" completes the references of registered types. */
export const SchemaEditor = ({
  tenant,
  text,
  problems,
  onChange,
  onSave,
}: {
  tenant: string
  text: string
  problems: readonly Problem[]
  onChange: (text: string) => void
  onSave: () => void
}) => {
  const handle = useRef<EditorHandle>(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <CodeEditor
        label="Schema"
        text={text}
        readOnly={false}
        problems={problems}
        references={async (typed) =>
          (await searchTypes(tenant, typed)).map(({ ref, description }) => ({ ref, description }))
        }
        handle={handle}
        onChange={onChange}
        onSave={onSave}
      />
      {problems.length > 0 ? <Problems problems={problems} onReveal={(it) => handle.current?.reveal(it)} /> : null}
      <p className="text-xs text-soft">
        JSON or YAML. Type <code className="font-mono">svc:</code> to refer to a type. Tab leaves the editor, F8 goes to
        the next problem, Ctrl+S saves.
      </p>
    </div>
  )
}
