import type { ReactNode } from 'react'
import { CodeEditor } from './code-editor.tsx'

const none: readonly never[] = []
const nothing = (): void => {}

/** A field for a whole document: an editor that takes texts of any size, with its label and hint. */
export const DocumentField = ({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint?: ReactNode
  value: string
  onChange: (text: string) => void
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
    <span aria-hidden="true" className="text-sm font-medium">
      {label}
    </span>
    <CodeEditor
      label={label}
      text={value}
      readOnly={false}
      problems={none}
      handle={null}
      height="h-56"
      onChange={onChange}
      onSave={nothing}
    />
    {hint ? <p className="text-sm text-soft">{hint}</p> : null}
  </div>
)
