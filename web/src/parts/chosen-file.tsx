import { FileText } from 'lucide-react'
import { Button } from './button.tsx'
import { bytesWords } from './bytes.ts'

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
