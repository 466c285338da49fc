import { useEffect, useRef, useState, type Ref, useImperativeHandle } from 'react'
import type { Editor, Problem } from '../editor/yaml.ts'
import type { Names, References } from '../editor/completions.ts'
import { Failure, Loading } from './states.tsx'

export type { Problem } from '../editor/yaml.ts'

/** What other components can do with a mounted editor. */
export interface EditorHandle {
  readonly reveal: (problem: Problem) => void
}

/** A YAML and JSON editor with marks at what is wrong. Its code is fetched when the first one is opened. */
export const CodeEditor = ({
  label,
  text,
  readOnly,
  problems,
  names,
  references,
  handle,
  height = 'h-[32rem]',
  onChange,
  onSave,
}: {
  label: string
  text: string
  readOnly: boolean
  problems: readonly Problem[]
  /** Ids of rules: given where the text is a ruleset. */
  names?: Names
  /** Finds registered types: given where the text is a schema. */
  references?: References
  handle: Ref<EditorHandle>
  height?: string
  onChange: (text: string) => void
  onSave: () => void
}) => {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [error, setError] = useState<unknown>(null)
  // The editor is created once: it calls the current handlers through this reference.
  const calls = useRef({ onChange, onSave, names, references })
  calls.current = { onChange, onSave, names, references }
  const first = useRef({ text, label })
  useEffect(() => {
    let opened: Editor | null = null
    let gone = false
    const open = async (): Promise<void> => {
      try {
        const { openEditor } = await import('../editor/yaml.ts')
        if (gone || !host.current) return
        opened = openEditor(host.current, {
          ...first.current,
          readOnly,
          names: names === undefined ? null : () => calls.current.names ?? [],
          references: async (typed) => (await calls.current.references?.(typed)) ?? [],
          onChange: (it) => calls.current.onChange(it),
          onSave: () => calls.current.onSave(),
        })
        setEditor(opened)
      } catch (caught) {
        setError(caught)
      }
    }
    void open()
    return () => {
      gone = true
      opened?.close()
    }
  }, [readOnly])
  useEffect(() => editor?.replace(text), [editor, text])
  useEffect(() => editor?.mark(problems), [editor, problems])
  useImperativeHandle(handle, () => ({ reveal: ({ range }) => editor?.reveal(range.start) }), [editor])
  return (
    <div className={`card grid ${height} max-h-[75vh] overflow-hidden outline-accent focus-within:outline-2`}>
      {error ? <Failure error={error} onRetry={() => location.reload()} /> : null}
      {error || editor ? null : <Loading what="the editor" />}
      <div ref={host} className="min-h-0" />
    </div>
  )
}
