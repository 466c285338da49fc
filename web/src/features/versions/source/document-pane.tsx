import { useEffect, useRef, useState } from 'react'
import { type DocumentEditor, type DocumentGiven, openDocument } from '../../../editor/document.ts'

/** A document in the editor. It is opened once and calls the handlers of the last rendering. */
export const DocumentPane = ({
  onOpen,
  ...given
}: DocumentGiven & {
  /** Called with the editor when it is there, and with null before it goes. */
  onOpen: (editor: DocumentEditor | null) => void
}) => {
  const host = useRef<HTMLDivElement>(null)
  const calls = useRef({ ...given, onOpen })
  calls.current = { ...given, onOpen }
  const [first] = useState(given)
  useEffect(() => {
    if (host.current === null) return
    const opened = openDocument(host.current, {
      ...first,
      complete: first.complete === null ? null : (offset) => calls.current.complete?.(offset) ?? Promise.resolve(null),
      onEdit: () => calls.current.onEdit(),
      onSave: () => calls.current.onSave(),
      onCursor: (cursor) => calls.current.onCursor(cursor),
      onLine: (line) => calls.current.onLine(line),
      onFix: first.onFix === null ? null : (finding) => calls.current.onFix?.(finding),
    })
    calls.current.onOpen(opened)
    return () => {
      calls.current.onOpen(null)
      opened.close()
    }
  }, [first])
  return <div ref={host} className="h-full min-h-0 overflow-hidden outline-accent focus-within:outline-2" />
}
