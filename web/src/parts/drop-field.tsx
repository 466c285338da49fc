import { FileText, FileUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { bytesWords } from './text.ts'

/** A file of the reader's own, chosen or dropped, read as text here in the browser. */
export const DropField = ({
  label,
  accept,
  onText,
}: {
  label: string
  /** Endings of file names. */
  accept: string
  onText: (name: string, text: string) => void
}) => {
  const [over, setOver] = useState(false)
  const read = async (file: File | undefined): Promise<void> => {
    if (file) onText(file.name, await file.text())
  }
  return (
    <label
      className={`flex min-h-16 cursor-pointer flex-wrap items-center justify-center gap-2 rounded-lg border border-dashed p-3 text-center text-sm focus-within:outline-2 focus-within:outline-accent hover:bg-raised ${over ? 'border-accent bg-wash' : 'border-edge'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void read(event.dataTransfer.files[0])
      }}
    >
      <FileUp size={17} aria-hidden="true" className="text-soft" />
      {label}
      <input
        type="file"
        accept={accept}
        className="sr-only"
        onChange={(event) => {
          void read(event.target.files?.[0])
          // The same file, changed meanwhile, can be chosen again.
          event.target.value = ''
        }}
      />
    </label>
  )
}

/** A file that was read as text in the browser. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** A chosen file by name and size, with a button that lets go of it. Its text is never drawn. */
export const ChosenFile = ({ file, onRemove }: { file: TextFile; onRemove: () => void }) => (
  <p className="flex flex-wrap items-center gap-3 rounded-lg border px-3 py-2 text-sm">
    <FileText size={17} aria-hidden="true" className="text-soft" />
    <span className="min-w-0 font-medium break-all">{file.name}</span>
    <span className="text-soft">{bytesWords(file.text.length)}</span>
    <Button onClick={onRemove}>
      Remove<span className="sr-only"> {file.name}</span>
    </Button>
  </p>
)
